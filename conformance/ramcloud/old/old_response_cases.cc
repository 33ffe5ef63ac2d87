// SPDX-License-Identifier: Apache-2.0
// "Old": "Single packet response is lost", "Multi-packet response is lost"
#include <fmt/format.h>

#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/old/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/probes/needless_resends.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr unsigned kWithheldRounds = 5;

bool is_count(const OctetBuffer& response, std::uint32_t count) {
  return response.size() == sizeof(count) && load_little_endian<std::uint32_t>(response.data()) == count;
}

// Loses the response. The client must repeat the request, and accept the response that comes then.
void lose_response(ClientProbe& client, const Rule& rule, const TriggerRequest& trigger, std::size_t fragment_octets) {
  const ClientRequest request = client.first_request(trigger);
  client.stimulates(rule);  // the stimulus is silence
  const auto again = client.await(client.in(client.patience()), [&](const Received& packet) {
    return ClientProbe::is_request(packet, request.rpc());
  });
  if (!client.ok()) return;
  client.require(rule, again.has_value(), "the request again", "nothing");
  client.echo(request, fragment_octets);
  client.expect_next(rule);
}

const Case kCases[] = {
    {
        .id = "old/repeated-request-is-not-executed-again",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-old-5">, &rule<"RAMCLOUD-fragNumber-5">},
        .purpose = "The server sends the same number when a counting request comes five more times, and the next "
                   "number for the next request.",
        .needs = Service::count,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          const std::uint32_t first = server.count(session, {0, 0});
          server.stimulates(rule<"RAMCLOUD-old-5">);
          for (int i = 0; i < 5 && server.ok(); ++i) {
            const auto again = server.call(session, {0, 0}, ServerProbe::count_request());
            if (!server.ok()) return;
            const bool same = again && is_count(*again, first);
            server.require(rule<"RAMCLOUD-old-5">, same, "the stored response", again ? "another response" : "none");
          }
          const std::uint32_t next = server.count(session, {0, 1});
          server.require(rule<"RAMCLOUD-old-5">, next == first + 1, fmt::format("call number {}", first + 1),
                         fmt::format("call number {}", next));
        }),
    },
    {
        .id = "old/response-is-stored-per-channel",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-old-6">},
        .purpose = "After RPCs on two channels, the server answers a repeated request on either with the response of "
                   "that channel.",
        .needs = Service::count,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          if (session.max_channel_id < 2)
            return server.skip("the server may have offered no second channel (RAMCLOUD/R1)");
          std::uint32_t counts[2];
          for (std::uint8_t channel = 0; channel < 2; ++channel) counts[channel] = server.count(session, {channel, 0});
          server.stimulates(rule<"RAMCLOUD-old-6">);
          for (std::uint8_t channel = 0; channel < 2 && server.ok(); ++channel) {
            const auto again = server.call(session, {channel, 0}, ServerProbe::count_request());
            if (!server.ok()) return;
            const bool same = again && is_count(*again, counts[channel]);
            server.require(rule<"RAMCLOUD-old-6">, same, fmt::format("the stored response of channel {}", channel),
                           again ? "another response" : "none");
          }
        }),
    },
    {
        .id = "old/whole-response-comes-again",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-old-12">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-totalFrags-2">},
        .purpose =
            "If all 4 fragments of a response are lost, the server sends them again when the request is repeated.",
        .needs = Service::echo,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const auto message = fragments_of(pattern(5000));
          for (std::size_t number = 0; number < message.size(); ++number)
            server.send_good(ServerProbe::data(session, {0, 0}, number, message.size()), message[number]);
          server.await(server.in(server.retry_time()), [](const Received&) { return false; });  // lost
          server.stimulates(rule<"RAMCLOUD-old-12">);
          server.expect_echo(rule<"RAMCLOUD-old-12">, session, {0, 0}, message, {}, {.send_first = false});
        }),
    },
    {
        .id = "old/server-resends-what-is-missing",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-old-13">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-fragNumber-1">},
        .purpose =
            "If any one of 4 fragments of a response is lost, the server sends only that one after an unsolicited ACK.",
        .needs = Service::echo,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          for (std::uint16_t lost = 0; lost < 4 && server.ok(); ++lost) {
            NeedlessResends resends(lost, kWithheldRounds, std::chrono::nanoseconds{0});  // it is asked each time
            const CallOptions options{.lost =
                                          [&](const Received& packet) {
                                            const bool is_lost = packet.is(PayloadType::data) &&
                                                                 resends.lose(packet.header.frag_number, server.now());
                                            server.require(rule<"RAMCLOUD-old-13">, !resends.found(),
                                                           fmt::format("fragment {} alone", lost), to_text(packet),
                                                           "fragments that were acknowledged were sent again, twice");
                                            return is_lost;
                                          },
                                      .acknowledged =
                                          [&](const Ack& ack) {
                                            server.stimulates(rule<"RAMCLOUD-old-13">);
                                            resends.acknowledge(ack);
                                          }};
            server.expect_echo(rule<"RAMCLOUD-old-13">, session, {0, lost}, pattern(5000, lost), {}, options);
          }
        }),
    },
    {
        .id = "old/client-takes-the-response-that-comes-again",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-old-3">},
        .purpose = "If a response of one packet is lost, the client repeats the request and accepts the next response.",
        .needs = Service::echo,
        .run = with<ClientProbe>(
            [](ClientProbe& client) { lose_response(client, rule<"RAMCLOUD-old-3">, {.octets = 64, .count = 2}, 64); }),
    },
    {
        .id = "old/client-asks-again-although-its-request-was-acknowledged",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-old-3">},
        .purpose = "If the response to an acknowledged request is lost, the client still asks again.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.octets = 64, .count = 2});
          client.send(ClientProbe::ack(request.header), encode_ack({.first_missing_frag = request.total()}));
          client.settle();  // receives packets in transit from before the ACK
          const auto asks = client.await(client.in(client.patience()), [&](const Received& packet) {
            return ClientProbe::is_request(packet, request.rpc()) || ClientProbe::is_ack(packet, request.rpc());
          });
          if (!client.ok()) return;
          client.require(rule<"RAMCLOUD-old-3">, asks.has_value(), "the request again, or an ACK", "nothing",
                         "every fragment of the request was acknowledged, and no fragment of its response was sent");
          client.echo(request);
          client.expect_next(rule<"RAMCLOUD-old-3">);
        }),
    },
    {
        .id = "old/client-takes-the-long-response-that-comes-again",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-old-17">},
        .purpose = "If a response of four fragments to an acknowledged request is lost, the client still asks again.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          lose_response(client, rule<"RAMCLOUD-old-17">, {.octets = 64, .count = 2}, 16);
        }),
    },
    {
        .id = "old/client-reports-what-is-missing",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-old-14">},
        .purpose = "If any one of 4 fragments of a response is lost, the client sends an ACK and accepts the missing "
                   "fragment.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          std::optional request = client.first_request({.octets = 400, .count = 5});
          const std::vector<std::size_t> without[] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
          for (const auto& sent : without) {
            if (!request) return;
            client.stimulates(rule<"RAMCLOUD-old-14">);
            client.echo_in_order(*request, 100, sent);
            const auto ack = client.await(client.in(client.patience()), [&](const Received& packet) {
              if (ClientProbe::is_request(packet, request->rpc())) client.echo_in_order(*request, 100, sent);
              return ClientProbe::is_ack(packet, request->rpc());
            });
            if (!client.ok()) return;
            if (!client.require(rule<"RAMCLOUD-old-14">, ack.has_value(), "an unsolicited ACK", "none")) return;
            client.serve(*ack);
            request = client.expect_next(rule<"RAMCLOUD-old-14">);
          }
        }),
    },
    {
        .id = "old/client-gives-up-a-partial-response",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-old-15">},
        .purpose = "If the rest of a response never comes, the client stops sending.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.octets = 64, .count = 1});
          client.echo_in_order(request, 32, {0});
          unsigned packets = 0;
          while (const auto packet = client.receive(client.in(client.patience()))) {
            if (++packets < kManyRepetitions) continue;
            client.advise(rule<"RAMCLOUD-old-15">, false, "an end to the packets", fmt::format("{} packets", packets),
                          kEndIsOpen);
            return;
          }
          client.require(rule<"RAMCLOUD-old-15">, true, {}, {});
        }),
    },
};

}  // namespace

std::span<const Case> old_response_cases() {
  return kCases;
}

}  // namespace wirelaw::ramcloud
