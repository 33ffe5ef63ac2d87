// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/faulty_consumer.h"

#include <algorithm>

#include "reference/rdmap/make_endpoint.h"

namespace wirelaw::rdmap {

using enum Deviation;
using namespace verbs;

namespace {

constexpr std::size_t kHeaderBeforePayload = 4;
constexpr std::size_t kPadAndCrc = 4;
constexpr Octet kPadOctet = 0xee;
constexpr std::size_t kLongSend = 1000;  // it takes more than one ULPDU

}  // namespace

std::unique_ptr<ReferenceConsumer> make_consumer(Role role, const Options& options, Buffers& buffers,
                                                 const Deviations& deviations) {
  const Deviations own = deviations.of(role);
  if (own.empty()) return std::make_unique<ReferenceConsumer>(role, options, buffers);
  return std::make_unique<FaultyConsumer>(role, options, buffers, own);
}

FaultyConsumer::FaultyConsumer(Role role, const Options& options, Buffers& buffers, const Deviations& deviations)
    : ReferenceConsumer(role, options, make_endpoint(role, consumer_options(role, options), buffers, deviations)),
      deviations_(deviations) {}

// ---------------------------------------------------------------------------------------------------------- connection

CmEvent FaultyConsumer::cm(CmEventType type, const std::optional<mpa::EnhancedData>& enhanced, OctetBuffer private_data,
                           int status) const {
  CmEvent event = ReferenceConsumer::cm(type, enhanced, std::move(private_data), status);
  if (deviates(private_data_not_passed)) event.private_data.clear();
  if (enhanced && deviates(depths_not_passed)) event.responder_resources = event.initiator_depth = 0;
  return event;
}

bool FaultyConsumer::is_starting() const {
  return ReferenceConsumer::is_starting() && !deviates(queue_pair_not_bound);
}

void FaultyConsumer::bind() {
  if (!deviates(queue_pair_not_bound)) ReferenceConsumer::bind();
}

void FaultyConsumer::start_failed() {
  if (!deviates(start_error_not_reported)) ReferenceConsumer::start_failed();
}

void FaultyConsumer::disconnected() {
  if (!deviates(disconnect_not_told)) ReferenceConsumer::disconnected();
}

void FaultyConsumer::closed() {
  if (!deviates(error_not_surfaced)) ReferenceConsumer::closed();
}

void FaultyConsumer::fail(std::optional<AsyncEvent> event) {
  if (!deviates(error_not_surfaced)) ReferenceConsumer::fail(event);
}

void FaultyConsumer::flush() {
  if (held_send_) complete_silently(Cq::send, *std::exchange(held_send_, std::nullopt));
  if (held_receive_) complete_silently(Cq::receive, *std::exchange(held_receive_, std::nullopt));
  std::erase_if(submitted_, [&](const Submitted& one) { return completed_early_.contains(one.id); });
  ReferenceConsumer::flush();
}

void FaultyConsumer::flush_one(Cq cq, std::uint64_t wr_id, WcOpcode opcode) {
  if (deviates(work_not_flushed)) return;
  if (deviates(work_flushed_as_success)) return complete(cq, {.wr_id = wr_id, .opcode = opcode});
  ReferenceConsumer::flush_one(cq, wr_id, opcode);
}

void FaultyConsumer::deregister(const Region& region) {
  if (!deviates(deregistered_stays)) ReferenceConsumer::deregister(region);
}

// ---------------------------------------------------------------------------------------------------------------- work

ReferenceConsumer::Outcome<void> FaultyConsumer::enqueue(const SendWr& wr) {
  if (!disconnecting_ || !deviates(posts_after_disconnect)) return ReferenceConsumer::enqueue(wr);
  complete(Cq::send, {.wr_id = wr.wr_id, .opcode = completion_of(wr.opcode)});
  return {};
}

void FaultyConsumer::submit() {
  if (deviates(work_reordered) && waiting_.size() > 1) std::swap(waiting_[0], waiting_[1]);
  ReferenceConsumer::submit();
}

bool FaultyConsumer::may_go(const SendWr& wr) const {
  const std::size_t reads = reads_outstanding();
  if (awaits_response(wr.opcode) && deviates(ord_off_by_one) && reads + 1 >= endpoint_->agreement().depths.ord)
    return false;
  return deviates(fence_ignored) || ReferenceConsumer::may_go(wr);
}

void FaultyConsumer::submitted(const Submitted& work) {
  if (!deviates(awaits_response(work.wr.opcode) ? reads_complete_early : completes_early)) return;
  complete(Cq::send, {.wr_id = work.wr.wr_id, .opcode = completion_of(work.wr.opcode)});
  completed_early_.insert(work.id);
}

void FaultyConsumer::local_fault(const SendWr& wr) {
  if (!deviates(local_fault_ignored)) ReferenceConsumer::local_fault(wr);
}

tl::expected<WorkId, PostError> FaultyConsumer::start(const SendWr& wr) {
  SendWr altered = wr;
  if (deviates(solicited_not_sent)) altered.solicited = false;
  if (deviates(invalidate_stag_lost)) altered.invalidate_rkey = 0;
  return ReferenceConsumer::start(altered);
}

OctetBuffer FaultyConsumer::payload_of(const SendWr& wr) {
  OctetBuffer octets = ReferenceConsumer::payload_of(wr);
  const bool write = wr.opcode == WrOpcode::rdma_write || wr.opcode == WrOpcode::rdma_write_with_imm;
  if (deviates(header_before_payload)) octets.insert(octets.begin(), kHeaderBeforePayload, Octet{0});
  if (write && deviates(write_cut) && !octets.empty()) octets.pop_back();
  return octets;
}

// --------------------------------------------------------------------------------------------------------- completions

void FaultyConsumer::take_result(const Submitted& done, const Completed& completed) {
  if (!deviates(atomic_result_lost)) ReferenceConsumer::take_result(done, completed);
  if (done.wr.opcode == WrOpcode::rdma_read && deviates(read_data_lost))
    std::ranges::fill(local(done.wr.sge, false), Octet{0});
}

void FaultyConsumer::report(const Submitted& done) {
  if (done.wr.opcode == WrOpcode::rdma_read && deviates(read_completion_lost)) return;
  if (completed_early_.erase(done.id) == 0) ReferenceConsumer::report(done);
}

void FaultyConsumer::complete_work(const Wc& wc) {
  if (deviates(completions_reordered) && !held_send_ && !submitted_.empty()) {
    held_send_ = wc;
    return;
  }
  ReferenceConsumer::complete_work(wc);
  if (held_send_) complete(Cq::send, *std::exchange(held_send_, std::nullopt));
}

void FaultyConsumer::place(OctetBuffer& data, std::span<Octet> buffer) {
  if (deviates(boundaries_lost) && data.size() > kLongSend) data.erase(data.begin() + kLongSend - 1);
  if (deviates(pad_delivered)) data.resize(data.size() + kPadAndCrc, kPadOctet);
  ReferenceConsumer::place(data, buffer);
}

void FaultyConsumer::complete_receive(const Wc& wc, bool solicited) {
  Wc altered = wc;
  if (wc.imm_data && deviates(immediate_value_wrong)) altered.imm_data = *wc.imm_data ^ 1u;
  if (wc.invalidated_rkey && deviates(invalidated_rkey_wrong)) altered.invalidated_rkey = *wc.invalidated_rkey ^ 1u;
  if (deviates(receive_length_wrong)) ++altered.byte_len;
  if (deviates(solicited_not_told)) solicited = false;
  if (deviates(receive_told_late) || (deviates(receives_reordered) && !held_receive_)) {
    if (held_receive_) complete(Cq::receive, *held_receive_, solicited);
    held_receive_ = altered;
    return;
  }
  ReferenceConsumer::complete_receive(altered, solicited);
  if (held_receive_) complete(Cq::receive, *std::exchange(held_receive_, std::nullopt));
}

void FaultyConsumer::raise_event(Cq cq) {
  if (!deviates(solicited_not_told)) ReferenceConsumer::raise_event(cq);
}

}  // namespace wirelaw::rdmap
