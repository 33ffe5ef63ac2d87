// SPDX-License-Identifier: Apache-2.0
// Finds the protocol of a flow: the user's choice, proof by content, or suggestion by a port.
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

// True if it is judged, or may carry a protocol that is.
bool Checker::selects(const Protocol& protocol) const {
  if (!options_.protocol) return true;
  const auto bases = bases_of(*options_.protocol, protocols_);
  return std::ranges::find(bases, &protocol) != bases.end();
}

// The lowest protocol of the stack that carries `protocol` in such a flow.
const Protocol* Checker::base_for(const Protocol& protocol, pcap::Transport transport) const {
  if (protocol.above.empty()) return &protocol;  // nearly always; bases_of() makes lists
  for (const Protocol* base : bases_of(protocol, protocols_))
    if (is_carried_by(*base, transport)) return base;
  return &base_of(protocol, protocols_);
}

// Decides by the assigned port, unless the user or the file states another protocol.
bool Checker::is_roce(const pcap::Datagram& datagram) const {
  const auto says_otherwise = [&](const DecodeAs& one) {
    const bool this_flow = one.transport == pcap::Transport::udp &&
                           (one.port == datagram.source.port || one.port == datagram.destination.port);
    return this_flow && !carries(*one.protocol, protocols_, pcap::Transport::roce);
  };
  return roce_ != nullptr && (note_.protocol == nullptr || note_.has_legs) && pcap::is_roce(datagram) &&
         std::ranges::none_of(options_.decode_as, says_otherwise);
}

const Protocol* Checker::settled_protocol(const Flow& flow) const {
  const bool has_no_connection =
      flow.transport == pcap::Transport::roce && std::min(flow.a.port, flow.b.port) <= roce::kManagementQpn;
  if (has_no_connection) return roce_;
  for (const DecodeAs& one : options_.decode_as)
    if (one.transport == port_of(flow.transport) && has_port(flow, one.port)) return one.protocol;
  if (flow.transport == pcap::Transport::roce) return roce_;
  if (note_.has_legs && !(note_.port && has_port(flow, *note_.port))) return nullptr;
  return note_.protocol && carries(*note_.protocol, protocols_, flow.transport) ? note_.protocol : nullptr;
}

bool has_assigned_port(const Protocol& protocol, pcap::Transport transport, std::uint32_t port) {
  const auto is_of = [&](std::span<const std::uint16_t> ports) {
    return std::ranges::find(ports, port) != ports.end();
  };
  return (transport == pcap::Transport::udp && protocol.datagrams && is_of(protocol.datagrams->ports)) ||
         (transport == pcap::Transport::tcp && protocol.streams && is_of(protocol.streams->ports));
}

const Protocol* Checker::protocol_of_port(const Flow& flow) const {
  for (const Protocol* one : wanted_)
    if (has_assigned_port(*one, flow.transport, flow.a.port) || has_assigned_port(*one, flow.transport, flow.b.port))
      return one;
  return nullptr;
}

// The lowest protocol of a connection, one of whose ports is assigned to a protocol. nullptr if there is none.
const Protocol* Checker::carrier_of_port(const Flow& flow) const {
  for (const Protocol* protocol : wanted_)
    for (const Above& row : protocol->above)
      for (const Protocol* base : wanted_)
        if (base->name == row.protocol && base->streams && std::ranges::any_of(row.ports, [&](std::uint32_t port) {
              return flow.a.port == port || flow.b.port == port;
            }))
          return base;
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
  if (flow.by_port->datagrams->weigh) return weigh_datagram(flow, message);
  const Protocol& assigned = *std::exchange(flow.by_port, nullptr);
  if (assigned.datagrams->plausible && assigned.datagrams->plausible(message))
    assign(flow, assigned);
  else
    flow.port_lies = &assigned;
}

// Decides from all first datagrams if the port is misleading. The present one is not judged here.
void Checker::weigh_datagram(Flow& flow, const Message& message) {
  if (!flow.held) flow.held = std::make_unique<HeldDatagrams>();
  flow.held->add(message);
  const Protocol& assigned = *flow.by_port;
  const Plausible is = weigh_held(flow, flow.held->is_full());
  if (is == Plausible::undecided && !flow.held->is_full()) return;
  flow.by_port = nullptr;
  if (is == Plausible::yes) {
    assign(flow, assigned);
    observe_held(flow, flow.held->all.size() - 1);
  } else {
    flow.port_lies = &assigned;
  }
  flow.held.reset();
}

Plausible Checker::weigh_held(const Flow& flow, bool is_all) const {
  std::vector<Head> heads;
  for (const HeldDatagrams::One& one : flow.held->all)
    if (!one.message.is_cut()) heads.push_back({.sender = one.message.sender, .octets = one.octets});
  return flow.by_port->datagrams->weigh({.heads = heads, .to_port = flow.to_port, .is_all = is_all});
}

void Checker::observe_held(Flow& flow, std::size_t count) {
  if (!flow.judged.is_observed()) return;
  enter(flow);
  for (HeldDatagrams::One& one : std::span(flow.held->all).first(count)) {
    one.message.octets = one.octets;
    one.message.headers = one.headers;
    flow.judged.observe(one.message, judge_);
    ++judged_;
  }
}

// The flow is at its end: a port that is not decided yet is believed, or not, by what there is.
void Checker::conclude(Flow& flow) {
  if (flow.judged.is_observed() || !flow.skipped.empty() || !flow.by_port) return;
  const Protocol* const assigned = flow.by_port;
  if (flow.held && weigh_held(flow, true) == Plausible::yes) {
    assign(flow, *assigned);
    observe_held(flow, flow.held->all.size());
  } else if (flow.tcp && flow.tcp->search) {
    if (const auto beginning = flow.tcp->search->finish(flow.by_port)) begin_stream(flow, *beginning, nullptr);
  }
  flow.held.reset();
  if (!flow.judged.is_observed() && flow.skipped.empty()) flow.port_lies = assigned;
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
  begin_stream(flow, *beginning, &piece);
}

// `piece`: the present one, which is not among those that were held; nullptr at the end of the flow.
void Checker::begin_stream(Flow& flow, const StreamSearch::Beginning& beginning, const StreamPiece* piece) {
  TcpFlow& tcp = *flow.tcp;
  flow.passed_over = beginning.passed_over;
  tcp.begun_at_key = beginning.proven;
  tcp.cut = beginning.cut;
  const std::unique_ptr<StreamSearch> search = std::move(tcp.search);  // held pieces belong to the search
  assign(flow, *beginning.protocol);
  if (!flow.judged.is_observed()) return;
  enter(flow);
  const auto observe = [&](StreamPiece known) {
    known.from_start = tcp.begun_at_key || (known.from_start && !tcp.cut[known.sender == Side::b]);
    flow.judged.observe(known, judge_);
  };
  for (const Side side : {Side::a, Side::b})
    if (const auto& opened = search->opened(side)) observe(*opened);
  for (const StreamPiece& held : beginning.held) observe(held);
  if (piece == nullptr) return;
  StreamPiece rest = *piece;
  rest.octets = piece->octets.subspan(beginning.skip);
  rest.offset += beginning.skip;
  observe(rest);
}

// Nothing of it will be judged. It is only followed to see when other connections use its ports.
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
  if (!options_.complete && !is_recording) flow.judged.doubt_one_direction();
  // A recording names its peer. A script is judged like a capture of its nodes.
  const bool has_peer = (note_.iut || note_.tester) && !note_.says_segments;
  if (Associations& all = associations_[flow.leg]; !has_peer || all.is_of_case()) flow.judged.join(all);
  flow.unasked_octets = pace_;  // measures the memory with the first message
}

}  // namespace wirelaw
