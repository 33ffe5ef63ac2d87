// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/frame_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pcap/checksum.h"
#include "pcap/ethernet.h"
#include "pcap/ip.h"

namespace wirelaw {
namespace {

constexpr std::chrono::seconds kMayGiveWay{1};
// TCP may repeat octets so long after they were sent, so its edits are still needed.
constexpr std::chrono::minutes kTcpMayGiveWay{2};
constexpr std::size_t kLookedAt = 64;  // the oldest flows, one of which may give way
constexpr std::size_t kUdpChecksum = 6, kTcpChecksum = 16;

Side side_of(bool from_initiator) {
  return from_initiator ? Side::a : Side::b;
}

std::string_view name_of(bool from_initiator) {
  return from_initiator ? "the initiator" : "the responder";
}

// Offloading does not leave wrong checksums in these frames: a receiver discards the packet. An IPv4 datagram may have
// none.
bool has_right_checksum(const pcap::IpPacket& packet) {
  const bool is_udp = packet.protocol == pcap::kProtocolUdp;
  if (is_udp && packet.version == 4 && load_big_endian<std::uint16_t>(packet.payload.data() + kUdpChecksum) == 0)
    return true;
  return pcap::transport_checksum(packet.source, packet.destination, packet.protocol, packet.payload) == 0;
}

void put_checksum(const pcap::Address& source, const pcap::Address& destination, std::uint8_t protocol,
                  std::span<Octet> transport) {
  const bool is_udp = protocol == pcap::kProtocolUdp;
  Octet* const at = transport.data() + (is_udp ? kUdpChecksum : kTcpChecksum);
  if (is_udp && !source.v6 && load_big_endian<std::uint16_t>(at) == 0) return;  // the sender uses none
  store_big_endian(at, std::uint16_t{0});
  const std::uint16_t sum = pcap::transport_checksum(source, destination, protocol, transport);
  store_big_endian(at, is_udp && sum == 0 ? std::uint16_t{0xffff} : sum);  // in UDP, 0 means "no checksum"
}

OctetBuffer copy_of(Octets octets) {
  return {octets.begin(), octets.end()};
}

}  // namespace

// -------------------------------------------------------------------------------------------------------------- flows

FrameEdits::FlowKey FrameEdits::key_of(const pcap::Endpoint& source, const pcap::Endpoint& destination, bool is_tcp,
                                       bool w) {
  return w ? FlowKey{source, destination, is_tcp} : FlowKey{destination, source, is_tcp};
}

FrameEdits::Flow* FrameEdits::find(const FlowKey& key, Clock::time_point now) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  flows_.splice(flows_.end(), flows_, found->second);
  found->second->last_passed = now;
  return &*found->second;
}

FrameEdits::Flow* FrameEdits::add(const FlowKey& key, Clock::time_point now) {
  if (flows_.size() >= most_flows_ && !make_room(now)) return nullptr;
  const auto place = flows_.emplace(flows_.end(), key, faults_.run(script::RelayKind::forwards_frames));
  place->last_passed = now;
  places_.emplace(key, place);
  return &*place;
}

bool FrameEdits::may_give_way(const Flow& flow, Clock::time_point now) {
  const bool is_over = !flow.key.is_tcp || flow.is_reset || (flow.ways[0].is_closed && flow.ways[1].is_closed);
  const bool waits = !flow.ways[0].held.empty() || !flow.ways[1].held.empty();
  return !waits && now - flow.last_passed > (is_over ? Clock::duration(kMayGiveWay) : Clock::duration(kTcpMayGiveWay));
}

bool FrameEdits::make_room(Clock::time_point now) {
  std::size_t seen = 0;
  for (auto one = flows_.begin(); one != flows_.end() && seen < kLookedAt; ++one, ++seen) {
    if (!may_give_way(*one, now)) continue;
    remove(one);
    return true;
  }
  return false;
}

void FrameEdits::remove(FlowPlace flow) {
  places_.erase(flow->key);
  flows_.erase(flow);
}

// ------------------------------------------------------------------------------------------------------------- frames

void FrameEdits::pass_as_it_is(const Arrival& arrival, Outcome& outcome) {
  outcome.passing.push_back(
      {.from_initiator = arrival.from_initiator, .octets = copy_of(arrival.frame), .fate = arrival.fate});
}

void FrameEdits::pass_without_faults(const Arrival& arrival, std::string_view why, Outcome& outcome) {
  say_not_played(faults_, side_of(arrival.from_initiator), why, counts_);
  outcome.comments.push_back(fmt::format("the relay plays no faults on it: {}", why));
  pass_as_it_is(arrival, outcome);
}

FrameEdits::Outcome FrameEdits::arrive(bool from_initiator, Octets frame, const PlayedNetwork::Fate& fate,
                                       Clock::time_point now) {
  const Arrival arrival{from_initiator, frame, fate, now};
  Outcome outcome;
  pcap::IpPacket packet;
  const auto is_read = [&] {
    if (frame.size() < pcap::kEthernetHeader) return false;
    const auto type = load_big_endian<std::uint16_t>(frame.data() + pcap::kEthernetType);
    return !pcap::decode_ip(frame, static_cast<std::uint32_t>(frame.size()), {type, pcap::kEthernetHeader}, packet);
  };
  const bool is_carrier = is_read() && ((packet.protocol == pcap::kProtocolUdp && faults_.is_over_udp) ||
                                        (packet.protocol == pcap::kProtocolTcp && faults_.language->is_stream()));
  const bool has_ports = is_carrier && packet.fragment.offset == 0 && packet.payload.size() >= pcap::kUdpHeader;
  const std::size_t at = from_initiator ? sizeof(std::uint16_t) : 0;  // where the responder's port is
  if (!has_ports || load_big_endian<std::uint16_t>(packet.payload.data() + at) != port_) {
    pass_as_it_is(arrival, outcome);
    return outcome;
  }
  pcap::Datagram datagram;
  pcap::Segment segment;
  if (packet.fragment.is_fragment)
    pass_without_faults(arrival, "an IP fragment is not the whole packet", outcome);
  else if (packet.is_authenticated || !has_right_checksum(packet))
    pass_as_it_is(arrival, outcome);
  else if (packet.protocol == pcap::kProtocolUdp && !pcap::decode_udp(packet, datagram))
    take_datagram(arrival, datagram, outcome);
  else if (packet.protocol == pcap::kProtocolTcp && !pcap::decode_tcp(packet, segment))
    take_segment(arrival, segment, outcome);
  else
    pass_as_it_is(arrival, outcome);
  return outcome;
}

void FrameEdits::take_datagram(const Arrival& arrival, const pcap::Datagram& datagram, Outcome& outcome) {
  const bool w = arrival.from_initiator;
  const FlowKey key = key_of(datagram.source, datagram.destination, false, w);
  Flow* flow = find(key, arrival.now);
  if (flow == nullptr) flow = add(key, arrival.now);
  if (flow == nullptr) return pass_without_faults(arrival, fmt::format("{} flows are open", flows_.size()), outcome);
  script::Passing passing = flow->run->datagram(side_of(w), datagram.payload);
  std::vector<std::string> comments = take_played(passing, counts_);
  PlayedNetwork::Fate fate = arrival.fate;
  for (const OctetBuffer& copy : passing.copies) {
    PassingFrame frame{.from_initiator = w,
                       .octets = copy_of(arrival.frame),
                       .fate = fate,
                       .delay = Instant(passing.delay_ns),
                       .comments = comments};
    const std::size_t at = datagram.frame_offset;
    if (!std::ranges::equal(copy, datagram.payload)) {
      std::ranges::copy(copy, frame.octets.begin() + static_cast<std::ptrdiff_t>(at));
      put_checksum(datagram.source.address, datagram.destination.address, pcap::kProtocolUdp,
                   std::span(frame.octets).subspan(at - pcap::kUdpHeader, pcap::kUdpHeader + copy.size()));
    }
    outcome.passing.push_back(std::move(frame));
    fate = {.first = arrival.fate.first};  // the network does nothing else to a copy
  }
  if (passing.copies.empty()) outcome.comments = std::move(comments);
}

// ---------------------------------------------------------------------------------------------------------------- TCP

// Returns the connection of the segment. A SYN begins one, or opens its other direction. nullptr: the segment passes as
// it is.
FrameEdits::Flow* FrameEdits::flow_of(const pcap::Segment& segment, bool w, Clock::time_point now, Outcome& outcome) {
  const FlowKey key = key_of(segment.source, segment.destination, true, w);
  Flow* flow = find(key, now);
  if (!segment.flags.syn()) return flow;
  const std::uint32_t first = segment.seq + 1;
  const bool is_answer = segment.flags.ack();
  const auto begin = [&](Flow& of) {
    of.ways[w].first = first;
    of.ways[w].edits.emplace(*of.run, side_of(w), first);
    return &of;
  };
  if (flow != nullptr) {
    const Way &mine = flow->ways[w], &others = flow->ways[!w];
    if (mine.edits && mine.first == first) return flow;  // repeated
    if (!mine.edits && (!is_answer || segment.ack == others.first)) return begin(*flow);
    const bool is_over = flow->is_reset || !others.edits || (mine.is_closed && others.is_closed);
    if (is_answer || !is_over) return nullptr;  // no connection has it, or the other side refuses it
    release_all(*flow, outcome.passing);
    remove(places_.at(key));
  }
  if (is_answer) return nullptr;
  flow = add(key, now);
  return flow == nullptr ? nullptr : begin(*flow);
}

void FrameEdits::take_segment(const Arrival& arrival, const pcap::Segment& segment, Outcome& outcome) {
  const bool w = arrival.from_initiator;
  Flow* const flow = flow_of(segment, w, arrival.now, outcome);
  if (flow == nullptr || !flow->ways[w].edits) {
    if (segment.payload.empty() || segment.flags.rst()) return pass_as_it_is(arrival, outcome);
    return pass_without_faults(arrival, "it has not followed the connection from its beginning", outcome);
  }
  StreamEdits* const others = flow->ways[!w].edits ? &*flow->ways[!w].edits : nullptr;
  if (segment.flags.ack() && others != nullptr) others->acknowledge(others->place_of(segment.ack));
  if (segment.flags.rst()) {
    flow->is_reset = true;
    release_all(*flow, outcome.passing);
  }
  const bool is_of_stream = !segment.flags.rst() && (!segment.payload.empty() || segment.flags.fin());
  if (!is_of_stream) return pass_as_it_is(arrival, outcome);
  take_octets(*flow, arrival, segment, outcome);
}

void FrameEdits::take_octets(Flow& flow, const Arrival& arrival, const pcap::Segment& segment, Outcome& outcome) {
  const bool w = arrival.from_initiator;
  Way& way = flow.ways[w];
  const std::uint64_t begin = way.edits->place_of(segment.seq + (segment.flags.syn() ? 1 : 0));
  const bool repeats = begin < way.edits->next() && !way.edits->is_ready(begin + segment.payload.size());
  if (repeats) give_up(flow, w, "it was repeated before its message was whole", outcome.passing);
  way.held.push_back({.frame = {.from_initiator = w, .octets = copy_of(arrival.frame), .fate = arrival.fate},
                      .since = arrival.now,
                      .segment = segment.frame_offset - segment.header_octets,
                      .payload = segment.frame_offset,
                      .length = segment.payload.size(),
                      .begin = begin,
                      .has_fin = segment.flags.fin()});
  take_held(way);
  if (way.edits->is_full() && !way.edits->has_given_up())
    return give_up(flow, w, "too many edits wait for an acknowledgment", outcome.passing);
  release(flow, w, {}, outcome.passing);
  std::size_t octets = 0;
  for (const Held& one : way.held) octets += one.length;
  if (octets > kMostOctets || way.held.size() > kMostFrames)
    give_up(flow, w, "its message was not whole after 64 KiB or 32 frames", outcome.passing);
}

// Shows the triggers the octets of waiting frames, in the order of the stream.
void FrameEdits::take_held(Way& way) {
  StreamEdits& edits = *way.edits;
  for (bool goes_on = true; std::exchange(goes_on, false);) {
    for (Held& one : way.held) {
      if (one.is_taken || (one.begin > edits.next() && !edits.has_given_up())) continue;
      const Octets payload = Octets(one.frame.octets).subspan(one.payload, one.length);
      one.frame.comments = edits.take(one.begin, payload, counts_);
      one.is_taken = goes_on = true;
      if (!one.has_fin || one.end() != edits.next()) continue;
      edits.finish();
      way.is_closed = true;
    }
  }
}

// Lets those frames pass whose messages are whole. The comments are for the first of them.
void FrameEdits::release(Flow& flow, bool w, std::vector<std::string> comments, std::vector<PassingFrame>& passing) {
  Way& way = flow.ways[w];
  if (way.held.empty()) return;
  waiting_.erase({way.held.front().since, &flow, w});
  std::deque<Held> left;
  const bool has_given_up = way.edits->has_given_up();
  for (Held& one : way.held) {
    if (!has_given_up && !(one.is_taken && way.edits->is_ready(one.end()))) {
      left.push_back(std::move(one));
      continue;
    }
    edit(flow, w, one);
    std::ranges::move(std::exchange(comments, {}), std::back_inserter(one.frame.comments));
    passing.push_back(std::move(one.frame));
  }
  way.held = std::move(left);
  if (!way.held.empty()) waiting_.emplace(way.held.front().since, &flow, w);
}

void FrameEdits::edit(const Flow& flow, bool w, Held& held) {
  OctetBuffer& octets = held.frame.octets;
  const auto payload = std::span(octets).subspan(held.payload, held.length);
  if (!flow.ways[w].edits->apply(held.begin, payload, held.frame.comments)) return;
  const auto &initiator = flow.key.initiator.address, &responder = flow.key.responder.address;
  put_checksum(w ? initiator : responder, w ? responder : initiator, pcap::kProtocolTcp,
               std::span(octets).subspan(held.segment, held.payload - held.segment + held.length));
}

void FrameEdits::give_up(Flow& flow, bool w, std::string_view why, std::vector<PassingFrame>& passing) {
  flow.ways[w].edits->give_up();
  say_not_played(faults_, side_of(w), why, counts_);
  release(flow, w,
          {fmt::format("the relay plays no more faults on what {} sends on this connection: {}", name_of(w), why)},
          passing);
}

// The connection ends: messages that are not whole pass.
void FrameEdits::release_all(Flow& flow, std::vector<PassingFrame>& passing) {
  for (const bool w : {true, false}) {
    if (flow.ways[w].held.empty()) continue;
    flow.ways[w].edits->give_up();
    release(flow, w, {}, passing);
  }
}

// ------------------------------------------------------------------------------------------------------------ waiting

std::optional<FrameEdits::Clock::time_point> FrameEdits::next_due() const {
  if (waiting_.empty()) return std::nullopt;
  return std::get<0>(*waiting_.begin()) + kMostWait;
}

std::vector<PassingFrame> FrameEdits::expire(Clock::time_point now) {
  std::vector<PassingFrame> passing;
  while (!waiting_.empty() && std::get<0>(*waiting_.begin()) + kMostWait <= now) {
    const auto [since, flow, w] = *waiting_.begin();
    const Way& way = flow->ways[w];
    const bool has_hole = way.held.front().begin > way.edits->next();
    give_up(*flow, w, has_hole ? "octets before it were missing for 100 ms" : "its message was not whole within 100 ms",
            passing);
  }
  return passing;
}

}  // namespace wirelaw
