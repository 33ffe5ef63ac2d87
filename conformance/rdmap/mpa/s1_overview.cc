// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 1.2: what the overview already demands.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/rule_of.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5044 1.2";

constinit const Rule kOrderIndicated =
    api_rule("MPA-1.2-1", Level::must, Role::any, kSection,
             "A receiver that recovers ULPDUs out of order tells DDP how they were ordered and when what was missing "
             "has come.",
             "Between MPA and DDP inside one implementation; a verbs consumer sees completions in order.");
constinit const Rule kCrcUnlessProtected =
    api_rule("MPA-1.2-2", Level::must, Role::any, kSection,
             "CRCs are in use unless the path is known to protect data at least as well.",
             "What is known of the path is the administrator's; MPA-4.4-2 warns where CRCs are not asked for.");

constexpr const Rule* kRules[] = {&kOrderIndicated, &kCrcUnlessProtected};

}  // namespace

RuleList s1_overview_rules() {
  return kRules;
}

}  // namespace wirelaw::rdmap
