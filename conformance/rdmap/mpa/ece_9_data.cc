// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9: the enhanced data, and 9.3: in which order it is used.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kOctetOrder = unseen_rule(
    "ECE-9-1", Level::must, Role::any, "RFC 6581 9", "The enhanced data is sent in network octet order.",
    "Any four octets are enhanced data of some kind: in another order it is other values, which are judged as such.");
constinit const Rule kLocalError =
    api_rule("ECE-9.3-1", Level::must, Role::any, "RFC 6581 9.3",
             "An error of the negotiation for which no code of its own exists is told by a Terminate 2/0/05 before the "
             "connection is reset.",
             "What error a side has met locally does not show. A responder that rejects has no FPDUs to say it with: "
             "A-32.");

constexpr const Rule* kDataRules[] = {&kOctetOrder};
constexpr const Rule* kFlowRules[] = {&kLocalError};

}  // namespace

RuleList ece_9_rules() {
  return kDataRules;
}

RuleList ece_9_3_rules() {
  return kFlowRules;
}

}  // namespace wirelaw::rdmap
