// SPDX-License-Identifier: Apache-2.0
// Finds the reliable connection of a RoCEv2 datagram. A packet contains where it goes (address and queue pair), but not
// which queue pair has sent it, and its UDP port does not tell. What belongs together is known from the datagrams that
// make connections (Communication Manager), and, if the capture begins after them, from answers: an answer has the
// PSN of the request that it answers, of 24 bits that begin anywhere; so the one direction in which that PSN has just
// been sent is the other half. If none or several fit, the directions stay separate. Memory is bounded: the oldest
// entry goes first.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

#include "pcap/udp.h"
#include "reference/roce/cm.h"
#include "reference/roce/packet.h"

namespace wirelaw::pcap {

// Two ends of a flow. Their ports are numbers of queue pairs; a number with kUnknownQueue set is no queue pair: it only
// distinguishes flows.
struct QueuePair {
  Endpoint source, destination;
};
inline constexpr std::uint32_t kUnknownQueue = 0x80000000;

// Whether a datagram is taken for RoCEv2: by its port, and a header that may be one.
bool is_roce(const Datagram& datagram);

struct RoceRoute {
  QueuePair flow;                     // the datagram's flow, as it was sent
  std::optional<QueuePair> abandons;  // it and this flow were taken for two, and continue as the first
  // For a datagram of the Communication Manager: the connection whose flow it also belongs to, as it was sent, and the
  // request that it answers if it makes the connection.
  std::optional<QueuePair> about;
  const Datagram* request = nullptr;  // good until the next call
};

class QueuePairs {
 public:
  static constexpr std::size_t kMostDirections = 1u << 14;
  static constexpr std::size_t kMostUnpaired = 256;
  static constexpr std::size_t kMostConversations = 1024;

  RoceRoute route(const Datagram& datagram);
  std::size_t directions() const { return directions_.size(); }

 private:
  // What goes from one address to a queue pair of another.
  struct Way {
    Address from;
    Endpoint to;
    bool operator==(const Way&) const = default;
  };
  struct WayHash {
    std::size_t operator()(const Way& way) const noexcept {
      return std::hash<Address>()(way.from) * 31 + std::hash<Endpoint>()(way.to);
    }
  };
  struct Direction {
    QueuePair flow;
    bool paired = false;
    bool has_requests = false;
    std::uint32_t first = 0, last = 0;  // PSNs of requests that follow each other, the latest
  };
  // By the initiator's address and number, and the responder's address.
  struct Name {
    Address initiator, responder;
    std::uint32_t id = 0;
    bool operator==(const Name&) const = default;
  };
  struct NameHash {
    std::size_t operator()(const Name& name) const noexcept {
      return (std::hash<Address>()(name.initiator) * 31 + std::hash<Address>()(name.responder)) * 31 + name.id;
    }
  };
  struct Conversation {
    std::uint32_t initiator_qpn = 0, responder_qpn = 0, responder_id = 0;
    bool established = false;
    OctetBuffer octets;  // the request's octets
    Datagram request;
  };
  using Directions = std::unordered_map<Way, Direction, WayHash>;

  Direction& find(const Way& way);
  Direction* partner_of(const Way& way, std::uint32_t psn);
  void pair(const Way& way, Direction& direction, Direction& partner, RoceRoute& route);
  void set(const Endpoint& one, const Endpoint& other);
  void manage(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route);
  Conversation* conversation(const Datagram& datagram, const roce::CmMessage& cm, bool& from_initiator);

  Directions directions_;
  std::deque<Way> order_;  // the oldest first
  std::deque<Way> unpaired_;
  std::unordered_map<Name, Conversation, NameHash> conversations_;
  std::deque<Name> asked_;  // the oldest first
};

}  // namespace wirelaw::pcap
