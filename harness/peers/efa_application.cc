// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_application.h"

#include <algorithm>
#include <utility>

namespace wirelaw::efa {
namespace {

using enum ApplicationFault;
namespace cq = fabric::cq;

constexpr std::size_t kOwnReceives = 16;  // receives-of-its-own
constexpr std::size_t kOwnReceiveOctets = 1u << 20;

std::string_view error_of(Status status) {
  switch (status) {
    case Status::ok:
      return "";
    case Status::truncated:
      return "FI_ETRUNC";
    case Status::unsupported:
      return "FI_EOPNOTSUPP";
    case Status::vanished:
      return "FI_ETIMEDOUT";
    case Status::cancelled:
      return "FI_ECANCELED";
    case Status::too_long:
      return "FI_EMSGSIZE";
    case Status::invalid:
      return "FI_EINVAL";
    case Status::failed:
      return "FI_EIO";
    case Status::no_room:
      return "FI_ENOMEM";
  }
  return "FI_EOTHER";
}

Purpose purpose_of(Octets packet) {
  const auto decoded = decode(packet);
  const Layout* const layout = decoded ? decoded->layout() : nullptr;
  return layout == nullptr ? Purpose::none : layout->purpose;
}

bool is_one_sided(Purpose purpose) {
  return purpose == Purpose::write || purpose == Purpose::read || purpose == Purpose::atomic;
}

bool is_to_be_read(Octets packet) {
  const auto decoded = decode(packet);
  return decoded && decoded->layout() != nullptr && decoded->layout()->behind == Array::read_iov;
}

}  // namespace

ReferenceApplication::ReferenceApplication(Endpoint& endpoint, Setup setup)
    : endpoint_(endpoint),
      setup_(std::move(setup)),
      abilities_{.name = "reference",
                 .mtu = setup_.mtu,
                 .fills_queue = true,
                 .fails_registrations = true,
                 .loses_peer = true} {
  if (!commits(receives_of_its_own)) return;
  for (std::size_t i = 0; i < kOwnReceives; ++i) endpoint_.post_receive({.octets = kOwnReceiveOctets}, at);
}

// ------------------------------------------------------------------------------------------------ the endpoint's side

bool ReferenceApplication::hears(Octets packet) {
  if (commits(one_sided_needs_receive) && receives_.empty() && is_one_sided(purpose_of(packet))) return false;
  return !(commits(unregistered_read_lost) && !trouble_.registers && is_to_be_read(packet));
}

void ReferenceApplication::heard(Octets packet) {
  if (purpose_of(packet) != Purpose::write) return;
  if (commits(writes_told)) tell({.flags = cq::kRma | cq::kRemoteWrite});
  if (commits(write_takes_receive) && !receives_.empty()) {
    tell({.context = receives_.front(), .flags = cq::kMsg | cq::kRecv});
    receives_.pop_front();
  }
}

void ReferenceApplication::was_read() {
  if (commits(direct_read_told)) tell({.flags = cq::kRma | cq::kRead});
}

void ReferenceApplication::on(Completion& completion) {
  Status status = completion.status;
  if (commits(unsupported_completes) && status == Status::unsupported) status = Status::ok;
  if (commits(unsent_message_completes) && status == Status::cancelled) status = Status::ok;
  fabric::Completion told{.len = completion.length, .error = std::string(error_of(status))};
  if (completion.cq_data) {
    told.flags |= cq::kRemoteCqData;
    told.cq_data = completion.cq_data;
  }
  if (completion.kind == Completion::Kind::remote_write) {
    told.flags |= cq::kRma | cq::kRemoteWrite;
    return tell(std::move(told));
  }
  const auto found = calls_.find(completion.id);
  const Call call = found == calls_.end() ? Call{} : found->second;
  if (found != calls_.end()) calls_.erase(found);
  told.flags |= call.flags;
  if (completion.kind == Completion::Kind::receive) {
    told.tag = completion.tag;
    told.source = commits(source_inserted_again) ? next_source_++ : completion.peer;
    if (commits(receives_of_its_own)) {
      told.flags |= cq::kRecv | (completion.tag ? cq::kTagged : cq::kMsg);
      endpoint_.post_receive({.octets = kOwnReceiveOctets}, at);
      return take_message(std::move(told), std::move(completion.data));
    }
    const auto posted = std::ranges::find(receives_, call.context);
    if (posted != receives_.end()) receives_.erase(posted);
  }
  if (call.told) return;
  told.context = call.context;
  if (!completion.data.empty()) {
    if (commits(placed_after_receipt))
      unplaced_[call.context] = std::move(completion.data);
    else
      place(call.context, completion.data);
  }
  tell(std::move(told));
}

// receives-of-its-own
void ReferenceApplication::take_message(fabric::Completion told, OctetBuffer data) {
  if (receives_.empty()) {
    early_.push_back({std::move(told), std::move(data)});
    return;
  }
  told.context = receives_.front();
  receives_.pop_front();
  place(*told.context, data);
  tell(std::move(told));
}

void ReferenceApplication::place(fabric::Context context, const OctetBuffer& data) {
  OctetBuffer& buffer = buffers_[context];
  std::copy_n(data.begin(), std::min(data.size(), buffer.size()), buffer.begin());
}

bool ReferenceApplication::next_datagram(Outgoing& out) {
  if (closed_) return false;
  if (!trouble_.reaches) {
    drop_unsent();
    return false;
  }
  if (trouble_.packets == std::size_t{0}) {
    Outgoing lost;
    while (commits(medium_rest_lost) && endpoint_.next_datagram(lost)) lost = {};
    return false;
  }
  if (!endpoint_.next_datagram(out)) return false;
  if (trouble_.packets) --*trouble_.packets;
  handshake_sent_ = handshake_sent_ || out.octets.front() == static_cast<Octet>(PacketType::handshake);
  return true;
}

// What was under way with the peer ends; what had been made for it is nothing any more.
void ReferenceApplication::drop_unsent() {
  endpoint_.remove_peer(setup_.far);
  for (Outgoing lost; endpoint_.next_datagram(lost); lost = {})
    if (commits(handshake_failure_told) && lost.octets.front() == static_cast<Octet>(PacketType::handshake))
      tell({.error = "FI_EIO"});
}

// ------------------------------------------------------------------------------------------------- the application's

ReferenceApplication::Outcome<RawAddress> ReferenceApplication::name_of_another() {
  Options options = setup_.options;
  options.address.connid = 0;
  if (!commits(connid_constant)) ++others_;
  return Endpoint(options, setup_.seed + others_, {}).address();
}

ReferenceApplication::Outcome<void> ReferenceApplication::close(Instant) {
  if (commits(close_waits_for_handshake) && !handshake_sent_)
    return tl::unexpected(fabric::CallError{"fi_close: -FI_EBUSY"});
  closed_ = true;
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::trouble(const fabric::Trouble& trouble) {
  trouble_ = trouble;
  endpoint_.limit_registrations(trouble.registers ? setup_.options.registrations : 0);
  return {};
}

ReferenceApplication::Outcome<RmaIov> ReferenceApplication::register_memory(Octets initial) {
  return endpoint_.memory().add(OctetBuffer(initial.begin(), initial.end()), Access::read_write);
}

ReferenceApplication::Outcome<void> ReferenceApplication::withdraw(std::uint64_t key) {
  endpoint_.memory().remove(key);
  return {};
}

ReferenceApplication::Outcome<OctetBuffer> ReferenceApplication::memory(std::uint64_t key) {
  const Octets octets = endpoint_.memory().octets(key);
  return OctetBuffer(octets.begin(), octets.end());
}

ReferenceApplication::Outcome<OctetBuffer> ReferenceApplication::buffer(fabric::Context context) {
  const auto found = buffers_.find(context);
  if (found == buffers_.end()) return tl::unexpected(fabric::CallError{"no call with a buffer has this context"});
  return found->second;
}

// As deployed providers: whatever both sides have the device for goes by it, once that is known (4.1, 4.6).
bool ReferenceApplication::may_go_directly(Extra extra) const {
  return (setup_.options.extra_info.front() >> static_cast<unsigned>(extra) & 1) != 0 &&
         endpoint_.knows_capabilities_of(setup_.far) &&
         (endpoint_.announces(setup_.far, extra) || setup_.deviations.has(Deviation::extras_not_announced));
}

void ReferenceApplication::begin(OperationId id, fabric::Context context, std::uint64_t flags) {
  const bool one_sided = (flags & (cq::kRma | cq::kAtomic)) != 0;
  calls_[id] = {context, flags, commits(one_sided_completion_lost) && one_sided};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Receive& call) {
  buffers_[call.context].assign(call.octets, 0);
  receives_.push_back(call.context);
  if (commits(receives_of_its_own)) {
    if (early_.empty()) return {};
    Early first = std::move(early_.front());
    early_.pop_front();
    take_message(std::move(first.told), std::move(first.data));
    return {};
  }
  ReceiveCall receive{.octets = call.octets};
  if (call.tag) receive.tag = {.tag = *call.tag};
  begin(endpoint_.post_receive(receive, at), call.context, cq::kRecv | (call.tag ? cq::kTagged : cq::kMsg));
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Send& call) {
  if (commits(unregistered_send_lost) && !trouble_.registers && call.data.size() >= setup_.options.min_read_message)
    return {};
  SendCall send{
      .data = call.data, .tag = call.tag, .cq_data = call.cq_data, .delivery_complete = call.delivery_complete};
  if (commits(tagged_sent_untagged)) send.tag.reset();
  if (commits(cq_data_lost)) send.cq_data.reset();
  if (commits(message_cut) && !send.data.empty()) send.data.pop_back();
  if (commits(delivery_complete_forgotten)) send.delivery_complete = false;
  const std::uint64_t flags = cq::kSend | (call.tag ? cq::kTagged : cq::kMsg);
  const OperationId id = endpoint_.send(setup_.far, std::move(send), at);
  begin(id, call.context, flags);
  if (!call.delivery_complete || !commits(completes_before_receipt)) return {};
  calls_[id].told = true;
  tell({.context = call.context, .flags = flags});
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Write& call) {
  WriteCall write{.data = call.data,
                  .to = {call.to},
                  .cq_data = call.cq_data,
                  .delivery_complete = call.delivery_complete && !commits(delivery_complete_forgotten),
                  .direct = !call.delivery_complete && may_go_directly(Extra::rdma_write)};
  if (commits(cq_data_lost)) write.cq_data.reset();
  if (commits(direct_write_with_request) && write.direct) {
    WriteCall also = write;
    also.direct = false;
    calls_[endpoint_.write(setup_.far, std::move(also), at)].told = true;
  }
  const OperationId id = endpoint_.write(setup_.far, std::move(write), at);
  begin(id, call.context, cq::kRma | cq::kWrite);
  if (!call.delivery_complete || !commits(completes_before_receipt)) return {};
  calls_[id].told = true;
  tell({.context = call.context, .flags = cq::kRma | cq::kWrite});
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Read& call) {
  buffers_[call.context].assign(static_cast<std::size_t>(call.from.len), 0);
  ReadCall read{.from = {call.from}, .direct = may_go_directly(Extra::rdma_read)};
  if (commits(direct_read_with_request) && read.direct)
    calls_[endpoint_.read(setup_.far, {.from = {call.from}}, at)].told = true;
  begin(endpoint_.read(setup_.far, std::move(read), at), call.context, cq::kRma | cq::kRead);
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Atomic& call) {
  const bool fetches = call.call != AtomicCall::write;
  if (fetches) buffers_[call.context].assign(static_cast<std::size_t>(call.on.len), 0);
  AtomicRequest atomic{.call = call.call, .op = call.op, .on = {call.on}};
  if (call.op != AtomicOp::atomic_read) Writer(atomic.operand).little_endian(call.operand);
  if (call.call == AtomicCall::compare) Writer(atomic.compare).little_endian(call.compare);
  begin(endpoint_.atomic(setup_.far, std::move(atomic), at), call.context,
        cq::kAtomic | (fetches ? cq::kRead : cq::kWrite));
  return {};
}

ReferenceApplication::Awaited<fabric::Completion> ReferenceApplication::completion(Instant) {
  if (completions_.empty()) return std::nullopt;
  fabric::Completion completion = std::move(completions_.front());
  completions_.pop_front();
  if (completion.context)
    if (const auto late = unplaced_.extract(*completion.context)) place(*completion.context, late.mapped());
  return completion;
}

}  // namespace wirelaw::efa
