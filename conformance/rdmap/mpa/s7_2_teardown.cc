// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.2: how a connection ends.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/rdmap/mpa/rule_of.h"
#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5044 7.2";

}  // namespace

namespace mpa_rule {

constinit const Rule kEndsWithTcp =
    seen_rule("MPA-7.2-1", Level::must, Role::any, kSection,
              "A half connection of MPA ends with that of TCP: nothing follows the FIN.",
              "The text states it without a key word; octets behind a FIN break TCP as well.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constinit const Rule kCloseTold = api_rule("MPA-7.2-2", Level::should, Role::any, kSection,
                                           "DDP can be told that the peer has closed TCP gracefully.",
                                           "Inside one implementation; verbs show an event.");

constexpr const Rule* kRules[] = {&kEndsWithTcp, &kCloseTold};

}  // namespace

RuleList s7_2_teardown_rules() {
  return kRules;
}

void judge_octets_after_end(Judge& judge, bool any) {
  judge.require(kEndsWithTcp, !any, octets(0, judge.message().octets.size()), expected("nothing behind the FIN"),
                actual([&] { return fmt::format("{} octets", judge.message().octets.size()); }));
}

}  // namespace wirelaw::rdmap
