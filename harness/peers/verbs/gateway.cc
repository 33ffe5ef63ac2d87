// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/verbs/gateway.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>
#include <variant>

namespace wirelaw::verbs {
namespace {

constexpr std::size_t kReceives = 240;          // posted at the same time; more than the credits of any peer here
constexpr std::size_t kReceiveOctets = 16'384;  // more than is ever announced here, so that an overlong message is
                                                // noticed
constexpr std::size_t kUnderWay = 64;           // sends, writes and reads
constexpr std::size_t kHeld = 1024;             // messages from the peer that were not fetched yet
constexpr std::size_t kLeastSlot = 4096;
constexpr std::size_t kLongestMessage = std::size_t{1} << 20;
constexpr std::uint64_t kStags = 0x67617465;  // any seed: only sinks of our own have one

// Why InfiniBand's connection manager rejects if nothing listens (its specification, 12.6.7.2), as rdma_cm's status.
constexpr int kInvalidServiceId = 8;

rdmap::Options options_of(const DeviceInfo& device) {
  rdmap::Options options;
  options.ird = options.ord =
      std::min<std::uint16_t>(options.ird, std::max<std::uint8_t>(1, device.max_qp_init_rd_atom));
  return options;
}

}  // namespace

// An endpoint whose memory is somewhere else.
class Gateway::Relay final : public rdmap::Endpoint {
 public:
  Relay(Gateway& gateway, Role role, const rdmap::Options& options, rdmap::Buffers& buffers)
      : Endpoint(role, options, buffers), gateway_(gateway) {
    static_cast<void>(post_receive(kLongestMessage));  // this receive is never consumed
  }

  void answer(rdmap::InboundRead&& read, OctetBuffer octets) {
    answers_.push_back(std::move(octets));
    Endpoint::answer_later(std::move(read));
  }

 protected:
  void complete_receive(rdmap::Received&& received) override { events_.emplace_back(std::move(received)); }
  bool invalidate_for_peer(rdmap::Stag) override { return true; }
  void on_write(Incoming& segment) override {
    if (segment.payload.empty()) return;
    gateway_.queue({.opcode = WrOpcode::rdma_write,
                    .octets = {segment.payload.begin(), segment.payload.end()},
                    .remote = {segment.header.stag, segment.header.to}});
  }
  bool check_source(rdmap::InboundRead&, rdmap::Stag, std::uint64_t, std::uint64_t, rdmap::Use) override {
    return true;
  }
  void answer_later(rdmap::InboundRead&& read) override {
    const rdmap::ReadRequest& asked = read.request;
    gateway_.queue({.opcode = WrOpcode::rdma_read,
                    .size = asked.size,
                    .remote = {asked.source_stag, asked.source_to},
                    .read = std::move(read)});
  }
  bool read_source(std::uint32_t octets, Octets& payload) override {
    if (octets == 0) return true;
    rdmap::InboundRead& read = inbound_.front();
    const std::size_t given = read.request.size - read.offender.read->size;
    payload = Octets(answers_.front()).subspan(given, octets);
    read.advance(octets);
    return true;
  }
  void finish_message(OctetBuffer& out) override {
    if (sending_ == Sending::response) answers_.pop_front();
    Endpoint::finish_message(out);
  }

 private:
  Gateway& gateway_;
  std::deque<OctetBuffer> answers_;  // to the reads in inbound_
};

Gateway::Gateway(Consumer& consumer, Role role)
    : consumer_(consumer),
      role_(role),
      buffers_(kStags),
      endpoint_(std::make_unique<Relay>(*this, other(role), options_of(consumer.device()), buffers_)) {
  if (role_ == Role::initiator) endpoint_->connected(consumer_.now());
}

Gateway::~Gateway() {
  for (const auto& [stag, region] : lent_) static_cast<void>(consumer_.dereg_mr(region));
}

// ----------------------------------------------------------------------------------------------------- the stream

void Gateway::receive(Octets octets) {
  endpoint_->receive(octets, consumer_.now());
  proceed();
}

void Gateway::ended(Ending ending) {
  endpoint_->peer_ended(ending, consumer_.now());
  proceed();
}

Ending Gateway::ending() const {
  if (!over_) return Ending::none;
  return broken_ ? Ending::reset : endpoint_->ending();
}

std::optional<Instant> Gateway::deadline() const {
  return endpoint_->deadline();
}

bool Gateway::next_octets(OctetBuffer& out) {
  bool some = endpoint_->next_octets(out);
  if (!some) {  // there is room for what has waited at the device
    proceed();
    some = endpoint_->next_octets(out);
  }
  for (rdmap::Event event; endpoint_->next_event(event);) on(event);
  return some;
}

void Gateway::on(rdmap::Event& event) {
  if (const auto* const request = std::get_if<rdmap::ConnectionRequest>(&event)) {
    tl::expected<void, VerbsError> done = open_receives();
    if (done) done = consumer_.connect({.private_data = request->private_data});
    if (!done) lost_ = TransportError{done.error().message, "see `wirelaw devices`"};
  } else if (std::holds_alternative<rdmap::Established>(event)) {
    if (role_ == Role::initiator) return;
    granted_.private_data = std::get<rdmap::Established>(event).private_data;
    if (const auto accepted = consumer_.accept(granted_); !accepted) fail(accepted.error().message);
  } else if (const auto* const rejected = std::get_if<rdmap::Rejected>(&event)) {
    static_cast<void>(consumer_.reject(rejected->private_data));
    over_ = true;
  } else if (auto* const message = std::get_if<rdmap::Received>(&event)) {
    queue({.opcode = message->invalidated ? WrOpcode::send_with_inv : WrOpcode::send,
           .octets = std::move(message->data),
           .invalidates = message->invalidated.value_or(0)});
  } else if (!std::holds_alternative<rdmap::Completed>(event)) {
    leaving_ = true;  // the endpoint has ended
  }
}

// ----------------------------------------------------------------------------------------------------- the device

void Gateway::proceed() {
  endpoint_->advance(consumer_.now());
  for (rdmap::Event event; endpoint_->next_event(event);) on(event);
  poll();
  while (const auto event = next_cm_event(consumer_)) on(*event);
  submit();
  for (rdmap::Event event; endpoint_->next_event(event);) on(event);
  submit();
  if (!leaving_ || left_ || !waiting_.empty() || !posted_.empty()) return;
  left_ = true;
  // A connection that was never established ends with its consumer.
  if (!connected_ || !consumer_.disconnect()) part();
}

void Gateway::on(const CmEvent& event) {
  switch (event.type) {
    case CmEventType::connect_request: {
      // A peer that declares none of them (revision 1 of MPA) is reported as 0.
      if (event.responder_resources > 0) granted_.responder_resources = event.responder_resources;
      if (event.initiator_depth > 0) granted_.initiator_depth = event.initiator_depth;
      if (const auto opened = open_receives(); !opened) return fail(opened.error().message);
      endpoint_->connected(consumer_.now(), event.private_data);
      return;
    }
    case CmEventType::established:
    case CmEventType::connect_response:
      connected_ = true;
      if (role_ == Role::initiator) static_cast<void>(endpoint_->accept(event.private_data));
      return;
    case CmEventType::rejected:
      if (event.status != kInvalidServiceId && event.status != -ECONNREFUSED && endpoint_->reject(event.private_data)) {
        endpoint_->close();
        return part();
      }
      [[fallthrough]];
    case CmEventType::addr_error:
    case CmEventType::route_error:
    case CmEventType::connect_error:
    case CmEventType::unreachable:
      if (!connected_ && role_ == Role::initiator)
        lost_ = TransportError{fmt::format("no RDMA connection: {}, status {}", to_string(event.type), event.status),
                               "start the peer, or check the address; see `wirelaw devices`"};
      return part();
    case CmEventType::disconnected:
    case CmEventType::device_removal:
    case CmEventType::timewait_exit:
      poll();  // received before the end
      if (!left_) static_cast<void>(consumer_.disconnect());
      left_ = true;
      return part();
    default:
      return;
  }
}

// Sent work completes even after a Terminate, and the disconnection waits for it. The endpoint gets messages only while
// it can send them on. A peer that sends without end is read no faster than its messages are fetched.
void Gateway::poll() {
  while (const auto wc = next_wc(consumer_, Cq::send)) completed(*wc);
  if (endpoint_->phase() != rdmap::Phase::operating) return;
  while (endpoint_->work_left() < kHeld) {
    const auto wc = next_wc(consumer_, Cq::receive);
    if (!wc) break;
    received(*wc);
  }
}

void Gateway::received(const Wc& wc) {
  if (wc.status != WcStatus::success) {
    if (wc.status != WcStatus::wr_flush_err) fail(to_text(wc));
    return;
  }
  ++received_;
  const auto octets = Octets(receives_.memory).subspan(wc.wr_id * kReceiveOctets, wc.byte_len);
  const auto form = wc.invalidated_rkey ? rdmap::SendForm::invalidate : rdmap::SendForm::plain;
  // If the endpoint has ended meanwhile, the message is dropped.
  static_cast<void>(
      endpoint_->post_send(OctetBuffer(octets.begin(), octets.end()), form, wc.invalidated_rkey.value_or(0)));
  if (const auto posted = post_receive(wc.wr_id); !posted && !left_) fail(posted.error().message);
}

void Gateway::completed(const Wc& wc) {
  auto done = posted_.extract(wc.wr_id);
  if (!done) return;
  Work& work = done.mapped();
  if (wc.status != WcStatus::success) {
    if (wc.status != WcStatus::wr_flush_err) fail(to_text(wc));
    return;
  }
  if (work.read && endpoint_->phase() == rdmap::Phase::operating) {
    const std::span<Octet> octets = work.slot.memory.first(work.size);
    endpoint_->answer(std::move(*work.read), {octets.begin(), octets.end()});
  }
  spare_.emplace(work.slot.memory.size(), work.slot);
}

void Gateway::submit() {
  while (!waiting_.empty() && posted_.size() < kUnderWay && !left_ && connected_) {
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    const std::size_t octets = std::max<std::size_t>(work.octets.size(), work.size);
    if (octets == 0 && work.read) {
      endpoint_->answer(std::move(*work.read), {});
      continue;
    }
    const auto slot = slot_of(octets);
    if (!slot) return fail(slot.error().message);
    work.slot = *slot;
    std::ranges::copy(work.octets, work.slot.memory.begin());
    work.octets = {};
    SendWr wr{.wr_id = next_id_++,
              .opcode = work.opcode,
              .sge = work.slot.sge,
              .remote_addr = work.remote.to,
              .rkey = work.remote.stag,
              .invalidate_rkey = work.invalidates};
    wr.sge.length = static_cast<std::uint32_t>(octets);
    if (const auto posted = consumer_.post_send(wr); !posted) return fail(posted.error().message);
    ++sent_;
    posted_.emplace(wr.wr_id, std::move(work));
  }
  if (left_) waiting_.clear();
}

// ----------------------------------------------------------------------------------------------------- its memory

tl::expected<void, VerbsError> Gateway::open_receives() {
  const auto memory = consumer_.allocate(kReceives * kReceiveOctets);
  if (!memory) return tl::unexpected(memory.error());
  const auto region = consumer_.reg_mr(*memory, {.local_write = true});
  if (!region) return tl::unexpected(region.error());
  receives_ = *region;
  for (std::uint64_t number = 0; number < kReceives; ++number)
    if (auto posted = post_receive(number); !posted) return posted;
  return {};
}

tl::expected<void, VerbsError> Gateway::post_receive(std::uint64_t number) {
  return consumer_.post_recv({.wr_id = number,
                              .sge = {.addr = receives_.addr + number * kReceiveOctets,
                                      .length = static_cast<std::uint32_t>(kReceiveOctets),
                                      .lkey = receives_.lkey}});
}

// Returns the smallest sufficient slot, or a new one. On iWARP, the peer writes to the sink of a Read.
tl::expected<Gateway::Slot, VerbsError> Gateway::slot_of(std::size_t octets) {
  const std::size_t size = std::bit_ceil(std::max(octets, kLeastSlot));
  if (const auto spare = spare_.lower_bound(size); spare != spare_.end()) return spare_.extract(spare).mapped();
  const auto memory = consumer_.allocate(size);
  if (!memory) return tl::unexpected(memory.error());
  const auto region = consumer_.reg_mr(*memory, {.local_write = true, .remote_write = consumer_.device().iwarp});
  if (!region) return tl::unexpected(region.error());
  return Slot{.memory = *memory, .sge = {.addr = region->addr, .length = 0, .lkey = region->lkey}};
}

std::optional<rdmap::BufferAt> Gateway::expose(std::span<Octet> memory, rdmap::Access access) {
  const auto region =
      consumer_.reg_mr(memory, {.local_write = access.write, .remote_write = access.write, .remote_read = access.read});
  if (!region) return std::nullopt;
  lent_.emplace(region->rkey, *region);
  return rdmap::BufferAt{region->rkey, region->addr};
}

void Gateway::withdraw(rdmap::Stag stag) {
  const auto found = lent_.find(stag);
  if (found == lent_.end()) return;
  static_cast<void>(consumer_.dereg_mr(found->second));
  lent_.erase(found);
}

// -------------------------------------------------------------------------------------------------------- the end

// The peer of the device has gone: what it has sent is passed on, and the stream ends.
void Gateway::part() {
  leaving_ = left_ = over_ = true;
  waiting_.clear();
  posted_.clear();
  if (endpoint_->phase() == rdmap::Phase::operating)
    endpoint_->close();
  else if (endpoint_->phase() != rdmap::Phase::exited)
    broken_ = true;
}

// The device has ended the connection, or cannot continue.
void Gateway::fail(std::string what) {
  if (error_.empty()) error_ = std::move(what);
  if (std::exchange(left_, true)) return;
  leaving_ = true;
  if (!consumer_.disconnect()) over_ = true;
  if (endpoint_->phase() == rdmap::Phase::operating)
    endpoint_->terminate();
  else
    broken_ = true;
}

std::string Gateway::state() const {
  return fmt::format("verbs on {}: {} pieces of work, {} messages received{}{}{}\n", consumer_.device().name, sent_,
                     received_, over_ ? ", over" : "", error_.empty() ? "" : "; ", error_);
}

}  // namespace wirelaw::verbs
