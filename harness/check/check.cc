// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "conformance/roce/roce.h"
#include "harness/check/dissector.h"
#include "harness/check/flow_hash.h"
#include "harness/shard/join.h"
#include "harness/tested_role.h"
#include "reference/roce/packet.h"

namespace wirelaw {
namespace {

void add_note(std::string& notes, std::string_view note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += "; ";
  notes += note;
}

// "1 message", "2 messages"
std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A stream that begins with another protocol is the ordinary case where an upper layer switches; the first messages of
// a flow of datagrams are merely not known.
std::string passed_over_note(const Flow& flow) {
  const bool one = flow.passed_over == 1;
  if (flow.transport == pcap::Transport::tcp)
    return fmt::format("its first {} {} passed over, before {} began", counted(flow.passed_over, "octet"),
                       one ? "was" : "were", flow.judged.protocol()->name);
  return fmt::format("its first {} passed over, because no protocol was recognised in them",
                     one ? std::string("message was") : fmt::format("{} messages were", flow.passed_over));
}

// What is held for each segment that waits, besides its octets.
constexpr std::size_t kSegmentCost = 256;

// What Wireshark's users call the port: an exported PDU is read as a datagram.
constexpr pcap::Transport port_of(pcap::Transport transport) {
  return transport == pcap::Transport::tcp ? pcap::Transport::tcp : pcap::Transport::udp;
}

bool is_carried_by(const Protocol& base, pcap::Transport transport) {
  if ((&base == &roce::kProtocol) != (transport == pcap::Transport::roce)) return false;
  return transport == pcap::Transport::tcp ? base.streams.has_value() : base.datagrams.has_value();
}

// Whether such a flow may be this protocol, or what it stands on.
bool carries(const Protocol& protocol, std::span<const Protocol* const> known, pcap::Transport transport) {
  return std::ranges::any_of(bases_of(protocol, known),
                             [&](const Protocol* base) { return is_carried_by(*base, transport); });
}

bool has_port(const Flow& flow, std::uint16_t port) {
  return flow.transport == pcap::Transport::roce ? port == roce::kPort : port == flow.a.port || port == flow.b.port;
}

// Of queue pairs, which have no ports, the one that they share.
std::array<Endpoint, 2> addresses_of(const Flow& flow) {
  if (flow.transport != pcap::Transport::roce) return {flow.a, flow.b};
  return {Endpoint{flow.a.address, roce::kPort}, Endpoint{flow.b.address, roce::kPort}};
}

// As people call a queue pair; of one that is not known its address.
std::string name_of(const pcap::Endpoint& end, pcap::Transport transport) {
  const bool unknown = transport == pcap::Transport::roce && (end.port & pcap::kUnknownQueue) != 0;
  return unknown ? to_string(end.address) : to_string(end);
}

// A name that a capture gives, which may hold anything.
std::string kept(std::string_view dissector) {
  constexpr std::size_t kMost = 64;
  std::string name(dissector.substr(0, kMost));
  std::ranges::replace_if(
      name, [](char c) { return c < 0x21 || c > 0x7e || c == '\''; }, '?');
  return name;
}

std::string foreign_note(const Flow& flow) {
  return fmt::format("{} passed over, because the capture does not call {} {}",
                     flow.foreign == 1 ? std::string("1 message was") : fmt::format("{} messages were", flow.foreign),
                     flow.foreign == 1 ? "it" : "them", flow.dissector);
}

// Steps of one file.
constexpr unsigned kStepBits = 44;

RunPlace place_of(std::uint64_t step) {
  return {.input = step >> kStepBits, .step = step & ((std::uint64_t{1} << kStepBits) - 1)};
}

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
    static std::map<const Protocol*, Catalogue> catalogues;  // a stack has the rules of all that it is made of
    return catalogues.try_emplace(protocol, catalogue_of_stack(*protocol, protocols())).first->second;
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
  associations_.clear();
  associations_.set_of_case(false);
  most_associations_ = 0;
  step_ = std::max(step_, place << kStepBits);
  most_memory_ = 0;
  loads_.assign(options_.part.of, {});
  parts_of_nodes_.clear();
  first_of_file_ = listed_.size();
  now_ns_ = 0;
  judge_.begin_source(completeness);
}

void Checker::begin_case() {
  for (Flow* flow : table_.in_order()) close_flow(*flow, {});
  most_associations_ = associations();
  associations_.clear();
  associations_.set_of_case(true);
}

const Flow& Checker::take(const pcap::Datagram& datagram) {
  step();
  now_ns_ = std::max(now_ns_, datagram.time_ns);
  if (datagram.destination.port == roce::kPort && is_roce(datagram)) [[unlikely]]
    return take_roce(datagram);
  return take_datagram(datagram.is_pdu ? pcap::Transport::pdu : pcap::Transport::udp, datagram);
}

const Flow& Checker::take_datagram(pcap::Transport transport, const pcap::Datagram& datagram) {
  Flow* const known = table_.find(transport, datagram.source, datagram.destination);
  Flow& flow = known ? *known : open_flow(transport, datagram.source, datagram.destination);
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

const Flow& Checker::take_roce(const pcap::Datagram& datagram) {
  const pcap::RoceRoute route = queue_pairs_.route(datagram);
  const auto close = [&](const pcap::QueuePair& pair, std::string_view reason) {
    if (Flow* const flow = table_.find(pcap::Transport::roce, pair.source, pair.destination)) close_flow(*flow, reason);
  };
  if (route.abandons) close(*route.abandons, "its packets were then seen to be of a connection that is listed too");
  if (route.about) {
    if (route.request != nullptr) {
      close(*route.about, {});  // these queue pairs had another
      tell(*route.request, {route.about->destination, route.about->source});
    }
    tell(datagram, *route.about);
  }
  step();
  pcap::Datagram one = datagram;
  one.source = route.flow.source;
  one.destination = route.flow.destination;
  return take_datagram(pcap::Transport::roce, one);
}

void Checker::tell(const pcap::Datagram& datagram, const pcap::QueuePair& pair) {
  Flow* const known = table_.find(pcap::Transport::roce, pair.source, pair.destination);
  Flow& flow = known ? *known : open_flow(pcap::Transport::roce, pair.source, pair.destination);
  step();
  if (!flow.judged.is_observed()) return;
  pcap::Datagram one = datagram;
  one.source = pair.source;
  enter(flow);
  flow.judged.observe(message_of(one, flow, !note_.synthetic_headers), judge_);
}

const Flow& Checker::take(const pcap::Segment& segment) {
  step();
  now_ns_ = std::max(now_ns_, segment.time_ns);
  const auto open = [&]() -> Flow& {
    // Who answers a SYN has not made the connection.
    const bool answers = segment.flags.syn() && segment.flags.ack();
    return answers ? open_flow(pcap::Transport::tcp, segment.destination, segment.source)
                   : open_flow(pcap::Transport::tcp, segment.source, segment.destination);
  };
  Flow* const known = table_.find(pcap::Transport::tcp, segment.source, segment.destination);
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

// False where the segment is another connection's.
bool Checker::feed(Flow& flow, const pcap::Segment& segment) {
  pcap::TcpConnection& connection = flow.tcp->connection;
  const bool known = connection.take(segment, is_same(segment.source, flow.a),
                                     [&](const StreamPiece& piece) { take_piece(flow, piece); });
  if (connection.over() && flow.judged.is_observed()) [[unlikely]]
    end_observer(flow);
  return known;
}

void Checker::take_piece(Flow& flow, const StreamPiece& piece) {
  // A stream that begins where its protocol does has what matters from its start; of headers that were made up for a
  // capture nothing is passed on.
  StreamPiece found = piece;
  found.from_start |= flow.tcp->begun_at_key;
  if (note_.synthetic_headers) found.mss = 0;
  flow.octets += piece.octets.size();
  if (flow.judged.is_observed()) [[likely]] {
    enter(flow);
    flow.judged.observe(found, judge_);
  } else if (flow.tcp->search) {
    search(flow, found);
  }
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
  tcp.begun_at_key = true;
  assign(flow, *beginning->protocol);
  if (!flow.judged.is_observed()) return;
  enter(flow);
  const auto observe = [&](StreamPiece known) {
    known.from_start = true;
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

Flow& Checker::open_flow(pcap::Transport transport, const pcap::Endpoint& a, const pcap::Endpoint& b) {
  if (table_.full()) make_room(too_many_);
  Flow& flow = table_.add(transport, a, b);
  set_pace();
  flow.judged.set_number(++flows_);
  choose_sides(flow);
  if (transport == pcap::Transport::tcp) {
    flow.tcp = std::make_unique<TcpFlow>(options_.limits.tcp);
    if (flow.skipped.empty()) flow.tcp->search = std::make_unique<StreamSearch>();
  }
  if (!flow.skipped.empty()) return flow;
  if (const Protocol* const protocol = settled_protocol(flow))
    assign(flow, *protocol);
  else
    flow.by_port = protocol_of_port(flow);
  return flow;
}

void Checker::choose_sides(Flow& flow) {
  const std::optional<IutAddress>& iut = options_.iut ? options_.iut : note_.iut;
  Judged judged;
  if (iut) {
    judged = {.a = iut->is(flow.a), .b = iut->is(flow.b)};
  } else if (note_.tester) {
    judged = {.a = note_.tester->is(flow.b), .b = note_.tester->is(flow.a)};
  }
  // A recording has flows of the run alone: one that is not at the place of its note is one that the IUT has begun.
  if (!options_.iut && note_.synthetic_headers && !judged.a && !judged.b) judged.a = true;
  flow.judged.name_sides(word_of(flow.transport), name_of(flow.a, flow.transport), name_of(flow.b, flow.transport),
                         judged);
  one_sided_ |= !judged.a || !judged.b;
  if (judged.a || judged.b)
    iut_seen_ = true;
  else
    flow.skipped = "not judged: neither end is the implementation under test";
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

// Parts see the same octets in the same order, and so give a flow to the same one of them.
std::size_t Checker::least_loaded() const {
  return static_cast<std::size_t>(std::ranges::min_element(loads_) - loads_.begin());
}

// Where all flows between two nodes go that explain one another.
std::size_t Checker::part_of_nodes(std::uint64_t hash) {
  const auto known = parts_of_nodes_.find(hash);
  if (known != parts_of_nodes_.end()) return known->second;
  if (parts_of_nodes_.size() >= Associations::kMost) return hash / options_.shard.of % options_.part.of;
  return parts_of_nodes_.emplace(hash, least_loaded()).first->second;
}

// What the shares of a run must agree on without a word between them. `base`: what was recognised in it; nullptr where
// nothing was, and it has only to be listed.
bool Checker::is_ours(Flow& flow, const Protocol* base) {
  if (flow.is_ours) return *flow.is_ours;
  if (options_.shard.is_all() && options_.part.is_all()) return true;
  const auto ends = addresses_of(flow);
  const Joined joined = base != nullptr ? joined_flows(*base) : Joined::none;
  const std::uint64_t hash =
      joined == Joined::none ? flow_hash(flow.transport, flow.a, flow.b) : joined_hash(joined, ends[0], ends[1]);
  flow.is_ours = options_.shard.has(hash);
  if (!*flow.is_ours || options_.part.is_all()) return *flow.is_ours;
  flow.is_loaded = base != nullptr;
  if (base == nullptr)
    flow.part = hash / options_.shard.of % options_.part.of;
  else
    flow.part = joined != Joined::none ? part_of_nodes(hash) : least_loaded();
  if (flow.is_loaded) ++loads_[flow.part].flows;
  flow.is_ours = flow.part == options_.part.index;
  return *flow.is_ours;
}

void Checker::keep_budget(Flow& flow) {
  const std::size_t now = flow.judged.memory() + (flow.tcp ? flow.tcp->connection.memory() : 0);
  memory_ += now - flow.memory;
  most_memory_ = std::max(most_memory_, memory_);
  flow.memory = now;
  flow.unasked_octets = 0;
  while (memory_ > options_.limits.flow_octets && table_.oldest() != &flow) make_room(too_much_);
}

// The least recently used flow gives way; of a connection that is over, nothing is lost by that.
void Checker::make_room(std::string_view reason) {
  Flow& oldest = *table_.oldest();
  const bool over = oldest.tcp && oldest.tcp->connection.over();
  close_flow(oldest, over ? std::string_view() : reason);
}

// A flow may outlive its observer: what comes after the end of a connection is nobody else's.
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
  if (flow.judged.is_observed()) end_observer(flow);
  memory_ -= flow.memory;
  current_ = nullptr;
  list(flow, reason);
  table_.remove(flow);
  set_pace();
  step();
}

// What all flows may have grown by since they were asked is a small part of the budget.
void Checker::set_pace() {
  const std::size_t share = options_.limits.flow_octets / 8 / std::max<std::size_t>(table_.size(), 1);
  pace_ = std::max(options_.limits.octets_between_checks, share);
}

std::string Checker::unrecognised_note(const Flow& flow) const {
  const bool tcp = flow.transport == pcap::Transport::tcp;
  if (!flow.dissector.empty())
    return fmt::format(
        "the capture calls it '{}', which is no dissector of a protocol known here; if you know better, "
        "say --decode-as udp.port={},PROTOCOL",
        flow.dissector, flow.b.port);
  const std::uint64_t most = tcp ? options_.limits.recognition_octets : options_.limits.recognition_messages;
  const std::uint64_t tried = std::min(tcp ? flow.octets : flow.messages, most);
  const Protocol* const lies = flow.port_lies ? flow.port_lies : flow.by_port;
  return fmt::format("no protocol recognised in its first {}{}; if you know it, say --decode-as {}.port={},PROTOCOL",
                     counted(tried, tcp ? "octet" : "message"),
                     lies ? fmt::format(", which are not {}, to which its port is assigned", lies->title) : "",
                     word_of(port_of(flow.transport)), flow.b.port);
}

// As list() will say it, without a word of why.
FlowState Checker::state_of(const Flow& flow, std::string_view reason) {
  const bool recognised = flow.judged.protocol() != nullptr;
  if (!recognised && flow.skipped.empty()) return FlowState::unrecognised;
  const bool is_cut_short = recognised && (!reason.empty() || flow.judged.is_partial());
  const bool begins_late = flow.passed_over > 0 && flow.transport != pcap::Transport::tcp;
  const bool is_whole = flow.skipped.empty() && !is_cut_short && !begins_late && flow.foreign == 0;
  return is_whole ? FlowState::judged : FlowState::partial;
}

void Checker::list(Flow& flow, std::string_view reason) {
  if (!is_ours(flow, nullptr)) return;
  const bool recognised = flow.judged.protocol() != nullptr;
  const FlowState state = state_of(flow, reason);
  // Flows without a verdict may take half the list: a flood of them must not hide the others. Of what is not listed no
  // text is made.
  if (listed_.size() >= options_.limits.listed_flows ||
      (!recognised && ++unjudged_ > options_.limits.listed_flows / 2)) {
    ++flows_dropped_;
    ++flows_dropped_as_[static_cast<std::size_t>(state)];
    return;
  }
  FlowResult result = flow.judged.result(flow.messages, flow.octets);
  result.state = state;
  std::string note(flow.skipped);
  if (state == FlowState::unrecognised) note = unrecognised_note(flow);
  if (recognised) add_note(note, result.note);
  if (flow.foreign > 0) add_note(note, foreign_note(flow));
  if (recognised) add_note(note, reason);
  if (flow.passed_over > 0) add_note(note, passed_over_note(flow));
  if (recognised) add_note(note, flow.judged.remark());
  result.note = std::move(note);
  if (recognised && result.missing.empty() && flow.judged.has_one_direction()) {
    result.completeness = Completeness::unknown;
    result.missing = "one of its directions";
  }
  listed_.push_back(std::move(result));
  flow_ends_.push_back(place_of(step_));
}

void Checker::end_file(Completeness completeness) {
  for (Flow* flow : table_.in_order()) close_flow(*flow, {});
  queue_pairs_ = {};
  judge_.end_source(completeness);
  for (std::size_t at = first_of_file_; at < listed_.size(); ++at) settle(listed_[at], completeness);
}

// What is known of the file goes for its flows, but for those that show what they lack.
void Checker::settle(FlowResult& flow, Completeness completeness) {
  if (flow.completeness == Completeness::incomplete) return;
  if (completeness == Completeness::complete) {
    flow.completeness = Completeness::complete;
    flow.missing.clear();
  } else {
    flow.completeness = flow.missing.empty() ? completeness : Completeness::incomplete;
  }
}

Share Checker::take_share() {
  Share share{.rules = judge_.rule_results(),
              .findings_dropped = judge_.findings_dropped(),
              .flows = std::move(listed_),
              .flow_ends = std::move(flow_ends_),
              .flows_dropped = flows_dropped_,
              .flows_dropped_as = flows_dropped_as_,
              .judged = judged_,
              .iut_seen = iut_seen_,
              .one_sided = one_sided_};
  for (RuleReason& one : judge_.reasons()) share.reasons.push_back({one.rule, one.reason, place_of(one.step)});
  for (const FindingOrigin& one : judge_.origins()) share.found.push_back({place_of(one.step), one.flow, one.kind});
  share.findings = judge_.take_findings();
  return share;
}

void Checker::exclude_roles(bool one_sided, std::span<const Protocol* const> protocols,
                            std::vector<RuleResult>& rules) {
  if (!one_sided) return;
  for (const Protocol* protocol : protocols)
    if (const Role role = tested_role(rules, *protocol); role != Role::any) exclude_other_role(rules, *protocol, role);
}

Results Checker::take_results() {
  Results results = results_of(take_share());
  exclude_roles(one_sided_, protocols_, results.rules);
  return results;
}

}  // namespace wirelaw
