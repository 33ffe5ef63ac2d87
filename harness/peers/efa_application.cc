// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_application.h"

#include <algorithm>
#include <utility>

namespace wirelaw::efa {
namespace {

namespace cq = fabric::cq;

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
    case Status::given_up:
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

}  // namespace

ReferenceApplication::ReferenceApplication(Endpoint& endpoint, Setup setup)
    : endpoint_(endpoint),
      setup_(std::move(setup)),
      abilities_{.name = "reference",
                 .mtu = setup_.mtu,
                 .fills_queue = true,
                 .fails_registrations = true,
                 .loses_peer = true} {}

// ------------------------------------------------------------------------------------------------ the endpoint's side

void ReferenceApplication::on(Completion& completion) {
  fabric::Completion entry{.len = completion.length, .error = std::string(error_of(outcome_of(completion)))};
  if (completion.cq_data) {
    entry.flags |= cq::kRemoteCqData;
    entry.cq_data = completion.cq_data;
  }
  if (completion.kind == Completion::Kind::remote_write) {
    entry.flags |= cq::kRma | cq::kRemoteWrite;
    return report(std::move(entry));
  }
  const auto found = calls_.find(completion.id);
  const Call call = found == calls_.end() ? Call{} : found->second;
  if (found != calls_.end()) calls_.erase(found);
  entry.flags |= call.flags;
  if (completion.kind == Completion::Kind::receive) return deliver(call, std::move(entry), completion);
  complete(call, std::move(entry), std::move(completion.data));
}

// Delivers a message to its receive.
void ReferenceApplication::deliver(const Call& call, fabric::Completion entry, Completion& completion) {
  entry.tag = completion.tag;
  entry.source = source_of(completion);
  const auto posted = std::ranges::find(receives_, call.context);
  if (posted != receives_.end()) receives_.erase(posted);
  complete(call, std::move(entry), std::move(completion.data));
}

void ReferenceApplication::complete(const Call& call, fabric::Completion entry, OctetBuffer data) {
  if (call.reported) return;
  entry.context = call.context;
  if (!data.empty()) store(call.context, std::move(data));
  report(std::move(entry));
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
    queue_is_full();
    return false;
  }
  if (!endpoint_.next_datagram(out)) return false;
  if (trouble_.packets) --*trouble_.packets;
  return true;
}

// Ends all operations with the peer. Packets that were made for it are discarded, and a HANDSHAKE among them is not
// reported (2.3).
void ReferenceApplication::drop_unsent() {
  endpoint_.remove_peer(setup_.far);
  for (Outgoing lost; endpoint_.next_datagram(lost); lost = {}) was_not_sent(lost);
}

// ------------------------------------------------------------------------------------------------- the application's

ReferenceApplication::Outcome<RawAddress> ReferenceApplication::name_of_another() {
  Options options = setup_.options;
  options.address.connid = 0;
  return Endpoint(options, seed_of_another()).address();
}

ReferenceApplication::Outcome<void> ReferenceApplication::close(Instant) {
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

// Like deployed providers, it uses the device for everything that both sides support, once that is known (4.1, 4.6).
bool ReferenceApplication::may_go_directly(Extra extra) const {
  return (setup_.options.extra_info.front() >> static_cast<unsigned>(extra) & 1) != 0 &&
         endpoint_.knows_capabilities_of(setup_.far) && peer_has(extra);
}

void ReferenceApplication::note_call(OperationId id, fabric::Context context, std::uint64_t flags, bool) {
  calls_[id] = {context, flags};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Receive& call) {
  buffers_[call.context].assign(call.octets, 0);
  receives_.push_back(call.context);
  post_to_endpoint(call);
  return {};
}

void ReferenceApplication::post_to_endpoint(const fabric::Receive& call) {
  ReceiveCall receive{.octets = call.octets};
  if (call.tag) receive.tag = {.tag = *call.tag};
  note_call(endpoint_.post_receive(receive, at), call.context, cq::kRecv | (call.tag ? cq::kTagged : cq::kMsg), false);
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Send& call) {
  const OperationId id = endpoint_.send(setup_.far, send_call(call), at);
  note_call(id, call.context, cq::kSend | (call.tag ? cq::kTagged : cq::kMsg), call.delivery_complete);
  return {};
}

SendCall ReferenceApplication::send_call(const fabric::Send& call) const {
  return {.data = call.data, .tag = call.tag, .cq_data = call.cq_data, .delivery_complete = call.delivery_complete};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Write& call) {
  const OperationId id = endpoint_.write(setup_.far, write_call(call), at);
  note_call(id, call.context, cq::kRma | cq::kWrite, call.delivery_complete);
  return {};
}

WriteCall ReferenceApplication::write_call(const fabric::Write& call) const {
  return {.data = call.data,
          .to = {call.to},
          .cq_data = call.cq_data,
          .delivery_complete = call.delivery_complete,
          .direct = !call.delivery_complete && may_go_directly(Extra::rdma_write)};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Read& call) {
  buffers_[call.context].assign(static_cast<std::size_t>(call.from.len), 0);
  const bool direct = may_go_directly(Extra::rdma_read);
  note_call(endpoint_.read(setup_.far, {.from = {call.from}, .direct = direct}, at), call.context, cq::kRma | cq::kRead,
            false);
  return {};
}

ReferenceApplication::Outcome<void> ReferenceApplication::post(const fabric::Atomic& call) {
  const bool fetches = call.call != AtomicCall::write;
  if (fetches) buffers_[call.context].assign(static_cast<std::size_t>(call.on.len), 0);
  AtomicRequest atomic{.call = call.call, .op = call.op, .on = {call.on}};
  if (call.op != AtomicOp::atomic_read) Writer(atomic.operand).little_endian(call.operand);
  if (call.call == AtomicCall::compare) Writer(atomic.compare).little_endian(call.compare);
  note_call(endpoint_.atomic(setup_.far, std::move(atomic), at), call.context,
            cq::kAtomic | (fetches ? cq::kRead : cq::kWrite), false);
  return {};
}

ReferenceApplication::Awaited<fabric::Completion> ReferenceApplication::completion(Instant) {
  if (completions_.empty()) return std::nullopt;
  fabric::Completion completion = std::move(completions_.front());
  completions_.pop_front();
  return completion;
}

}  // namespace wirelaw::efa
