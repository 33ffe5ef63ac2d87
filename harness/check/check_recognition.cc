// SPDX-License-Identifier: Apache-2.0
// What protocol a flow is: what the user says, what its content proves, or what its port suggests.
#include <algorithm>
#include <utility>

#include "conformance/roce/roce.h"
#include "harness/check/check.h"
#include "harness/check/dissector.h"
#include "harness/check/flow_ends.h"
#include "reference/roce/packet.h"

namespace wirelaw {
namespace {

// A name that a capture gives, which may hold anything.
std::string kept(std::string_view dissector) {
  constexpr std::size_t kMost = 64;
  std::string name(dissector.substr(0, kMost));
  std::ranges::replace_if(
      name, [](char c) { return c < 0x21 || c > 0x7e || c == '\''; }, '?');
  return name;
}

}  // namespace

// Whether it is judged, or may have on it what is.
bool Checker::selects(const Protocol& protocol) const {
  if (!options_.protocol) return true;
  const auto bases = bases_of(*options_.protocol, protocols_);
  return std::ranges::find(bases, &protocol) != bases.end();
}

// What `protocol` stands on in such a flow.
const Protocol* Checker::base_for(const Protocol& protocol, pcap::Transport transport) const {
  if (protocol.above.empty()) return &protocol;  // nearly always; bases_of() makes lists
  for (const Protocol* base : bases_of(protocol, protocols_))
    if (is_carried_by(*base, transport)) return base;
  return &base_of(protocol, protocols_);
}

// By the port that is assigned, unless the user or the file knows better.
bool Checker::is_roce(const pcap::Datagram& datagram) const {
  const auto says_otherwise = [&](const DecodeAs& one) {
    const bool this_flow = one.transport == pcap::Transport::udp &&
                           (one.port == datagram.source.port || one.port == datagram.destination.port);
    return this_flow && !carries(*one.protocol, protocols_, pcap::Transport::roce);
  };
  return roce_ != nullptr && note_.protocol == nullptr && pcap::is_roce(datagram) &&
         std::ranges::none_of(options_.decode_as, says_otherwise);
}

const Protocol* Checker::settled_protocol(const Flow& flow) const {
  const bool has_no_connection =
      flow.transport == pcap::Transport::roce && std::min(flow.a.port, flow.b.port) <= roce::kManagementQpn;
  if (has_no_connection) return roce_;
  for (const DecodeAs& one : options_.decode_as)
    if (one.transport == port_of(flow.transport) && has_port(flow, one.port)) return one.protocol;
  if (flow.transport == pcap::Transport::roce) return roce_;
  return note_.protocol && carries(*note_.protocol, protocols_, flow.transport) ? note_.protocol : nullptr;
}

const Protocol* Checker::protocol_of_port(const Flow& flow) const {
  const auto is_assigned = [&](std::span<const std::uint16_t> ports) {
    return std::ranges::any_of(ports, [&](std::uint16_t port) { return port == flow.a.port || port == flow.b.port; });
  };
  for (const Protocol* one : wanted_) {
    if (flow.transport == pcap::Transport::udp && one->datagrams && is_assigned(one->datagrams->ports)) return one;
    if (flow.transport == pcap::Transport::tcp && one->streams && is_assigned(one->streams->ports)) return one;
  }
  return nullptr;
}

void Checker::recognise(Flow& flow, const Message& message) {
  if (flow.messages >= options_.limits.recognition_messages) return;
  for (const Protocol* protocol : wanted_) {
    if (!protocol->datagrams || !protocol->datagrams->recognises || !protocol->datagrams->recognises(message)) continue;
    flow.passed_over = flow.messages;
    if (flow.transport == pcap::Transport::pdu) flow.dissector = dissector_of(*protocol);
    assign(flow, *protocol);
    return;
  }
  if (!flow.by_port) return;
  const Protocol& assigned = *std::exchange(flow.by_port, nullptr);
  if (assigned.datagrams->plausible && assigned.datagrams->plausible(message))
    assign(flow, assigned);
  else
    flow.port_lies = &assigned;
}

// The capture says what it is; content is not asked.
void Checker::recognise_named(Flow& flow, std::string_view dissector) {
  const Protocol* const protocol = find_by_dissector(protocols_, dissector);
  if (protocol == nullptr || !carries(*protocol, protocols_, pcap::Transport::pdu)) {
    if (flow.dissector.empty()) flow.dissector = kept(dissector);
    return;
  }
  flow.dissector = dissector;
  flow.passed_over = flow.messages;
  assign(flow, *protocol);
}

void Checker::search(Flow& flow, const StreamPiece& piece) {
  TcpFlow& tcp = *flow.tcp;
  const Protocol* const assigned = flow.by_port;
  const auto beginning = tcp.search->take(piece, wanted_, flow.by_port);
  if (!beginning) {
    if (!flow.by_port && assigned) flow.port_lies = assigned;
    if (tcp.search->octets() >= options_.limits.recognition_octets) give_up_search(flow);
    return;
  }
  flow.passed_over = beginning->passed_over;
  // A key begins a protocol; instructions that are recognised, with a port or without, may be anywhere in a stream.
  // Only the handshake shows then where it begins.
  const bool is_key = beginning->protocol->streams->plausible == nullptr;
  tcp.begun_at_key = is_key;
  assign(flow, *beginning->protocol);
  if (!flow.judged.is_observed()) return;
  enter(flow);
  const auto observe = [&](StreamPiece known) {
    known.from_start |= is_key;
    flow.judged.observe(known, judge_);
  };
  for (const Side side : {Side::a, Side::b})
    if (const auto& opened = tcp.search->opened(side)) observe(*opened);
  for (const StreamPiece& held : beginning->held) observe(held);
  StreamPiece rest = piece;
  rest.octets = piece.octets.subspan(beginning->skip);
  rest.offset += beginning->skip;
  observe(rest);
  tcp.search.reset();
}

// Nothing of it will be judged: what is left is to know when other connections take its ports.
void Checker::give_up_search(Flow& flow) {
  flow.tcp->search.reset();
}

void Checker::assign(Flow& flow, const Protocol& protocol) {
  const Protocol& base = *base_for(protocol, flow.transport);
  if (!selects(base)) {
    flow.skipped = "not judged: --protocol selects another protocol";
    if (flow.tcp) flow.tcp->search.reset();
    return;
  }
  if (!is_ours(flow, &base)) {
    flow.skipped = "another share of the run has it";
    if (flow.tcp) flow.tcp->search.reset();
    return;
  }
  flow.by_port = nullptr;
  flow.judged.begin_on(base, protocol, protocols_,
                       {.features = options_.features.empty() ? note_.features : options_.features,
                        .revision = options_.revision.empty() ? note_.revision : options_.revision,
                        .may_double = flow.transport == pcap::Transport::udp,
                        .addresses = addresses_of(flow)},
                       options_.protocol);
  const bool is_recording = note_.iut || note_.tester || note_.protocol != nullptr;
  if (!is_recording || associations_.is_of_case()) flow.judged.join(associations_);
  flow.unasked_octets = pace_;  // asked with the first message
}

}  // namespace wirelaw
