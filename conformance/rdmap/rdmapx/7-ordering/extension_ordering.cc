// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 7: the ordering table, row by row: first operation, second operation.
#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmapx/extensions.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 7306 7"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr std::string_view kCompletions = "The completions at the remote peer show it";

constinit const Rule kImmediateSend =
    kAtVerbs.must("RDMAPX-7-1", "Immediate Data, then Send: they complete in this order.", kCompletions);
constinit const Rule kImmediateRead = kAtVerbs.must(
    "RDMAPX-7-2", "Immediate Data, then Read: the response is generated after the Immediate Data has completed.",
    kCompletions);
constinit const Rule kImmediateAtomic = kAtVerbs.must(
    "RDMAPX-7-3", "Immediate Data, then Atomic: the response is generated after the Immediate Data has completed.",
    kCompletions);
constinit const Rule kImmediateImmediate = kAtVerbs.must(
    "RDMAPX-7-4", "Immediate Data or Send, then Immediate Data: they complete in this order.", kCompletions);
constinit const Rule kWriteImmediate = kAtVerbs.must(
    "RDMAPX-7-5",
    "Write, then Immediate Data: the Immediate Data completes after the Write has been placed and delivered.",
    kCompletions);
constinit const Rule kAtomicThenRead =
    kSection.resting_on(Evidence::absence)
        .must("RDMAPX-7-8", "Atomic, then Read: no Read Response before the Atomic Response.", "RDMAP/A-36");
constinit const Rule kSendAtomic = kAtVerbs.must(
    "RDMAPX-7-10", "Send, then Atomic: the response is generated after the Send has completed.", kCompletions);
constinit const Rule kReadThenAtomic =
    kSection.resting_on(Evidence::absence)
        .must("RDMAPX-7-12", "Read, then Atomic: no Atomic Response before the Read Response.", "RDMAP/A-36");

constexpr Breach kBreaches[] = {
    {Deviation::receives_reordered, kImmediateSend, {.given = "verbs pair"}},
    {Deviation::receive_told_late, kImmediateRead, {.given = "verbs"}},
    {Deviation::receive_told_late, kImmediateAtomic, {.given = "verbs"}},
    {Deviation::receives_reordered, kImmediateImmediate, {.given = "verbs pair"}},
    {Deviation::delivers_before_placing, kWriteImmediate, {.given = "verbs pair"}},
    {Deviation::receive_told_late, kSendAtomic, {.given = "verbs"}},
};

}  // namespace

SectionRules extension_ordering_rules() {
  static constexpr const Rule* kRules[] = {&kImmediateSend,  &kImmediateRead,  &kImmediateAtomic, &kImmediateImmediate,
                                           &kWriteImmediate, &kAtomicThenRead, &kSendAtomic,      &kReadThenAtomic};
  return {kRules, kBreaches};
}

void judge_atomic_after_reads(Judge& judge, Seen& seen, const OutstandingRead& answered) {
  const auto& reads = seen.to.reads;
  const auto before = std::ranges::find_if(
      reads, [&](const OutstandingRead& read) { return !read.atomic || read.index == answered.index; });
  if (before == reads.end()) return;
  if (!judge.require(kReadThenAtomic, before->atomic, octets(0, seen.fpdu.octets.size()),
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
  if (!judge.require(kAtomicThenRead, atomic == asked_for, octets(0, seen.fpdu.octets.size()),
                     expected([&] { return fmt::format("the response to message {}", atomic->index + 1); }),
                     actual([&] { return fmt::format("that to message {}", asked_for->index + 1); }),
                     "an Atomic Operation was asked for before", evidence_of_lack(seen.connection, seen.from)))
    seen.blame(error::kUnexpectedOpcode);
}

}  // namespace wirelaw::rdmap
