// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the STags that a sender of tagged segments uses. Which are advertised is known to the one who
// has advertised them.
#include <fmt/format.h>

#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5041 4.2"}.by(Observable::stimulus);

constinit const Rule kStagIsValid =
    kSection.must("DDP-4.2-5", "The STag is valid for this stream.",
                  "A case has advertised one STag; what a receiver makes of a wrong one is judged by DDP-7.1");

constexpr const Rule* kRules[] = {&kStagIsValid};

constexpr CaseRow kRows[] = {
    {"ddp/initiator-writes-to-what-is-advertised",
     {&kStagIsValid},
     "Writes go to the STag that the reply advertises: there is no other.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run, {.count = 2});
            initiator.serve();
            if (!initiator.stray_write() && initiator.writes() == 0)
              return initiator.skip("the initiator has written nothing to the buffer that the reply advertised");
            initiator.require(kStagIsValid, !initiator.stray_write(),
                              fmt::format("STag 0x{:08x}", ServedInitiator::kStag),
                              fmt::format("STag 0x{:08x}", initiator.stray_write().value_or(ServedInitiator::kStag)),
                              "nobody has advertised it");
          }}},
};

constexpr Breach kBreaches[] = {
    {Deviation::write_stag_unknown, kStagIsValid, {.who = wirelaw::Role::initiator}},
};

}  // namespace

SectionCases ddp_tagged_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
