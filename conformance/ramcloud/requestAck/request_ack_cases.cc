// SPDX-License-Identifier: Apache-2.0
// "flags.requestAck"
#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/requestAck/rules.h"
#include "conformance/ramcloud/rpcId/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"requestAck/server-acknowledges-a-fragment",
     {&rule<"RAMCLOUD-requestAck-1">, &rule<"RAMCLOUD-ack-13">, &rule<"RAMCLOUD-requestAck-4">, &rule<"RAMCLOUD-ack-9">,
      &rule<"RAMCLOUD-rpcId-4">, &rule<"RAMCLOUD-channelId-2">, &rule<"RAMCLOUD-direction-1">,
      &rule<"RAMCLOUD-totalFrags-3">},
     "The server sends an ACK when fragment 0 of 3 asks for one.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto thirds = fragments_of(text("first second third "), 7);
       server.stimulates(rule<"RAMCLOUD-requestAck-1">);
       const auto ack = server.ask_for_ack(session, {0, 0}, thirds, {0}, {.first_missing_frag = 1});
       server.require(rule<"RAMCLOUD-requestAck-1">, ack.has_value(), "an ACK", "none");
       server.settle();  // a response now would be too early
       server.expect_echo(rule<"RAMCLOUD-requestAck-1">, session, {0, 0}, thirds);
     })},
    {"requestAck/server-acknowledges-a-whole-request",
     {&rule<"RAMCLOUD-requestAck-1">},
     "The server sends an ACK, a response or both for a request of one fragment that asks for an ACK.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       bool answered = false;
       for (unsigned attempt = 0; attempt < Probe::kTries && server.ok() && !answered; ++attempt) {
         server.send(ServerProbe::data_with(session, {0, 0}, {.request_ack = true}), text("with requestAck"));
         answered = server
                        .await(server.in(server.retry_time()),
                               [&](const Received& packet) {
                                 return ServerProbe::is_ack(packet, session, {0, 0}) ||
                                        ServerProbe::is_response(packet, session, {0, 0});
                               })
                        .has_value();
       }
       server.require(rule<"RAMCLOUD-requestAck-1">, answered, "an ACK or the response", "nothing");
     })},
    {"requestAck/every-fragment-may-ask",
     {&rule<"RAMCLOUD-requestAck-3">},
     "The server executes a request of five fragments once, although each fragment asks for an ACK.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       const std::uint32_t before = server.count(session, {0, 0});
       const auto fragments = fragments_of(ServerProbe::count_request(500)[0], 100);
       for (std::size_t number = 0; number < 5; ++number)
         server.send(ServerProbe::data_with(session, {0, 1}, {.request_ack = true}, number, 5), fragments[number]);
       const auto response = server.call(session, {0, 1}, fragments, {.send_first = false});
       server.require(rule<"RAMCLOUD-requestAck-3">, response.has_value(), "a response", "none");
       const std::uint32_t after = server.count(session, {0, 2});
       server.require(rule<"RAMCLOUD-requestAck-3">, after - before == 2, "executed once",
                      std::to_string(after - before - 1) + " times");
     }),
     Service::count},
    {"requestAck/client-acknowledges-a-fragment",
     {&rule<"RAMCLOUD-requestAck-2">, &rule<"RAMCLOUD-requestAck-4">, &rule<"RAMCLOUD-ack-9">},
     "The client sends a requested ACK sooner than its unsolicited ACKs.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest request = client.first_request({.octets = 64, .count = 2});
       const auto is_ack = [&](const Received& packet) { return ClientProbe::is_ack(packet, request.rpc()); };
       // Measures the time that the client takes to send an unsolicited ACK.
       Instant begin = client.now();
       client.echo_in_order(request, 8, {0});
       while (const auto packet = client.receive(client.in(client.run().silence_time()))) {
         if (is_ack(*packet)) break;
         if (!ClientProbe::is_request(*packet, request.rpc())) continue;
         begin = client.now();  // the fragment was lost
         client.echo_in_order(request, 8, {0});
       }
       const Instant unasked = client.now() - begin;
       bool prompt = false;
       for (std::size_t number = 1; number < 7 && !prompt && client.ok(); ++number) {
         const Octets fragment = Octets(request.octets).subspan(8 * number, 8);
         client.send(ClientProbe::data_with(request.header, {.request_ack = true}, number, 8), fragment);
         prompt = client.await(client.in(unasked / 2), is_ack).has_value();
       }
       client.require(rule<"RAMCLOUD-requestAck-2">, prompt, "an ACK for one of six fragments that ask",
                      "only unsolicited ACKs", "waited half the time that the client takes to send an unsolicited ACK");
       client.expect_to_go_on(rule<"RAMCLOUD-requestAck-2">, request);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> request_ack_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
