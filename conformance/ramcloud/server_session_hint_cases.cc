// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, serverSessionHint";

constinit const Rule kAnyServerHintWorks =
    client_rule("RAMCLOUD-serverSessionHint-3", Level::must, kSection,
                "The serverSessionHint is opaque to the client: a session works under any value.");
constinit const Rule kOpenWithAnyHint =
    server_rule("RAMCLOUD-serverSessionHint-4", Level::may, kSection,
                "An open request has no serverSessionHint yet, so that one with the hint 0 opens a session as well.",
                "R3: deployed servers take a hint within their table for that session");
constinit const Rule kWrongHintNotExecuted =
    server_rule("RAMCLOUD-serverSessionHint-5", Level::must, kSection,
                "A request whose token is right and whose serverSessionHint is wrong is not executed.", "R9");

constexpr const Rule* kRules[] = {&kAnyServerHintWorks, &kOpenWithAnyHint, &kWrongHintNotExecuted};

void use_hint(ClientProbe& client, std::uint32_t hint) {
  const ClientRequest request = client.first_request({.count = 2}, {.server_hint = hint});
  if (const auto next = client.expect_to_go_on(kAnyServerHintWorks, request))
    client.require(kAnyServerHintWorks, next->header.server_session_hint == hint, "the hint of the open response",
                   "another hint");
}

}  // namespace

SectionCases server_session_hint_cases() {
  static const Case kCases[] = {
      {
          .id = "serverSessionHint/open-request-with-hint-0",
          .iut = Role::responder,
          .rules = {&kOpenWithAnyHint},
          .purpose = "Two open requests with serverSessionHint 0 open two sessions.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            for (int i = 0; i < 2; ++i) {
              const auto session = server.try_open({.server_hint = 0});
              if (!server.advise(kOpenWithAnyHint, session.has_value(), "a session open response", "none")) return;
              server.prepare(*session, {0, 0}, text("opened with hint 0"));
            }
          }),
      },
      {
          .id = "serverSessionHint/wrong-hint-is-not-executed",
          .iut = Role::responder,
          .rules = {&kWrongHintNotExecuted, &kServerHintKept},
          .purpose = "Requests with the right token and another serverSessionHint are not executed.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            for (const std::uint32_t bits : {1u, 0x10000u, 0x80000000u, 0xffffffffu}) {
              Header wrong = ServerProbe::data(session, {0, 0});
              wrong.server_session_hint ^= bits;
              server.send(wrong, text("wrong hint"));
            }
            server.expect_none(
                kWrongHintNotExecuted, [](const Received& packet) { return packet.is(PayloadType::data); },
                "no response, or BAD_SESSION");
            server.expect_echo(kWrongHintNotExecuted, session, {0, 0}, text("right hint"));
          }),
      },
      {
          .id = "serverSessionHint/0-works",
          .iut = Role::initiator,
          .rules = {&kAnyServerHintWorks, &kClientEchoesServerHint, &kClientHintKept},
          .purpose = "A session works under the hint 0.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) { use_hint(client, 0); }),
      },
      {
          .id = "serverSessionHint/1-works",
          .iut = Role::initiator,
          .rules = {&kAnyServerHintWorks, &kClientEchoesServerHint, &kClientHintKept},
          .purpose = "A session works under the hint 1.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) { use_hint(client, 1); }),
      },
      {
          .id = "serverSessionHint/0x80000000-works",
          .iut = Role::initiator,
          .rules = {&kAnyServerHintWorks, &kClientEchoesServerHint, &kClientHintKept},
          .purpose = "A session works under the hint 0x80000000.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) { use_hint(client, 0x80000000); }),
      },
      {
          .id = "serverSessionHint/0xffffffff-works",
          .iut = Role::initiator,
          .rules = {&kAnyServerHintWorks, &kClientEchoesServerHint, &kClientHintKept},
          .purpose = "A session works under the hint 0xffffffff.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) { use_hint(client, 0xffffffff); }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud
