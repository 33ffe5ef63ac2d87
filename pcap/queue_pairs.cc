// SPDX-License-Identifier: Apache-2.0
#include "pcap/queue_pairs.h"

#include <algorithm>

namespace wirelaw::pcap {
namespace {

using roce::CmType, roce::Kind, roce::psn_distance;

constexpr std::int32_t kLongestRun = 4096;  // PSNs in a run of requests that an answer may match
constexpr std::uint32_t kLeastMtu = 256;

// Returns the flow of a datagram that belongs to no known connection.
QueuePair apart(const Datagram& datagram) {
  return {{datagram.source.address, 0}, {datagram.destination.address, 0}};
}

QueuePair unknown_flow(const Address& from, const Endpoint& to) {
  return {{from, kUnknownQueue | to.port}, to};
}

// Returns the time from the one to the other, or 0 if the other is not later.
std::int64_t nanoseconds_between(std::int64_t earlier_ns, std::int64_t later_ns) {
  return std::max<std::int64_t>(later_ns - earlier_ns, 0);
}

// Returns the greatest number of PSNs that a request may take.
std::uint32_t psns_of(const roce::Packet& packet) {
  if (!packet.is(Kind::read_request) || packet.reth->length == 0) return 1;
  return std::min((packet.reth->length - 1) / kLeastMtu + 1, static_cast<std::uint32_t>(kLongestRun));
}

}  // namespace

bool is_roce(const Datagram& datagram) {
  if (datagram.is_pdu || datagram.destination.port != roce::kPort || datagram.payload.size() < roce::kBthOctets)
    return false;
  const auto packet = roce::decode(datagram.payload, datagram.wire_length);
  return packet && packet->row != nullptr && packet->bth.version == 0;
}

RoceRoute QueuePairs::route(const Datagram& datagram) {
  RoceRoute route{.flow = apart(datagram), .abandons = {}, .about = {}};
  const auto packet = roce::decode(datagram.payload, datagram.wire_length);
  if (!packet || packet->row == nullptr) return route;
  const Endpoint to{datagram.destination.address, packet->bth.destination_qp};
  if (packet->is(Kind::datagram)) {
    route.flow = {{datagram.source.address, packet->deth->source_qp}, to};
    if (to.port == roce::kManagementQpn)
      if (const auto cm = roce::decode_cm(packet->payload)) manage(datagram, *packet, *cm, route);
    return route;
  }
  const Way way{datagram.source.address, to};
  if (hold(way, *packet, datagram)) {
    route.waits = true;
    return route;
  }
  if (packet->requests())
    route_request(way, *packet, datagram, route);
  else
    route_other(way, *packet, datagram, route);
  return route;
}

// A packet to a queue pair that is unknown, or that its connection has left, waits while a connection is being opened
// between the two addresses.
bool QueuePairs::hold(const Way& way, const roce::Packet& packet, const Datagram& datagram) {
  if (early_packets_.openings() == 0) [[likely]]
    return false;
  const auto known = directions_.find(way);
  if (known != directions_.end() && !known->second.ended) return false;
  if (!early_packets_.is_opening(way.from, way.to.address)) return false;
  const bool is_known = known != directions_.end();
  early_packets_.hold(datagram, packet, is_known ? known->second.flow : unknown_flow(way.from, way.to));
  return true;
}

ReleasedDatagram QueuePairs::take_released() {
  ReleasedDatagram released{.packet = early_packets_.take_released(), .route = {}};
  const EarlyPackets::One& one = released.packet;
  RoceRoute& route = released.route;
  route.flow = apart(one.datagram);
  const auto packet = roce::decode(one.datagram.payload, one.datagram.wire_length);
  if (one.is_older)
    route.flow = one.before;
  else if (packet && one.ends)
    route_end(one.datagram, *packet, route);
  else if (packet && packet->requests())
    route_request({one.datagram.source.address, one.to}, *packet, one.datagram, route);
  else if (packet)
    route_other({one.datagram.source.address, one.to}, *packet, one.datagram, route);
  return released;
}

void QueuePairs::route_request(const Way& way, const roce::Packet& packet, const Datagram& datagram, RoceRoute& route) {
  Direction& direction = find(way);
  const std::uint32_t psn = packet.bth.psn, last = roce::psn_after(psn, psns_of(packet) - 1);
  const std::int32_t ahead = psn_distance(psn, direction.last);
  const bool follows = direction.has_requests && ahead > -kLongestRun && ahead <= kLongestRun;
  if (!follows) direction.first = direction.last = psn;
  if (psn_distance(last, direction.last) > 0) direction.last = last;
  if (psn_distance(direction.last, direction.first) >= kLongestRun)
    direction.first = roce::psn_after(direction.last, roce::kQpnMask - kLongestRun + 2);
  direction.has_requests = true;
  if (direction.is_answered_early && psn_distance(last, direction.answered_psn) >= 0) [[unlikely]] {
    direction.is_answered_early = false;
    if (psn_distance(psn, direction.answered_psn) <= 0)
      route.late_ns = nanoseconds_between(direction.answered_ns, datagram.time_ns);
  }
  route.flow = direction.flow;
}

void QueuePairs::route_other(const Way& way, const roce::Packet& packet, const Datagram& datagram, RoceRoute& route) {
  const auto known = directions_.find(way);
  const bool is_paired = known != directions_.end() && known->second.paired;
  if (is_paired || !packet.answers()) {
    if (known != directions_.end()) route.flow = known->second.flow;
    if (is_paired && packet.answers()) note_answer(known->second.partner, packet, datagram);
    return;
  }
  Direction* const partner = partner_of(way, packet.bth.psn);
  if (partner != nullptr) {
    Direction& direction = find(way);
    pair(way, direction, *partner, route);
    route.flow = direction.flow;
  } else if (known != directions_.end()) {
    route.flow = known->second.flow;
  }
}

// Remembers an answer to a request that will be captured later.
void QueuePairs::note_answer(Direction* partner, const roce::Packet& packet, const Datagram& datagram) {
  if (partner == nullptr || !partner->has_requests || partner->is_answered_early) return;
  if (packet.is(Kind::acknowledge) && roce::syndrome_kind(packet.aeth->syndrome) != roce::kAck) return;
  const std::int32_t ahead = psn_distance(packet.bth.psn, partner->last);
  if (ahead <= 0 || ahead > kLongestRun) return;
  partner->is_answered_early = true;
  partner->answered_psn = packet.bth.psn;
  partner->answered_ns = datagram.time_ns;
}

QueuePairs::Direction& QueuePairs::find(const Way& way) {
  const auto known = directions_.find(way);
  if (known != directions_.end()) return known->second;
  if (order_.size() >= kMostDirections) {
    if (const auto oldest = directions_.find(order_.front()); oldest != directions_.end()) {
      part(oldest->second);
      directions_.erase(oldest);
    }
    order_.pop_front();
  }
  order_.push_back(way);
  unpaired_.push_back(way);
  if (unpaired_.size() > kMostUnpaired) unpaired_.pop_front();
  return directions_[way] = {.flow = unknown_flow(way.from, way.to)};
}

void QueuePairs::part(Direction& one) {
  if (one.partner != nullptr) one.partner->partner = nullptr;
  one.partner = nullptr;
}

void QueuePairs::join(Direction& one, Direction& other) {
  part(one);
  part(other);
  one.partner = &other;
  other.partner = &one;
  one.paired = other.paired = true;
}

// Returns the only opposite direction that has sent the answered PSN; nullptr if there is none, or more than one.
QueuePairs::Direction* QueuePairs::partner_of(const Way& way, std::uint32_t psn) {
  Direction* found = nullptr;
  for (const Way& one : unpaired_) {
    if (one.from != way.to.address || one.to.address != way.from) continue;
    const auto at = directions_.find(one);
    if (at == directions_.end() || at->second.paired || !at->second.has_requests) continue;
    if (psn_distance(psn, at->second.first) < 0 || psn_distance(psn, at->second.last) > 0) continue;
    if (found != nullptr) return nullptr;
    found = &at->second;
  }
  return found;
}

void QueuePairs::pair(const Way& way, Direction& direction, Direction& partner, RoceRoute& route) {
  if (direction.has_requests) route.abandons = direction.flow;
  direction.flow = {partner.flow.destination, partner.flow.source};
  join(direction, partner);
  std::erase_if(unpaired_, [&](const Way& one) {
    return one == way || (directions_.contains(one) && directions_.at(one).paired);
  });
}

// A new connection ends any earlier use of these queue pairs.
void QueuePairs::set(const OpenedEnd& one, const OpenedEnd& other) {
  const Way there{one.queue.address, other.queue}, back{other.queue.address, one.queue};
  const auto begin = [&](const Way& way, const QueuePair& flow, std::uint32_t first_psn) {
    Direction& direction = find(way);
    part(direction);
    const std::uint32_t before = roce::psn_after(first_psn, roce::kQpnMask);
    direction = {.flow = flow, .has_requests = true, .first = first_psn, .last = before};
  };
  begin(there, {one.queue, other.queue}, one.first_psn);
  begin(back, {other.queue, one.queue}, other.first_psn);
  const auto first = directions_.find(there), second = directions_.find(back);
  if (first != directions_.end() && second != directions_.end() && first != second) join(first->second, second->second);
  std::erase_if(unpaired_, [&](const Way& way) { return way == there || way == back; });
}

// ----------------------------------------------------------------------------------------------------- management

// Finds the conversation of a message, by the numbers that both sides have assigned to it.
QueuePairs::Conversation* QueuePairs::conversation(const Datagram& datagram, const roce::CmMessage& cm,
                                                   bool& from_initiator) {
  const Address& from = datagram.source.address;
  const Address& to = datagram.destination.address;
  for (const bool initiator : {true, false}) {
    const auto found = conversations_.find(initiator ? Name{from, to, cm.local_id} : Name{to, from, cm.remote_id});
    if (found == conversations_.end()) continue;
    const bool fits =
        !found->second.established || found->second.responder_id == (initiator ? cm.remote_id : cm.local_id);
    if (!fits) continue;
    from_initiator = initiator;
    return &found->second;
  }
  return nullptr;
}

void QueuePairs::establish(Conversation& talk, const Name& name, const EarlyReply& reply, RoceRoute& route) {
  talk.established = true;
  talk.responder_qpn = reply.qpn;
  talk.responder_id = reply.id;
  const OpenedEnd initiator{{name.initiator, talk.initiator_qpn}, reply.starting_psn};
  const OpenedEnd responder{{name.responder, reply.qpn}, talk.responder_first_psn};
  set(initiator, responder);
  early_packets_.opened(name, initiator, responder);
  talk.request.payload = talk.octets;
  talk.request.headers = {};
  talk.request.source.port = talk.initiator_qpn;
  talk.request.destination.port = reply.qpn;
  route.request = &talk.request;
}

// The two hosts may have been captured with different clocks, so that a reply is captured before its request.
void QueuePairs::keep_early(const Datagram& datagram, const roce::CmMessage& cm) {
  if (datagram.payload.size() > kMostEarlyOctets) return;
  if (early_.size() == kMostEarlyReplies) early_.pop_front();
  early_.push_back({.name = {datagram.destination.address, datagram.source.address, cm.remote_id},
                    .qpn = cm.qpn,
                    .id = cm.local_id,
                    .starting_psn = cm.starting_psn,
                    .octets = {datagram.payload.begin(), datagram.payload.end()},
                    .datagram = datagram});
  early_packets_.open(early_.back().name);
}

void QueuePairs::answer_early(const Name& name, std::int64_t time_ns, RoceRoute& route) {
  // The numbers of a connection that was made long before may be in use again.
  const auto is_near = [&](std::int64_t other_ns) {
    const auto one = static_cast<std::uint64_t>(time_ns), other = static_cast<std::uint64_t>(other_ns);
    return std::min(one - other, other - one) <= kMostEarlyNs;
  };
  const auto found = std::ranges::find_if(
      early_, [&](const EarlyReply& one) { return one.name == name && is_near(one.datagram.time_ns); });
  if (found == early_.end()) return;
  answered_ = std::move(*found);
  early_.erase(found);
  Conversation& talk = conversations_.at(name);
  establish(talk, name, answered_, route);
  route.late_ns = nanoseconds_between(answered_.datagram.time_ns, time_ns);
  answered_.datagram.payload = answered_.octets;
  answered_.datagram.headers = {};
  answered_.datagram.carriers = nullptr;
  route.reply = &answered_.datagram;
  route.about = QueuePair{{name.responder, answered_.qpn}, {name.initiator, talk.initiator_qpn}};
}

// A request for a connection.
void QueuePairs::ask(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route) {
  const Name name{datagram.source.address, datagram.destination.address, cm.local_id};
  const auto known = conversations_.find(name);
  if (known != conversations_.end() && known->second.initiator_qpn == cm.qpn) return;  // a repeated message
  if (known == conversations_.end()) {
    if (asked_.size() >= kMostConversations) {
      conversations_.erase(asked_.front());
      early_packets_.refused(asked_.front());
      asked_.pop_front();
    }
    asked_.push_back(name);
  }
  conversations_[name] = {.initiator_qpn = cm.qpn,
                          .responder_first_psn = cm.starting_psn,
                          .ready_ns = {},
                          .octets = {datagram.payload.begin(), datagram.payload.end()},
                          .request = datagram};
  early_packets_.open(name);
  answer_early(name, datagram.time_ns, route);
}

void QueuePairs::manage(const Datagram& datagram, const roce::Packet& packet, const roce::CmMessage& cm,
                        RoceRoute& route) {
  if (cm.type == CmType::request) return ask(datagram, cm, route);
  route.waits = hold_end(datagram, packet, cm);
  if (!route.waits) route_answer(datagram, cm, route);
}

// The end of a connection waits for its opening.
bool QueuePairs::hold_end(const Datagram& datagram, const roce::Packet& packet, const roce::CmMessage& cm) {
  if (cm.type != CmType::disconnection && cm.type != CmType::disconnected) return false;
  const Address& from = datagram.source.address;
  const Address& to = datagram.destination.address;
  for (const Name& name : {Name{from, to, cm.local_id}, Name{to, from, cm.remote_id}}) {
    if (!early_packets_.is_opening(name)) continue;
    early_packets_.hold(datagram, packet, apart(datagram), name);
    return true;
  }
  return false;
}

// A message that ends a connection, and that has waited.
void QueuePairs::route_end(const Datagram& datagram, const roce::Packet& packet, RoceRoute& route) {
  route.flow = {{datagram.source.address, packet.deth->source_qp},
                {datagram.destination.address, packet.bth.destination_qp}};
  if (const auto cm = roce::decode_cm(packet.payload)) route_answer(datagram, *cm, route);
}

// A message that answers another one, or ends a connection.
void QueuePairs::route_answer(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route) {
  const Address& from = datagram.source.address;
  const Address& to = datagram.destination.address;
  bool from_initiator = false;
  Conversation* const talk = conversation(datagram, cm, from_initiator);
  if (talk == nullptr) {
    if (cm.type == CmType::reply) keep_early(datagram, cm);
    // The connection was made before the capture began.
    const auto known = directions_.find({from, {to, cm.qpn}});
    if (cm.type == CmType::disconnection && known != directions_.end()) route.about = known->second.flow;
    return;
  }
  const Name name = from_initiator ? Name{from, to, cm.local_id} : Name{to, from, cm.remote_id};
  if (!talk->established) {
    if (cm.type == CmType::ready && from_initiator) talk->ready_ns = datagram.time_ns;
    if (cm.type == CmType::rejection) early_packets_.refused(name);
    if (cm.type == CmType::reply && !from_initiator) {
      if (talk->ready_ns) route.late_ns = nanoseconds_between(*talk->ready_ns, datagram.time_ns);
      establish(*talk, name,
                {.name = name,
                 .qpn = cm.qpn,
                 .id = cm.local_id,
                 .starting_psn = cm.starting_psn,
                 .octets = {},
                 .datagram = {}},
                route);
    }
  }
  if (!talk->established) return;
  const Endpoint initiator{from_initiator ? from : to, talk->initiator_qpn};
  const Endpoint responder{from_initiator ? to : from, talk->responder_qpn};
  route.about = from_initiator ? QueuePair{initiator, responder} : QueuePair{responder, initiator};
  if (cm.type == CmType::disconnection || cm.type == CmType::disconnected) mark_end(*route.about);
}

// Its queue pairs may be used again, by a connection that is opened later.
void QueuePairs::mark_end(const QueuePair& about) {
  for (const Way& way : {Way{about.source.address, about.destination}, Way{about.destination.address, about.source}})
    if (const auto known = directions_.find(way); known != directions_.end()) known->second.ended = true;
}

}  // namespace wirelaw::pcap
