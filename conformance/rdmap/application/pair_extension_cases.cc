// SPDX-License-Identifier: Apache-2.0
// Atomic operations and immediate data between two consumers (RFC 7306, 5 to 7).
#include <algorithm>
#include <cstring>

#include "conformance/rdmap/probes/pair.h"
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/6-immediate-data/rules.h"
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

std::uint64_t word_in(const Region& region) {
  std::uint64_t word = 0;
  std::memcpy(&word, region.memory.data(), sizeof word);
  return word;
}

// A word has the byte order of its host.
Region word_of(Driver& at, std::uint64_t value) {
  OctetBuffer octets(sizeof value);
  std::memcpy(octets.data(), &value, sizeof value);
  return at.region_of(octets);
}

std::string hex_text(std::uint64_t value) {
  return fmt::format("0x{:x}", value);
}

SendWr atomic_of(std::uint64_t wr_id, WrOpcode opcode, const Region& result, BufferAt word) {
  return {.wr_id = wr_id,
          .opcode = opcode,
          .sge = Driver::all_of(result),
          .remote_addr = word.to,
          .rkey = word.stag,
          .compare_add = 0,
          .swap = 0};
}

constexpr std::uint64_t kValue = 0x0123'4567'89ab'cdef, kSwapped = 0xfeed'5eed'0000'0001;

// FetchAdd of five, a CmpSwap that fits and one that does not, by `from` to a word of `to`: the originals that it gets.
struct Atomics {
  std::vector<Wc> completions;
  std::uint64_t added = 0, swapped = 0, kept = 0, word = 0;
};
Atomics perform(Driver& from, Driver& to) {
  const Region word = word_of(to, kValue);
  const Region results[] = {from.region(8, kSink), from.region(8, kSink), from.region(8, kSink)};
  SendWr add = atomic_of(1, WrOpcode::atomic_fetch_and_add, results[0], at(word));
  add.compare_add = 5;
  SendWr swap = atomic_of(2, WrOpcode::atomic_cmp_and_swp, results[1], at(word));
  swap.compare_add = kValue + 5;
  swap.swap = kSwapped;
  SendWr keep = atomic_of(3, WrOpcode::atomic_cmp_and_swp, results[2], at(word));
  keep.compare_add = 7;
  keep.swap = 8;
  for (const SendWr& one : {add, swap, keep}) from.post(one);
  Atomics done{.completions = from.completions(Cq::send, 3)};
  done.added = word_in(results[0]);
  done.swapped = word_in(results[1]);
  done.kept = word_in(results[2]);
  done.word = word_in(word);
  return done;
}

std::string originals_text(const Atomics& one) {
  return fmt::format("0x{:x}, 0x{:x}, 0x{:x}", one.added, one.swapped, one.kept);
}
bool has_originals(const Atomics& one) {
  return one.added == kValue && one.swapped == kValue + 5 && one.kept == kSwapped;
}
const std::string kOriginals = fmt::format("0x{:x}, 0x{:x}, 0x{:x}", kValue, kValue + 5, kSwapped);

constexpr auto asks_for_atomics = [](auto& peer) {
  if (!peer.has_atomics() || !peer.open()) return;
  const Atomics done = perform(peer.app, peer.far);
  if (!peer.ok()) return;
  const bool complete =
      std::ranges::equal(done.completions, std::array<std::uint64_t, 3>{1, 2, 3}, {}, &Wc::wr_id) &&
      std::ranges::all_of(done.completions, [](const Wc& one) { return one.status == WcStatus::success; });
  peer.app.require({&rule<"RDMAPX-5.2.1-16">}, done.word == kSwapped, hex_text(kSwapped), hex_text(done.word),
                   "the far end's word after a FetchAdd, a CmpSwap that matches and one that does not");
  peer.app.require({&rule<"RDMAPX-5.2.2-8">}, complete && has_originals(done), kOriginals,
                   complete ? originals_text(done) : to_text(done.completions),
                   "the original values of a FetchAdd and of two CmpSwaps, in order");
};

constexpr auto performs_atomics = [](auto& peer) {
  if (!peer.has_atomics() || !peer.open()) return;
  peer.app.post_recv(1, peer.app.region(64));
  const Atomics done = perform(peer.far, peer.app);
  if (!peer.ok()) return;
  peer.app.require({&rule<"RDMAPX-5.1.1-5">, &rule<"RDMAPX-5.1.2-2">, &rule<"RDMAPX-5.1.2-3">}, done.word == kSwapped,
                   hex_text(kSwapped), hex_text(done.word),
                   "the word after a FetchAdd, a CmpSwap that matches and one that does not");
  peer.app.require({&rule<"RDMAPX-5.1.1-7">, &rule<"RDMAPX-5.1.2-4">}, has_originals(done), kOriginals,
                   originals_text(done),
                   "the original values of a FetchAdd and of two CmpSwaps: " + to_text(done.completions));
  const auto unasked = peer.app.completion_in_silence(Cq::receive);
  peer.app.require({&rule<"RDMAPX-5.2.1-13">}, !unasked, "no completion of a receive", to_text(unasked),
                   "the application is not notified of atomic operations on its memory");
};

constexpr std::uint32_t kImmediate = 0x5ca1ab1e;

SendWr immediate_of(std::uint64_t wr_id, const Region& data, BufferAt to, std::uint32_t value) {
  SendWr wr = Driver::write_of(wr_id, data, to);
  wr.opcode = WrOpcode::rdma_write_with_imm;
  wr.imm_data = value;
  return wr;
}

constexpr auto passes_immediates_up = [](auto& peer) {
  constexpr std::size_t kLong = 100'000;
  if (!peer.has_immediates() || !peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  const Region target = peer.app.region(kLong);
  peer.app.post_recv(1, peer.app.region(64));
  peer.far.post(immediate_of(1, peer.far.region_of(data), at(target), kImmediate));
  const auto wc = peer.app.completion(Cq::receive);
  const OctetBuffer placed = copy_of(target);  // before anything else lets time pass
  peer.app.require(
      {&rule<"RDMAPX-6.1-1">},
      wc && wc->status == WcStatus::success && wc->opcode == WcOpcode::recv_rdma_with_imm && wc->imm_data == kImmediate,
      fmt::format("IBV_WC_RECV_RDMA_WITH_IMM, immediate 0x{:08x}", kImmediate), to_text(wc),
      "a Write with immediate data by the far end");
  peer.app.require({&rule<"RDMAPX-7-5">}, placed == data, octets_text(data), octets_text(placed),
                   "the Write, when its immediate data is reported");
};

constexpr auto reports_immediates_in_order = [](auto& peer) {
  if (!peer.has_immediates() || !peer.open()) return;
  const Region target = peer.app.region(64), data = peer.far.region(64);
  for (std::uint64_t i = 0; i < 4; ++i) peer.app.post_recv(i, peer.app.region(64));
  peer.far.post(immediate_of(1, data, at(target), kImmediate));
  peer.far.post(Driver::send_of(2, data));
  peer.far.post(immediate_of(3, data, at(target), kImmediate + 1));
  peer.far.post(immediate_of(4, data, at(target), kImmediate + 2));
  const std::vector<Wc> list = peer.app.completions(Cq::receive, 4);
  constexpr std::optional<std::uint32_t> kOrder[] = {kImmediate, std::nullopt, kImmediate + 1, kImmediate + 2};
  const bool right = std::ranges::equal(list, kOrder, {}, &Wc::imm_data) &&
                     std::ranges::all_of(list, [](const Wc& one) { return one.status == WcStatus::success; });
  peer.app.require({&rule<"RDMAPX-6.3-3">, &rule<"RDMAPX-7-1">, &rule<"RDMAPX-7-4">}, right,
                   "immediate data, a Send, and two more immediate data, in this order", to_text(list));
};

constexpr auto sends_immediates_in_order = [](auto& peer) {
  if (!peer.has_immediates() || !peer.open()) return;
  const Region target = peer.far.region(64), data = peer.app.region(64);
  for (std::uint64_t i = 0; i < 3; ++i) peer.far.post_recv(i, peer.far.region(64));
  peer.app.post(immediate_of(1, data, at(target), kImmediate));
  peer.app.post(immediate_of(2, data, at(target), kImmediate + 1));
  peer.app.post(Driver::send_of(3, data));
  const std::vector<Wc> list = peer.far.completions(Cq::receive, 3);
  constexpr std::optional<std::uint32_t> kOrder[] = {kImmediate, kImmediate + 1, std::nullopt};
  peer.app.require({&rule<"RDMAPX-6.3-6">}, std::ranges::equal(list, kOrder, {}, &Wc::imm_data),
                   "the immediate data of both requests, then the Send", to_text(list),
                   "what is reported to the far end");
  peer.app.expect_completions({&rule<"RDMAPX-6.4-1">}, Cq::send, {1, 2, 3}, "immediate data completes like a Send");
};

const CaseRow kRows[] = {
    {"pair/{}/asks-for-atomics",
     {&rule<"RDMAPX-5.2.1-16">, &rule<"RDMAPX-5.2.2-8">},
     "The IUT executes atomic operations in the order in which they were posted, and returns the original values.",
     with_pair(asks_for_atomics)},
    {"pair/{}/performs-atomics",
     {&rule<"RDMAPX-5.1.1-5">, &rule<"RDMAPX-5.1.1-7">, &rule<"RDMAPX-5.1.2-2">, &rule<"RDMAPX-5.1.2-3">,
      &rule<"RDMAPX-5.1.2-4">, &rule<"RDMAPX-5.2.1-13">},
     "The IUT executes the far end's atomic operations and returns the original values without a report to the "
     "application.",
     with_pair(performs_atomics)},
    {"pair/{}/passes-immediates-up",
     {&rule<"RDMAPX-6.1-1">, &rule<"RDMAPX-7-5">},
     "The IUT reports immediate data with its value after it has placed the preceding Write.",
     with_pair(passes_immediates_up)},
    {"pair/{}/tells-immediates-in-order",
     {&rule<"RDMAPX-6.3-3">, &rule<"RDMAPX-7-1">, &rule<"RDMAPX-7-4">},
     "The IUT reports immediate data and Sends in the order in which they arrive.",
     with_pair(reports_immediates_in_order)},
    {"pair/{}/sends-immediates-in-order",
     {&rule<"RDMAPX-6.3-6">, &rule<"RDMAPX-6.4-1">},
     "The IUT sends immediate data in the order of its requests, and completes it like a Send.",
     with_pair(sends_immediates_in_order)},
};

}  // namespace

void add_pair_extension_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
