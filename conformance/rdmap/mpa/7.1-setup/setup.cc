// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1: connection setup.
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection{"RFC 5044 7.1"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kSamePlace =
    kNotJudged.must("MPA-7.1-1", "MPA is activated at the same place of the octet stream at both ends.",
                    "Another place shows as a wrong key, a missing start frame, or FPDUs that cannot be found.");
constinit const Rule kDdpBound =
    kAtVerbs.must("MPA-7.1-2", "A DDP endpoint is bound to the connection when Full Operation begins.",
                  "Inside one implementation; verbs show a queue pair that is connected.");
constinit const Rule kOneInitiator = kSection.must(
    "MPA-7.1-3", "One side starts as Initiator, the other as Responder; the ULP sees to that.",
    "The text leaves how to the ULP, with a small must: warned, also where the second Request acknowledges "
    "the first: TCP had that, and MPA need not have read it. What MPA does about it is MPA-7.1.2-10.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kSamePlace, &kDdpBound, &kOneInitiator};

constexpr Breach kBreaches[] = {
    {Deviation::queue_pair_not_bound, kDdpBound, {.given = "verbs pair"}},
};

}  // namespace

SectionRules s7_1_setup_rules() {
  return {kRules, kBreaches};
}

void judge_roles(Judge& judge, const Connection& connection, const Direction& from, const mpa::StartFrame& frame) {
  const Direction& to = connection.of(other(from.side));
  if (!to.start) return;
  const bool both_initiate =
      frame.kind() == mpa::FrameKind::request && to.start->decoded().kind() == mpa::FrameKind::request;
  judge.advise(kOneInitiator, !both_initiate, field::kKey, expected("one Request Frame"),
               actual(both_initiate ? "two" : "one"), "both sides have started as Initiator");
}

}  // namespace wirelaw::rdmap
