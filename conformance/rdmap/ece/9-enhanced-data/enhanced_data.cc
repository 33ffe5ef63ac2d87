// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9: the enhanced data, and 9.3: in which order it is used.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection9 = Section{"RFC 6581 9"}.by(Observable::none);
constexpr Section kSection9_3 = Section{"RFC 6581 9.3"}.by(Observable::api);

constinit const Rule kOctetOrder = kSection9.must(
    "ECE-9-1", "The enhanced data is sent in network octet order.",
    "Any four octets are enhanced data of some kind: in another order it is other values, which are judged as such.");
constinit const Rule kLocalError = kSection9_3.must(
    "ECE-9.3-1",
    "An error of the negotiation for which no code of its own exists is reported by a Terminate 2/0/05 before the "
    "connection is reset.",
    "What error a side has met locally does not show. A responder that rejects has no FPDUs to say it with: "
    "RDMAP/A-32.");

constexpr const Rule* kDataRules[] = {&kOctetOrder};
constexpr const Rule* kFlowRules[] = {&kLocalError};

}  // namespace

SectionRules ece_9_rules() {
  return {kDataRules};
}

SectionRules ece_9_3_rules() {
  return {kFlowRules};
}

}  // namespace wirelaw::rdmap
