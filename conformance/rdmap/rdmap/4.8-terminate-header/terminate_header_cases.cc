// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8: what a receiver of a Terminate passes over.
#include "conformance/rdmap/rdmap/terminate_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 4.8"}.by(Observable::stimulus);

constinit const Rule kReservedIgnored =
    kSection.must("RDMAP-4.8-8", "Reserved bits of a Terminate are ignored on receipt.",
                  "RDMAP/A-43: what an invalid one would bring about is a Terminate");

constexpr const Rule* kRules[] = {&kReservedIgnored};

constexpr CaseRow kRows[] = {
    {"rdmap/{}-takes-a-terminate-with-reserved-bits",
     {&kReservedIgnored},
     "A Terminate with all reserved bits set ends the connection as any other does.",
     with_each([](auto& peer) {
       send_terminate(peer, {.error = error::kLocalCatastrophic, .reserved = 0x1fff});
       const Response answer = await_terminate(peer);
       // Where nothing came, the end is still to be waited for.
       if (!answer.is(Response::Kind::nothing))
         peer.judge(kReservedIgnored, answer, {closes(), noted(terminates())}, "all reserved bits were set");
       if (!answer.ended()) expect_end(peer, kReservedIgnored, "all reserved bits were set");
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::terminate_answered, kReservedIgnored, {.severity = Severity::warning}},
};

}  // namespace

SectionCases terminate_header_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
