// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.4: when a message is delivered, and what goes with it. What a stimulus can show of it is in
// data_transfer_cases.cc.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {

namespace {

constexpr Section kSection = Section{"RFC 5041 5.4"}.by(Observable::none);

constinit const Rule kRsvdUlpHandedUp = kSection.must("DDP-5.4-3", "DDP hands RsvdULP up when a message is delivered.",
                                                      "the same as DDP-4.2-3 and DDP-4.3-3");

}  // namespace

SectionRules ddp_delivery_rules() {
  static constexpr const Rule* kRules[] = {&kRsvdUlpHandedUp};
  return {kRules};
}

}  // namespace wirelaw::rdmap
