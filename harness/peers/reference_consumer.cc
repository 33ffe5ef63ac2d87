// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/reference_consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace wirelaw::rdmap {

using enum Deviation;
using namespace verbs;

namespace {

constexpr std::uint64_t kBetweenChunks = std::uint64_t{1} << 32;  // of allocate(), in addresses
constexpr std::uint8_t kDepth = 16;
constexpr int kRefused = 111;  // ECONNREFUSED, what librdmacm gives for a rejection

bool awaits_response(WrOpcode opcode) {
  return opcode == WrOpcode::rdma_read || opcode == WrOpcode::atomic_cmp_and_swp ||
         opcode == WrOpcode::atomic_fetch_and_add;
}

WcOpcode completion_of(WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::rdma_write:
    case WrOpcode::rdma_write_with_imm:
      return WcOpcode::rdma_write;
    case WrOpcode::rdma_read:
      return WcOpcode::rdma_read;
    case WrOpcode::atomic_cmp_and_swp:
      return WcOpcode::comp_swap;
    case WrOpcode::atomic_fetch_and_add:
      return WcOpcode::fetch_add;
    default:
      return WcOpcode::send;
  }
}

tl::unexpected<VerbsError> refused(std::string why) {
  return tl::unexpected(VerbsError{"EINVAL: " + std::move(why)});
}

DeviceInfo device_of(const Options& options) {
  return {.name = "reference",
          .iwarp = true,
          .send_with_inv = true,
          .write_with_imm = options.extensions,
          .atomics = options.extensions,
          .max_qp_rd_atom = kDepth,
          .max_qp_init_rd_atom = kDepth};
}

Options options_of(Role role, Options options) {
  if (role == Role::initiator) options.enhanced = options.peer_to_peer = options.understands_enhanced;
  return options;
}

}  // namespace

ReferenceConsumer::ReferenceConsumer(Role role, const Options& options, Buffers& buffers, const Deviations& deviations)
    : role_(role),
      deviations_(deviations.of(role)),
      device_(device_of(options)),
      endpoint_(role, options_of(role, options), buffers, deviations) {}

// ------------------------------------------------------------------------------------------------------- the transport

void ReferenceConsumer::opened(Instant now) {
  now_ = now;
  endpoint_.connected(now, private_data_);
  proceed();
}

void ReferenceConsumer::receive(Octets octets, Instant now) {
  now_ = now;
  endpoint_.receive(octets, now);
  proceed();
}

void ReferenceConsumer::ended(Ending ending, Instant now) {
  now_ = now;
  if (ending == Ending::reset) told = ending;
  endpoint_.peer_ended(ending, now);
  proceed();
}

void ReferenceConsumer::advance(Instant now) {
  now_ = now;
  endpoint_.advance(now);
  proceed();
}

bool ReferenceConsumer::next_octets(OctetBuffer& out) {
  submit();
  const bool some = endpoint_.next_octets(out);
  proceed();
  return some;
}

void ReferenceConsumer::proceed() {
  for (Event event; endpoint_.next_event(event);) std::visit([&](auto& one) { on(one); }, event);
}

// ---------------------------------------------------------------------------------------------------------- connection

ReferenceConsumer::Outcome<void> ReferenceConsumer::connect(const ConnParam& param) {
  if (role_ != Role::initiator || endpoint_.phase() != Phase::idle) return refused("there is a connection already");
  endpoint_.limit_depths({.ird = param.responder_resources, .ord = param.initiator_depth});
  private_data_ = param.private_data;
  wants_connection_ = true;
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::accept(const ConnParam& param) {
  endpoint_.limit_depths({.ird = param.responder_resources, .ord = param.initiator_depth});
  if (!endpoint_.accept(param.private_data)) return refused("there is nothing to accept");
  proceed();
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::reject(Octets private_data) {
  if (!endpoint_.reject(private_data)) return refused("there is nothing to reject");
  endpoint_.close();
  proceed();
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::disconnect() {
  submit();
  disconnecting_ = true;
  endpoint_.close();
  proceed();
  return {};
}

CmEvent ReferenceConsumer::cm(CmEventType type, const std::optional<mpa::EnhancedData>& enhanced,
                              OctetBuffer private_data, int status) const {
  CmEvent event{.type = type, .status = status, .private_data = {}};
  if (!deviates(private_data_not_passed)) event.private_data = std::move(private_data);
  if (!enhanced) event.responder_resources = event.initiator_depth = kDepth;  // nothing was said: what the device has
  if (enhanced && !deviates(depths_not_passed)) {
    // What the peer may have outstanding is bounded by its ORD, and the other way round.
    event.responder_resources = static_cast<std::uint8_t>(std::min<std::uint16_t>(enhanced->ord, 255));
    event.initiator_depth = static_cast<std::uint8_t>(std::min<std::uint16_t>(enhanced->ird, 255));
  }
  return event;
}

void ReferenceConsumer::on(const ConnectionRequest& request) {
  cm_events_.push_back(cm(CmEventType::connect_request, request.enhanced, request.private_data));
}

void ReferenceConsumer::on(const Established& established) {
  state_ = deviates(queue_pair_not_bound) ? QpState::init : QpState::rts;
  cm_events_.push_back(cm(CmEventType::established, established.enhanced, established.private_data));
}

void ReferenceConsumer::on(const Rejected& rejected) {
  cm_events_.push_back(cm(CmEventType::rejected, rejected.enhanced, rejected.private_data, kRefused));
  endpoint_.close();
}

void ReferenceConsumer::on(const RemoteTerminate&) {
  fail(AsyncEvent::qp_fatal);
}

void ReferenceConsumer::on(const LocalError& error) {
  if (state_ == QpState::init && !deviates(queue_pair_not_bound)) {
    // A responder's application has not heard of the connection yet.
    if (role_ == Role::initiator && !deviates(start_error_not_reported))
      cm_events_.push_back({.type = CmEventType::connect_error, .status = kRefused, .private_data = {}});
    return;
  }
  const bool lost = error.error == error::kMpaConnectionLost;
  fail(lost ? std::nullopt : std::optional(AsyncEvent::qp_fatal));
}

void ReferenceConsumer::on(const PeerEnded&) {
  disconnected();
}

void ReferenceConsumer::on(const Closed&) {
  if (deviates(error_not_surfaced)) return;
  if (state_ == QpState::rts) state_ = QpState::err;
  flush();
  if (state_ == QpState::err) disconnected();
}

void ReferenceConsumer::disconnected() {
  if (deviates(disconnect_not_told) || std::exchange(disconnect_told_, true)) return;
  cm_events_.push_back({.type = CmEventType::disconnected, .private_data = {}});
}

void ReferenceConsumer::fail(std::optional<AsyncEvent> event) {
  if (deviates(error_not_surfaced)) return;
  state_ = QpState::err;
  if (event) async_events_.push_back(*event);
  flush();
  disconnected();
}

void ReferenceConsumer::flush() {
  const WcStatus status = deviates(work_flushed_as_success) ? WcStatus::success : WcStatus::wr_flush_err;
  const bool silent = deviates(work_not_flushed);
  for (Queue& one : queues_) {
    if (one.held) one.completions.push_back(*one.held);
    one.held.reset();
  }
  for (const Submitted& one : submitted_)
    if (!one.told && !silent)
      complete(Cq::send, {.wr_id = one.wr.wr_id, .status = status, .opcode = completion_of(one.wr.opcode)});
  for (const SendWr& one : waiting_)
    if (!silent) complete(Cq::send, {.wr_id = one.wr_id, .status = status, .opcode = completion_of(one.opcode)});
  for (const Posted& one : receives_)
    if (!silent) complete(Cq::receive, {.wr_id = one.wr.wr_id, .status = status, .opcode = WcOpcode::recv});
  submitted_.clear();
  waiting_.clear();
  receives_.clear();
}

ReferenceConsumer::Awaited<CmEvent> ReferenceConsumer::cm_event(Instant) {
  if (cm_events_.empty()) return std::nullopt;
  CmEvent event = std::move(cm_events_.front());
  cm_events_.pop_front();
  return event;
}

ReferenceConsumer::Awaited<AsyncEvent> ReferenceConsumer::async_event(Instant) {
  if (async_events_.empty()) return std::nullopt;
  const AsyncEvent event = async_events_.front();
  async_events_.pop_front();
  return event;
}

ReferenceConsumer::Outcome<QpInfo> ReferenceConsumer::query_qp() {
  const Depths depths = endpoint_.agreement().depths;
  return QpInfo{.state = reports_state_ ? state_ : QpState::reset,
                .responder_resources = depths.ird,
                .initiator_depth = depths.ord};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::modify_qp_to_err() {
  endpoint_.terminate();
  proceed();
  return {};
}

// -------------------------------------------------------------------------------------------------------------- memory

ReferenceConsumer::Outcome<std::span<Octet>> ReferenceConsumer::allocate(std::size_t octets) {
  return std::span<Octet>(memory_.emplace_back(octets));
}

ReferenceConsumer::Outcome<Region> ReferenceConsumer::reg_mr(std::span<Octet> memory, const verbs::Access& access) {
  const std::less_equal<const Octet*> not_behind;
  const auto chunk = std::ranges::find_if(memory_, [&](const OctetBuffer& one) {
    return not_behind(one.data(), memory.data()) && not_behind(memory.data() + memory.size(), one.data() + one.size());
  });
  if (chunk == memory_.end()) return refused("the memory is not of this device's");
  const std::uint64_t addr = static_cast<std::uint64_t>(chunk - memory_.begin() + 1) * kBetweenChunks +
                             static_cast<std::uint64_t>(memory.data() - chunk->data());
  const auto stag = endpoint_.register_buffer(
      memory, addr, {.read = access.remote_read, .write = access.remote_write, .atomic = access.remote_atomic});
  if (!stag) return tl::unexpected(VerbsError{"ENOMEM: there are too many memory regions"});
  regions_.insert_or_assign(*stag, Mr{memory, addr, access.local_write});
  return Region{.memory = memory, .addr = addr, .lkey = *stag, .rkey = *stag};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::dereg_mr(const Region& region) {
  if (regions_.erase(region.lkey) == 0) return refused("there is no such memory region");
  if (!deviates(deregistered_stays)) endpoint_.deregister(region.rkey);
  return {};
}

std::span<Octet> ReferenceConsumer::local(const Sge& sge, bool to_write) {
  const auto found = regions_.find(sge.lkey);
  if (found == regions_.end() || (to_write && !found->second.local_write)) return {};
  const Mr& mr = found->second;
  if (sge.addr < mr.addr || sge.addr - mr.addr > mr.memory.size()) return {};
  const std::size_t offset = sge.addr - mr.addr;
  return sge.length <= mr.memory.size() - offset ? mr.memory.subspan(offset, sge.length) : std::span<Octet>();
}

// ---------------------------------------------------------------------------------------------------------------- work

ReferenceConsumer::Outcome<void> ReferenceConsumer::post_recv(const RecvWr& wr) {
  if (state_ == QpState::err) {
    complete(Cq::receive, {.wr_id = wr.wr_id, .status = WcStatus::wr_flush_err, .opcode = WcOpcode::recv});
    return {};
  }
  if (!is_there(wr.sge, true)) return refused("the local buffer is not registered for this");
  const auto id = endpoint_.post_receive(wr.sge.length);
  if (!id) return tl::unexpected(VerbsError{"ENOMEM: the receive queue is full"});
  receives_.push_back({wr, *id});
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::post_send(const SendWr& wr) {
  const bool known =
      wr.opcode != WrOpcode::local_inv && wr.opcode != WrOpcode::bind_mw && wr.opcode != WrOpcode::send_with_imm;
  const bool extension =
      wr.opcode == WrOpcode::rdma_write_with_imm || (awaits_response(wr.opcode) && wr.opcode != WrOpcode::rdma_read);
  if (!known || (extension && !device_.atomics)) return refused("the device does not have this operation");
  if (disconnecting_ && deviates(posts_after_disconnect)) {
    complete(Cq::send, {.wr_id = wr.wr_id, .opcode = completion_of(wr.opcode)});
    return {};
  }
  if (state_ == QpState::err) {
    complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::wr_flush_err});
    return {};
  }
  if (disconnecting_ || (state_ != QpState::rts && !deviates(queue_pair_not_bound)))
    return refused("the queue pair is not connected");
  waiting_.push_back(wr);
  return {};
}

std::size_t ReferenceConsumer::reads_outstanding() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(submitted_, [](const Submitted& one) { return awaits_response(one.wr.opcode); }));
}

bool ReferenceConsumer::may_go(const SendWr& wr) const {
  const std::size_t reads = reads_outstanding();
  if (wr.fence && reads > 0 && !deviates(fence_ignored)) return false;
  return !awaits_response(wr.opcode) || !deviates(ord_off_by_one) || reads + 1 < endpoint_.agreement().depths.ord;
}

void ReferenceConsumer::submit() {
  if (deviates(work_reordered) && waiting_.size() > 1) std::swap(waiting_[0], waiting_[1]);
  while (!waiting_.empty() && may_go(waiting_.front())) {
    const SendWr wr = waiting_.front();
    waiting_.pop_front();
    if (!is_there(wr.sge, awaits_response(wr.opcode))) {
      local_fault(wr);
      continue;
    }
    const auto id = start(wr);
    if (!id) {
      complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::wr_flush_err});
      continue;
    }
    const bool early = deviates(awaits_response(wr.opcode) ? reads_complete_early : completes_early);
    if (early) complete(Cq::send, {.wr_id = wr.wr_id, .opcode = completion_of(wr.opcode)});
    submitted_.push_back({wr, *id, early});
  }
}

// RFC 5040, 7.1, case 1: what cannot be sent for want of a local buffer ends the stream.
void ReferenceConsumer::local_fault(const SendWr& wr) {
  if (deviates(local_fault_ignored)) return;
  complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::loc_prot_err});
  endpoint_.terminate(error::kLocalCatastrophic);
  proceed();
}

tl::expected<WorkId, PostError> ReferenceConsumer::start(const SendWr& wr) {
  const BufferAt remote{wr.rkey, wr.remote_addr};
  const bool solicited = wr.solicited && !deviates(solicited_not_sent);
  const auto payload = [&] {
    const bool write = wr.opcode == WrOpcode::rdma_write || wr.opcode == WrOpcode::rdma_write_with_imm;
    const auto data = local(wr.sge, false);
    const std::size_t before = deviates(header_before_payload) ? 4 : 0;
    OctetBuffer octets(before + data.size());
    std::ranges::copy(data, octets.begin() + static_cast<std::ptrdiff_t>(before));
    if (write && deviates(write_cut) && !octets.empty()) octets.pop_back();
    return octets;
  };
  switch (wr.opcode) {
    case WrOpcode::rdma_write:
      return endpoint_.post_write(payload(), remote);
    case WrOpcode::rdma_write_with_imm: {
      const auto write = endpoint_.post_write(payload(), remote);
      return write ? endpoint_.post_immediate(std::uint64_t{wr.imm_data} << 32, solicited) : write;
    }
    case WrOpcode::rdma_read:
      return endpoint_.post_read({wr.sge.lkey, wr.sge.addr}, remote, wr.sge.length);
    case WrOpcode::atomic_fetch_and_add:
      return endpoint_.post_fetch_add(remote, wr.compare_add);
    case WrOpcode::atomic_cmp_and_swp:
      return endpoint_.post_compare_swap(remote, wr.swap, ~std::uint64_t{0}, wr.compare_add, ~std::uint64_t{0});
    case WrOpcode::send_with_inv:
      return endpoint_.post_send(payload(), solicited ? SendForm::solicited_invalidate : SendForm::invalidate,
                                 deviates(invalidate_stag_lost) ? 0 : wr.invalidate_rkey);
    default:
      return endpoint_.post_send(payload(), solicited ? SendForm::solicited : SendForm::plain);
  }
}

void ReferenceConsumer::on(const Completed& completed) {
  if (!completed.ok) return;  // flush() has told it, or will
  const auto found = std::ranges::find(submitted_, completed.id, &Submitted::id);
  if (found == submitted_.end()) return;  // the Write of an immediate
  const Submitted done = *found;
  submitted_.erase(found);
  const std::span<Octet> sink = local(done.wr.sge, false);
  const bool atomic = awaits_response(done.wr.opcode) && done.wr.opcode != WrOpcode::rdma_read;
  if (atomic && sink.size() >= sizeof completed.original && !deviates(atomic_result_lost))
    std::memcpy(sink.data(), &completed.original, sizeof completed.original);
  if (done.wr.opcode == WrOpcode::rdma_read && deviates(read_data_lost)) std::ranges::fill(sink, Octet{0});
  if (done.wr.opcode == WrOpcode::rdma_read && deviates(read_completion_lost)) return;
  if (done.told || !done.wr.signaled) return;
  const Wc wc{.wr_id = done.wr.wr_id,
              .opcode = completion_of(done.wr.opcode),
              .byte_len = awaits_response(done.wr.opcode) ? done.wr.sge.length : 0};
  Queue& sends = queue(Cq::send);
  if (deviates(completions_reordered) && !sends.held && !submitted_.empty()) {
    sends.held = wc;
    return;
  }
  complete(Cq::send, wc);
  if (sends.held) complete(Cq::send, *std::exchange(sends.held, std::nullopt));
}

void ReferenceConsumer::on(Received& received) {
  if (receives_.empty()) return;
  const RecvWr wr = receives_.front().wr;
  receives_.pop_front();
  Wc wc{.wr_id = wr.wr_id, .opcode = WcOpcode::recv, .byte_len = static_cast<std::uint32_t>(received.data.size())};
  if (received.opcode == Opcode::immediate_data || received.opcode == Opcode::immediate_data_se) {
    received.data.resize(sizeof(std::uint64_t));
    wc.opcode = WcOpcode::recv_rdma_with_imm;
    wc.imm_data = static_cast<std::uint32_t>(load_big_endian<std::uint64_t>(received.data.data()) >> 32) ^
                  (deviates(immediate_value_wrong) ? 1u : 0u);
    wc.byte_len = 0;
  } else {
    const std::span<Octet> buffer = local(wr.sge, true);
    if (deviates(boundaries_lost) && received.data.size() > 1000) received.data.erase(received.data.begin() + 999);
    if (deviates(pad_delivered)) received.data.resize(received.data.size() + 4, Octet{0xee});
    std::copy_n(received.data.begin(), std::min(received.data.size(), buffer.size()), buffer.begin());
  }
  if (received.invalidated) wc.invalidated_rkey = *received.invalidated ^ (deviates(invalidated_rkey_wrong) ? 1u : 0u);
  if (deviates(receive_length_wrong)) ++wc.byte_len;
  const bool solicited = received.solicited() && !deviates(solicited_not_told);
  Queue& receives = queue(Cq::receive);
  if (deviates(receive_told_late) || (deviates(receives_reordered) && !receives.held)) {
    if (receives.held) complete(Cq::receive, *receives.held, solicited);
    receives.held = wc;
    return;
  }
  complete(Cq::receive, wc, solicited);
  if (receives.held) complete(Cq::receive, *std::exchange(receives.held, std::nullopt));
}

// --------------------------------------------------------------------------------------------------- completion queues

void ReferenceConsumer::complete(Cq cq, const Wc& wc, bool solicited) {
  Queue& to = queue(cq);
  to.completions.push_back(wc);
  // An error counts as solicited.
  if (!to.armed || (to.solicited_only && !solicited && wc.status == WcStatus::success)) return;
  if (deviates(solicited_not_told)) return;
  to.armed = false;
  to.event = true;
}

ReferenceConsumer::Awaited<Wc> ReferenceConsumer::poll_cq(Cq cq, Instant) {
  Queue& of = queue(cq);
  if (of.completions.empty()) return std::nullopt;
  const Wc wc = of.completions.front();
  of.completions.pop_front();
  return wc;
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::req_notify_cq(Cq cq, bool solicited_only) {
  queue(cq).armed = true;
  queue(cq).solicited_only = solicited_only;
  return {};
}

tl::expected<bool, CarriageError> ReferenceConsumer::cq_event(Cq cq, Instant) {
  return std::exchange(queue(cq).event, false);
}

std::string ReferenceConsumer::state() const {
  return fmt::format("a queue pair in {}: {} receives posted, {} operations not complete\n", to_string(state_),
                     receives_.size(), waiting_.size() + submitted_.size());
}

}  // namespace wirelaw::rdmap
