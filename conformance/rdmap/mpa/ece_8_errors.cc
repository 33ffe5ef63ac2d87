// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 8, and RFC 6580, 3.3: MPA's error codes.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kCodes = unseen_rule(
    "ECE-8-1", Level::must, Role::any, "RFC 6581 8",
    "MPA's errors are layer 2, error type 0, codes 1 to 4 by RFC 5044 and 5 to 7 by RFC 6581 (RFC 6580, 3.3).",
    "A-01. The three fields are judged where the Terminate is: RFC 5040, 4.8.");

constexpr const Rule* kRules[] = {&kCodes};

}  // namespace

RuleList ece_8_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
