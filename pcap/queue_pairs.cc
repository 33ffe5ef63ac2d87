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
      if (const auto cm = roce::decode_cm(packet->payload)) manage(datagram, *cm, route);
    return route;
  }
  const Way way{datagram.source.address, to};
  if (packet->requests()) {
    Direction& direction = find(way);
    const std::uint32_t psn = packet->bth.psn, last = roce::psn_after(psn, psns_of(*packet) - 1);
    const std::int32_t ahead = psn_distance(psn, direction.last);
    const bool follows = direction.has_requests && ahead > -kLongestRun && ahead <= kLongestRun;
    if (!follows) direction.first = direction.last = psn;
    if (psn_distance(last, direction.last) > 0) direction.last = last;
    if (psn_distance(direction.last, direction.first) >= kLongestRun)
      direction.first = roce::psn_after(direction.last, roce::kQpnMask - kLongestRun + 2);
    direction.has_requests = true;
    route.flow = direction.flow;
    return route;
  }
  const auto known = directions_.find(way);
  const bool is_paired = known != directions_.end() && known->second.paired;
  if (is_paired || !packet->answers()) {
    if (known != directions_.end()) route.flow = known->second.flow;
    return route;
  }
  Direction* const partner = partner_of(way, packet->bth.psn);
  if (partner != nullptr) {
    Direction& direction = find(way);
    pair(way, direction, *partner, route);
    route.flow = direction.flow;
  } else if (known != directions_.end()) {
    route.flow = known->second.flow;
  }
  return route;
}

QueuePairs::Direction& QueuePairs::find(const Way& way) {
  const auto known = directions_.find(way);
  if (known != directions_.end()) return known->second;
  if (order_.size() >= kMostDirections) {
    directions_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(way);
  unpaired_.push_back(way);
  if (unpaired_.size() > kMostUnpaired) unpaired_.pop_front();
  return directions_[way] = {.flow = {{way.from, kUnknownQueue | way.to.port}, way.to}};
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
  direction.paired = partner.paired = true;
  std::erase_if(unpaired_, [&](const Way& one) {
    return one == way || (directions_.contains(one) && directions_.at(one).paired);
  });
}

// A new connection ends any earlier use of these queue pairs.
void QueuePairs::set(const Endpoint& one, const Endpoint& other) {
  const Way there{one.address, other}, back{other.address, one};
  find(there) = {.flow = {one, other}, .paired = true};
  find(back) = {.flow = {other, one}, .paired = true};
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

void QueuePairs::establish(Conversation& talk, const Name& name, std::uint32_t qpn, std::uint32_t id,
                           RoceRoute& route) {
  talk.established = true;
  talk.responder_qpn = qpn;
  talk.responder_id = id;
  set({name.initiator, talk.initiator_qpn}, {name.responder, qpn});
  talk.request.payload = talk.octets;
  talk.request.headers = {};
  talk.request.source.port = talk.initiator_qpn;
  talk.request.destination.port = qpn;
  route.request = &talk.request;
}

// The two hosts may have been captured with different clocks, so that a reply is captured before its request.
void QueuePairs::keep_early(const Datagram& datagram, const roce::CmMessage& cm) {
  if (early_.size() == kMostEarlyReplies) early_.pop_front();
  early_.push_back({.name = {datagram.destination.address, datagram.source.address, cm.remote_id},
                    .qpn = cm.qpn,
                    .id = cm.local_id,
                    .octets = {datagram.payload.begin(), datagram.payload.end()},
                    .datagram = datagram});
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
  establish(talk, name, answered_.qpn, answered_.id, route);
  answered_.datagram.payload = answered_.octets;
  answered_.datagram.headers = {};
  answered_.datagram.carriers = nullptr;
  route.reply = &answered_.datagram;
  route.about = QueuePair{{name.responder, answered_.qpn}, {name.initiator, talk.initiator_qpn}};
}

void QueuePairs::manage(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route) {
  const Address& from = datagram.source.address;
  const Address& to = datagram.destination.address;
  if (cm.type == CmType::request) {
    const Name name{from, to, cm.local_id};
    const auto known = conversations_.find(name);
    if (known != conversations_.end() && known->second.initiator_qpn == cm.qpn) return;  // a repeated message
    if (known == conversations_.end()) {
      if (asked_.size() >= kMostConversations) {
        conversations_.erase(asked_.front());
        asked_.pop_front();
      }
      asked_.push_back(name);
    }
    conversations_[name] = {
        .initiator_qpn = cm.qpn, .octets = {datagram.payload.begin(), datagram.payload.end()}, .request = datagram};
    return answer_early(name, datagram.time_ns, route);
  }
  bool from_initiator = false;
  Conversation* const talk = conversation(datagram, cm, from_initiator);
  if (talk == nullptr) {
    if (cm.type == CmType::reply) keep_early(datagram, cm);
    // The connection was made before the capture began.
    const auto known = directions_.find({from, {to, cm.qpn}});
    if (cm.type == CmType::disconnection && known != directions_.end()) route.about = known->second.flow;
    return;
  }
  if (cm.type == CmType::reply && !from_initiator && !talk->established) {
    establish(*talk, {to, from, cm.remote_id}, cm.qpn, cm.local_id, route);
  }
  if (!talk->established) return;
  const Endpoint initiator{from_initiator ? from : to, talk->initiator_qpn};
  const Endpoint responder{from_initiator ? to : from, talk->responder_qpn};
  route.about = from_initiator ? QueuePair{initiator, responder} : QueuePair{responder, initiator};
}

}  // namespace wirelaw::pcap
