// SPDX-License-Identifier: Apache-2.0
// The checks of DDP, in the order in which an observer asks for them.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void judge_ddp_message(Judge& judge, Seen& seen) {
  if (!seen.header.tagged) return account_untagged(judge, seen);
  account_tagged(judge, seen);
  // An untagged opcode in a tagged header: its queue and number cannot be read. RDMAP's rules report it.
  const OpcodeRow* const row = seen.row;
  if (seen.first_segment && row && !row->tagged && !row->extension) seen.from.queues[row->queue].known = false;
}

void judge_ddp_end(Judge& judge, Direction& from) {
  for (Queue& queue : from.queues) settle_untagged(judge, queue);
}

}  // namespace wirelaw::rdmap
