// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 7: the ordering table, row by row: first operation, second operation.
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {
namespace {

// The response came before that to an earlier request.
void check_order(Judge& judge, const Rule& rule, std::optional<std::uint64_t> earlier, std::uint64_t answered,
                 std::string_view why, Evidence evidence) {
  judge.require(rule, !earlier, octets(0, judge.message().octets.size()),
                expected([&] { return fmt::format("the response to message {}", *earlier + 1); }),
                actual([&] { return fmt::format("that to message {}", answered + 1); }), why, evidence);
}

}  // namespace

void check_atomic_after_reads(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact) {
  check_order(judge, rule<"RDMAPX-7-12">, fact.earlier_read, fact.due->index, "a Read was asked for before",
              segment.of_lack);
}

void check_read_after_atomics(Judge& judge, const SegmentFacts& segment, const ReadAfterAtomicsFact& fact) {
  check_order(judge, rule<"RDMAPX-7-8">, fact.earlier_atomic, fact.read, "an Atomic Operation was asked for before",
              segment.of_lack);
}

}  // namespace wirelaw::rdmap
