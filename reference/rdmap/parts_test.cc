// SPDX-License-Identifier: Apache-2.0
// The small parts of an endpoint: segmenter, untagged queues, work queue, atomic arithmetic, Terminates.
#include <gtest/gtest.h>

#include <random>

#include "reference/octets/hex.h"
#include "reference/rdmap/atomics.h"
#include "reference/rdmap/segmenter.h"
#include "reference/rdmap/terminate_builder.h"
#include "reference/rdmap/untagged_queue.h"
#include "reference/rdmap/work_queue.h"

namespace wirelaw::rdmap {
namespace {

// ---------------------------------------------------------------------------------------------------------- segmenter

struct Cut {
  std::uint64_t at;  // TO or MO
  std::uint32_t octets;
  bool last;
  friend bool operator==(const Cut&, const Cut&) = default;
};

std::vector<Cut> cuts(const ddp::Header& first, std::uint32_t octets, std::size_t mulpdu) {
  std::vector<Cut> all;
  Segmenter segmenter(first, octets, mulpdu);
  while (!segmenter.done()) {
    const auto piece = segmenter.next();
    all.push_back({first.tagged ? piece.header.to : piece.header.mo, piece.octets, piece.header.last});
  }
  return all;
}

TEST(Segmenter, CutsTheExamplesOfTheSpecification) {  // RFC 5041, 5.2
  EXPECT_EQ(cuts({.msn = 1}, 2048, 1500), (std::vector<Cut>{{0, 1482, false}, {1482, 566, true}}));
  EXPECT_EQ(cuts({.tagged = true, .to = 16384}, 2048, 1500),
            (std::vector<Cut>{{16384, 1486, false}, {17870, 562, true}}));
}

TEST(Segmenter, SendsNothingInOneSegmentAndFullSegmentsWithoutARest) {
  EXPECT_EQ(cuts({}, 0, 128), (std::vector<Cut>{{0, 0, true}}));
  EXPECT_EQ(cuts({}, 110, 128), (std::vector<Cut>{{0, 110, true}}));
  EXPECT_EQ(cuts({}, 111, 128), (std::vector<Cut>{{0, 110, false}, {110, 1, true}}));
  EXPECT_EQ(cuts({}, 220, 128), (std::vector<Cut>{{0, 110, false}, {110, 110, true}}));
  EXPECT_TRUE(Segmenter().done());
}

// ----------------------------------------------------------------------------------------------------- untagged queue

ddp::Header at(std::uint32_t msn, std::uint32_t mo, bool last) {
  return {.last = last, .msn = msn, .mo = mo};
}

TEST(UntaggedQueue, TakesTheNextSegmentOnly) {
  UntaggedQueue queue(1);
  EXPECT_FALSE(queue.check(at(1, 0, false), 10, 20));
  queue.take(at(1, 0, false), 10);
  EXPECT_TRUE(queue.amid_message());
  EXPECT_EQ(queue.check(at(2, 0, true), 1, 20), error::kDdpMsnRange);
  EXPECT_EQ(queue.check(at(1, 0, true), 1, 20), error::kDdpInvalidMo);
  EXPECT_EQ(queue.check(at(1, 11, true), 1, 20), error::kDdpInvalidMo);
  EXPECT_EQ(queue.check(at(1, 10, true), 11, 20), error::kDdpTooLong);
  EXPECT_FALSE(queue.check(at(1, 10, true), 10, 20));
  queue.take(at(1, 10, true), 10);
  EXPECT_FALSE(queue.amid_message());
  EXPECT_EQ(queue.check(at(1, 0, true), 1, 20), error::kDdpMsnRange);
  EXPECT_EQ(queue.check(at(2, 0, true), 1, std::nullopt), error::kDdpNoBuffer);
  EXPECT_FALSE(queue.check(at(2, 0, true), 0, 0));
}

TEST(UntaggedQueue, CountsFromTheLastNumberToZero) {
  UntaggedQueue queue(0xffffffff);
  EXPECT_FALSE(queue.check(at(0xffffffff, 0, true), 0, 1));
  queue.take(at(0xffffffff, 0, true), 0);
  EXPECT_FALSE(queue.check(at(0, 0, true), 0, 1));
}

TEST(UntaggedQueue, KnowsAMessageThatHasBegunWithNothing) {
  UntaggedQueue queue(1);
  queue.take(at(1, 0, false), 0);
  EXPECT_TRUE(queue.amid_message());
}

// --------------------------------------------------------------------------------------------------------- work queue

std::vector<WorkId> completions(WorkQueue& queue) {
  std::vector<WorkId> ids;
  for (Completed done; queue.next_completion(done);) ids.push_back(done.ok ? done.id : done.id + 1000);
  return ids;
}

TEST(WorkQueue, CompletesInTheOrderOfPosting) {
  WorkQueue queue;
  queue.push({.opcode = Opcode::read_request});
  queue.push({.opcode = Opcode::send});
  queue.push({.opcode = Opcode::read_request});
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(queue.next(2), nullptr);
    queue.handed_over();
  }
  EXPECT_EQ(queue.next(2), nullptr);
  EXPECT_EQ(queue.outstanding(), 2u);
  EXPECT_TRUE(completions(queue).empty()) << "the Send waits for the read before it";
  EXPECT_EQ(queue.oldest_outstanding()->id, 1u);
  queue.answered();
  EXPECT_EQ(completions(queue), (std::vector<WorkId>{1, 2}));
  queue.answered();
  EXPECT_EQ(completions(queue), (std::vector<WorkId>{3}));
  EXPECT_EQ(queue.oldest_outstanding(), nullptr);
}

TEST(WorkQueue, HoldsEverythingBehindAReadThatMustWait) {
  WorkQueue queue;
  queue.push({.opcode = Opcode::read_request});
  queue.push({.opcode = Opcode::atomic_request});
  queue.push({.opcode = Opcode::send});
  ASSERT_NE(queue.next(1), nullptr);
  queue.handed_over();
  EXPECT_EQ(queue.next(1), nullptr);
  EXPECT_EQ(queue.unsent(), 2u);
  queue.answered();
  EXPECT_EQ(queue.next(1)->opcode, Opcode::atomic_request);
  EXPECT_EQ(queue.next(0), nullptr);
}

TEST(WorkQueue, FailsWhatIsNotDone) {
  WorkQueue queue;
  queue.push({.opcode = Opcode::send});
  queue.push({.opcode = Opcode::read_request});
  queue.push({.opcode = Opcode::send});
  queue.handed_over();
  queue.handed_over();
  queue.fail();
  EXPECT_EQ(completions(queue), (std::vector<WorkId>{1, 1002, 1003}));
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_EQ(queue.next(9), nullptr);
}

TEST(WorkQueue, TellsNothingOfWhatTheUpperLayerHasNotAskedFor) {
  WorkQueue queue;
  queue.push({.opcode = Opcode::read_request, .internal = true});
  queue.push({.opcode = Opcode::send});
  ASSERT_NE(queue.next(0), nullptr) << "a ready-to-receive read needs no ORD";
  queue.handed_over();
  queue.handed_over();
  queue.answered();
  EXPECT_EQ(completions(queue), (std::vector<WorkId>{2}));
}

// ------------------------------------------------------------------------------------------------------------ atomics

// The pseudocode of RFC 7306, 5.1.1, bit by bit.
std::uint64_t add_bit_by_bit(std::uint64_t value, std::uint64_t add, std::uint64_t mask) {
  std::uint64_t result = 0;
  unsigned carry = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const unsigned sum = carry + static_cast<unsigned>(value >> bit & 1) + static_cast<unsigned>(add >> bit & 1);
    result |= std::uint64_t{sum & 1} << bit;
    carry = (mask >> bit & 1) != 0 ? 0 : sum >> 1;
  }
  return result;
}

TEST(Atomics, AddsFieldByField) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = random();
    const std::uint64_t add = random();
    const std::uint64_t mask = i % 3 == 0 ? 0 : i % 3 == 1 ? random() : random() & random() & random();
    ASSERT_EQ(fetch_add(value, add, mask), add_bit_by_bit(value, add, mask));
  }
  EXPECT_EQ(fetch_add(~std::uint64_t{0}, 1, 0), 0u);
  EXPECT_EQ(fetch_add(0x00000000ffffffff, 1, 0x80000000), 0u);
}

TEST(Atomics, SwapsWhereTheMaskedBitsAreEqual) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  EXPECT_EQ(compare_swap(5, 9, kAll, 5, kAll), 9u);
  EXPECT_EQ(compare_swap(5, 9, kAll, 6, kAll), 5u);
  EXPECT_EQ(compare_swap(5, 9, kAll, 6, 0), 9u);
  EXPECT_EQ(compare_swap(0xff00, 0x1234, 0x00ff, 0xff00, 0xff00), 0xff34u);
}

// --------------------------------------------------------------------------------------------------------- Terminates

struct TerminateRow {
  const char* name;
  ErrorCode error;
  enum { none, write, send, read } offender;
  std::size_t octets;  // message length: 4, and 2 + 14, or 2 + 18, or 2 + 18 + 28
};

// RFC 5040, figure 10 and 7.1.
constexpr TerminateRow kTerminates[] = {
    {"local catastrophic", error::kLocalCatastrophic, TerminateRow::send, 4},
    {"no message", error::kCatastrophicStream, TerminateRow::none, 4},
    {"protection of a read", error::kBaseOrBounds, TerminateRow::read, 52},
    {"invalidation", error::kProtectionCannotInvalidate, TerminateRow::send, 24},
    {"RDMAP version of a read", error::kInvalidVersion, TerminateRow::read, 24},
    {"opcode", error::kUnexpectedOpcode, TerminateRow::write, 20},
    {"operation error of a read", error::kCatastrophicStream, TerminateRow::read, 52},
    {"DDP tagged", error::kDdpToWrap, TerminateRow::write, 20},
    {"DDP untagged", error::kDdpTooLong, TerminateRow::send, 24},
    {"DDP untagged, of a read", error::kDdpNoBuffer, TerminateRow::read, 24},
    {"DDP local catastrophic", error::kDdpLocalCatastrophic, TerminateRow::send, 4},
    {"MPA", error::kMpaCrc, TerminateRow::send, 4},
};

TEST(TerminateBuilder, IncludesTheHeadersThatTheTablesName) {
  for (const TerminateRow& row : kTerminates) {
    ddp::Header header{.tagged = row.offender == TerminateRow::write, .last = true, .rsvd_ulp = 0x41};
    OctetBuffer ulpdu;
    ddp::encode(header, ulpdu);
    ulpdu.resize(ulpdu.size() + 28);
    Offender offender = offender_of(ulpdu, header);
    if (row.offender == TerminateRow::read) offender.read = ReadRequest{.size = 7};
    const OctetBuffer out = build_terminate(row.error, row.offender == TerminateRow::none ? nullptr : &offender);
    EXPECT_EQ(out.size(), row.octets) << row.name;
    const auto terminate = decode_terminate(out);
    ASSERT_TRUE(terminate && !terminate->cut) << row.name;
    EXPECT_EQ(terminate->error, row.error);
    EXPECT_EQ(terminate->has_length, row.octets > 4);
    EXPECT_EQ(terminate->has_ddp_header, row.octets > 4);
    EXPECT_EQ(terminate->has_rdma_header, row.octets == 52);
    EXPECT_TRUE(terminate->tail.empty());
    if (row.octets == 4) continue;
    EXPECT_EQ(terminate->ddp_segment_length, ulpdu.size());
    EXPECT_EQ(to_hex(terminate->ddp_header), to_hex(Octets(ulpdu).first(header.octets())));
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
