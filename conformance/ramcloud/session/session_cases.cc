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

const Case kCases[] = {
    {
        .id = "session/open-request-is-answered",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-session-2">, &rule<"RAMCLOUD-direction-1">, &rule<"RAMCLOUD-header-2">,
                  &rule<"RAMCLOUD-header-3">, &rule<"RAMCLOUD-header-4">, &rule<"RAMCLOUD-clientSessionHint-2">},
        .purpose = "The server answers an open request.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const auto session = server.try_open();
          server.require(rule<"RAMCLOUD-session-2">, session.has_value(), "a session open response", "none");
        }),
    },
    {
        .id = "session/every-channel-is-usable",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-session-3">, &rule<"RAMCLOUD-channelId-2">, &rule<"RAMCLOUD-rpcId-4">},
        .purpose = "The server executes an RPC on every channel of one session.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          // openResponse-3 judges the highest id, which is out of bounds if the octet is a count.
          const unsigned channels = std::max<unsigned>(session.max_channel_id, 1);
          for (unsigned id = 0; id < channels && server.ok(); ++id)
            server.expect_echo(rule<"RAMCLOUD-session-3">, session, {.channel = static_cast<std::uint8_t>(id), .id = 0},
                               text("channel " + std::to_string(id)));
        }),
    },
    {
        .id = "session/sessions-are-independent",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-session-4">, &rule<"RAMCLOUD-sessionToken-4">},
        .purpose = "The server executes channel 0, rpcId 0 of two sessions as two RPCs, although one request arrives "
                   "within the other.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession one = server.open_proven();
          const ProbeSession two = server.open();
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send_good(ServerProbe::data(one, {0, 0}, 0, 2), halves[0]);
          server.stimulates(rule<"RAMCLOUD-session-4">);
          server.expect_echo(rule<"RAMCLOUD-session-4">, two, {0, 0}, text("the other session"));
          server.expect_echo(rule<"RAMCLOUD-session-4">, one, {0, 0}, halves);
          server.expect_echo(rule<"RAMCLOUD-session-4">, two, {0, 1}, text("the other session goes on"));
          server.expect_echo(rule<"RAMCLOUD-session-4">, one, {0, 1}, text("so does the first"));
        }),
    },
    {
        .id = "session/an-unfinished-request-holds-up-no-other-channel",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-session-5">, &rule<"RAMCLOUD-totalFrags-3">},
        .purpose = "The server executes an RPC on channel 1 while channel 0 has half a request.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          if (session.max_channel_id < 2)
            return server.skip("the server may have offered no second channel (RAMCLOUD/R1)");
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send_good(ServerProbe::data(session, {.channel = 0, .id = 0}, 0, 2), halves[0]);
          server.stimulates(rule<"RAMCLOUD-session-5">);
          server.expect_echo(rule<"RAMCLOUD-session-5">, session, {.channel = 1, .id = 0}, text("not held up"));
          server.expect_echo(rule<"RAMCLOUD-session-5">, session, {.channel = 0, .id = 0}, halves);
        }),
    },
    {
        .id = "session/the-next-request-amid-an-execution",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-session-10">},
        .purpose = "The server stays alive when requests do not wait for the response to the previous request.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(rule<"RAMCLOUD-session-10">);
          for (std::uint32_t id = 0; id < 16; id += 2) {
            server.send(ServerProbe::data(session, {0, id}), text("to be executed"));
            server.send(ServerProbe::data(session, {0, id + 1}), text("too early"));
            server.settle();
          }
          server.ignore(session.client_hint);
          server.expect_unharmed(rule<"RAMCLOUD-session-10">);
        }),
    },
    {
        .id = "session/client-uses-one-channel-for-one-request-at-a-time",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-session-7">, &rule<"RAMCLOUD-header-2">, &rule<"RAMCLOUD-header-3">,
                  &rule<"RAMCLOUD-header-4">, &rule<"RAMCLOUD-session-6">, &rule<"RAMCLOUD-rpcId-1">,
                  &rule<"RAMCLOUD-rpcId-2">, &rule<"RAMCLOUD-session-1">},
        .purpose = "The client sends three concurrent requests one after the other in a session with channel 0 only.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
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
    },
};

}  // namespace

std::span<const Case> session_cases() {
  return kCases;
}

}  // namespace wirelaw::ramcloud
