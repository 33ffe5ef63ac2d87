// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.2: the STags that a sender of tagged segments uses. Only the tester knows which STags it has
// advertised.
#include <fmt/format.h>

#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/probes/served_initiator.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"ddp/initiator-writes-to-what-is-advertised",
     {&rule<"DDP-4.2-5">},
     "The initiator writes only to the STag that the reply advertises.",
     {.initiator =
          [](CaseRun& run) {
            ServedInitiator initiator(run, {.count = 2});
            initiator.serve();
            if (!initiator.stray_write() && initiator.writes() == 0)
              return initiator.skip("the initiator wrote nothing to the buffer that the reply advertises");
            initiator.require(rule<"DDP-4.2-5">, !initiator.stray_write(),
                              fmt::format("STag 0x{:08x}", ServedInitiator::kStag),
                              fmt::format("STag 0x{:08x}", initiator.stray_write().value_or(ServedInitiator::kStag)),
                              "it was not advertised");
          }}},
};

}  // namespace

std::vector<Case> ddp_tagged_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
