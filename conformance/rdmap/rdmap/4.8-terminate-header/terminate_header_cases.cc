// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8: the parts of a Terminate that its receiver ignores.
#include "conformance/rdmap/rdmap/4.8-terminate-header/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"rdmap/{}-takes-a-terminate-with-reserved-bits",
     {&rule<"RDMAP-4.8-8">},
     "The IUT ends the connection after a Terminate with all reserved bits set.",
     with_each([](auto& peer) {
       send_terminate(peer, {.error = error::kLocalCatastrophic, .reserved = 0x1fff});
       const Response answer = await_terminate(peer);
       // If nothing came, wait for the end of the connection.
       if (!answer.is(Response::Kind::nothing))
         peer.judge(rule<"RDMAP-4.8-8">, answer, {closes(), noted(terminates())}, "all reserved bits were set");
       if (!answer.ended()) expect_end(peer, rule<"RDMAP-4.8-8">, "all reserved bits were set");
     })},
};

}  // namespace

std::vector<Case> terminate_header_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
