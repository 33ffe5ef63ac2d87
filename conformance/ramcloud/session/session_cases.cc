// SPDX-License-Identifier: Apache-2.0
// "Sessions and Channels"
#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/rpcId/rules.h"
#include "conformance/ramcloud/session/rules.h"
#include "conformance/ramcloud/sessionToken/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"session/open-request-is-answered",
     {&rule<"RAMCLOUD-session-2">, &rule<"RAMCLOUD-direction-1">, &rule<"RAMCLOUD-header-2">,
      &rule<"RAMCLOUD-header-3">, &rule<"RAMCLOUD-header-4">, &rule<"RAMCLOUD-clientSessionHint-2">},
     "The server answers an open request.",
     with<ServerProbe>([](ServerProbe& server) {
       const auto session = server.try_open();
       server.require(rule<"RAMCLOUD-session-2">, session.has_value(), "a session open response", "none");
     })},
    {"session/every-channel-is-usable",
     {&rule<"RAMCLOUD-session-3">, &rule<"RAMCLOUD-channelId-2">, &rule<"RAMCLOUD-rpcId-4">},
     "The server executes an RPC on every channel of one session.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       // openResponse-3 judges the highest id, which is out of bounds if the octet is a count.
       const unsigned channels = std::max<unsigned>(session.max_channel_id, 1);
       for (unsigned id = 0; id < channels && server.ok(); ++id)
         server.expect_echo(rule<"RAMCLOUD-session-3">, session, {.channel = static_cast<std::uint8_t>(id), .id = 0},
                            text("channel " + std::to_string(id)));
     })},
    {"session/sessions-are-independent",
     {&rule<"RAMCLOUD-session-4">, &rule<"RAMCLOUD-sessionToken-4">},
     "The server executes channel 0, rpcId 0 of two sessions as two RPCs, although one request arrives within the "
     "other.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession one = server.open_proven();
       const ProbeSession two = server.open();
       const auto halves = fragments_of(text("first half second half"), 11);
       server.send_good(ServerProbe::data(one, {0, 0}, 0, 2), halves[0]);
       server.stimulates(rule<"RAMCLOUD-session-4">);
       server.expect_echo(rule<"RAMCLOUD-session-4">, two, {0, 0}, text("the other session"));
       server.expect_echo(rule<"RAMCLOUD-session-4">, one, {0, 0}, halves);
       server.expect_echo(rule<"RAMCLOUD-session-4">, two, {0, 1}, text("the other session goes on"));
       server.expect_echo(rule<"RAMCLOUD-session-4">, one, {0, 1}, text("so does the first"));
     })},
    {"session/an-unfinished-request-holds-up-no-other-channel",
     {&rule<"RAMCLOUD-session-5">, &rule<"RAMCLOUD-totalFrags-3">},
     "The server executes an RPC on channel 1 while channel 0 has half a request.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       if (session.max_channel_id < 2)
         return server.skip("the server may have offered no second channel (RAMCLOUD/R1)");
       const auto halves = fragments_of(text("first half second half"), 11);
       server.send_good(ServerProbe::data(session, {.channel = 0, .id = 0}, 0, 2), halves[0]);
       server.stimulates(rule<"RAMCLOUD-session-5">);
       server.expect_echo(rule<"RAMCLOUD-session-5">, session, {.channel = 1, .id = 0}, text("not held up"));
       server.expect_echo(rule<"RAMCLOUD-session-5">, session, {.channel = 0, .id = 0}, halves);
     })},
    {"session/the-next-request-amid-an-execution",
     {&rule<"RAMCLOUD-session-10">},
     "The server stays alive when requests do not wait for the response to the previous request.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       server.stimulates(rule<"RAMCLOUD-session-10">);
       for (std::uint32_t id = 0; id < 16; id += 2) {
         server.send(ServerProbe::data(session, {0, id}), text("to be executed"));
         server.send(ServerProbe::data(session, {0, id + 1}), text("too early"));
         server.settle();
       }
       server.ignore(session.client_hint);
       server.expect_unharmed(rule<"RAMCLOUD-session-10">);
     })},
    {"session/client-uses-one-channel-for-one-request-at-a-time",
     {&rule<"RAMCLOUD-session-7">, &rule<"RAMCLOUD-header-2">, &rule<"RAMCLOUD-header-3">, &rule<"RAMCLOUD-header-4">,
      &rule<"RAMCLOUD-session-6">, &rule<"RAMCLOUD-rpcId-1">, &rule<"RAMCLOUD-rpcId-2">, &rule<"RAMCLOUD-session-1">},
     "The client sends three concurrent requests one after the other in a session with channel 0 only.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.octets = 32, .count = 3, .parallel = true});
       client.accept(client.await_open(), {.max_channel_id = 0});
       auto request = client.next_request();
       if (!request) return client.inconclusive("no request if only channel 0 is offered (RAMCLOUD/R1)");
       client.expect_no_next(rule<"RAMCLOUD-session-7">, *request);
       request = client.expect_to_go_on(rule<"RAMCLOUD-session-7">, *request);
       if (!request) return;
       client.expect_no_next(rule<"RAMCLOUD-session-7">, *request);
       client.expect_to_go_on(rule<"RAMCLOUD-session-7">, *request);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> session_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
