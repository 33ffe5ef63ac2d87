// SPDX-License-Identifier: Apache-2.0
// "totalFrags"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, totalFrags"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerKeepsTotal =
    kServer.must("RAMCLOUD-totalFrags-4", "A fragment with another totalFrags neither completes nor spoils a request.",
                 "RAMCLOUD/R33");
constinit const Rule kTotalZeroNotExecuted =
    kServer.must("RAMCLOUD-totalFrags-5", "A request with totalFrags 0 is not executed and does no harm.",
                 "RAMCLOUD/R20, RAMCLOUD/R45");
constinit const Rule kPartIsNotTheWhole =
    kClient.must("RAMCLOUD-totalFrags-6", "A response of which a fragment is missing is not taken for the whole.");
constinit const Rule kClientKeepsTotal =
    kClient.must("RAMCLOUD-totalFrags-7", "A fragment with another totalFrags neither completes nor spoils a response.",
                 "RAMCLOUD/R33");

constexpr const Rule* kRules[] = {&kServerKeepsTotal, &kTotalZeroNotExecuted, &kPartIsNotTheWhole, &kClientKeepsTotal};

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kServerKeepsTotal, {total_mismatch_accepted, response_before_request_complete,
                                  duplicate_fragment_appended, response_for_incomplete_after_ack}),
    broken_by(kTotalZeroNotExecuted, {sessions_share_channels}),
    broken_by(kTotalZeroNotExecuted, {total_zero_executed, frag_number_beyond_total_stored, sessions_share_channels},
              {.severity = Severity::warning}),
    broken_by(kPartIsNotTheWhole, {partial_response_accepted, wrong_rpc_response_accepted,
                                   duplicate_response_fragment_appended, response_reorder_not_tolerated}),
    broken_by(kClientKeepsTotal, {partial_response_accepted, ack_five_octets, ack_first_missing_beyond_total,
                                  ack_claims_unreceived, ack_bits_beyond_total, duplicate_response_fragment_appended}));

// What was sent was no request; or an empty one, which is answered, and over (RAMCLOUD/R45). Either way no other is
// harmed.
void expect_total_zero_to_be_nothing(ServerProbe& server, const ProbeSession& session) {
  const auto response = server.await(server.in(server.run().silence_time()),
                                     [](const Received& packet) { return packet.is(PayloadType::data); });
  server.advise(kTotalZeroNotExecuted, !response, "no response", to_text(response),
                "the server seems to take it for an empty request");
  if (!response)
    server.advise_echo(kTotalZeroNotExecuted, session, {0, 0}, fragments_of(text("one fragment")),
                       "the server seems to wait for fragments that do not exist");
  server.expect_unharmed(kTotalZeroNotExecuted);
}

const Case kCases[] = {
    {
        .id = "totalFrags/request-fragment-with-another-total",
        .iut = Role::responder,
        .rules = {&kServerKeepsTotal, &kNoResponseBeforeRequest},
        .purpose = "After fragment 0 of 3, fragments 1 of 2, 1 of 4 and 0 of 1 do nothing.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const auto thirds = fragments_of(text("first second third "), 7);
          // The first fragment decides the total: it must have arrived.
          if (!server.ask_for_ack(session, {0, 0}, thirds, {0}, {.first_missing_frag = 1}))
            return server.inconclusive("no ACK came, so that nothing is known of the first fragment");
          server.send(ServerProbe::data(session, {0, 0}, 1, 2), text("another total"));
          server.send(ServerProbe::data(session, {0, 0}, 1, 4), text("another total"));
          server.send(ServerProbe::data(session, {0, 0}, 0, 1), text("another total"));
          server.expect_none(kServerKeepsTotal, is_data, "no response before the fragments 1 and 2 of 3");
          server.expect_echo(kServerKeepsTotal, session, {0, 0}, thirds);
        }),
    },
    {
        .id = "totalFrags/0-is-not-executed",
        .iut = Role::responder,
        .rules = {&kTotalZeroNotExecuted},
        .purpose = "Requests with totalFrags 0 are not answered; the same request with totalFrags 1 is.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(kTotalZeroNotExecuted);
          server.send(ServerProbe::data(session, {0, 0}, 0, 0));
          server.send(ServerProbe::data(session, {0, 0}, 0, 0), text("no fragment at all"));
          expect_total_zero_to_be_nothing(server, session);
        }),
    },
    {
        .id = "totalFrags/0-is-not-acknowledged",
        .iut = Role::responder,
        .rules = {&kTotalZeroNotExecuted, &kFirstMissingWithinMessage},
        .purpose = "A request with totalFrags 0 that asks for an ACK gets none that reports a fragment.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(kTotalZeroNotExecuted);
          server.send(ServerProbe::data_with(session, {0, 0}, {.request_ack = true}, 0, 0), text("no fragment at all"));
          expect_total_zero_to_be_nothing(server, session);
        }),
    },
    {
        .id = "totalFrags/part-of-a-response-is-not-the-whole",
        .iut = Role::initiator,
        .rules = {&kPartIsNotTheWhole, &kOneRpcPerChannel, &kAtLeastOneFragment},
        .purpose = "While any one of three fragments is withheld the client does not go on.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          std::optional request = client.first_request({.octets = 300, .count = 4});
          for (const auto& withheld : {std::vector<std::size_t>{1, 2}, {0, 2}, {0, 1}}) {
            if (!request) return;
            client.stimulates(kPartIsNotTheWhole);
            client.echo_in_order(*request, 100, withheld);
            client.expect_no_next(kPartIsNotTheWhole, *request);
            request = client.expect_to_go_on(kPartIsNotTheWhole, *request);
          }
        }),
    },
    {
        .id = "totalFrags/response-fragment-with-another-total",
        .iut = Role::initiator,
        .rules = {&kClientKeepsTotal},
        .purpose = "After fragment 0 of 3, fragments 1 of 2, 1 of 4 and 0 of 1 do nothing.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.octets = 300, .count = 2});
          const auto thirds = fragments_of(request.octets, 100);
          client.echo_in_order(request, 100, {});
          // The first fragment decides the total: it must have arrived.
          if (!client.ask_for_ack(request, thirds, {0}, {.first_missing_frag = 1}))
            return client.inconclusive("no ACK came, so that nothing is known of the first fragment");
          client.expect_not_taken(kClientKeepsTotal, request, [&] {
            client.send(ClientProbe::data(request.header, 1, 2), text("another total"));
            client.send(ClientProbe::data(request.header, 1, 4), text("another total"));
            client.send(ClientProbe::data(request.header, 0, 1), text("another total"));
          });
        }),
    },
};

}  // namespace

SectionCases total_frags_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud
