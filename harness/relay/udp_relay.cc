// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/udp_relay.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/relay/datagram_socket.h"
#include "harness/transports/asio_address.h"

namespace wirelaw {
namespace {

using asio::ip::udp;
using Code = asio::error_code;

constexpr std::chrono::seconds kIdle{60};
constexpr std::chrono::seconds kMayGiveWay{1};
constexpr unsigned kAtOnce = 64;  // datagrams that are read from one socket before the next socket

bool is_transient(const Code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

}  // namespace

UdpRelay::UdpRelay(udp::socket& near, UdpRelayContext shared, std::size_t most)
    : near_(near), shared_(std::move(shared)), most_(most), network_(shared_.context, shared_.plan, shared_.counts) {
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
    const ReceivedDatagram received = receive_datagram(near_, shared_.buffer, dropped_, code);
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
    const ReceivedDatagram received = receive_datagram(flow->far, shared_.buffer, flow->dropped, code);
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
    const PlayedNetwork::Fate fate = network_.draw_fate(flow->dice[from_initiator], comments);
    record_arrival(*flow, from_initiator, octets, comments);
    return pass(flow, from_initiator, octets, fate, {});
  }
  script::Passing passing = flow->faults->datagram(from_initiator ? Side::a : Side::b, octets);
  for (std::string& one : take_played(passing, shared_.counts)) comments.push_back(std::move(one));
  std::vector<PlayedNetwork::Fate> fates;
  for (std::size_t i = 0; i < passing.copies.size(); ++i)
    fates.push_back(network_.draw_fate(flow->dice[from_initiator], comments));
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

// A datagram in flight may outlive the flow's entry in the table.
void UdpRelay::pass(const FlowHandle& flow, bool from_initiator, Octets octets, const PlayedNetwork::Fate& fate,
                    Instant delay) {
  const bool has_room =
      network_.pass(octets, fate, delay, flow->last_arrival[from_initiator],
                    [this, flow, from_initiator](Octets arrived) { deliver(flow, from_initiator, arrived); });
  if (!has_room)
    flow->remarks[from_initiator].emplace_back("the relay lost the datagram before: too many are on their way");
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
