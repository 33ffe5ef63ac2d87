// SPDX-License-Identifier: Apache-2.0
// Atomic operations and immediate data at a consumer of verbs (RFC 7306, 5 to 7).
#include <algorithm>
#include <cstring>

#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/5.4-completion/rules.h"
#include "conformance/rdmap/rdmapx/6-immediate-data/rules.h"
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"
#include "conformance/rdmap/rdmapx/8.1-local-errors/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

// Skips the case if the device lacks the feature under test.
template <class Peer>
bool has_atomics(Peer& peer) {
  return peer.ok() && peer.has(peer.app.device().device().atomics, "the device does not support atomic operations");
}
template <class Peer>
bool has_immediates(Peer& peer) {
  return peer.ok() && peer.has(peer.app.device().device().write_with_imm, "the device does not support immediate data");
}

SendWr add_of(std::uint64_t wr_id, const Region& result, std::uint64_t to) {
  return {.wr_id = wr_id,
          .opcode = WrOpcode::atomic_fetch_and_add,
          .sge = Driver::all_of(result),
          .remote_addr = to,
          .rkey = kFar.stag,
          .compare_add = 1};
}

std::uint64_t word_in(const Region& region) {
  std::uint64_t word = 0;
  std::memcpy(&word, region.memory.data(), sizeof word);
  return word;
}

// The immediate data that the device reports: 32 bits, in the first four of the eight octets.
constexpr std::uint32_t kImmediate = 0x5ca1ab1e;

void send_immediate(Probe& peer, std::uint32_t value, Opcode opcode = Opcode::immediate_data) {
  OctetBuffer octets;
  Writer(octets).big_endian(std::uint64_t{value} << 32);
  peer.send(octets, opcode);
}

// ---------------------------------------------------------------------------------------------------------- requester

constexpr std::uint16_t kDepth = 4;

constexpr auto completes_atomics_by_their_responses = [](auto& peer) {
  if (!has_atomics(peer) || !peer.open({.initiator_depth = kDepth})) return;
  std::vector<Region> results;
  for (unsigned i = 0; i < kDepth; ++i) {
    results.push_back(peer.app.region(sizeof(std::uint64_t), kSink));
    SendWr wr = add_of(i, results.back(), kFar.to + i * 8);
    if (i == 1) {
      wr.opcode = WrOpcode::atomic_cmp_and_swp;
      wr.swap = 2;
    }
    peer.app.post(wr);
  }
  std::vector<AtomicRequest> requests;
  while (requests.size() < kDepth) {
    const auto request = peer.await_atomic();
    if (!request) break;
    requests.push_back(*request);
  }
  if (!peer.ok()) return;
  bool in_order = requests.size() == kDepth;
  for (std::size_t i = 0; i < requests.size(); ++i) in_order = in_order && requests[i].to == kFar.to + i * 8;
  peer.app.require({&rule<"RDMAPX-5.2.1-16">}, in_order, "four Atomic Requests, in the order in which they were posted",
                   fmt::format("{}{}", requests.size(), in_order ? "" : ", or in another order"));
  const auto early = peer.app.completion_in_silence(Cq::send);
  peer.app.require({&rule<"RDMAPX-5.4-1">, &rule<"RDMAPX-5.4-7">}, !early, "no completion", to_text(early),
                   "no request was answered");
  if (!peer.ok()) return;
  for (std::size_t i = 0; i < requests.size(); ++i) peer.answer_atomic(requests[i], 0x1000 + i);
  peer.app.expect_completions({&rule<"RDMAPX-5.2.2-7">, &rule<"RDMAPX-5.2.2-8">}, Cq::send, {0, 1, 2, 3},
                              "as many as negotiated are answered together");
  for (std::size_t i = 0; i < results.size(); ++i)
    peer.app.require({&rule<"RDMAPX-5.2.2-8">}, word_in(results[i]) == 0x1000 + i, fmt::format("0x{:x}", 0x1000 + i),
                     fmt::format("0x{:x}", word_in(results[i])), "the original value in the buffer of the request");
};

constexpr auto issues_immediates_in_order = [](auto& peer) {
  if (!has_immediates(peer) || !peer.open()) return;
  const Region data = peer.app.region_of(sample_octets(16));
  for (std::uint32_t i = 0; i < 2; ++i) {
    SendWr wr = Driver::write_of(i, data, kFar);
    wr.opcode = WrOpcode::rdma_write_with_imm;
    wr.imm_data = kImmediate + i;
    peer.app.post(wr);
  }
  peer.app.post(Driver::send_of(2, data));
  std::string came;
  std::vector<std::uint32_t> values;
  bool send = false;
  while (!send) {
    const Response answer = peer.next();
    if (!answer.segment()) break;
    came += (came.empty() ? "" : ", ") + to_text(answer);
    send = answer.is(Opcode::send);
    if (answer.is(Opcode::immediate_data) && answer.segment()->payload.size() == layout::kImmediateData)
      values.push_back(
          static_cast<std::uint32_t>(load_big_endian<std::uint64_t>(answer.segment()->payload.data()) >> 32));
  }
  peer.app.require({&rule<"RDMAPX-6.3-6">}, send && values == std::vector{kImmediate, kImmediate + 1},
                   "the immediate data of both requests in their order, then the Send", came);
  peer.app.expect_completions({&rule<"RDMAPX-6.4-1">}, Cq::send, {0, 1, 2}, "immediate data completes like a Send");
};

// ---------------------------------------------------------------------------------------------------------- responder

// A FetchAdd of one to a word of the consumer's.
OctetBuffer add_request(const Region& word, std::uint32_t identifier) {
  OctetBuffer payload;
  encode(AtomicRequest{.reserved_and_opcode = kFetchAdd,
                       .request_identifier = identifier,
                       .stag = word.rkey,
                       .to = word.addr,
                       .data = 1,
                       .compare_mask = ~std::uint64_t{0}},
         payload);
  return payload;
}

constexpr auto performs_atomics_by_itself = [](auto& peer) {
  const StartOptions options{.enhanced = mpa::EnhancedData{.ird = kDepth, .ord = kDepth}};
  if (!has_atomics(peer) || !peer.open({.responder_resources = kDepth}, options)) return;
  const Region word = peer.app.region(sizeof(std::uint64_t)), buffer = peer.app.region(64);
  peer.app.post_recv(1, buffer);
  std::uint16_t depth = kDepth;
  if constexpr (std::remove_cvref_t<decltype(peer)>::kInitiates) {
    if (const auto theirs = peer.request().enhanced_data()) depth = std::min(depth, theirs->ird);
  } else {
    if (const auto theirs = peer.reply().enhanced_data()) depth = std::min(depth, theirs->ird);
  }
  OctetBuffer all;  // sent at once, so that none is answered before the last has arrived
  for (std::uint32_t i = 0; i < depth; ++i) {
    const OctetBuffer one = peer.fpdu_of(peer.untagged(Opcode::atomic_request), add_request(word, i + 1));
    peer.message_sent(kReadRequestQueue);
    all.insert(all.end(), one.begin(), one.end());
  }
  peer.send_octets(all);
  unsigned answers = 0;
  while (answers < depth && peer.await_message(Opcode::atomic_response).segment()) ++answers;
  peer.app.require({&rule<"RDMAPX-5.2.2-6">}, answers == depth, fmt::format("{} Atomic Responses", depth),
                   fmt::format("{}", answers), "as many concurrent requests as negotiated");
  const auto wc = peer.app.completion_in_silence(Cq::receive);
  peer.app.require({&rule<"RDMAPX-5.2.1-13">}, !wc, "no completion of a receive", to_text(wc),
                   "Atomic Requests were answered");
};

constexpr auto passes_immediates_up = [](auto& peer) {
  if (!has_immediates(peer) || !peer.open()) return;
  const Region buffer = peer.app.region(64), target = peer.app.region(64);
  const OctetBuffer data = sample_octets(64);
  peer.app.post_recv(1, buffer);
  static_cast<void>(peer.app.device().req_notify_cq(Cq::receive, /*solicited_only=*/true));
  peer.write(data, target.rkey, target.addr);
  send_immediate(peer, kImmediate, Opcode::immediate_data_se);
  const auto event = peer.app.device().cq_event(Cq::receive, peer.in(peer.run().answer_time()));
  const auto wc = peer.app.completion(Cq::receive);
  // Copied before anything else lets time pass.
  const OctetBuffer placed(target.memory.begin(), target.memory.end());
  peer.app.require(
      {&rule<"RDMAPX-6.1-1">},
      wc && wc->status == WcStatus::success && wc->opcode == WcOpcode::recv_rdma_with_imm && wc->imm_data == kImmediate,
      fmt::format("IBV_WC_RECV_RDMA_WITH_IMM, immediate 0x{:08x}", kImmediate), to_text(wc));
  peer.app.require({&rule<"RDMAPX-6.1-1">}, event && *event, "a completion event", "none",
                   "the immediate data is solicited, and the application has asked for an event");
  peer.app.require({&rule<"RDMAPX-7-5">}, placed == data, octets_text(data), octets_text(placed),
                   "the Write before the immediate data, when that is complete");
};

constexpr auto completes_immediates_in_order = [](auto& peer) {
  if (!has_immediates(peer) || !peer.open()) return;
  for (std::uint64_t i = 0; i < 4; ++i) peer.app.post_recv(i, peer.app.region(64));
  send_immediate(peer, kImmediate);
  peer.send(sample_octets(8));
  send_immediate(peer, kImmediate + 1);
  send_immediate(peer, kImmediate + 2);
  const std::vector<Wc> list = peer.app.completions(Cq::receive, 4);
  constexpr std::optional<std::uint32_t> kOrder[] = {kImmediate, std::nullopt, kImmediate + 1, kImmediate + 2};
  const bool right = std::ranges::equal(list, kOrder, {}, &Wc::imm_data) &&
                     std::ranges::all_of(list, [](const Wc& one) { return one.status == WcStatus::success; });
  peer.app.require({&rule<"RDMAPX-6.3-3">, &rule<"RDMAPX-6.4-1">, &rule<"RDMAPX-7-1">, &rule<"RDMAPX-7-4">}, right,
                   "immediate data, a Send, and two more immediate data, in this order", to_text(list));
};

// The answer to a later message has arrived, so the completion of the earlier one must have been reported by now. A
// completion that is reported only afterwards may have been on its way in the host (RDMAP/V-07).
template <class Peer>
void expect_completed_before(Peer& peer, const Rule& rule, const Response& answer, Opcode opcode,
                             std::string_view explanation) {
  if (!peer.ok()) return;
  if (!answer.is(opcode)) return peer.inconclusive("no answer came: " + to_text(answer));
  auto wc = peer.app.completion(Cq::receive, std::chrono::nanoseconds{0});
  const bool at_once = wc.has_value();
  if (!wc) wc = peer.app.completion(Cq::receive);
  peer.app.require({&rule}, wc && wc->status == WcStatus::success, "the completion of a receive", to_text(wc),
                   explanation);
  if (wc) peer.app.advise(rule, at_once, "the completion before the response", "it came later", explanation);
}

void read_word(Probe& peer, const Region& word) {
  peer.read_request({.sink_stag = kOurSinkStag,
                     .sink_to = kOurSinkTo,
                     .size = static_cast<std::uint32_t>(word.memory.size()),
                     .source_stag = word.rkey,
                     .source_to = word.addr});
}

void add_to_word(Probe& peer, const Region& word) {
  peer.send_segment(peer.untagged(Opcode::atomic_request), add_request(word, 1));
  peer.message_sent(kReadRequestQueue);
}

constexpr auto reads_behind_immediates = [](auto& peer) {
  if (!has_immediates(peer) || !peer.open()) return;
  const Region word = peer.app.region(8);
  peer.app.post_recv(1, peer.app.region(64));
  send_immediate(peer, kImmediate);
  read_word(peer, word);
  expect_completed_before(peer, rule<"RDMAPX-7-2">, peer.await_message(Opcode::read_response), Opcode::read_response,
                          "the immediate data arrived before the Read");
};

constexpr auto performs_behind_immediates = [](auto& peer) {
  if (!has_immediates(peer) || !has_atomics(peer) || !peer.open()) return;
  const Region word = peer.app.region(8);
  peer.app.post_recv(1, peer.app.region(64));
  send_immediate(peer, kImmediate);
  add_to_word(peer, word);
  expect_completed_before(peer, rule<"RDMAPX-7-3">, peer.await_message(Opcode::atomic_response),
                          Opcode::atomic_response, "the immediate data arrived before the Atomic Request");
};

constexpr auto performs_behind_sends = [](auto& peer) {
  if (!has_atomics(peer) || !peer.open()) return;
  const Region word = peer.app.region(8);
  peer.app.post_recv(1, peer.app.region(64));
  peer.send(sample_octets(8));
  add_to_word(peer, word);
  expect_completed_before(peer, rule<"RDMAPX-7-10">, peer.await_message(Opcode::atomic_response),
                          Opcode::atomic_response, "the Send arrived before the Atomic Request");
};

constexpr auto terminates_for_want_of_a_result_buffer = [](auto& peer) {
  if (!has_atomics(peer) || !peer.open()) return;
  const Region gone = peer.app.region(8, kSink);
  static_cast<void>(peer.app.device().dereg_mr(gone));
  if (!peer.app.device().post_send(add_of(1, gone, kFar.to)))
    return peer.skip("the device refuses the work request itself");
  const Response answer =
      peer.await(peer.in(peer.run().answer_time()), [](const Response& one) { return one.is(Opcode::terminate); });
  const auto terminate = answer.terminate();
  peer.app.require({&rule<"RDMAPX-8.1-1">}, terminate && !terminate->has_ddp_header && !terminate->has_rdma_header,
                   "a Terminate without headers", to_text(answer),
                   "the buffer for the result of an atomic operation is no longer registered");
};

const CaseRow kRows[] = {
    {"verbs/{}/completes-atomics-by-responses",
     {&rule<"RDMAPX-5.2.1-16">, &rule<"RDMAPX-5.2.2-7">, &rule<"RDMAPX-5.2.2-8">, &rule<"RDMAPX-5.4-1">,
      &rule<"RDMAPX-5.4-7">},
     "The IUT sends atomic operations in order, and completes each with its original value when the response arrives, "
     "not before.",
     with_driven(completes_atomics_by_their_responses)},
    {"verbs/{}/issues-immediates-in-order",
     {&rule<"RDMAPX-6.3-6">, &rule<"RDMAPX-6.4-1">},
     "The IUT sends immediate data in the order of its requests, and completes it like a Send.",
     with_driven(issues_immediates_in_order)},
    {"verbs/{}/performs-atomics-by-itself",
     {&rule<"RDMAPX-5.2.1-13">, &rule<"RDMAPX-5.2.2-6">},
     "The IUT answers as many Atomic Requests as negotiated, and consumes no receive.",
     with_driven(performs_atomics_by_itself)},
    {"verbs/{}/passes-immediates-up",
     {&rule<"RDMAPX-6.1-1">, &rule<"RDMAPX-7-5">},
     "The IUT reports immediate data with its value after it has placed the preceding Write.",
     with_driven(passes_immediates_up)},
    {"verbs/{}/completes-immediates-in-order",
     {&rule<"RDMAPX-6.3-3">, &rule<"RDMAPX-6.4-1">, &rule<"RDMAPX-7-1">, &rule<"RDMAPX-7-4">},
     "The IUT completes immediate data and Sends in the order in which they arrive.",
     with_driven(completes_immediates_in_order)},
    {"verbs/{}/reads-behind-immediates",
     {&rule<"RDMAPX-7-2">},
     "The IUT reports immediate data before it answers a following Read.",
     with_driven(reads_behind_immediates)},
    {"verbs/{}/performs-behind-immediates",
     {&rule<"RDMAPX-7-3">},
     "The IUT reports immediate data before it answers a following Atomic Request.",
     with_driven(performs_behind_immediates)},
    {"verbs/{}/performs-behind-sends",
     {&rule<"RDMAPX-7-10">},
     "The IUT reports a Send before it answers a following Atomic Request.",
     with_driven(performs_behind_sends)},
    {"verbs/{}/terminates-for-want-of-a-result",
     {&rule<"RDMAPX-8.1-1">},
     "The IUT sends a Terminate without headers for an atomic operation whose result buffer is gone.",
     with_driven(terminates_for_want_of_a_result_buffer)},
};

}  // namespace

void add_verbs_extension_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
