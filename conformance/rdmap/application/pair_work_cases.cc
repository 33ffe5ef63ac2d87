// SPDX-License-Identifier: Apache-2.0
// The work of two consumers: Sends, receives, Writes and Reads, and the order of their completions (RFC 5040, 5.2, 5.3,
// 5.5 and 6.1; RFC 5041, 4 and 5).
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/5.4-delivery/rules.h"
#include "conformance/rdmap/probes/pair.h"
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/4.4-read-request-header/rules.h"
#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/5.3-send/rules.h"
#include "conformance/rdmap/rdmap/5.5-ordering/rules.h"
#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

constexpr std::size_t kLengths[] = {1, 64, 0, 3000, 4096, 100};
constexpr std::size_t kBuffer = 4096;
// Longer than any path MTU.
constexpr std::size_t kLong = 200'000;

constexpr auto receives_what_is_sent = [](auto& peer) {
  if (!peer.open()) return;
  std::vector<Region> buffers;
  for (std::uint64_t i = 0; i < std::size(kLengths); ++i) {
    buffers.push_back(peer.app.region(kBuffer));
    peer.app.post_recv(i, buffers.back());
  }
  std::vector<OctetBuffer> sent;
  for (std::uint64_t i = 0; i < std::size(kLengths); ++i) {
    sent.push_back(sample_octets(kLengths[i], static_cast<unsigned>(i)));
    const Region data = peer.far.region_of(sample_octets(kBuffer, static_cast<unsigned>(i)));
    peer.far.post({.wr_id = i, .sge = {data.addr, static_cast<std::uint32_t>(kLengths[i]), data.lkey}});
  }
  const std::vector<Wc> list = peer.app.completions(Cq::receive, std::size(kLengths));
  if (!peer.ok()) return;
  bool in_order = list.size() == std::size(kLengths), whole = in_order;
  for (std::size_t i = 0; i < list.size(); ++i) {
    in_order = in_order && list[i].wr_id == i && list[i].status == WcStatus::success;
    whole = whole && list[i].byte_len == kLengths[i];
  }
  peer.app.require({&rule<"DDP-5.3-4">}, in_order, "success of the receives, in the order in which they were posted",
                   to_text(list), "Sends consume the receives in order");
  peer.app.require({&rule<"RDMAP-4.1-40">}, whole, fmt::format("lengths of {}", fmt::join(kLengths, ", ")),
                   to_text(list));
  for (std::size_t i = 0; peer.ok() && i < sent.size(); ++i) {
    const Octets got = Octets(buffers[i].memory).first(sent[i].size());
    const Octets behind = Octets(buffers[i].memory).subspan(sent[i].size());
    const bool clean = std::ranges::all_of(behind, [](Octet one) { return one == 0; });
    peer.app.require({&rule<"DDP-5.2-5">}, std::ranges::equal(got, sent[i]) && clean,
                     octets_text(sent[i]) + ", and nothing after it",
                     octets_text(got) + (clean ? "" : ", and more after it"), "the buffer of the receive");
  }
};

// Posts Writes, Sends and Reads of the IUT alternately. The far end sees the Sends, and its memory shows the order of
// all of them.
constexpr auto completes_in_order = [](auto& peer) {
  if (!peer.open()) return;
  const Region first = peer.app.region_of(sample_octets(32, 1)), second = peer.app.region_of(sample_octets(32, 2));
  const Region sink = peer.app.region(32, kSink), other_sink = peer.app.region(32, kSink);
  const Region target = peer.far.region(32);
  const Region buffers[] = {peer.far.region(32), peer.far.region(32)};
  for (std::uint64_t i = 0; i < std::size(buffers); ++i) peer.far.post_recv(i, buffers[i]);
  peer.app.post(Driver::write_of(1, first, at(target)));
  peer.app.post(Driver::send_of(2, first));
  peer.app.post(Driver::read_of(3, sink, at(target)));
  SendWr fenced = Driver::write_of(4, second, at(target));
  fenced.fence = true;
  peer.app.post(fenced);
  peer.app.post(Driver::send_of(5, second));
  peer.app.post(Driver::read_of(6, other_sink, at(target)));
  const std::vector<Wc> list = peer.far.completions(Cq::receive, std::size(buffers));
  if (!peer.ok()) return;
  const bool both = list.size() == 2 && std::ranges::equal(buffers[0].memory, first.memory) &&
                    std::ranges::equal(buffers[1].memory, second.memory);
  peer.app.require({&rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">}, both,
                   "both Sends, in the order in which they were posted",
                   both ? "both" : octets_text(buffers[0].memory) + " and " + octets_text(buffers[1].memory),
                   "the contents of the far end's receives");
  peer.app.expect_completions({&rule<"RDMAP-5.5-15">}, Cq::send, {1, 2, 3, 4, 5, 6},
                              "in the order in which they were posted");
  peer.app.require(
      {&rule<"RDMAP-5.2.2-3">},
      std::ranges::equal(sink.memory, first.memory) && std::ranges::equal(other_sink.memory, second.memory),
      octets_text(first.memory) + ", then " + octets_text(second.memory),
      octets_text(sink.memory) + ", then " + octets_text(other_sink.memory),
      "a Read after each Write, of the written octets");
};

constexpr auto sends_in_order = [](auto& peer) {
  constexpr std::uint64_t kSends = 8;
  if (!peer.open()) return;
  std::vector<Region> buffers;
  for (std::uint64_t i = 0; i < kSends; ++i) {
    buffers.push_back(peer.far.region(16));
    peer.far.post_recv(i, buffers.back());
  }
  for (std::uint64_t i = 0; i < kSends; ++i)
    peer.app.post(Driver::send_of(i, peer.app.region_of(OctetBuffer(16, static_cast<Octet>(i + 1)))));
  peer.far.completions(Cq::receive, kSends);
  if (!peer.ok()) return;
  std::vector<unsigned> came;
  bool right = true;
  for (std::uint64_t i = 0; i < kSends; ++i) {
    came.push_back(buffers[i].memory.front());
    right = right && std::ranges::all_of(buffers[i].memory, [i](Octet one) { return one == i + 1; });
  }
  peer.app.require({&rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">}, right, "1 to 8, each in its own receive",
                   fmt::format("{}", fmt::join(came, ", ")), "sixteen Sends of one octet");
};

constexpr auto writes_what_is_posted = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  const Region target = peer.far.region(kLong + 64);
  peer.far.post_recv(1, peer.far.region(16));
  peer.app.post(Driver::write_of(1, peer.app.region_of(data), at(target, 32)));
  peer.app.post(Driver::send_of(2, peer.app.region(4)));
  const auto wc = peer.far.completion(Cq::receive);
  if (peer.ok() && (!wc || wc->status != WcStatus::success))
    return peer.inconclusive("no Send came after the Write: " + to_text(wc));
  if (!peer.ok()) return;
  const Octets placed = Octets(target.memory).subspan(32, kLong);
  const bool clean = std::ranges::all_of(target.memory.first(32), [](Octet one) { return one == 0; }) &&
                     std::ranges::all_of(target.memory.last(32), [](Octet one) { return one == 0; });
  peer.app.require({&rule<"DDP-5.2-8">, &rule<"DDP-4.2-6">}, clean && placed.front() == data.front(),
                   "the Write begins at its remote_addr, and nothing around it changes",
                   octets_text(target.memory.first(40)),
                   "the far end's memory, when the Send after the Write has arrived");
  peer.app.require({&rule<"DDP-5.2-4">}, std::ranges::equal(placed, data), octets_text(data), octets_text(placed),
                   "the far end's memory, when the Send after the Write has arrived");
};

constexpr auto places_what_is_written = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  const Region target = peer.app.region(kLong + 64);
  peer.app.post_recv(1, peer.app.region(16));
  peer.far.post(Driver::write_of(1, peer.far.region_of(data), at(target, 32)));
  peer.far.post(Driver::send_of(2, peer.far.region(4)));
  const auto wc = peer.app.completion(Cq::receive);
  if (peer.ok() && (!wc || wc->status != WcStatus::success))
    return peer.inconclusive("no receive completed after the Write: " + to_text(wc));
  if (!peer.ok()) return;
  OctetBuffer expected(kLong + 64);
  std::ranges::copy(data, expected.begin() + 32);
  peer.app.require({&rule<"DDP-4.1-1">, &rule<"DDP-5.4-1">}, std::ranges::equal(target.memory, expected),
                   octets_text(expected), octets_text(target.memory),
                   "the memory, when the receive of the Send after the Write is complete");
};

constexpr auto reads_what_is_there = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  const Region source = peer.far.region_of(data), sink = peer.app.region(kLong, kSink);
  peer.app.post(Driver::read_of(1, sink, at(source)));
  peer.app.expect_completions({&rule<"RDMAP-5.5-11">}, Cq::send, {1}, "a long Read of the far end's memory");
  peer.app.require({&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.5-19">}, std::ranges::equal(sink.memory, data),
                   octets_text(data), octets_text(sink.memory), "the sink of the Read, when it is complete");
};

constexpr auto is_read = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  const Region source = peer.app.region_of(data), sink = peer.far.region(kLong, kSink);
  SendWr read = Driver::read_of(1, sink, at(source, 1000));
  read.sge.length = kLong - 2000;
  peer.far.post(read);
  const auto wc = peer.far.completion(Cq::send);
  peer.app.require({&rule<"RDMAP-5.2.1-10">}, wc && wc->status == WcStatus::success, "a Read that is complete",
                   to_text(wc), "a Read of the IUT's memory by the far end");
  if (!peer.ok()) return;
  const Octets wanted = Octets(data).subspan(1000, kLong - 2000), got = Octets(sink.memory).first(kLong - 2000);
  peer.app.require({&rule<"RDMAP-4.4-6">}, std::ranges::equal(got, wanted), octets_text(wanted), octets_text(got),
                   "the octets that the far end has read");
};

constexpr auto holds_back_what_is_fenced = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer before = sample_octets(kLong, 1);
  const Region target = peer.far.region_of(before), sink = peer.app.region(kLong, kSink);
  peer.app.post(Driver::read_of(1, sink, at(target)));
  SendWr fenced = Driver::write_of(2, peer.app.region_of(sample_octets(kLong, 2)), at(target));
  fenced.fence = true;
  peer.app.post(fenced);
  const std::vector<Wc> list = peer.app.completions(Cq::send, 2);
  if (peer.ok() && (list.size() < 2 || list.back().status != WcStatus::success))
    return peer.inconclusive("the operations are not both complete: " + to_text(list));
  peer.app.require({&rule<"RDMAP-5.5-21">}, std::ranges::equal(sink.memory, before), octets_text(before),
                   octets_text(sink.memory),
                   "the original octets of memory that a fenced Write after the Read overwrites");
};

constexpr std::uint8_t kDepth = 2;

constexpr auto has_more_reads_than_may_be_outstanding = [](auto& peer) {
  constexpr std::uint64_t kReads = 6;
  if (!peer.open({.initiator_depth = kDepth}, {.responder_resources = kDepth})) return;
  const OctetBuffer data = sample_octets(kReads * 64);
  const Region source = peer.far.region_of(data);
  std::vector<Region> sinks;
  for (std::uint64_t i = 0; i < kReads; ++i) {
    sinks.push_back(peer.app.region(64, kSink));
    peer.app.post(Driver::read_of(i, sinks.back(), at(source, i * 64)));
  }
  peer.app.expect_completions({&rule<"RDMAP-6.1-5">, &rule<"RDMAP-5.5-11">}, Cq::send, {0, 1, 2, 3, 4, 5},
                              "three times as many Reads as may be outstanding");
  for (std::uint64_t i = 0; peer.ok() && i < kReads; ++i) {
    const Octets wanted = Octets(data).subspan(i * 64, 64);
    peer.app.require({&rule<"RDMAP-5.2.2-3">}, std::ranges::equal(sinks[i].memory, wanted), octets_text(wanted),
                     octets_text(sinks[i].memory), "the sink of a Read");
  }
};

constexpr auto has_one_read_outstanding = [](auto& peer) {
  if (!peer.open({.initiator_depth = 1}, {.responder_resources = 1})) return;
  const Region source = peer.far.region_of(sample_octets(64));
  for (std::uint64_t i = 0; i < 3; ++i) peer.app.post(Driver::read_of(i, peer.app.region(64, kSink), at(source)));
  peer.app.expect_completions({&rule<"RDMAP-6.1-5">}, Cq::send, {0, 1, 2},
                              "one Read may be outstanding, and three are posted");
};

constexpr auto answers_as_many_reads_as_were_agreed_on = [](auto& peer) {
  constexpr std::uint64_t kReads = 8;
  if (!peer.open({.responder_resources = kDepth}, {.initiator_depth = kDepth})) return;
  const OctetBuffer data = sample_octets(kReads * 64);
  const Region source = peer.app.region_of(data);
  std::vector<Region> sinks;
  for (std::uint64_t i = 0; i < kReads; ++i) {
    sinks.push_back(peer.far.region(64, kSink));
    peer.far.post(Driver::read_of(i, sinks.back(), at(source, i * 64)));
  }
  const std::vector<Wc> list = peer.far.completions(Cq::send, kReads);
  bool right = list.size() == kReads;
  for (std::size_t i = 0; i < list.size(); ++i) right = right && list[i].status == WcStatus::success;
  peer.app.require({&rule<"RDMAP-5.2.2-2">}, right, "all Reads complete", to_text(list),
                   "Reads by the far end, which has no more outstanding than negotiated");
  for (std::uint64_t i = 0; peer.ok() && i < kReads; ++i) {
    const Octets wanted = Octets(data).subspan(i * 64, 64);
    peer.app.require({&rule<"RDMAP-4.4-6">}, std::ranges::equal(sinks[i].memory, wanted), octets_text(wanted),
                     octets_text(sinks[i].memory), "the octets that the far end has read");
  }
};

const CaseRow kRows[] = {
    {"pair/{}/receives-what-is-sent",
     {&rule<"DDP-5.2-5">, &rule<"DDP-5.3-4">, &rule<"RDMAP-4.1-40">},
     "The IUT fills the receives in order, and completes them with the lengths and octets of the Sends.",
     with_pair(receives_what_is_sent)},
    {"pair/{}/sends-in-order",
     {&rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">},
     "The IUT sends Sends in the order in which they were posted.",
     with_pair(sends_in_order)},
    {"pair/{}/completes-in-order",
     {&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">, &rule<"RDMAP-5.5-15">},
     "The IUT completes Writes, Sends and Reads in the order in which they were posted, and they take effect in that "
     "order.",
     with_pair(completes_in_order)},
    {"pair/{}/writes-what-is-posted",
     {&rule<"DDP-4.2-6">, &rule<"DDP-5.2-4">, &rule<"DDP-5.2-8">},
     "The IUT places a long Write completely at its destination before a following Send arrives.",
     with_pair(writes_what_is_posted)},
    {"pair/{}/places-what-is-written",
     {&rule<"DDP-4.1-1">, &rule<"DDP-5.4-1">},
     "The IUT places a long Write in memory before it reports a following Send.",
     with_pair(places_what_is_written)},
    {"pair/{}/reads-what-is-there",
     {&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.5-11">, &rule<"RDMAP-5.5-19">},
     "The IUT completes a Read when its sink holds all the octets.",
     with_pair(reads_what_is_there)},
    {"pair/{}/is-read",
     {&rule<"RDMAP-4.4-6">, &rule<"RDMAP-5.2.1-10">},
     "The IUT returns the contents of its memory to a Read by the far end.",
     with_pair(is_read)},
    {"pair/{}/holds-back-what-is-fenced",
     {&rule<"RDMAP-5.5-21">},
     "The IUT does not send a fenced Write before the Read that precedes it is complete.",
     with_pair(holds_back_what_is_fenced)},
    {"pair/{}/has-more-reads-than-may-be",
     {&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.5-11">, &rule<"RDMAP-6.1-5">},
     "The IUT delays Reads beyond the number that may be outstanding, and completes them in order.",
     with_pair(has_more_reads_than_may_be_outstanding)},
    {"pair/{}/has-one-read",
     {&rule<"RDMAP-6.1-5">},
     "The IUT completes one Read after the other if initiator_depth is one.",
     with_pair(has_one_read_outstanding)},
    {"pair/{}/answers-many-reads",
     {&rule<"RDMAP-4.4-6">, &rule<"RDMAP-5.2.2-2">},
     "The IUT answers all Reads of a far end that has as many outstanding as negotiated.",
     with_pair(answers_as_many_reads_as_were_agreed_on)},
};

}  // namespace

void add_pair_work_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
