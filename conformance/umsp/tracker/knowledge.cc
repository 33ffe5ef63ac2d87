// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/knowledge.h"

#include <algorithm>
#include <vector>

#include "conformance/umsp/tracker/connection.h"
#include "conformance/umsp/tracker/jobs.h"

namespace wirelaw::umsp {

void note_sent_after(Connection& connection, Side side, std::int64_t after_ns, std::int64_t now_ns, bool is_of_stream) {
  auto& known = connection.of(side).sent_after_ns;
  known = std::max(known.value_or(after_ns), after_ns);
  if (!is_of_stream || connection.jobs == nullptr) return;
  std::erase_if(connection.notices, [&](const NoticeUnderWay& one) {
    if (one.receiver != side || one.time_ns > after_ns) return false;
    connection.jobs->note_received({one.jcp, one.task}, connection.nodes[side == Side::a ? 0 : 1], one.time_ns, now_ns);
    return true;
  });
}

}  // namespace wirelaw::umsp
