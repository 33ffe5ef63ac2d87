// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_faulty_application.h"

#include <utility>

namespace wirelaw::efa {
namespace {

using enum ApplicationFault;
namespace cq = fabric::cq;

constexpr std::size_t kOwnReceives = 16;  // receives-of-its-own
constexpr std::size_t kOwnReceiveOctets = 1u << 20;

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

bool is_handshake(const Outgoing& packet) {
  return packet.octets.front() == static_cast<Octet>(PacketType::handshake);
}

}  // namespace

std::unique_ptr<ReferenceApplication> make_application(Endpoint& endpoint, ReferenceApplication::Setup setup,
                                                       const ApplicationFaults& faults, const Deviations& of_endpoint) {
  if (faults.empty() && of_endpoint.empty()) return std::make_unique<ReferenceApplication>(endpoint, std::move(setup));
  return std::make_unique<FaultyApplication>(endpoint, std::move(setup), faults, of_endpoint);
}

FaultyApplication::FaultyApplication(Endpoint& endpoint, Setup setup, const ApplicationFaults& faults,
                                     const Deviations& of_endpoint)
    : ReferenceApplication(endpoint, std::move(setup)),
      faults_(faults),
      uses_what_is_not_announced_(of_endpoint.has(Deviation::extras_not_announced)) {
  if (!has(receives_of_its_own)) return;
  for (std::size_t i = 0; i < kOwnReceives; ++i) endpoint_.post_receive({.octets = kOwnReceiveOctets}, at);
}

// -------------------------------------------------------------------------------------------------- packets and RDMA

bool FaultyApplication::accepts(Octets packet) const {
  if (has(one_sided_needs_receive) && receives_.empty() && is_one_sided(purpose_of(packet))) return false;
  return !(has(unregistered_read_lost) && !trouble_.registers && is_to_be_read(packet));
}

void FaultyApplication::accepted(Octets packet) {
  if (purpose_of(packet) != Purpose::write) return;
  if (has(writes_told)) report({.flags = cq::kRma | cq::kRemoteWrite});
  if (has(write_takes_receive) && !receives_.empty()) {
    report({.context = receives_.front(), .flags = cq::kMsg | cq::kRecv});
    receives_.pop_front();
  }
}

bool FaultyApplication::next_datagram(Outgoing& out) {
  if (!ReferenceApplication::next_datagram(out)) return false;
  handshake_sent_ = handshake_sent_ || is_handshake(out);
  return true;
}

void FaultyApplication::was_read() {
  if (has(direct_read_told)) report({.flags = cq::kRma | cq::kRead});
}

void FaultyApplication::queue_is_full() {
  for (Outgoing lost; has(medium_rest_lost) && endpoint_.next_datagram(lost);) lost = {};
}

void FaultyApplication::was_not_sent(const Outgoing& lost) {
  if (has(handshake_failure_told) && is_handshake(lost)) report({.error = "FI_EIO"});
}

std::uint64_t FaultyApplication::seed_of_another() {
  return has(connid_constant) ? setup_.seed : ReferenceApplication::seed_of_another();
}

FaultyApplication::Outcome<void> FaultyApplication::close(Instant deadline) {
  if (has(close_waits_for_handshake) && !handshake_sent_)
    return tl::unexpected(fabric::CallError{"fi_close: -FI_EBUSY"});
  return ReferenceApplication::close(deadline);
}

// ---------------------------------------------------------------------------------------------------------- the calls

FaultyApplication::Outcome<void> FaultyApplication::post(const fabric::Send& call) {
  if (has(unregistered_send_lost) && !trouble_.registers && call.data.size() >= setup_.options.min_read_message)
    return {};
  return ReferenceApplication::post(call);
}

FaultyApplication::Outcome<void> FaultyApplication::post(const fabric::Write& call) {
  WriteCall also = write_call(call);
  if (has(direct_write_with_request) && also.direct) {
    also.direct = false;
    calls_[endpoint_.write(setup_.far, std::move(also), at)].reported = true;
  }
  return ReferenceApplication::post(call);
}

FaultyApplication::Outcome<void> FaultyApplication::post(const fabric::Read& call) {
  if (has(direct_read_with_request) && may_go_directly(Extra::rdma_read))
    calls_[endpoint_.read(setup_.far, {.from = {call.from}}, at)].reported = true;
  return ReferenceApplication::post(call);
}

SendCall FaultyApplication::send_call(const fabric::Send& call) const {
  SendCall send = ReferenceApplication::send_call(call);
  if (has(tagged_sent_untagged)) send.tag.reset();
  if (has(cq_data_lost)) send.cq_data.reset();
  if (has(message_cut) && !send.data.empty()) send.data.pop_back();
  if (has(delivery_complete_forgotten)) send.delivery_complete = false;
  return send;
}

WriteCall FaultyApplication::write_call(const fabric::Write& call) const {
  WriteCall write = ReferenceApplication::write_call(call);
  if (has(cq_data_lost)) write.cq_data.reset();
  if (has(delivery_complete_forgotten)) write.delivery_complete = false;
  return write;
}

bool FaultyApplication::peer_has(Extra extra) const {
  return uses_what_is_not_announced_ || ReferenceApplication::peer_has(extra);
}

void FaultyApplication::note_call(OperationId id, fabric::Context context, std::uint64_t flags,
                                  bool delivery_complete) {
  const bool one_sided = (flags & (cq::kRma | cq::kAtomic)) != 0;
  const bool sends = (flags & cq::kSend) != 0 && !delivery_complete;
  const bool completes = (delivery_complete && has(completes_before_receipt)) || (sends && has(completes_before_eor));
  calls_[id] = {context, flags, completes || (one_sided && has(one_sided_completion_lost))};
  if (completes) report({.context = context, .flags = flags});
}

// --------------------------------------------------------------------------------------------- results of the calls

Status FaultyApplication::outcome_of(const Completion& completion) const {
  if (has(unsupported_completes) && completion.status == Status::unsupported) return Status::ok;
  if (has(unsent_message_completes) && completion.status == Status::cancelled) return Status::ok;
  return completion.status;
}

fabric::Address FaultyApplication::source_of(const Completion& completion) {
  return has(source_inserted_again) ? next_source_++ : ReferenceApplication::source_of(completion);
}

void FaultyApplication::store(fabric::Context context, OctetBuffer data) {
  if (has(placed_after_receipt))
    unplaced_[context] = std::move(data);
  else
    ReferenceApplication::store(context, std::move(data));
}

FaultyApplication::Awaited<fabric::Completion> FaultyApplication::completion(Instant deadline) {
  auto entry = ReferenceApplication::completion(deadline);
  if (entry && *entry && (*entry)->context)
    if (const auto late = unplaced_.extract(*(*entry)->context)) place(*(*entry)->context, late.mapped());
  return entry;
}

// receives-of-its-own: a message goes into one of them, and from there to the application's.

void FaultyApplication::post_to_endpoint(const fabric::Receive& call) {
  if (!has(receives_of_its_own)) return ReferenceApplication::post_to_endpoint(call);
  if (early_.empty()) return;
  Early first = std::move(early_.front());
  early_.pop_front();
  take_message(std::move(first.entry), std::move(first.data));
}

void FaultyApplication::deliver(const Call& call, fabric::Completion entry, Completion& completion) {
  if (has(received_cq_data_lost)) {
    entry.flags &= ~cq::kRemoteCqData;
    entry.cq_data.reset();
  }
  if (!has(receives_of_its_own)) return ReferenceApplication::deliver(call, std::move(entry), completion);
  entry.tag = completion.tag;
  entry.source = source_of(completion);
  entry.flags |= cq::kRecv | (completion.tag ? cq::kTagged : cq::kMsg);
  endpoint_.post_receive({.octets = kOwnReceiveOctets}, at);
  take_message(std::move(entry), std::move(completion.data));
}

void FaultyApplication::take_message(fabric::Completion entry, OctetBuffer data) {
  if (receives_.empty()) {
    early_.push_back({std::move(entry), std::move(data)});
    return;
  }
  entry.context = receives_.front();
  receives_.pop_front();
  place(*entry.context, data);
  report(std::move(entry));
}

}  // namespace wirelaw::efa
