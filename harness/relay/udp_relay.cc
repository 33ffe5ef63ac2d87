// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/udp_relay.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "harness/transports/asio_address.h"

namespace wirelaw {
namespace {

using asio::ip::udp;
using Code = asio::error_code;

constexpr std::chrono::seconds kIdle{60};
constexpr std::chrono::seconds kMayGiveWay{1};
constexpr std::size_t kMostHeld = std::size_t{64} << 20;  // octets in flight
constexpr unsigned kAtOnce = 64;  // datagrams that are read from one socket before the next socket
constexpr int kReceiveBuffer = 1 << 20;

bool is_transient(const Code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

// Lets the system count the datagrams that the socket discards for lack of room (socket(7), SO_RXQ_OVFL).
void make_ready(udp::socket& socket) {
  Code ignored;
  socket.non_blocking(true, ignored);
  socket.set_option(asio::socket_base::receive_buffer_size(kReceiveBuffer), ignored);
  const int on = 1;
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
}

// Returns the number of datagrams that the system has discarded so far; `before` if the message does not contain it.
std::uint32_t dropped_of(msghdr& message, std::uint32_t before) {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SO_RXQ_OVFL) continue;
    std::uint32_t count = 0;
    std::memcpy(&count, CMSG_DATA(one), sizeof count);
    return count;
  }
  return before;
}

struct Received {
  std::size_t length = 0;
  udp::endpoint from;
  std::uint32_t dropped = 0;  // discarded by the system so far
};

// Calls recvmsg(), since Asio has no call that returns the control message too.
Received receive(udp::socket& socket, OctetBuffer& buffer, std::uint32_t dropped, Code& code) {
  Received received;
  iovec place{.iov_base = buffer.data(), .iov_len = buffer.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint32_t))];
  msghdr message{};
  message.msg_name = received.from.data();
  message.msg_namelen = static_cast<socklen_t>(received.from.capacity());
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t length = ::recvmsg(socket.native_handle(), &message, 0);
  code = length < 0 ? Code(errno, asio::error::get_system_category()) : Code();
  if (length < 0) return received;
  received.length = static_cast<std::size_t>(length);
  if (message.msg_namelen > 0) received.from.resize(message.msg_namelen);
  received.dropped = dropped_of(message, dropped);
  return received;
}

}  // namespace

UdpRelay::UdpRelay(udp::socket& near, UdpRelayContext shared, std::size_t most)
    : near_(near), shared_(std::move(shared)), most_(most), timer_(shared_.context) {
  Code ignored;
  listens_ = endpoint_of(near_.local_endpoint(ignored));
  make_ready(near_);
}

// ----------------------------------------------------------------------------------------------------------- sockets

void UdpRelay::await_initiators() {
  near_.async_wait(udp::socket::wait_read, [this](const Code& code) {
    if (code) return;
    receive_near();
    await_initiators();
  });
}

void UdpRelay::receive_near() {
  for (unsigned i = 0; i < kAtOnce; ++i) {
    Code code;
    const Received received = receive(near_, shared_.buffer, dropped_, code);
    if (code) return;
    shared_.recording.say_dropped(received.dropped - std::exchange(dropped_, received.dropped));
    const Octets octets = Octets(shared_.buffer).first(received.length);
    const pcap::Endpoint from = endpoint_of(received.from);
    if (const FlowHandle flow = flow_of(from))
      arrive(flow, true, octets);
    else
      drop(from, octets);
  }
}

void UdpRelay::await_responder(const FlowHandle& flow) {
  flow->far.async_wait(udp::socket::wait_read, [this, flow](const Code& code) {
    if (code) return;
    receive_far(flow);
    await_responder(flow);
  });
}

void UdpRelay::receive_far(const FlowHandle& flow) {
  for (unsigned i = 0; i < kAtOnce; ++i) {
    Code code;
    const Received received = receive(flow->far, shared_.buffer, flow->dropped, code);
    if (is_transient(code)) return;
    if (code) return refused(*flow, code.message());
    shared_.recording.say_dropped(received.dropped - std::exchange(flow->dropped, received.dropped));
    if (!std::exchange(flow->is_reached, true)) {
      ++shared_.counts.reached;
      ++shared_.counts.answered;
    }
    arrive(flow, false, Octets(shared_.buffer).first(received.length));
  }
}

// The responder's host has answered that nobody listens at the port.
void UdpRelay::refused(Flow& flow, const std::string& why) {
  shared_.counts.unreachable = fmt::format("{}: {}", pcap::to_string(shared_.to), why);
  flow.remarks[true].push_back(
      fmt::format("the relay could not reach the responder at {}", shared_.counts.unreachable));
}

// ------------------------------------------------------------------------------------------------------------- flows

// Returns nullptr if there is no room for a new flow.
UdpRelay::FlowHandle UdpRelay::flow_of(const pcap::Endpoint& initiator) {
  const auto known = flows_.find(initiator);
  if (known == flows_.end()) return add_flow(initiator);
  by_use_.splice(by_use_.end(), by_use_, known->second->place);
  return known->second;
}

UdpRelay::FlowHandle UdpRelay::add_flow(const pcap::Endpoint& initiator) {
  if (flows_.size() >= most_ && !make_room()) return nullptr;
  const auto flow =
      std::make_shared<Flow>(shared_.context, shared_.seed, shared_.counts.connections + 1, shared_.faults.run());
  Code code, ignored;
  flow->far.open(asio_endpoint<udp>(shared_.to).protocol(), code);
  if (!code) flow->far.connect(asio_endpoint<udp>(shared_.to), code);
  if (code) return nullptr;
  ++shared_.counts.connections;
  make_ready(flow->far);
  flow->initiator = initiator;
  flow->local = endpoint_of(flow->far.local_endpoint(ignored));
  flow->remarks[true].push_back(fmt::format("connection {}, leg of the initiator", flow->number));
  flow->remarks[false].push_back(fmt::format("connection {}, leg of the responder", flow->number));
  flow->place = by_use_.insert(by_use_.end(), flow);
  flows_.emplace(initiator, flow);
  await_responder(flow);
  return flow;
}

bool UdpRelay::make_room() {
  if (by_use_.empty() || Clock::now() - by_use_.front()->last_passed < kMayGiveWay) return false;
  remove(FlowHandle(by_use_.front()));
  return true;
}

void UdpRelay::remove(const FlowHandle& flow) {
  Code ignored;
  flow->far.close(ignored);
  by_use_.erase(flow->place);
  flows_.erase(flow->initiator);
}

void UdpRelay::end_idle() {
  while (!by_use_.empty() && Clock::now() - by_use_.front()->last_passed > kIdle) remove(FlowHandle(by_use_.front()));
}

// Records and discards a datagram from an initiator that has no flow.
void UdpRelay::drop(const pcap::Endpoint& initiator, Octets octets) {
  const std::string why[] = {
      fmt::format("the relay dropped it: {} flows are open, or no socket is left", flows_.size())};
  shared_.recording.datagram(initiator, listens_, octets, why);
}

// --------------------------------------------------------------------------------------------------------- datagrams

void UdpRelay::arrive(const FlowHandle& flow, bool from_initiator, Octets octets) {
  last_passed_ = flow->last_passed = Clock::now();
  std::vector<std::string> comments = std::exchange(flow->remarks[from_initiator], {});
  if (!flow->faults) {
    const Fate fate = fate_of(*flow, from_initiator, comments);
    record_arrival(*flow, from_initiator, octets, comments);
    return pass(flow, from_initiator, octets, fate, {});
  }
  script::Passing passing = flow->faults->datagram(from_initiator ? Side::a : Side::b, octets);
  for (std::string& one : take_played(passing, shared_.counts)) comments.push_back(std::move(one));
  std::vector<Fate> fates;
  for (std::size_t i = 0; i < passing.copies.size(); ++i) fates.push_back(fate_of(*flow, from_initiator, comments));
  record_arrival(*flow, from_initiator, octets, comments);
  for (std::size_t i = 0; i < passing.copies.size(); ++i)
    pass(flow, from_initiator, passing.copies[i], fates[i], Instant(passing.delay_ns));
}

void UdpRelay::record_arrival(const Flow& flow, bool from_initiator, Octets octets,
                              std::span<const std::string> comments) {
  if (from_initiator)
    shared_.recording.datagram(flow.initiator, listens_, octets, comments);
  else
    shared_.recording.datagram(shared_.to, flow.local, octets, comments);
}

// Always throws the same number of dice, so that one fault does not change when another happens.
UdpRelay::Fate UdpRelay::fate_of(Flow& flow, bool from_initiator, std::vector<std::string>& comments) {
  Dice& dice = flow.dice[from_initiator];
  const NetworkFaults& of = shared_.plan.network_faults;
  Fate fate;
  fate.is_lost = dice.draw() < of.loss;
  fate.is_doubled = dice.draw() < of.duplication;
  fate.is_held_back = dice.draw() < of.reordering;
  fate.first = dice.draw_delay(of);
  fate.second = dice.draw_delay(of);
  if (fate.is_lost) {
    ++shared_.counts.lost;
    comments.emplace_back("the relay loses it");
    return fate;
  }
  if (fate.is_doubled) {
    ++shared_.counts.doubled;
    comments.emplace_back("the relay sends it twice");
  }
  if (fate.is_held_back) {
    ++shared_.counts.held_back;
    comments.emplace_back("the relay holds it back");
  }
  return fate;
}

// Copies the octets if the datagram has to wait, since the next receive overwrites them. A datagram that a trigger
// delays may be overtaken.
void UdpRelay::pass(const FlowHandle& flow, bool from_initiator, Octets octets, const Fate& fate, Instant delay) {
  if (fate.is_lost) return;
  const bool may_be_overtaken = fate.is_held_back || delay > Instant{0};
  const Instant held = fate.is_held_back ? shared_.plan.network_faults.held_back : Instant{0};
  put(flow, from_initiator, octets, fate.first + held + delay, may_be_overtaken);
  if (fate.is_doubled) put(flow, from_initiator, octets, fate.second + delay, delay > Instant{0});
}

void UdpRelay::put(const FlowHandle& flow, bool from_initiator, Octets octets, Instant delay, bool may_be_overtaken) {
  const auto now = Clock::now();
  Clock::time_point& last = flow->last_arrival[from_initiator];
  const auto due = may_be_overtaken ? now + delay : std::max(now + delay, last);
  if (!may_be_overtaken) last = due;
  if (due <= now) return deliver(flow, from_initiator, octets);
  if (held_octets_ + octets.size() > kMostHeld) {
    flow->remarks[from_initiator].emplace_back("the relay lost the datagram before: too many are on their way");
    return;
  }
  held_octets_ += octets.size();
  in_flight_.push({due, order_++, flow, from_initiator, OctetBuffer(octets.begin(), octets.end())});
  await_due();
}

void UdpRelay::await_due() {
  if (in_flight_.empty()) return;
  timer_.expires_at(in_flight_.top().due);
  timer_.async_wait([this](const Code& code) {
    if (!code) deliver_due();
  });
}

void UdpRelay::deliver_due() {
  while (!in_flight_.empty() && in_flight_.top().due <= Clock::now()) {
    const InFlight one = in_flight_.top();
    in_flight_.pop();
    held_octets_ -= one.octets.size();
    deliver(one.flow, one.from_initiator, one.octets);
  }
  await_due();
}

asio::error_code UdpRelay::send(Flow& flow, bool from_initiator, Octets octets) {
  Code code;
  if (from_initiator)
    flow.far.send(asio::buffer(octets.data(), octets.size()), 0, code);
  else
    near_.send_to(asio::buffer(octets.data(), octets.size()), asio_endpoint<udp>(flow.initiator), 0, code);
  return code;
}

void UdpRelay::deliver(const FlowHandle& flow, bool from_initiator, Octets octets) {
  Code code = send(*flow, from_initiator, octets);
  if (code == asio::error::connection_refused) {  // the error is from an earlier datagram; this one was not sent
    refused(*flow, code.message());
    code = send(*flow, from_initiator, octets);
  }
  last_passed_ = Clock::now();
  if (code) {
    flow->remarks[from_initiator].push_back(
        fmt::format("the relay could not send on an earlier datagram: {}", code.message()));
    return;
  }
  const std::vector<std::string> comments = std::exchange(flow->remarks[!from_initiator], {});
  if (from_initiator)
    shared_.recording.datagram(flow->local, shared_.to, octets, comments);
  else
    shared_.recording.datagram(listens_, flow->initiator, octets, comments);
}

}  // namespace wirelaw
