// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 5.2: Atomic Requests and Responses, field by field, and how they belong together. An outstanding
// Atomic Request is among the outstanding Reads, whose queue and whose limits it shares.
#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/extensions.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

}  // namespace

void judge_atomic_request(Judge& judge, Seen& seen, const AtomicRequest& request) {
  const std::uint8_t opcode = atomic_opcode(request);
  const std::uint32_t reserved = request.reserved_and_opcode >> 4;
  const OctetRange word = field::rdmap(seen.header, layout::kAtomicOpcode, 4);
  judge.require(rule<"RDMAPX-5.2.1-1">, reserved == 0, word, expected(0), actual(hex(reserved)));
  const bool known = judge.require(rule<"RDMAPX-5.2.1-3">, opcode == kFetchAdd || opcode == kCmpSwap, word,
                                   expected("0 or 2"), actual(opcode));
  if (!known)
    for (const ErrorCode& error : {error::kUnexpectedOpcode, error::kCatastrophicStream, error::kOperationUnspecified})
      seen.blame(error);
  if (opcode == kFetchAdd) {
    judge.require(rule<"RDMAPX-5.2.1-7">, request.compare == 0, field::rdmap(seen.header, layout::kAtomicCompare, 8),
                  expected(0), actual(hex(request.compare)));
    judge.require(rule<"RDMAPX-5.2.1-8">, request.compare_mask == kAllOnes,
                  field::rdmap(seen.header, layout::kAtomicCompareMask, 8), expected(hex(kAllOnes)),
                  actual(hex(request.compare_mask)));
  }
  Direction& from = seen.from;
  if (from.reads.size() == kMaxOutstandingReads)
    ++from.reads_forgotten;
  else
    from.reads.push_back({.atomic = true,
                          .identifier = request.request_identifier,
                          .index = seen.message.index,
                          .frame = seen.message.frame,
                          .time_ns = judge.message().time_ns});
}

void judge_atomic_response(Judge& judge, Seen& seen, const AtomicResponse& response) {
  auto& reads = seen.to.reads;
  const auto answered = std::ranges::find_if(reads, [&](const OutstandingRead& read) {
    return read.atomic && read.identifier == response.request_identifier;
  });
  if (!all_requests_known(seen)) {
    // It may answer a request that was not seen.
    if (answered != reads.end())
      reads.erase(answered);
    else
      seen.blame(error::kUnexpectedOpcode);  // the receiver may report this or nothing
    return;
  }
  const Evidence evidence = evidence_of_lack(seen.connection, seen.from);
  const std::string_view otherwise = evidence == Evidence::octets ? "" : ", or one that was not captured";
  const auto first = std::ranges::find(reads, true, &OutstandingRead::atomic);
  if (!judge.require(
          rule<"RDMAPX-5.2.2-1">, first != reads.end(), octets(0, seen.fpdu.octets.size()),
          expected("an Atomic Request without answer"), actual("none"),
          [&] { return fmt::format("nothing waits for it{}", otherwise); }, evidence)) {
    seen.blame(error::kUnexpectedOpcode);
    return;
  }
  const OctetRange where = field::rdmap(seen.header, layout::kOriginalIdentifier, 4);
  const auto want = expected([&] { return fmt::format("identifier {:08x}", first->identifier); });
  const auto got = actual([&] { return fmt::format("identifier {:08x}", response.request_identifier); });
  if (judge.require(
          rule<"RDMAPX-5.2.2-2">, answered != reads.end(), where, want, got,
          [&] { return fmt::format("no request that waits has it{}", otherwise); }, evidence))
    judge.require(
        rule<"RDMAPX-5.2.2-10">, answered == first, where, want, got,
        [&] { return fmt::format("that of message {} was due{}", first->index + 1, otherwise); }, evidence);
  const auto done = answered == reads.end() ? first : answered;
  if (done == first) judge_atomic_after_reads(judge, seen, *done);
  reads.erase(done);
}

}  // namespace wirelaw::rdmap
