// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: valid RDMA Writes, which the ULP must not notice.
#include "conformance/rdmap/rdmap/5.1-write/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"rdmap/responder-does-not-deliver-writes",
     {&rule<"RDMAP-5.1-2">},
     "The IUT delivers only the Send to its application after a Write followed by a Send.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be written");
       if (!buffer) return;
       responder.write(sample_octets(50, 1), buffer->stag, buffer->to);
       responder.expect_goes_on(rule<"RDMAP-5.1-2">, "a Write followed by a Send");
       const Response answer = responder.await(responder.in(responder.run().silence_time()),
                                               [](const Response& one) { return one.is_send(); });
       responder.require(rule<"RDMAP-5.1-2">, !answer.is_send(), "one Send, the echo", to_text(answer));
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> write_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
