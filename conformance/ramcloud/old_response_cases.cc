// SPDX-License-Identifier: Apache-2.0
// "Old": "Single packet response is lost", "Multi-packet response is lost"
#include <fmt/format.h>

#include "conformance/ramcloud/case_file.h"
#include "conformance/ramcloud/needless_resends.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSingle = Section{"RAMCloud RPC, Single packet response is lost"}.by(Observable::stimulus);
constexpr Section kMulti = Section{"RAMCloud RPC, Multi-packet response is lost"}.by(Observable::stimulus);
constexpr Section kSingleClient = kSingle.of(Role::initiator), kSingleServer = kSingle.of(Role::responder);
constexpr Section kMultiClient = kMulti.of(Role::initiator), kMultiServer = kMulti.of(Role::responder);

constinit const Rule kClientTakesStored = kSingleClient.must(
    "RAMCLOUD-old-3",
    "A client whose response of one packet was lost repeats the request and takes the response then.");
constinit const Rule kNotExecutedAgain = kSingleServer.must(
    "RAMCLOUD-old-5", "A repeated request is answered with the stored response and not executed again.",
    "RAMCLOUD/R25");
constinit const Rule kStoredPerChannel =
    kSingleServer.must("RAMCLOUD-old-6", "The server stores the latest response of each channel.", "RAMCLOUD/R24");
constinit const Rule kWholeResponseAgain = kMultiServer.must(
    "RAMCLOUD-old-12", "Where all fragments of a response were lost, a repeated request brings all of it.");
constinit const Rule kLostFragmentsAgain =
    kMultiServer.must("RAMCLOUD-old-13",
                      "On an ACK that nobody asked for, the server sends the fragments "
                      "again that it reports missing, and no acknowledged ones.",
                      "RAMCLOUD/R16: the ACK may have to come several times");
constinit const Rule kClientReports = kMultiClient.must(
    "RAMCLOUD-old-14", "A client that lacks fragments of a response sends an ACK of its own accord.", "RAMCLOUD/R16");
constinit const Rule kReportingIsFinite = kMultiClient.must(
    "RAMCLOUD-old-15", "A client gives up a partial response after a finite number of ACKs.", "RAMCLOUD/R23");
constinit const Rule kClientTakesWholeAgain = kMultiClient.must(
    "RAMCLOUD-old-17", "A client to which a response of several packets was lost altogether repeats the request.");

constexpr const Rule* kRules[] = {&kClientTakesStored,  &kNotExecutedAgain,     &kStoredPerChannel,
                                  &kWholeResponseAgain, &kLostFragmentsAgain,   &kClientReports,
                                  &kReportingIsFinite,  &kClientTakesWholeAgain};

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kClientTakesStored, {never_retransmits, silent_once_acknowledged}),
    broken_by(kNotExecutedAgain, {re_executes_duplicate, no_stored_response, total_frags_changes, retransmit_differs}),
    broken_by(kStoredPerChannel, {stored_response_one_per_session, total_frags_changes, re_executes_duplicate,
                                  no_stored_response, retransmit_differs}),
    broken_by(kWholeResponseAgain, {no_stored_response, response_before_request_complete, total_frags_changes,
                                    sessions_share_channels, retransmit_differs}),
    broken_by(kLostFragmentsAgain,
              {resends_everything_on_ack, ignores_unsolicited_ack, response_before_request_complete,
               total_frags_changes, sessions_share_channels, retransmit_differs}),
    broken_by(kClientReports, {no_unsolicited_ack, no_ack, ack_wrong_rpc, ack_wrong_channel, data_before_open_response,
                               token_not_used, partial_response_accepted, response_reorder_not_tolerated}),
    broken_by(kReportingIsFinite, {never_gives_up}, {.severity = Severity::warning}),
    broken_by(kClientTakesWholeAgain, {never_retransmits, partial_response_accepted}));

constexpr unsigned kWithheldRounds = 5;

bool is_count(const OctetBuffer& response, std::uint32_t count) {
  return response.size() == sizeof(count) && load_little_endian<std::uint32_t>(response.data()) == count;
}

// The response is lost, whatever it was: the client repeats the request, and takes what then comes.
void lose_response(ClientProbe& client, const Rule& rule, const TriggerRequest& trigger, std::size_t fragment_octets) {
  const ClientRequest request = client.first_request(trigger);
  client.stimulates(rule);  // by silence
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
        .rules = {&kNotExecutedAgain, &kFragmentKeepsItsData},
        .purpose = "A counting request that comes five times more brings the same number, and the next one the next.",
        .needs = Service::count,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          const std::uint32_t first = server.count(session, {0, 0});
          server.stimulates(kNotExecutedAgain);
          for (int i = 0; i < 5 && server.ok(); ++i) {
            const auto again = server.call(session, {0, 0}, ServerProbe::count_request());
            if (!server.ok()) return;
            const bool same = again && is_count(*again, first);
            server.require(kNotExecutedAgain, same, "the stored response", again ? "another response" : "none");
          }
          const std::uint32_t next = server.count(session, {0, 1});
          server.require(kNotExecutedAgain, next == first + 1, fmt::format("call number {}", first + 1),
                         fmt::format("call number {}", next));
        }),
    },
    {
        .id = "old/response-is-stored-per-channel",
        .iut = Role::responder,
        .rules = {&kStoredPerChannel},
        .purpose = "After RPCs on two channels, a repeated request on either brings the response of that channel.",
        .needs = Service::count,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          if (session.max_channel_id < 2)
            return server.skip("the server may have offered no second channel (RAMCLOUD/R1)");
          std::uint32_t counts[2];
          for (std::uint8_t channel = 0; channel < 2; ++channel) counts[channel] = server.count(session, {channel, 0});
          server.stimulates(kStoredPerChannel);
          for (std::uint8_t channel = 0; channel < 2 && server.ok(); ++channel) {
            const auto again = server.call(session, {channel, 0}, ServerProbe::count_request());
            if (!server.ok()) return;
            const bool same = again && is_count(*again, counts[channel]);
            server.require(kStoredPerChannel, same, fmt::format("the stored response of channel {}", channel),
                           again ? "another response" : "none");
          }
        }),
    },
    {
        .id = "old/whole-response-comes-again",
        .iut = Role::responder,
        .rules = {&kWholeResponseAgain, &kFragmentKeepsItsData, &kTotalFragsKept},
        .purpose = "A response of 4 fragments that was lost altogether comes for the repeated request.",
        .needs = Service::echo,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const auto message = fragments_of(pattern(5000));
          for (std::size_t number = 0; number < message.size(); ++number)
            server.send_good(ServerProbe::data(session, {0, 0}, number, message.size()), message[number]);
          server.await(server.in(server.retry_time()), [](const Received&) { return false; });  // lost
          server.stimulates(kWholeResponseAgain);
          server.expect_echo(kWholeResponseAgain, session, {0, 0}, message, {}, {.send_first = false});
        }),
    },
    {
        .id = "old/server-resends-what-is-missing",
        .iut = Role::responder,
        .rules = {&kLostFragmentsAgain, &kFragmentKeepsItsData, &kFragNumberBelowTotal},
        .purpose = "Of a response of 4 fragments each is lost in turn: an unasked ACK brings it, and it alone.",
        .needs = Service::echo,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          for (std::uint16_t lost = 0; lost < 4 && server.ok(); ++lost) {
            NeedlessResends resends(lost, kWithheldRounds, std::chrono::nanoseconds{0});  // it is asked each time
            const CallOptions options{.lost =
                                          [&](const Received& packet) {
                                            const bool is_lost = packet.is(PayloadType::data) &&
                                                                 resends.lose(packet.header.frag_number, server.now());
                                            server.require(kLostFragmentsAgain, !resends.found(),
                                                           fmt::format("fragment {} alone", lost), to_text(packet),
                                                           "fragments that were acknowledged came again, twice over");
                                            return is_lost;
                                          },
                                      .acknowledged =
                                          [&](const Ack& ack) {
                                            server.stimulates(kLostFragmentsAgain);
                                            resends.acknowledge(ack);
                                          }};
            server.expect_echo(kLostFragmentsAgain, session, {0, lost}, pattern(5000, lost), {}, options);
          }
        }),
    },
    {
        .id = "old/client-takes-the-response-that-comes-again",
        .iut = Role::initiator,
        .rules = {&kClientTakesStored},
        .purpose =
            "Where a response of one packet is lost, the client repeats the request and takes the next response.",
        .needs = Service::echo,
        .run = with<ClientProbe>(
            [](ClientProbe& client) { lose_response(client, kClientTakesStored, {.octets = 64, .count = 2}, 64); }),
    },
    {
        .id = "old/client-asks-again-although-its-request-was-acknowledged",
        .iut = Role::initiator,
        .rules = {&kClientTakesStored},
        .purpose = "Where the request was acknowledged and its response is lost, the client asks again all the same.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.octets = 64, .count = 2});
          client.send(ClientProbe::ack(request.header), encode_ack({.first_missing_frag = request.total()}));
          client.settle();  // what was under way before the ACK
          const auto asks = client.await(client.in(client.patience()), [&](const Received& packet) {
            return ClientProbe::is_request(packet, request.rpc()) || ClientProbe::is_ack(packet, request.rpc());
          });
          if (!client.ok()) return;
          client.require(kClientTakesStored, asks.has_value(), "the request again, or an ACK", "nothing",
                         "every fragment of the request was acknowledged, and nothing came of its response");
          client.echo(request);
          client.expect_next(kClientTakesStored);
        }),
    },
    {
        .id = "old/client-takes-the-long-response-that-comes-again",
        .iut = Role::initiator,
        .rules = {&kClientTakesWholeAgain},
        .purpose = "The same where the response has four fragments.",
        .needs = Service::echo,
        .run = with<ClientProbe>(
            [](ClientProbe& client) { lose_response(client, kClientTakesWholeAgain, {.octets = 64, .count = 2}, 16); }),
    },
    {
        .id = "old/client-reports-what-is-missing",
        .iut = Role::initiator,
        .rules = {&kClientReports},
        .purpose = "Of a response of 4 fragments each is lost in turn: the client sends an ACK, and takes the rest.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          std::optional request = client.first_request({.octets = 400, .count = 5});
          const std::vector<std::size_t> without[] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
          for (const auto& sent : without) {
            if (!request) return;
            client.stimulates(kClientReports);
            client.echo_in_order(*request, 100, sent);
            const auto ack = client.await(client.in(client.patience()), [&](const Received& packet) {
              if (ClientProbe::is_request(packet, request->rpc())) client.echo_in_order(*request, 100, sent);
              return ClientProbe::is_ack(packet, request->rpc());
            });
            if (!client.ok()) return;
            if (!client.require(kClientReports, ack.has_value(), "an ACK that nobody asked for", "none")) return;
            client.serve(*ack);
            request = client.expect_next(kClientReports);
          }
        }),
    },
    {
        .id = "old/client-gives-up-a-partial-response",
        .iut = Role::initiator,
        .rules = {&kReportingIsFinite},
        .purpose = "Where the rest of a response never comes, the client falls silent.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.octets = 64, .count = 1});
          client.echo_in_order(request, 32, {0});
          unsigned packets = 0;
          while (const auto packet = client.receive(client.in(client.patience()))) {
            if (++packets < kManyRepetitions) continue;
            client.advise(kReportingIsFinite, false, "an end to the packets", fmt::format("{} packets", packets),
                          kEndIsOpen);
            return;
          }
          client.require(kReportingIsFinite, true, {}, {});
        }),
    },
};

}  // namespace

SectionCases old_response_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud
