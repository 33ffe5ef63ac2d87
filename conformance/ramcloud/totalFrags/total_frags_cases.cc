// SPDX-License-Identifier: Apache-2.0
// "totalFrags"
#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/session/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

// The packet is no request, or it is an empty one that is answered at once (RAMCLOUD/R45). Either way it must not
// disturb other RPCs.
void expect_total_zero_to_be_nothing(ServerProbe& server, const ProbeSession& session) {
  const auto response = server.await(server.in(server.run().silence_time()),
                                     [](const Received& packet) { return packet.is(PayloadType::data); });
  server.advise(rule<"RAMCLOUD-totalFrags-5">, !response, "no response", to_text(response),
                "the server seems to read it as an empty request");
  if (!response)
    server.advise_echo(rule<"RAMCLOUD-totalFrags-5">, session, {0, 0}, fragments_of(text("one fragment")),
                       "the server seems to wait for fragments that do not exist");
  server.expect_unharmed(rule<"RAMCLOUD-totalFrags-5">);
}

const CaseRow kRows[] = {
    {"totalFrags/request-fragment-with-another-total",
     {&rule<"RAMCLOUD-totalFrags-4">, &rule<"RAMCLOUD-totalFrags-3">},
     "The server ignores fragments 1 of 2, 1 of 4 and 0 of 1 after fragment 0 of 3.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto thirds = fragments_of(text("first second third "), 7);
       // The first fragment decides the total: it must have arrived.
       if (!server.ask_for_ack(session, {0, 0}, thirds, {0}, {.first_missing_frag = 1}))
         return server.inconclusive("no ACK came, so the case cannot tell whether the first fragment arrived");
       server.send(ServerProbe::data(session, {0, 0}, 1, 2), text("another total"));
       server.send(ServerProbe::data(session, {0, 0}, 1, 4), text("another total"));
       server.send(ServerProbe::data(session, {0, 0}, 0, 1), text("another total"));
       server.expect_none(rule<"RAMCLOUD-totalFrags-4">, is_data, "no response before the fragments 1 and 2 of 3");
       server.expect_echo(rule<"RAMCLOUD-totalFrags-4">, session, {0, 0}, thirds);
     })},
    {"totalFrags/0-is-not-executed",
     {&rule<"RAMCLOUD-totalFrags-5">},
     "The server ignores requests with totalFrags 0, and answers the same request with totalFrags 1.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       server.stimulates(rule<"RAMCLOUD-totalFrags-5">);
       server.send(ServerProbe::data(session, {0, 0}, 0, 0));
       server.send(ServerProbe::data(session, {0, 0}, 0, 0), text("no fragment at all"));
       expect_total_zero_to_be_nothing(server, session);
     })},
    {"totalFrags/0-is-not-acknowledged",
     {&rule<"RAMCLOUD-totalFrags-5">, &rule<"RAMCLOUD-ack-3">},
     "The server sends no ACK that reports a fragment for a request with totalFrags 0 that asks for an ACK.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       server.stimulates(rule<"RAMCLOUD-totalFrags-5">);
       server.send(ServerProbe::data_with(session, {0, 0}, {.request_ack = true}, 0, 0), text("no fragment at all"));
       expect_total_zero_to_be_nothing(server, session);
     })},
    {"totalFrags/part-of-a-response-is-not-the-whole",
     {&rule<"RAMCLOUD-totalFrags-6">, &rule<"RAMCLOUD-session-6">, &rule<"RAMCLOUD-totalFrags-1">},
     "The client does not continue while any one of three fragments is missing.",
     with<ClientProbe>([](ClientProbe& client) {
       std::optional request = client.first_request({.octets = 300, .count = 4});
       for (const auto& withheld : {std::vector<std::size_t>{1, 2}, {0, 2}, {0, 1}}) {
         if (!request) return;
         client.stimulates(rule<"RAMCLOUD-totalFrags-6">);
         client.echo_in_order(*request, 100, withheld);
         client.expect_no_next(rule<"RAMCLOUD-totalFrags-6">, *request);
         request = client.expect_to_go_on(rule<"RAMCLOUD-totalFrags-6">, *request);
       }
     }),
     Service::echo},
    {"totalFrags/response-fragment-with-another-total",
     {&rule<"RAMCLOUD-totalFrags-7">},
     "The client ignores fragments 1 of 2, 1 of 4 and 0 of 1 after fragment 0 of 3.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest request = client.first_request({.octets = 300, .count = 2});
       const auto thirds = fragments_of(request.octets, 100);
       client.echo_in_order(request, 100, {});
       // The first fragment decides the total: it must have arrived.
       if (!client.ask_for_ack(request, thirds, {0}, {.first_missing_frag = 1}))
         return client.inconclusive("no ACK came, so the case cannot tell whether the first fragment arrived");
       client.expect_not_taken(rule<"RAMCLOUD-totalFrags-7">, request, [&] {
         client.send(ClientProbe::data(request.header, 1, 2), text("another total"));
         client.send(ClientProbe::data(request.header, 1, 4), text("another total"));
         client.send(ClientProbe::data(request.header, 0, 1), text("another total"));
       });
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> total_frags_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
