// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 7: the same over SCTP.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 6581 7"}.by(Observable::none);

constinit const Rule kChunks =
    kSection.must("ECE-7-1",
                  "Over SCTP, the enhanced session control chunks carry the same data, and their function codes "
                  "accept, reject and terminate.",
                  "This suite judges iWARP over TCP; RFC 5043's adaptation to SCTP is no part of it.");
constinit const Rule kPrivateData = kSection.must_not(
    "ECE-7-2",
    "Over SCTP, private data is at most 512 octets with the enhanced data, and none goes with a termination.",
    "As ECE-7-1.");

constexpr const Rule* kRules[] = {&kChunks, &kPrivateData};

}  // namespace

SectionRules ece_7_rules() {
  return {kRules};
}

}  // namespace wirelaw::rdmap
