// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/roce/roce.h"
#include "harness/check/flow_ends.h"
#include "reference/roce/packet.h"

namespace wirelaw {
namespace {

// Memory for each waiting segment, besides its octets.
constexpr std::size_t kSegmentCost = 256;

Message message_of(const pcap::Datagram& datagram, const Flow& flow, bool has_headers) {
  constexpr std::uint16_t kMost = std::numeric_limits<std::uint8_t>::max();
  return {.octets = datagram.payload,
          .wire_length = datagram.wire_length,
          .sender = is_same(datagram.source, flow.a) ? Side::a : Side::b,
          .index = flow.messages,
          .frame = datagram.frame,
          .frame_offset = datagram.frame_offset,
          .time_ns = datagram.time_ns,
          .ip_version = has_headers ? datagram.ip_version : std::uint8_t{0},
          .ip_header_octets =
              has_headers ? static_cast<std::uint8_t>(std::min(datagram.ip_header_octets, kMost)) : std::uint8_t{0},
          .order_unknown = datagram.order_unknown,
          .headers = has_headers ? datagram.headers : Octets()};
}

}  // namespace

const Catalogue& catalogue_for(const Protocol* protocol) {
  if (protocol) {
    static std::map<const Protocol*, Catalogue> catalogues;  // a stack has the rules of all its protocols
    if (const auto known = catalogues.find(protocol); known != catalogues.end()) return known->second;
    return catalogues.emplace(protocol, catalogue_of_stack(*protocol, protocols())).first->second;
  }
  static const Catalogue kAll = [] {
    std::vector<RuleList> lists;
    for (const Protocol* one : protocols()) lists.push_back(one->catalogue().rules());
    return Catalogue(std::span<const RuleList>(lists));
  }();
  return kAll;
}

Checker::Checker(CheckOptions options) : Checker(options, captured_protocols(), catalogue_for(options.protocol)) {}

Checker::Checker(CheckOptions options, std::span<const Protocol* const> protocols, const Catalogue& catalogue)
    : options_(std::move(options)),
      protocols_(protocols),
      judge_(catalogue, options_.judge),
      table_(options_.limits.live_flows),
      roce_(std::ranges::find(protocols, &roce::kProtocol) == protocols.end() ? nullptr : &roce::kProtocol),
      too_many_(fmt::format("ended early to make room: more than {} flows at once", options_.limits.live_flows)),
      too_much_(fmt::format("ended early to make room: the state of all flows exceeded {} MiB",
                            options_.limits.flow_octets >> 20)) {
  judge_.select(options_.rules);
  for (const Protocol* one : protocols)
    if (selects(*one)) wanted_.push_back(one);
}

void Checker::begin_file(const CaptureNote& note, Completeness completeness, std::uint64_t place) {
  note_ = note;
  forget_associations(false);
  most_associations_ = 0;
  step_ = std::max(step_, place << kStepBits);
  most_memory_ = 0;
  cut_packets_ = 0;
  may_have_two_clocks_ = false;
  queue_pairs_ = {};
  loads_.assign(options_.part.of, {});
  parts_of_nodes_.clear();
  first_of_file_ = listed_.size();
  now_ns_ = 0;
  judge_.begin_source(completeness);
  select_rules();
}

// Selects the rules that the user asked for. If the layers below the protocol are synthetic, keeps only rules of the
// protocol.
void Checker::select_rules() {
  const bool narrows = note_.synthetic_below && note_.protocol != nullptr;
  if (std::exchange(narrowed_, narrows)) judge_.select(options_.rules);
  if (narrows) judge_.narrow_to(note_.protocol->catalogue().rules());
}

void Checker::begin_case() {
  finish_early();
  for (Flow* flow : table_.in_order()) close_flow(*flow, {});
  most_associations_ = associations();
  forget_associations(true);
}

void Checker::forget_associations(bool is_of_case) {
  for (Associations& one : associations_) {
    one.clear();
    one.set_of_case(is_of_case);
  }
}

inline void note_carriers(Flow& flow, const pcap::Carriers* carriers) {
  if (carriers != nullptr && flow.carriers.empty()) [[unlikely]]
    flow.carriers = carriers->text();
}

template <class Packet>
void note_cut(Flow& flow, const Packet& packet) {
  if (packet.payload.size() < packet.wire_length) [[unlikely]]
    ++flow.cut;
}

inline const Flow& Checker::take_datagram(pcap::Transport transport, const pcap::Datagram& datagram) {
  Flow* const known = table_.find(transport, datagram.source, datagram.destination, leg_of(datagram));
  Flow& flow = known ? *known : open_flow(transport, datagram.source, datagram.destination, place_of(datagram));
  note_carriers(flow, datagram.carriers);
  note_cut(flow, datagram);
  if (known == nullptr) flow.interface = datagram.interface;
  may_have_two_clocks_ |= transport == pcap::Transport::udp && !note_.has_legs &&
                          flow.interface != datagram.interface && datagram.interface != pcap::kUnknownInterface;
  const Message message = message_of(datagram, flow, !note_.synthetic_headers);
  if (!flow.judged.is_observed() && flow.skipped.empty()) [[unlikely]] {
    if (datagram.dissector.empty())
      recognise(flow, message);
    else
      recognise_named(flow, datagram.dissector);
  }
  ++flow.messages;
  flow.octets += message.wire_length;
  if (flow.is_loaded) loads_[flow.part].octets += message.wire_length;
  if (!flow.judged.is_observed()) return flow;
  if (is_foreign(flow, datagram)) [[unlikely]] {
    ++flow.foreign;
    return flow;
  }
  enter(flow);
  flow.judged.observe(message, judge_);
  ++judged_;
  flow.unasked_octets += message.octets.size();
  if (flow.unasked_octets >= pace_) keep_budget(flow);
  return flow;
}

const Flow& Checker::take(const pcap::Datagram& datagram) {
  step();
  now_ns_ = std::max(now_ns_, datagram.time_ns);
  if (datagram.destination.port == roce::kPort && is_roce(datagram)) [[unlikely]]
    return take_roce(datagram);
  return take_datagram(datagram.is_pdu ? pcap::Transport::pdu : pcap::Transport::udp, datagram);
}

const Flow& Checker::take_roce(const pcap::Datagram& datagram) {
  pcap::QueuePairs& pairs = queue_pairs_[leg_of(datagram)];
  pairs.expire(datagram.time_ns);
  take_released(pairs);
  const pcap::RoceRoute route = pairs.route(datagram);
  while (pairs.has_older()) [[unlikely]] {
      const pcap::ReleasedDatagram released = pairs.take_released();
      take_routed(released.packet.datagram, released.route);
    }
  follow(route, datagram);
  take_released(pairs);
  if (route.waits) [[unlikely]]
    return flow_of_managers(datagram);
  return take_routed(datagram, route);
}

// Takes the packets of queue pairs that have waited for the messages that open their connection.
void Checker::take_released(pcap::QueuePairs& pairs) {
  while (pairs.has_released()) [[unlikely]] {
      const pcap::ReleasedDatagram released = pairs.take_released();
      follow(released.route, released.packet.datagram);
      take_routed(released.packet.datagram, released.route);
    }
}

// Ends and opens flows as the datagram demands.
void Checker::follow(const pcap::RoceRoute& route, const pcap::Datagram& datagram) {
  const std::uint8_t leg = leg_of(datagram);
  const auto close = [&](const pcap::QueuePair& pair, std::string_view reason) {
    if (Flow* const flow = table_.find(pcap::Transport::roce, pair.source, pair.destination, leg))
      close_flow(*flow, reason);
  };
  if (route.abandons) close(*route.abandons, "its packets were then seen to be of a connection that is listed too");
  if (!route.about) return;
  if (route.request != nullptr) {
    close(*route.about, {});  // these queue pairs had another
    tell(*route.request, {route.about->destination, route.about->source});
  }
  tell(route.reply != nullptr ? *route.reply : datagram, *route.about);
  if (route.late_ns > 0)
    if (Flow* const flow = table_.find(pcap::Transport::roce, route.about->source, route.about->destination, leg))
      note_clocks(*flow, datagram, route.late_ns);
}

const Flow& Checker::take_routed(const pcap::Datagram& datagram, const pcap::RoceRoute& route) {
  step();
  pcap::Datagram one = datagram;
  one.source = route.flow.source;
  one.destination = route.flow.destination;
  const Flow& flow = take_datagram(pcap::Transport::roce, one);
  if (route.late_ns > 0 && !route.about) [[unlikely]]
    if (Flow* const late = table_.find(pcap::Transport::roce, one.source, one.destination, leg_of(one)))
      note_clocks(*late, datagram, route.late_ns);
  return flow;
}

// Keeps the greatest difference.
void Checker::note_clocks(Flow& flow, const pcap::Datagram& datagram, std::int64_t late_ns) {
  const std::int64_t late_us = late_ns / 1000;
  if (late_us <= 0 || (flow.late && flow.late->flaw.have >= late_us)) return;
  const auto shown =
      static_cast<std::size_t>(std::min<std::int64_t>(late_us, std::numeric_limits<std::uint32_t>::max()));
  flow.late = pcap::TcpFlaw{.frame = datagram.frame,
                            .from_a = is_same(datagram.source, flow.a),
                            .flaw = pcap::flaw(pcap::Fault::roce_two_clocks, datagram.frame_offset, shown)};
}

// The flow between the Communication Managers of the two hosts. A packet that waits is shown there.
const Flow& Checker::flow_of_managers(const pcap::Datagram& datagram) {
  const pcap::Endpoint from{datagram.source.address, roce::kManagementQpn};
  const pcap::Endpoint to{datagram.destination.address, roce::kManagementQpn};
  Flow* const known = table_.find(pcap::Transport::roce, from, to, leg_of(datagram));
  return known != nullptr ? *known : open_flow(pcap::Transport::roce, from, to, place_of(datagram));
}

void Checker::finish_early() {
  for (pcap::QueuePairs& pairs : queue_pairs_) {
    pairs.finish();
    take_released(pairs);
  }
}

std::uint64_t Checker::unnamed_packets() const {
  std::uint64_t count = 0;
  for (const pcap::QueuePairs& pairs : queue_pairs_) count += pairs.unnamed();
  return count;
}

void Checker::tell(const pcap::Datagram& datagram, const pcap::QueuePair& pair) {
  pcap::Datagram one = datagram;
  one.source = pair.source;
  one.destination = pair.destination;
  Flow* const known = table_.find(pcap::Transport::roce, pair.source, pair.destination, leg_of(one));
  Flow& flow = known ? *known : open_flow(pcap::Transport::roce, pair.source, pair.destination, place_of(one));
  step();
  if (!flow.judged.is_observed()) return;
  enter(flow);
  flow.judged.observe(message_of(one, flow, !note_.synthetic_headers), judge_);
}

const Flow& Checker::take(const pcap::Segment& segment) {
  step();
  now_ns_ = std::max(now_ns_, segment.time_ns);
  const auto open = [&]() -> Flow& {
    // The side that answers a SYN did not open the connection.
    const bool answers = segment.flags.syn() && segment.flags.ack();
    const auto& [from, to] =
        answers ? std::tie(segment.destination, segment.source) : std::tie(segment.source, segment.destination);
    return open_flow(pcap::Transport::tcp, from, to, place_of(segment), segment.flags.syn());
  };
  Flow* const known = table_.find(pcap::Transport::tcp, segment.source, segment.destination, leg_of(segment));
  Flow* flow = known ? known : &open();
  if (!feed(*flow, segment)) {
    close_flow(*flow, {});
    flow = &open();
    feed(*flow, segment);
  }
  if (flow->is_loaded) loads_[flow->part].octets += segment.payload.size();
  flow->unasked_octets += segment.payload.size() + kSegmentCost;
  if (flow->unasked_octets >= pace_) keep_budget(*flow);
  return *flow;
}

// A relay has shut its window where it reads octets long after they were sent, since the other side takes none. Then
// neither the order of both directions nor the time of an answer is known.
void note_late(Flow& flow) {
  for (const Side side : {Side::a, Side::b})
    if (flow.tcp->connection.held_until_ns(side) != 0) flow.judged.miss("the time of octets that the relay read late");
}

// Returns false if the segment belongs to another connection.
bool Checker::feed(Flow& flow, const pcap::Segment& segment) {
  note_carriers(flow, segment.carriers);
  note_cut(flow, segment);
  pcap::TcpConnection& connection = flow.tcp->connection;
  const bool known = connection.take(segment, is_same(segment.source, flow.a),
                                     [&](const StreamPiece& piece) { take_piece(flow, piece); });
  if (note_.is_of_relay()) note_late(flow);
  if (connection.over()) [[unlikely]] {
    conclude(flow);
    if (flow.judged.is_observed()) end_observer(flow);
    measure(flow);  // the connection has freed what it held
  }
  return known;
}

void Checker::take_piece(Flow& flow, const StreamPiece& piece) {
  // A stream that begins with its protocol is judged from its first octet. With synthetic headers, acknowledgments are
  // not passed on, because they do not show what the other program has received.
  StreamPiece found = piece;
  found.from_start &= !flow.tcp->cut[piece.sender == Side::b];
  found.from_start |= flow.tcp->begun_at_key;
  if (note_.synthetic_headers) {
    if (!note_.says_segments) found.mss = 0;
    found.received = 0;
  }
  flow.octets += piece.octets.size();
  if (flow.judged.is_observed()) [[likely]] {
    enter(flow);
    flow.judged.observe(found, judge_);
  } else if (flow.tcp->search) {
    search(flow, found);
  }
}

Flow& Checker::open_flow(pcap::Transport transport, const pcap::Endpoint& a, const pcap::Endpoint& b,
                         const FlowPlace& place, bool b_was_asked) {
  if (table_.full()) make_room(too_many_);
  Flow& flow = table_.add(transport, a, b, place.leg);
  set_pace();
  flow.judged.set_number(++flows_);
  choose_sides(flow, place);
  if (transport == pcap::Transport::tcp) {
    flow.tcp = std::make_unique<TcpFlow>(options_.limits.tcp);
    (note_.is_of_relay() ? kinds_.relayed_tcp : kinds_.direct_tcp) = true;
  }
  flow.b_was_asked = b_was_asked;
  if (!flow.skipped.empty()) return flow;
  if (const Protocol* const protocol = settled_protocol(flow)) {
    assign(flow, *protocol);
    return flow;
  }
  flow.by_port = protocol_of_port(flow);
  flow.to_port = flow.by_port && b_was_asked && has_assigned_port(*flow.by_port, transport, flow.b.port);
  if (flow.tcp) flow.tcp->search = std::make_unique<StreamSearch>(flow.to_port, carrier_of_port(flow));
  return flow;
}

void Checker::choose_sides(Flow& flow, const FlowPlace& place) {
  const std::optional<IutAddress>& iut = options_.iut ? options_.iut : note_.iut;
  Judged judged;
  if (iut) judged = {.a = iut->is(flow.a), .b = iut->is(flow.b)};
  // A relay has both: its flows are those with the implementation that it dials, and those that are made to it.
  const bool has_iut = iut && (judged.a || judged.b);
  if (!options_.iut && note_.tester && !has_iut)
    judged = {.a = note_.tester->is(flow.b), .b = note_.tester->is(flow.a)};
  // A recording has only flows of the run. A flow with neither address of the note was begun by the IUT.
  if (!options_.iut && note_.synthetic_headers && !judged.a && !judged.b) judged.a = true;
  if (place.peer) {
    judged.a &= *place.peer == flow.a;
    judged.b &= *place.peer == flow.b;
  }
  flow.judged.name_sides(word_of(flow.transport), name_of(flow.a, flow.transport), name_of(flow.b, flow.transport),
                         judged);
  kinds_.one_sided |= !judged.a || !judged.b;
  if (judged.a || judged.b)
    iut_seen_ = true;
  else
    flow.skipped = "not judged: neither end is the implementation under test";
}

void Checker::measure(Flow& flow) {
  std::size_t now = flow.judged.memory() + (flow.tcp ? flow.tcp->connection.memory() : 0);
  if (flow.tcp && flow.tcp->search) now += flow.tcp->search->memory();
  if (flow.held) now += flow.held->octets;
  memory_ += now - flow.memory;
  most_memory_ = std::max(most_memory_, memory_);
  flow.memory = now;
  flow.unasked_octets = 0;
}

void Checker::keep_budget(Flow& flow) {
  measure(flow);
  while (memory_ > options_.limits.flow_octets && table_.oldest() != &flow) make_room(too_much_);
}

// Ends the least recently used flow. Ending a connection that is over loses nothing.
void Checker::make_room(std::string_view reason) {
  Flow& oldest = *table_.oldest();
  const bool over = oldest.tcp && oldest.tcp->connection.over();
  close_flow(oldest, over ? std::string_view() : reason);
}

// A flow may outlive its observer: octets after the end of a connection belong to no other flow.
void Checker::end_observer(Flow& flow) {
  enter(flow);
  judge_.set_now(now_ns_);
  if (flow.tcp)
    for (const Side side : {Side::a, Side::b}) flow.judged.hold(side, flow.tcp->connection.held_until_ns(side));
  flow.judged.finish(judge_);
  if (flow.tcp) {
    flow.messages = flow.judged.stream_messages();
    judged_ += flow.messages;
  }
}

void Checker::close_flow(Flow& flow, std::string_view reason) {
  step();
  if (flow.tcp) {
    flow.tcp->connection.finish([&](const StreamPiece& piece) { take_piece(flow, piece); });
    for (const pcap::TcpFlaw& flaw : flow.tcp->connection.flaws())
      if (report_) report_(flaw);
  }
  if (flow.late && report_) report_(*flow.late);
  conclude(flow);
  if (flow.judged.is_observed()) end_observer(flow);
  memory_ -= flow.memory;
  current_ = nullptr;
  list(flow, reason);
  table_.remove(flow);
  set_pace();
  step();
}

// The growth of all flows since their memory was last measured is a small part of the budget.
void Checker::set_pace() {
  const std::size_t share = options_.limits.flow_octets / 8 / std::max<std::size_t>(table_.size(), 1);
  pace_ = std::max(options_.limits.octets_between_checks, share);
}

void Checker::end_file(Completeness completeness) {
  finish_early();
  for (Flow* flow : table_.in_order()) close_flow(*flow, {});
  judge_.end_source(completeness);
  for (std::size_t at = first_of_file_; at < listed_.size(); ++at) settle(listed_[at], completeness);
}

}  // namespace wirelaw
