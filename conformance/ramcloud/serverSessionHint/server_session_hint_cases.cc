// SPDX-License-Identifier: Apache-2.0
// "serverSessionHint"
#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"

namespace wirelaw::ramcloud {
namespace {

struct AnyHint {
  std::string_view id;
  std::string_view purpose;
  std::uint32_t hint;
};

CaseRow any_hint(const AnyHint& row) {
  return {row.id,
          {&rule<"RAMCLOUD-serverSessionHint-3">, &rule<"RAMCLOUD-serverSessionHint-2">,
           &rule<"RAMCLOUD-clientSessionHint-1">},
          row.purpose,
          with<ClientProbe>([hint = row.hint](ClientProbe& client) {
            client.trigger({.count = 2});
            const Header open = client.await_open();
            client.stimulates(rule<"RAMCLOUD-serverSessionHint-3">);
            client.accept(open, {.server_hint = hint});
            const ClientRequest request = client.await_request();
            if (const auto next = client.expect_to_go_on(rule<"RAMCLOUD-serverSessionHint-3">, request))
              client.require(rule<"RAMCLOUD-serverSessionHint-3">, next->header.server_session_hint == hint,
                             "the hint of the open response", "another hint");
          }),
          Service::echo};
}

const CaseRow kRows[] = {
    {"serverSessionHint/open-request-with-hint-0",
     {&rule<"RAMCLOUD-serverSessionHint-4">},
     "The server opens two sessions for two open requests with serverSessionHint 0.",
     with<ServerProbe>([](ServerProbe& server) {
       for (int i = 0; i < 2; ++i) {
         const auto session = server.try_open({.server_hint = 0});
         if (!server.advise(rule<"RAMCLOUD-serverSessionHint-4">, session.has_value(), "a session open response",
                            "none"))
           return;
         server.prepare(*session, {0, 0}, text("opened with hint 0"));
       }
     })},
    not_executed({
        .id = "serverSessionHint/wrong-hint-is-not-executed",
        .rules = {&rule<"RAMCLOUD-serverSessionHint-5">, &rule<"RAMCLOUD-serverSessionHint-1">},
        .purpose = "The server does not execute requests with the right token and another serverSessionHint.",
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
    any_hint({"serverSessionHint/0-works", "The server serves a session under the hint 0.", 0}),
    any_hint({"serverSessionHint/1-works", "The server serves a session under the hint 1.", 1}),
    any_hint(
        {"serverSessionHint/0x80000000-works", "The server serves a session under the hint 0x80000000.", 0x80000000}),
    any_hint(
        {"serverSessionHint/0xffffffff-works", "The server serves a session under the hint 0xffffffff.", 0xffffffff}),
};

}  // namespace

std::vector<Case> server_session_hint_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
