// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 7: the ordering table, row by row: first operation, second operation.
#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {

void judge_atomic_after_reads(Judge& judge, Seen& seen, const OutstandingRead& answered) {
  const auto& reads = seen.to.reads;
  const auto before = std::ranges::find_if(
      reads, [&](const OutstandingRead& read) { return !read.atomic || read.index == answered.index; });
  if (before == reads.end()) return;
  if (!judge.require(rule<"RDMAPX-7-12">, before->atomic, octets(0, seen.fpdu.octets.size()),
                     expected([&] { return fmt::format("the response to message {}", before->index + 1); }),
                     actual([&] { return fmt::format("that to message {}", answered.index + 1); }),
                     "a Read was asked for before", evidence_of_lack(seen.connection, seen.from)))
    seen.blame(error::kUnexpectedOpcode);
}

void judge_read_after_atomics(Judge& judge, Seen& seen) {
  if (!all_requests_known(seen)) return;
  const auto& reads = seen.to.reads;
  const auto asked_for = std::ranges::find_if(reads, [&](const OutstandingRead& read) {
    return !read.atomic && read.request.sink_stag == seen.header.stag && read.request.sink_to == seen.header.to;
  });
  if (asked_for == reads.end()) return;
  const auto atomic = std::ranges::find(reads.begin(), asked_for, true, &OutstandingRead::atomic);
  if (!judge.require(rule<"RDMAPX-7-8">, atomic == asked_for, octets(0, seen.fpdu.octets.size()),
                     expected([&] { return fmt::format("the response to message {}", atomic->index + 1); }),
                     actual([&] { return fmt::format("that to message {}", asked_for->index + 1); }),
                     "an Atomic Operation was asked for before", evidence_of_lack(seen.connection, seen.from)))
    seen.blame(error::kUnexpectedOpcode);
}

}  // namespace wirelaw::rdmap
