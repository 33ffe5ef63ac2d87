// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include <fmt/format.h>

#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"clientSessionHint/any-value-works",
     {&rule<"RAMCLOUD-clientSessionHint-4">, &rule<"RAMCLOUD-clientSessionHint-2">,
      &rule<"RAMCLOUD-clientSessionHint-3">},
     "The server opens sessions and executes RPCs under the client hints 0, 1, 0x80000000 and 0xffffffff.",
     with<ServerProbe>([](ServerProbe& server) {
       for (const std::uint32_t hint : {0u, 1u, 0x80000000u, 0xffffffffu}) {
         server.stimulates(rule<"RAMCLOUD-clientSessionHint-4">);
         const auto session = server.try_open({.client_hint = hint});
         const bool opened = server.require(rule<"RAMCLOUD-clientSessionHint-4">, session.has_value(),
                                            fmt::format("an open response with client hint 0x{:08x}", hint), "none");
         if (!opened) return;
         server.expect_echo(rule<"RAMCLOUD-clientSessionHint-4">, *session, {0, 0}, text("under that hint"));
       }
     })},
};

}  // namespace

std::vector<Case> client_session_hint_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
