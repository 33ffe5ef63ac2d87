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

const CaseRow kRows[] = {
    {"old/repeated-request-is-not-executed-again",
     {&rule<"RAMCLOUD-old-5">, &rule<"RAMCLOUD-fragNumber-5">},
     "The server sends the same number when a counting request comes five more times, and the next number for the next "
     "request.",
     with<ServerProbe>([](ServerProbe& server) {
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
     Service::count},
    {"old/response-is-stored-per-channel",
     {&rule<"RAMCLOUD-old-6">},
     "After RPCs on two channels, the server answers a repeated request on either with the response of that channel.",
     with<ServerProbe>([](ServerProbe& server) {
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
     Service::count},
    {"old/whole-response-comes-again",
     {&rule<"RAMCLOUD-old-12">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-totalFrags-2">},
     "If all 4 fragments of a response are lost, the server sends them again when the request is repeated.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto message = fragments_of(sample_octets(5000));
       for (std::size_t number = 0; number < message.size(); ++number)
         server.send_good(ServerProbe::data(session, {0, 0}, number, message.size()), message[number]);
       server.await(server.in(server.retry_time()), [](const Received&) { return false; });  // lost
       server.stimulates(rule<"RAMCLOUD-old-12">);
       server.expect_echo(rule<"RAMCLOUD-old-12">, session, {0, 0}, message, {}, {.send_first = false});
     }),
     Service::echo},
    {"old/server-resends-what-is-missing",
     {&rule<"RAMCLOUD-old-13">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-fragNumber-1">},
     "If any one of 4 fragments of a response is lost, the server sends only that one after an unsolicited ACK.",
     with<ServerProbe>([](ServerProbe& server) {
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
         server.expect_echo(rule<"RAMCLOUD-old-13">, session, {0, lost}, sample_octets(5000, lost), {}, options);
       }
     }),
     Service::echo},
    {"old/client-takes-the-response-that-comes-again",
     {&rule<"RAMCLOUD-old-3">},
     "If a response of one packet is lost, the client repeats the request and accepts the next response.",
     with<ClientProbe>(
         [](ClientProbe& client) { lose_response(client, rule<"RAMCLOUD-old-3">, {.octets = 64, .count = 2}, 64); }),
     Service::echo},
    {"old/client-asks-again-although-its-request-was-acknowledged",
     {&rule<"RAMCLOUD-old-3">},
     "If the response to an acknowledged request is lost, the client still asks again.",
     with<ClientProbe>([](ClientProbe& client) {
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
     Service::echo},
    {"old/client-takes-the-long-response-that-comes-again",
     {&rule<"RAMCLOUD-old-17">},
     "If a response of four fragments to an acknowledged request is lost, the client still asks again.",
     with<ClientProbe>(
         [](ClientProbe& client) { lose_response(client, rule<"RAMCLOUD-old-17">, {.octets = 64, .count = 2}, 16); }),
     Service::echo},
    {"old/client-reports-what-is-missing",
     {&rule<"RAMCLOUD-old-14">},
     "If any one of 4 fragments of a response is lost, the client sends an ACK and accepts the missing fragment.",
     with<ClientProbe>([](ClientProbe& client) {
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
     Service::echo},
    {"old/client-gives-up-a-partial-response",
     {&rule<"RAMCLOUD-old-15">},
     "If the rest of a response never comes, the client stops sending.",
     with<ClientProbe>([](ClientProbe& client) {
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
     Service::echo},
};

}  // namespace

std::vector<Case> old_response_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
