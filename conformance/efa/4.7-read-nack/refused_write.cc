// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7 of later documents: a READ_NACK may refuse a write as well. The requester then sends the write as a
// LONGCTS_RTW, a new request with all its data (EFA/A-17).
#include "conformance/efa/4.7-read-nack/refused_write.h"

#include "conformance/efa/4.7-read-nack/rules.h"

namespace wirelaw::efa {

void check_resumed_write(Judge& judge) {
  judge.advise(rule<"EFA-4.7-30">, true, {}, expected(""), actual(""));
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
