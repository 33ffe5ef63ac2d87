// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8: what a receiver of a Terminate passes over.
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kReservedIgnored =
    stimulus_rule("RDMAP-4.8-8", Level::must, "RFC 5040 4.8", "Reserved bits of a Terminate are ignored on receipt.",
                  "A-43: what an invalid one would bring about is a Terminate");
constexpr const Rule* kRules[] = {&kReservedIgnored};

}  // namespace

SectionCases terminate_header_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases,
             {"rdmap/responder-takes-a-terminate-with-reserved-bits",
              "rdmap/initiator-takes-a-terminate-with-reserved-bits"},
             {&kReservedIgnored}, "A Terminate with all reserved bits set ends the connection as any other does.",
             Service::none, [](auto& peer) {
               send_terminate(peer, {.error = error::kLocalCatastrophic, .reserved = 0x1fff});
               const Response answer = await_terminate(peer);
               // Where nothing came, the end is still to be waited for.
               if (!answer.is(Response::Kind::nothing))
                 peer.judge(kReservedIgnored, answer, {closes(), noted(terminates())}, "all reserved bits were set");
               if (!answer.ended()) expect_end(peer, kReservedIgnored, "all reserved bits were set");
             });
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
