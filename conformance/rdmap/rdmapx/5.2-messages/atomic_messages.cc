// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.2: Atomic Requests and Responses, field by field, and how they belong together.
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

}  // namespace

void check_atomic_request(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  const std::uint32_t reserved = request.reserved_and_opcode >> 4;
  const OctetRange word = field_of_message(segment, layout::kAtomicOpcode, 4);
  judge.require(rule<"RDMAPX-5.2.1-1">, reserved == 0, word, expected(0), actual(hex(reserved)));
  judge.require(rule<"RDMAPX-5.2.1-3">, opcode == kFetchAdd || opcode == kCmpSwap, word, expected("0 or 2"),
                actual(opcode));
  if (opcode != kFetchAdd) return;
  judge.require(rule<"RDMAPX-5.2.1-7">, request.compare == 0, field_of_message(segment, layout::kAtomicCompare, 8),
                expected(0), actual(hex(request.compare)));
  judge.require(rule<"RDMAPX-5.2.1-8">, request.compare_mask == kAllOnes,
                field_of_message(segment, layout::kAtomicCompareMask, 8), expected(hex(kAllOnes)),
                actual(hex(request.compare_mask)));
}

void check_atomic_response(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact) {
  const Evidence evidence = segment.of_lack;
  const std::string_view otherwise = evidence == Evidence::octets ? "" : ", or one that was not captured";
  if (!judge.require(
          rule<"RDMAPX-5.2.2-1">, fact.due.has_value(), octets(0, judge.message().octets.size()),
          expected("an Atomic Request without answer"), actual("none"),
          [&] { return fmt::format("nothing waits for it{}", otherwise); }, evidence))
    return;
  const OctetRange where = field_of_message(segment, layout::kOriginalIdentifier, 4);
  const auto want = expected([&] { return fmt::format("identifier {:08x}", fact.due->identifier); });
  const auto got = actual([&] { return fmt::format("identifier {:08x}", fact.identifier); });
  if (judge.require(
          rule<"RDMAPX-5.2.2-2">, fact.is_known, where, want, got,
          [&] { return fmt::format("no request that waits has it{}", otherwise); }, evidence))
    judge.require(
        rule<"RDMAPX-5.2.2-10">, fact.is_due(), where, want, got,
        [&] { return fmt::format("that of message {} was due{}", fact.due->index + 1, otherwise); }, evidence);
  if (fact.is_due() || !fact.is_known) check_atomic_after_reads(judge, segment, fact);
}

void check_missing_atomic_response(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.advise(rule<"RDMAPX-5.2.1-18">, false, {}, expected("the Atomic Response"), actual("none for 100 seconds"),
               "or it was not captured");
}

}  // namespace wirelaw::rdmap
