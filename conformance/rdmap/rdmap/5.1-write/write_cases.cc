// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Writes that are valid, and what the ULP sees of them: nothing.
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 5.1"}.by(Observable::stimulus);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kNotDelivered =
    kSection.must_not("RDMAP-5.1-2", "A valid RDMA Write is not delivered to the Data Sink's ULP.");
constinit const Rule kInvalidIsSurfaced =
    kNotJudged.must("RDMAP-5.1-3", "An invalid RDMA Write that is delivered to RDMAP surfaces an error.",
                    "judged by DDP-7.1 and RDMAP-7.2");

constexpr const Rule* kRules[] = {&kNotDelivered, &kInvalidIsSurfaced};

constexpr CaseRow kRows[] = {
    {"rdmap/responder-does-not-deliver-writes",
     {&kNotDelivered},
     "A Write and a Send behind it: the application answers the Send, and nothing else.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto buffer =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be written");
       if (!buffer) return;
       responder.write(data_of(50, 1), buffer->stag, buffer->to);
       responder.expect_goes_on(kNotDelivered, "a Write, and a Send behind it");
       const Response answer = responder.await(responder.in(responder.run().silence_time()),
                                               [](const Response& one) { return one.is_send(); });
       responder.require(kNotDelivered, !answer.is_send(), "one Send, the echo", to_text(answer));
     }),
     Service::echo},
};

constexpr Breach kBreaches[] = {
    {Deviation::send_lost, kNotDelivered, {.who = wirelaw::Role::responder}},
};

}  // namespace

SectionCases write_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
