// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Write. What a stimulus can show of it is in write_cases.cc.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5040 5.1"}.by(Observable::none);
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kIsTagged =
    kSection.must("RDMAP-5.1-1", "An RDMA Write is marked as tagged.", "judged by RDMAP-4.1-10");
constinit const Rule kInSubmittedOrder =
    kAtVerbs.must("RDMAP-5.1-4", "RDMA Writes are issued in the order in which the ULP has submitted them.",
                  "known to the user of the verbs");
constinit const Rule kOneBuffer =
    kSection.must("RDMAP-5.1-5", "One RDMA Write writes to one tagged buffer; several buffers take several Writes.",
                  "judged by DDP-4.2-8: one message has one STag");

constexpr Breach kBreaches[] = {
    {Deviation::work_reordered, kInSubmittedOrder, {.given = "verbs"}},
};

}  // namespace

SectionRules write_rules() {
  static constexpr const Rule* kRules[] = {&kIsTagged, &kInSubmittedOrder, &kOneBuffer};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
