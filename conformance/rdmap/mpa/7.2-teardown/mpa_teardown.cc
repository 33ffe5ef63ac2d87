// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.2: how a connection ends.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 7.2"};
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kEndsWithTcp =
    kSection.must("MPA-7.2-1", "A half connection of MPA ends with that of TCP: nothing follows the FIN.",
                  "The text states it without a key word; octets behind a FIN break TCP as well.");
constinit const Rule kCloseReported =
    kAtVerbs.should("MPA-7.2-2", "It can be reported to DDP that the peer has closed TCP gracefully.",
                    "Inside one implementation; verbs show an event.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kEndsWithTcp, &kCloseReported};

constexpr Breach kBreaches[] = {
    {Deviation::disconnect_not_told, kCloseReported, {.given = "verbs"}},
};

}  // namespace

SectionRules s7_2_teardown_rules() {
  return {kRules, kBreaches};
}

void judge_octets_after_end(Judge& judge, bool any) {
  judge.require(kEndsWithTcp, !any, octets(0, judge.message().octets.size()), expected("nothing behind the FIN"),
                actual([&] { return fmt::format("{} octets", judge.message().octets.size()); }));
}

}  // namespace wirelaw::rdmap
