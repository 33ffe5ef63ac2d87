// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.3: the header of untagged segments, and the numbers of their messages.
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

void judge_msn(Judge& judge, Seen& seen, const Queue& queue) {
  const std::uint32_t msn = seen.header.msn, due = queue.next_msn;
  if (msn != due) {
    seen.blame(error::kDdpMsnRange);
    seen.blame(error::kDdpNoBuffer);
  }
  const Rule& of_msn = !queue.used ? rule<"DDP-4.3-8"> : due == 0 ? rule<"DDP-4.3-9"> : rule<"DDP-4.3-7">;
  judge.require(of_msn, msn == due, field::kMsn, expected(due), actual(msn), [&] {
    if (!queue.used) return fmt::format("the first message of queue {}", seen.header.qn);
    return fmt::format("the message before it on queue {} had {}", seen.header.qn, due - 1);
  });
}

}  // namespace wirelaw::rdmap
