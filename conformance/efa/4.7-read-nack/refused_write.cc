// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7 of later documents: a READ_NACK may refuse a write as well. The requester then sends the write as a
// LONGCTS_RTW, a new request with all its data (EFA/A-17).
#include "conformance/efa/4.7-read-nack/refused_write.h"

#include <algorithm>

#include "conformance/efa/4.7-read-nack/rules.h"

namespace wirelaw::efa {

namespace {

constexpr std::size_t kMostRefused = 64;

}  // namespace

void note_refused_write(const SeenPacket& seen, const Exchange& write, TraceState& state) {
  Party& requester = state.party(write.requester);
  if (write.is_unsettled() || !requester.document.may_have(Revision::v2_6) ||
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
  judge.advise(rule<"EFA-4.7-30">, true, {}, expected(""), actual(""));
  requester.refused_writes.erase(found);
}

void finish_refused_writes(Judge& judge, const TraceState& state) {
  if (!state.complete()) return;
  for (const Side side : {Side::a, Side::b})
    for (const Party::RefusedWrite& write : state.party(side).refused_writes) {
      if (!state.is_stale(write.refused)) continue;
      judge.at(unanswered(write.refused, side));
      judge.advise(rule<"EFA-4.7-30">, false, {}, expected("a LONGCTS_RTW to the same buffers"), actual("none"),
                   "much has been sent since the READ_NACK");
    }
}

}  // namespace wirelaw::efa
