// SPDX-License-Identifier: Apache-2.0
// The messages that the IUT sends for posted work, and the time at which work is reported complete (RFC 5040, 4 and 5;
// RFC 5041).
#include <algorithm>

#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/mpa/3-ddp/rules.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/4.3-write-header/rules.h"
#include "conformance/rdmap/rdmap/4.6-send-header/rules.h"
#include "conformance/rdmap/rdmap/4.7-send-invalidate-header/rules.h"
#include "conformance/rdmap/rdmap/5.1-write/rules.h"
#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/5.3-send/rules.h"
#include "conformance/rdmap/rdmap/5.5-ordering/rules.h"
#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"
#include "conformance/rdmap/rdmap/8-security/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

// ---------------------------------------------------------------------------------------------------- what is sent

struct Form {
  std::string_view id;
  const Rule* rule;  // rule that its payload must obey
  std::string_view purpose;
  Opcode opcode;
  bool solicited, invalidates;
};
constexpr Form kForms[] = {
    {"verbs/{}/sends", &rule<"RDMAP-4.6-1">, "The IUT sends a Send with the posted octets.", Opcode::send, false,
     false},
    {"verbs/{}/sends-solicited", &rule<"RDMAP-4.6-2">,
     "The IUT sends a Send with Solicited Event and the posted octets for IBV_SEND_SOLICITED.", Opcode::send_se, true,
     false},
    {"verbs/{}/sends-with-invalidate", &rule<"RDMAP-4.7-1">,
     "The IUT sends a Send with Invalidate with the posted octets and STag.", Opcode::send_invalidate, false, true},
    {"verbs/{}/sends-solicited-with-invalidate", &rule<"RDMAP-4.7-2">,
     "The IUT sends a Send with Solicited Event and Invalidate with the posted octets and STag.",
     Opcode::send_se_invalidate, true, true}};
constexpr std::uint32_t kInvalidated = 0x1a2b3c4d;

template <class Peer>
void sends_form(Peer& peer, const Form& form) {
  const bool able = !form.invalidates || peer.app.device().device().send_with_inv;
  if (!peer.has(able, "the device does not support Send with Invalidate") || !peer.open()) return;
  const OctetBuffer data = sample_octets(64);
  SendWr wr = Driver::send_of(1, peer.app.region_of(data));
  wr.solicited = form.solicited;
  if (form.invalidates) {
    wr.opcode = WrOpcode::send_with_inv;
    wr.invalidate_rkey = kInvalidated;
  }
  peer.app.post(wr);
  const Response answer =
      peer.await(peer.in(peer.run().answer_time()), [](const Response& one) { return one.is_send(); });
  const auto segment = answer.segment();
  const bool same = segment && std::ranges::equal(segment->payload, data);
  peer.app.require({form.rule}, same, octets_text(data), segment ? octets_text(segment->payload) : to_text(answer),
                   "the posted octets begin right after the DDP header");
  if (!peer.ok() || !segment) return;
  peer.app.require({&rule<"DDP-4.3-2">}, answer.is(form.opcode),
                   find_opcode(static_cast<std::uint8_t>(form.opcode))->name, to_text(answer),
                   "the opcode and flags of the work request determine those of the message");
  if (!form.invalidates) return;
  const std::uint32_t stag = segment->header.rsvd_ulp_rest;
  peer.app.require({&rule<"RDMAP-4.1-3">, &rule<"RDMAP-5.3-9">}, stag == kInvalidated,
                   fmt::format("0x{:08x}", kInvalidated), fmt::format("0x{:08x}", stag),
                   "invalidate_rkey of the work request");
}

void add_forms(std::vector<Case>& cases) {
  for (const Form& form : kForms) {
    CaseRow row{form.id, {form.rule, &rule<"DDP-4.3-2">}, form.purpose, with_driven([&form](auto& peer) {
                  sends_form(peer, form);
                })};
    if (form.invalidates) row.rules.insert(row.rules.end(), {&rule<"RDMAP-4.1-3">, &rule<"RDMAP-5.3-9">});
    add_case(cases, row);
  }
}

// Long enough for several segments on any path, jumbo frames included.
constexpr std::size_t kLong = 60'000;

constexpr auto sends_a_write_as_posted = [](auto& peer) {
  if (!peer.open()) return;
  const OctetBuffer data = sample_octets(kLong);
  peer.app.post(Driver::write_of(1, peer.app.region_of(data), kFar));
  OctetBuffer placed;
  while (peer.ok()) {
    const Response answer = peer.await_message(Opcode::write);
    const auto segment = answer.segment();
    if (!segment || !answer.is(Opcode::write)) {
      peer.app.require({&rule<"DDP-5.2-4">}, false, octets_text(data), to_text(answer), "the Write does not end");
      return;
    }
    const ddp::Header& header = segment->header;
    peer.app.require({&rule<"DDP-4.2-6">, &rule<"DDP-5.2-8">},
                     header.stag == kFar.stag && header.to == kFar.to + placed.size(),
                     fmt::format("STag 0x{:08x}, TO 0x{:x}", kFar.stag, kFar.to + placed.size()),
                     fmt::format("STag 0x{:08x}, TO 0x{:x}", header.stag, header.to),
                     "rkey and remote_addr of the work request, and the octets of it sent so far");
    placed.insert(placed.end(), segment->payload.begin(), segment->payload.end());
    if (header.last) break;
    peer.app.require({&rule<"MPA-4.5-4">, &rule<"MPA-4.5-5">}, answer.octets.size() >= mpa::kMinMulpdu,
                     "a ULPDU of at least 128 octets, unless it is the last", fmt::format("{}", answer.octets.size()));
  }
  peer.app.require({&rule<"DDP-5.2-4">}, placed.size() >= data.size(), fmt::format("{} octets", data.size()),
                   fmt::format("{} octets", placed.size()));
  peer.app.require({&rule<"RDMAP-4.3-1">, &rule<"DDP-4.2-2">}, placed == data, octets_text(data), octets_text(placed),
                   "the posted octets, right after the DDP header of a Write");
};

constexpr auto keeps_the_order_of_submission = [](auto& peer) {
  if (!peer.open()) return;
  const Region data = peer.app.region_of(sample_octets(32));
  const Region sink = peer.app.region(32, kSink);
  peer.app.post(Driver::write_of(1, data, kFar));
  peer.app.post(Driver::send_of(2, data));
  peer.app.post(Driver::read_of(3, sink, kFar));
  peer.app.post(Driver::write_of(4, data, {kFar.stag, kFar.to + 64}));
  peer.app.post(Driver::read_of(5, sink, {kFar.stag, kFar.to + 64}));
  peer.app.post(Driver::send_of(6, data));
  constexpr Opcode kOrder[] = {Opcode::write, Opcode::send,         Opcode::read_request,
                               Opcode::write, Opcode::read_request, Opcode::send};
  std::vector<ReadRequest> reads;
  std::string came;
  bool right = true;
  for (std::size_t i = 0; i < std::size(kOrder); ++i) {
    const Response answer = peer.next();
    const auto segment = answer.segment();
    came += (came.empty() ? "" : ", ") + to_text(answer);
    right = right && answer.is(kOrder[i]);
    if (answer.is(Opcode::write) && i == 0) right = right && segment->header.to == kFar.to;
    if (answer.is(Opcode::read_request)) {
      reads.push_back(decode_read_request(segment->payload).value_or(ReadRequest{}));
      // One may be all that the device has outstanding: whatever follows it comes with its answer.
      peer.answer_read(reads.back(), sample_octets(32, static_cast<unsigned>(reads.size())));
    }
    if (answer.is(Response::Kind::nothing) || answer.ended()) break;
  }
  right = right && reads.size() == 2 && reads[0].source_to == kFar.to;
  peer.app.require({&rule<"RDMAP-5.1-4">, &rule<"RDMAP-5.2.1-7">, &rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">}, right,
                   "Write, Send, Read, Write, Read, Send, in the order in which they were posted", came);
  peer.app.expect_completions({&rule<"RDMAP-5.5-15">}, Cq::send, {1, 2, 3, 4, 5, 6},
                              "in the order in which they were posted");
};

// ------------------------------------------------------------------------------------------------ when it is complete

constexpr auto completes_reads_by_their_responses = [](auto& peer) {
  if (!peer.open()) return;
  const Region first = peer.app.region(64, kSink), second = peer.app.region(32, kSink);
  peer.app.post(Driver::read_of(1, first, kFar));
  peer.app.post(Driver::read_of(2, second, {kFar.stag, kFar.to + 64}));
  const auto one = peer.await_read();
  if (!peer.ok() || !one) return peer.inconclusive("no Read Request came");
  auto early = peer.app.completion_in_silence(Cq::send);
  peer.app.require({&rule<"RDMAP-5.5-19">}, !early, "no completion", to_text(early), "no request was answered");
  const OctetBuffer data = sample_octets(64), other = sample_octets(32, 1);
  peer.answer_read(*one, Octets(data).first(40), /*last=*/false);
  early = peer.app.completion_in_silence(Cq::send);
  peer.app.require({&rule<"RDMAP-5.5-19">}, !early, "no completion", to_text(early),
                   "the last segment of the response has not been sent yet");
  ReadRequest rest = *one;
  rest.sink_to += 40;
  peer.answer_read(rest, Octets(data).subspan(40));
  const auto two = peer.await_read();
  if (!peer.ok() || !two) return peer.inconclusive("no second Read Request came");
  peer.answer_read(*two, other);
  peer.app.expect_completions({&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.5-11">}, Cq::send, {1, 2},
                              "both responses have been sent");
  peer.app.require({&rule<"RDMAP-5.2.2-3">},
                   std::ranges::equal(first.memory, data) && std::ranges::equal(second.memory, other),
                   octets_text(data) + " and " + octets_text(other),
                   octets_text(first.memory) + " and " + octets_text(second.memory), "the sinks of both Reads");
};

constexpr auto completes_nothing_early = [](auto& peer) {
  if (!peer.open({.initiator_depth = 1})) return;
  const Region sink = peer.app.region(32, kSink), data = peer.app.region_of(sample_octets(32));
  peer.app.post(Driver::read_of(1, sink, kFar));
  peer.app.post(Driver::read_of(2, sink, {kFar.stag, kFar.to + 64}));
  peer.app.post(Driver::send_of(3, data));
  peer.app.post(Driver::write_of(4, data, kFar));
  const auto one = peer.await_read();
  if (!peer.ok() || !one) return peer.inconclusive("no Read Request came");
  const Response also = peer.await_silence();
  const bool capped = !also.is(Opcode::read_request);
  peer.app.advise(rule<"RDMAP-8.1.1-11">, capped, "one Read at a time", to_text(also), "initiator_depth was 1");
  std::vector<Wc> early;
  while (const auto wc = peer.app.completion_in_silence(Cq::send)) {
    early.push_back(*wc);
    if (early.size() == 4) break;
  }
  const auto completed = [&](std::uint64_t id) { return std::ranges::find(early, id, &Wc::wr_id) != early.end(); };
  // If it was not sent, it cannot have been handed to DDP.
  const bool unsent = also.is(Response::Kind::nothing) && (completed(3) || completed(4));
  peer.app.require({&rule<"RDMAP-5.5-14">}, !unsent, "no completion of the Send and the Write", to_text(early),
                   "they wait for a Read that may not be sent yet");
  peer.app.require({&rule<"RDMAP-5.5-15">}, !completed(2) && !completed(3) && !completed(4), "no completion",
                   to_text(early), "the preceding Read was not answered");
  peer.app.require({&rule<"RDMAP-5.5-19">}, !completed(1), "no completion of the Read", to_text(early),
                   "the Read was not answered");
};

constexpr auto holds_back_what_is_fenced = [](auto& peer) {
  if (!peer.open()) return;
  const Region sink = peer.app.region(32, kSink), data = peer.app.region_of(sample_octets(32));
  peer.app.post(Driver::read_of(1, sink, kFar));
  SendWr fenced = Driver::write_of(2, data, kFar);
  fenced.fence = true;
  peer.app.post(fenced);
  const auto read = peer.await_read();
  if (!peer.ok() || !read) return peer.inconclusive("no Read Request came");
  const Response early = peer.await_silence();
  peer.app.require({&rule<"RDMAP-5.5-21">}, early.is(Response::Kind::nothing), "nothing", to_text(early),
                   "a Write with IBV_SEND_FENCE after a Read without its response");
  peer.answer_read(*read, sample_octets(32, 1));
  const Response after = peer.await_message(Opcode::write);
  peer.app.require({&rule<"RDMAP-5.5-21">}, after.is(Opcode::write), "the Write", to_text(after),
                   "the preceding Read is complete");
};

constexpr std::uint16_t kDepth = 4;

constexpr auto has_the_reads_that_were_negotiated = [](auto& peer) {
  const StartOptions options{.enhanced = mpa::EnhancedData{.ird = kDepth, .ord = kDepth}};
  if (!peer.open({.initiator_depth = kDepth}, options)) return;
  std::optional<mpa::EnhancedData> ours;
  std::uint16_t depth = kDepth;
  if constexpr (std::remove_cvref_t<decltype(peer)>::kInitiates)
    ours = peer.request().enhanced_data();
  else
    ours = peer.reply().enhanced_data();
  if (ours) depth = std::min(depth, ours->ord);
  if (depth == 0) return peer.skip("the device has negotiated an ORD of 0");
  const Region sink = peer.app.region(32, kSink);
  for (unsigned i = 0; i <= depth; ++i) peer.app.post(Driver::read_of(i, sink, {kFar.stag, kFar.to + i * 64}));
  unsigned reads = 0;
  while (reads < depth && peer.await_read()) ++reads;
  peer.app.require({&rule<"RDMAP-6.1-5">}, reads == depth, fmt::format("{} Read Requests", depth),
                   fmt::format("{}", reads), "the ORD that both start frames agree on, with one more Read posted");
};

// --------------------------------------------------------------------------------------------------- what is received

constexpr auto reports_lengths = [](auto& peer) {
  constexpr std::size_t kLengths[] = {1, 64, 3000, 2999};
  if (!peer.open()) return;
  std::vector<Region> buffers;
  for (std::size_t i = 0; i < std::size(kLengths); ++i) {
    buffers.push_back(peer.app.region(4096));
    peer.app.post_recv(i, buffers.back());
  }
  for (std::size_t i = 0; i < std::size(kLengths); ++i) {
    const OctetBuffer data = sample_octets(kLengths[i], static_cast<unsigned>(i));
    // The segments have a thousand octets.
    constexpr std::size_t kPart = 1000;
    for (std::size_t at = 0; at < data.size(); at += kPart) {
      ddp::Header header = peer.untagged(Opcode::send);
      const std::size_t part = std::min(kPart, data.size() - at);
      header.mo = static_cast<std::uint32_t>(at);
      header.last = at + part == data.size();
      peer.send_segment(header, Octets(data).subspan(at, part));
    }
    peer.message_sent(kSendQueue);
    const auto wc = peer.app.completion(Cq::receive);
    if (!peer.ok()) return;
    peer.app.require({&rule<"RDMAP-4.1-40">, &rule<"MPA-3-6">},
                     wc && wc->status == WcStatus::success && wc->wr_id == i && wc->byte_len == data.size(),
                     fmt::format("wr_id {}, IBV_WC_SUCCESS, {} octets", i, data.size()), to_text(wc),
                     "a Send in segments of at most a thousand octets");
    const Octets got = Octets(buffers[i].memory).first(data.size());
    peer.app.require({&rule<"MPA-4.3-8">, &rule<"MPA-4.3-9">}, std::ranges::equal(got, data), octets_text(data),
                     octets_text(got), "the buffer of the receive");
    const Octets behind = Octets(buffers[i].memory).subspan(data.size());
    peer.app.require({&rule<"MPA-4.3-9">}, std::ranges::all_of(behind, [](Octet one) { return one == 0; }),
                     "nothing after the octets of the message", octets_text(behind),
                     "neither pad nor CRC belongs to the ULPDU");
  }
};

const CaseRow kRows[] = {
    {"verbs/{}/writes-as-posted",
     {&rule<"RDMAP-4.3-1">, &rule<"DDP-4.2-2">, &rule<"DDP-4.2-6">, &rule<"DDP-5.2-4">, &rule<"DDP-5.2-8">,
      &rule<"MPA-4.5-4">, &rule<"MPA-4.5-5">},
     "The IUT sends a long Write to the address of its work request, completely, in segments that are not too small.",
     with_driven(sends_a_write_as_posted)},
    {"verbs/{}/keeps-the-order-of-work",
     {&rule<"RDMAP-5.1-4">, &rule<"RDMAP-5.2.1-7">, &rule<"RDMAP-5.3-7">, &rule<"RDMAP-5.5-13">, &rule<"RDMAP-5.5-15">},
     "The IUT sends and completes Writes, Sends and Reads in the order in which they were posted.",
     with_driven(keeps_the_order_of_submission)},
    {"verbs/{}/completes-reads-by-responses",
     {&rule<"RDMAP-5.2.2-3">, &rule<"RDMAP-5.5-11">, &rule<"RDMAP-5.5-19">},
     "The IUT completes a Read when its whole response has arrived and its sink holds the octets.",
     with_driven(completes_reads_by_their_responses)},
    {"verbs/{}/completes-nothing-early",
     {&rule<"RDMAP-5.5-14">, &rule<"RDMAP-5.5-15">, &rule<"RDMAP-5.5-19">, &rule<"RDMAP-8.1.1-11">},
     "The IUT does not complete work that waits for a Read without a response.",
     with_driven(completes_nothing_early)},
    {"verbs/{}/holds-back-what-is-fenced",
     {&rule<"RDMAP-5.5-21">},
     "The IUT does not send a fenced Write before the preceding Read is complete.",
     with_driven(holds_back_what_is_fenced)},
    {"verbs/{}/has-all-reads-outstanding",
     {&rule<"RDMAP-6.1-5">},
     "The IUT has as many Reads outstanding as negotiated.",
     with_driven(has_the_reads_that_were_negotiated)},
    {"verbs/{}/tells-lengths",
     {&rule<"RDMAP-4.1-40">, &rule<"MPA-3-6">, &rule<"MPA-4.3-8">, &rule<"MPA-4.3-9">},
     "The IUT completes a receive with exactly the length and the octets of the Send.",
     with_driven(reports_lengths)},
};

}  // namespace

void add_verbs_work_cases(std::vector<Case>& cases) {
  add_forms(cases);
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
