// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, serverSessionHint"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kAnyServerHintWorks = kClient.must(
    "RAMCLOUD-serverSessionHint-3", "The serverSessionHint is opaque to the client: a session works under any value.");
constinit const Rule kOpenWithAnyHint =
    kServer.may("RAMCLOUD-serverSessionHint-4",
                "An open request has no serverSessionHint yet, so that one with the hint 0 opens a session as well.",
                "RAMCLOUD/R3: deployed servers take a hint within their table for that session");
constinit const Rule kWrongHintNotExecuted =
    kServer.must("RAMCLOUD-serverSessionHint-5",
                 "A request whose token is right and whose serverSessionHint is wrong is not executed.", "RAMCLOUD/R9");

constexpr const Rule* kRules[] = {&kAnyServerHintWorks, &kOpenWithAnyHint, &kWrongHintNotExecuted};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kAnyServerHintWorks, {server_hint_not_echoed}),
                 broken_by(kOpenWithAnyHint, {wrong_token_accepted}, {.severity = Severity::warning}),
                 broken_by(kOpenWithAnyHint, kNoSessionOpens, {.severity = Severity::warning}),
                 broken_by(kWrongHintNotExecuted, {executes_bad_session, sessions_share_channels}));

struct AnyHint {
  std::string_view id;
  std::string_view purpose;
  std::uint32_t hint;
};

Case any_hint(const AnyHint& row) {
  return {.id = row.id,
          .iut = Role::initiator,
          .rules = {&kAnyServerHintWorks, &kClientEchoesServerHint, &kClientHintKept},
          .purpose = row.purpose,
          .needs = Service::echo,
          .run = with<ClientProbe>([hint = row.hint](ClientProbe& client) {
            client.trigger({.count = 2});
            const Header open = client.await_open();
            client.stimulates(kAnyServerHintWorks);
            client.accept(open, {.server_hint = hint});
            const ClientRequest request = client.await_request();
            if (const auto next = client.expect_to_go_on(kAnyServerHintWorks, request))
              client.require(kAnyServerHintWorks, next->header.server_session_hint == hint,
                             "the hint of the open response", "another hint");
          })};
}

const Case kCases[] = {
    {
        .id = "serverSessionHint/open-request-with-hint-0",
        .iut = Role::responder,
        .rules = {&kOpenWithAnyHint},
        .purpose = "Two open requests with serverSessionHint 0 open two sessions.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          for (int i = 0; i < 2; ++i) {
            const auto session = server.try_open({.server_hint = 0});
            if (!server.advise(kOpenWithAnyHint, session.has_value(), "a session open response", "none")) return;
            server.prepare(*session, {0, 0}, text("opened with hint 0"));
          }
        }),
    },
    not_executed({
        .id = "serverSessionHint/wrong-hint-is-not-executed",
        .rules = {&kWrongHintNotExecuted, &kServerHintKept},
        .purpose = "Requests with the right token and another serverSessionHint are not executed.",
        .expected = "no response, or BAD_SESSION",
        .good_request = "right hint",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              for (const std::uint32_t bits : {1u, 0x10000u, 0x80000000u, 0xffffffffu}) {
                Header wrong = ServerProbe::data(session, {0, 0});
                wrong.server_session_hint ^= bits;
                server.send(wrong, text("wrong hint"));
              }
            },
    }),
    any_hint({"serverSessionHint/0-works", "A session works under the hint 0.", 0}),
    any_hint({"serverSessionHint/1-works", "A session works under the hint 1.", 1}),
    any_hint({"serverSessionHint/0x80000000-works", "A session works under the hint 0x80000000.", 0x80000000}),
    any_hint({"serverSessionHint/0xffffffff-works", "A session works under the hint 0xffffffff.", 0xffffffff}),
};

}  // namespace

SectionCases server_session_hint_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud
