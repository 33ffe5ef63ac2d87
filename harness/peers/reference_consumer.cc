// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/reference_consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace wirelaw::rdmap {

using namespace verbs;

namespace {

constexpr std::uint64_t kBetweenChunks = std::uint64_t{1} << 32;  // between allocate()'s chunks, in addresses
constexpr std::uint64_t kCallersMemory = std::uint64_t{1} << 62;  // registered, and not of allocate()
constexpr std::uint8_t kDepth = 16;
constexpr int kRefused = 111;  // ECONNREFUSED, which librdmacm reports for a rejection

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

}  // namespace

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

Options consumer_options(Role role, Options options) {
  if (role == Role::initiator) options.enhanced = options.peer_to_peer = options.understands_enhanced;
  return options;
}

ReferenceConsumer::ReferenceConsumer(Role role, const Options& options, Buffers& buffers)
    : ReferenceConsumer(role, options, std::make_unique<Endpoint>(role, consumer_options(role, options), buffers)) {}

ReferenceConsumer::ReferenceConsumer(Role role, const Options& options, std::unique_ptr<Endpoint> endpoint)
    : role_(role), endpoint_(std::move(endpoint)), device_(device_of(options)) {}

// ------------------------------------------------------------------------------------------------------- the transport

void ReferenceConsumer::opened(Instant now) {
  now_ = now;
  endpoint_->connected(now, private_data_);
  proceed();
}

void ReferenceConsumer::receive(Octets octets, Instant now) {
  now_ = now;
  endpoint_->receive(octets, now);
  proceed();
}

void ReferenceConsumer::ended(Ending ending, Instant now) {
  now_ = now;
  if (ending == Ending::reset) reported = ending;
  endpoint_->peer_ended(ending, now);
  proceed();
}

void ReferenceConsumer::advance(Instant now) {
  now_ = now;
  endpoint_->advance(now);
  proceed();
}

bool ReferenceConsumer::next_octets(OctetBuffer& out) {
  submit();
  const bool some = endpoint_->next_octets(out);
  proceed();
  return some;
}

void ReferenceConsumer::proceed() {
  for (Event event; endpoint_->next_event(event);) std::visit([&](auto& one) { on(one); }, event);
}

// ---------------------------------------------------------------------------------------------------------- connection

ReferenceConsumer::Outcome<void> ReferenceConsumer::connect(const ConnParam& param) {
  if (role_ != Role::initiator || endpoint_->phase() != Phase::idle) return refused("there is a connection already");
  endpoint_->limit_depths({.ird = param.responder_resources, .ord = param.initiator_depth});
  private_data_ = param.private_data;
  wants_connection_ = true;
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::accept(const ConnParam& param) {
  endpoint_->limit_depths({.ird = param.responder_resources, .ord = param.initiator_depth});
  if (!endpoint_->accept(param.private_data)) return refused("there is nothing to accept");
  proceed();
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::reject(Octets private_data) {
  if (!endpoint_->reject(private_data)) return refused("there is nothing to reject");
  endpoint_->close();
  proceed();
  return {};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::disconnect() {
  submit();
  disconnecting_ = true;
  endpoint_->close();
  proceed();
  return {};
}

CmEvent ReferenceConsumer::cm(CmEventType type, const std::optional<mpa::EnhancedData>& enhanced,
                              OctetBuffer private_data, int status) const {
  CmEvent event{.type = type, .status = status, .private_data = std::move(private_data)};
  if (!enhanced) {  // nothing was negotiated: uses the device's limits
    event.responder_resources = event.initiator_depth = kDepth;
  } else {
    // The peer's outstanding Reads are limited by its ORD, and ours by its IRD.
    event.responder_resources = static_cast<std::uint8_t>(std::min<std::uint16_t>(enhanced->ord, 255));
    event.initiator_depth = static_cast<std::uint8_t>(std::min<std::uint16_t>(enhanced->ird, 255));
  }
  return event;
}

void ReferenceConsumer::on(const ConnectionRequest& request) {
  cm_events_.push_back(cm(CmEventType::connect_request, request.enhanced, request.private_data));
}

void ReferenceConsumer::on(const Established& established) {
  bind();
  cm_events_.push_back(cm(CmEventType::established, established.enhanced, established.private_data));
}

void ReferenceConsumer::on(const Rejected& rejected) {
  cm_events_.push_back(cm(CmEventType::rejected, rejected.enhanced, rejected.private_data, kRefused));
  endpoint_->close();
}

void ReferenceConsumer::on(const RemoteTerminate&) {
  fail(AsyncEvent::qp_fatal);
}

void ReferenceConsumer::on(const LocalError& error) {
  if (is_starting()) return start_failed();
  const bool lost = error.error == error::kMpaConnectionLost;
  fail(lost ? std::nullopt : std::optional(AsyncEvent::qp_fatal));
}

void ReferenceConsumer::on(const PeerEnded&) {
  disconnected();
}

void ReferenceConsumer::on(const Closed&) {
  closed();
}

void ReferenceConsumer::bind() {
  state_ = QpState::rts;
}

bool ReferenceConsumer::is_starting() const {
  return state_ == QpState::init;
}

// A responder's application does not know of the connection yet.
void ReferenceConsumer::start_failed() {
  if (role_ != Role::initiator) return;
  cm_events_.push_back({.type = CmEventType::connect_error, .status = kRefused, .private_data = {}});
}

void ReferenceConsumer::disconnected() {
  if (std::exchange(disconnect_reported_, true)) return;
  cm_events_.push_back({.type = CmEventType::disconnected, .private_data = {}});
}

void ReferenceConsumer::closed() {
  if (state_ == QpState::rts) state_ = QpState::err;
  flush();
  if (state_ == QpState::err) disconnected();
}

void ReferenceConsumer::fail(std::optional<AsyncEvent> event) {
  state_ = QpState::err;
  if (event) async_events_.push_back(*event);
  flush();
  disconnected();
}

void ReferenceConsumer::flush() {
  for (const Submitted& one : submitted_) flush_one(Cq::send, one.wr.wr_id, completion_of(one.wr.opcode));
  for (const SendWr& one : waiting_) flush_one(Cq::send, one.wr_id, completion_of(one.opcode));
  for (const Posted& one : receives_) flush_one(Cq::receive, one.wr.wr_id, WcOpcode::recv);
  submitted_.clear();
  waiting_.clear();
  receives_.clear();
}

void ReferenceConsumer::flush_one(Cq cq, std::uint64_t wr_id, WcOpcode opcode) {
  complete(cq, {.wr_id = wr_id, .status = WcStatus::wr_flush_err, .opcode = opcode});
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
  const Depths depths = endpoint_->agreement().depths;
  return QpInfo{.state = reports_state_ ? state_ : QpState::reset,
                .responder_resources = depths.ird,
                .initiator_depth = depths.ord};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::modify_qp_to_err() {
  endpoint_->terminate();
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
  const bool is_callers = chunk == memory_.end();
  const std::uint64_t addr = is_callers ? kCallersMemory + callers_++ * kBetweenChunks
                                        : static_cast<std::uint64_t>(chunk - memory_.begin() + 1) * kBetweenChunks +
                                              static_cast<std::uint64_t>(memory.data() - chunk->data());
  const auto stag = endpoint_->register_buffer(
      memory, addr, {.read = access.remote_read, .write = access.remote_write, .atomic = access.remote_atomic});
  if (!stag) return tl::unexpected(VerbsError{"ENOMEM: there are too many memory regions"});
  regions_.insert_or_assign(*stag, Mr{memory, addr, access.local_write});
  return Region{.memory = memory, .addr = addr, .lkey = *stag, .rkey = *stag};
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::dereg_mr(const Region& region) {
  if (regions_.erase(region.lkey) == 0) return refused("there is no such memory region");
  deregister(region);
  return {};
}

void ReferenceConsumer::deregister(const Region& region) {
  endpoint_->deregister(region.rkey);
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
  const auto id = endpoint_->post_receive(wr.sge.length);
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
  return enqueue(wr);
}

ReferenceConsumer::Outcome<void> ReferenceConsumer::enqueue(const SendWr& wr) {
  if (state_ == QpState::err) {
    complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::wr_flush_err});
    return {};
  }
  if (disconnecting_ || is_starting()) return refused("the queue pair is not connected");
  waiting_.push_back(wr);
  return {};
}

std::size_t ReferenceConsumer::reads_outstanding() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(submitted_, [](const Submitted& one) { return awaits_response(one.wr.opcode); }));
}

bool ReferenceConsumer::may_go(const SendWr& wr) const {
  return !wr.fence || reads_outstanding() == 0;
}

void ReferenceConsumer::submit() {
  while (!waiting_.empty() && may_go(waiting_.front())) {
    const SendWr wr = waiting_.front();
    waiting_.pop_front();
    if (!is_there(wr.sge, awaits_response(wr.opcode))) {
      local_fault(wr);
    } else if (const auto id = start(wr)) {
      submitted(submitted_.emplace_back(Submitted{wr, *id}));
    } else {
      complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::wr_flush_err});
    }
  }
}

void ReferenceConsumer::submitted(const Submitted&) {}

// RFC 5040, 7.1, case 1: a Send that lacks a local buffer ends the stream.
void ReferenceConsumer::local_fault(const SendWr& wr) {
  complete(Cq::send, {.wr_id = wr.wr_id, .status = WcStatus::loc_prot_err});
  endpoint_->terminate(error::kLocalCatastrophic);
  proceed();
}

OctetBuffer ReferenceConsumer::payload_of(const SendWr& wr) {
  const auto data = local(wr.sge, false);
  return {data.begin(), data.end()};
}

tl::expected<WorkId, PostError> ReferenceConsumer::start(const SendWr& wr) {
  const BufferAt remote{wr.rkey, wr.remote_addr};
  switch (wr.opcode) {
    case WrOpcode::rdma_write:
      return endpoint_->post_write(payload_of(wr), remote);
    case WrOpcode::rdma_write_with_imm: {
      const auto write = endpoint_->post_write(payload_of(wr), remote);
      return write ? endpoint_->post_immediate(std::uint64_t{wr.imm_data} << 32, wr.solicited) : write;
    }
    case WrOpcode::rdma_read:
      return endpoint_->post_read({wr.sge.lkey, wr.sge.addr}, remote, wr.sge.length);
    case WrOpcode::atomic_fetch_and_add:
      return endpoint_->post_fetch_add(remote, wr.compare_add);
    case WrOpcode::atomic_cmp_and_swp:
      return endpoint_->post_compare_swap(remote, wr.swap, ~std::uint64_t{0}, wr.compare_add, ~std::uint64_t{0});
    case WrOpcode::send_with_inv:
      return endpoint_->post_send(payload_of(wr), wr.solicited ? SendForm::solicited_invalidate : SendForm::invalidate,
                                  wr.invalidate_rkey);
    default:
      return endpoint_->post_send(payload_of(wr), wr.solicited ? SendForm::solicited : SendForm::plain);
  }
}

void ReferenceConsumer::on(const Completed& completed) {
  if (!completed.ok) return;  // flush() has reported it, or will
  const auto found = std::ranges::find(submitted_, completed.id, &Submitted::id);
  if (found == submitted_.end()) return;  // the Write of an immediate
  const Submitted done = *found;
  submitted_.erase(found);
  take_result(done, completed);
  report(done);
}

void ReferenceConsumer::take_result(const Submitted& done, const Completed& completed) {
  if (!awaits_response(done.wr.opcode) || done.wr.opcode == WrOpcode::rdma_read) return;
  const std::span<Octet> sink = local(done.wr.sge, false);
  if (sink.size() >= sizeof completed.original)
    std::memcpy(sink.data(), &completed.original, sizeof completed.original);
}

void ReferenceConsumer::report(const Submitted& done) {
  if (!done.wr.signaled) return;
  complete_work({.wr_id = done.wr.wr_id,
                 .opcode = completion_of(done.wr.opcode),
                 .byte_len = awaits_response(done.wr.opcode) ? done.wr.sge.length : 0});
}

void ReferenceConsumer::complete_work(const Wc& wc) {
  complete(Cq::send, wc);
}

void ReferenceConsumer::on(Received& received) {
  if (receives_.empty()) return;
  const RecvWr wr = receives_.front().wr;
  receives_.pop_front();
  Wc wc{.wr_id = wr.wr_id, .opcode = WcOpcode::recv, .byte_len = static_cast<std::uint32_t>(received.data.size())};
  if (received.opcode == Opcode::immediate_data || received.opcode == Opcode::immediate_data_se) {
    received.data.resize(sizeof(std::uint64_t));
    wc.opcode = WcOpcode::recv_rdma_with_imm;
    wc.imm_data = static_cast<std::uint32_t>(load_big_endian<std::uint64_t>(received.data.data()) >> 32);
    wc.byte_len = 0;
  } else {
    place(received.data, local(wr.sge, true));
  }
  if (received.invalidated) wc.invalidated_rkey = *received.invalidated;
  complete_receive(wc, received.solicited());
}

void ReferenceConsumer::place(OctetBuffer& data, std::span<Octet> buffer) {
  std::copy_n(data.begin(), std::min(data.size(), buffer.size()), buffer.begin());
}

void ReferenceConsumer::complete_receive(const Wc& wc, bool solicited) {
  complete(Cq::receive, wc, solicited);
}

// --------------------------------------------------------------------------------------------------- completion queues

void ReferenceConsumer::complete(Cq cq, const Wc& wc, bool solicited) {
  Queue& to = queue(cq);
  to.completions.push_back(wc);
  // An error counts as solicited.
  if (!to.armed || (to.solicited_only && !solicited && wc.status == WcStatus::success)) return;
  raise_event(cq);
}

void ReferenceConsumer::raise_event(Cq cq) {
  queue(cq).armed = false;
  queue(cq).event = true;
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

tl::expected<bool, TransportError> ReferenceConsumer::cq_event(Cq cq, Instant) {
  return std::exchange(queue(cq).event, false);
}

std::string ReferenceConsumer::state() const {
  return fmt::format("a queue pair in {}: {} receives posted, {} operations not complete\n", to_string(state_),
                     receives_.size(), waiting_.size() + submitted_.size());
}

}  // namespace wirelaw::rdmap
