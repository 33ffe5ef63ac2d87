// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7 of later documents: a READ_NACK may refuse a write as well, and the write goes on as a LONGCTS_RTW:
// a new request with all its data (EFA/A-17).
#include <algorithm>

#include "conformance/efa/later.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.7 (2.6)", kRequester};
constexpr std::size_t kMostRefused = 64;

}  // namespace

constinit const Rule kRefusedWriteIsSent =
    kSection.resting_on(Evidence::absence)
        .must("EFA-4.7-30", "A requester whose LONGREAD_RTW was refused by READ_NACK sends a LONGCTS_RTW for it.",
              "EFA/A-17, EFA/A-72: warned of at the end; the write may have been given up, and a capture may lack "
              "packets");

constexpr Breach kBreaches[] = {
    {Deviation::nack_not_followed, kRefusedWriteIsSent, {.severity = Severity::warning, .given = kStimulus}},
};

SectionRules later_read_nack_rules() {
  static constexpr const Rule* kRules[] = {&kRefusedWriteIsSent};
  return {kRules, kBreaches};
}

void note_refused_write(const SeenPacket& seen, const Exchange& write, TraceState& state) {
  Party& requester = state.party(write.requester);
  if (write.unsettled || !requester.document.may_have(Revision::v2_6) ||
      requester.refused_writes.size() >= kMostRefused)
    return;
  requester.refused_writes.push_back({seen.mark(), write.iov_hash});
}

void note_long_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Party& requester = state.party(seen.sender());
  if (requester.refused_writes.empty()) return;
  const std::uint64_t target = hash_of(seen.packet.rma_iov);
  const auto found = std::ranges::find(requester.refused_writes, target, &Party::RefusedWrite::target);
  if (found == requester.refused_writes.end()) return;
  judge.advise(kRefusedWriteIsSent, true, {}, expected(""), actual(""));
  requester.refused_writes.erase(found);
}

void finish_refused_writes(Judge& judge, const TraceState& state) {
  if (!state.complete()) return;
  for (const Side side : {Side::a, Side::b})
    for (const Party::RefusedWrite& write : state.party(side).refused_writes) {
      if (!state.is_stale(write.refused)) continue;
      judge.at(unanswered(write.refused, side));
      judge.advise(kRefusedWriteIsSent, false, {}, expected("a LONGCTS_RTW to the same buffers"), actual("none"),
                   "much has been sent since the READ_NACK");
    }
}

}  // namespace wirelaw::efa
