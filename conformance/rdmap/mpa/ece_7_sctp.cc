// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 7: the same over SCTP.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kChunks = unseen_rule(
    "ECE-7-1", Level::must, Role::any, "RFC 6581 7",
    "Over SCTP, the enhanced session control chunks carry the same data, and their function codes accept, reject and "
    "terminate.",
    "This suite judges iWARP over TCP; RFC 5043's adaptation to SCTP is no part of it.");
constinit const Rule kPrivateData = unseen_rule(
    "ECE-7-2", Level::must_not, Role::any, "RFC 6581 7",
    "Over SCTP, private data is at most 512 octets with the enhanced data, and none goes with a termination.",
    "As ECE-7-1.");

constexpr const Rule* kRules[] = {&kChunks, &kPrivateData};

}  // namespace

RuleList ece_7_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
