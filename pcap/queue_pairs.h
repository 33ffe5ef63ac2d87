// SPDX-License-Identifier: Apache-2.0
// Finds the reliable connection of a RoCEv2 datagram. A packet contains its destination (address and queue pair), but
// not the sending queue pair, and its UDP port does not show it. The two directions of a connection are known from the
// datagrams that open it (Communication Manager). If the capture begins after them, they are known from answers: an
// answer has the PSN of its request, 24 bits with a random beginning, so the one direction in which that PSN has just
// been sent is the other half. If none or several fit, the directions stay separate. Memory is bounded: the oldest
// entry is dropped first.
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

// The two ends of a flow. Their ports are queue pair numbers. A number with the bit kUnknownQueue is no queue pair: it
// only distinguishes flows.
struct QueuePair {
  Endpoint source, destination;
};
inline constexpr std::uint32_t kUnknownQueue = 0x80000000;

// True if a datagram is treated as RoCEv2, because of its port and a plausible header.
bool is_roce(const Datagram& datagram);

struct RoceRoute {
  QueuePair flow;  // the flow of the datagram, in its direction
  // Set if a flow turns out to belong to the same connection as `flow`: that flow ends, and continues as `flow`.
  std::optional<QueuePair> abandons;
  // For a Communication Manager datagram: the connection to whose flow it also belongs, in the direction of the
  // datagram, and, if it opens the connection, the request that it answers.
  std::optional<QueuePair> about;
  const Datagram* request = nullptr;  // valid until the next call
  // Set if the answer was captured before the request, which is `datagram`: it takes the place of `datagram` in the
  // connection, with `about` in its direction. Valid until the next call.
  const Datagram* reply = nullptr;
};

class QueuePairs {
 public:
  static constexpr std::size_t kMostDirections = 1u << 14;
  static constexpr std::size_t kMostUnpaired = 256;
  static constexpr std::size_t kMostConversations = 1024;
  static constexpr std::size_t kMostEarlyReplies = 16;
  static constexpr std::uint64_t kMostEarlyNs = 1'000'000'000;  // between the times of a request and its reply

  RoceRoute route(const Datagram& datagram);
  std::size_t directions() const { return directions_.size(); }

 private:
  // The direction from one address to a queue pair of another.
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
    std::uint32_t first = 0, last = 0;  // the latest run of consecutive request PSNs
  };
  // Identified by the initiator's address and number, and the responder's address.
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
    OctetBuffer octets;  // octets of the request
    Datagram request;
  };
  // A reply whose request has not been captured yet.
  struct EarlyReply {
    Name name;
    std::uint32_t qpn = 0, id = 0;
    OctetBuffer octets;
    Datagram datagram;
  };
  using Directions = std::unordered_map<Way, Direction, WayHash>;

  Direction& find(const Way& way);
  Direction* partner_of(const Way& way, std::uint32_t psn);
  void pair(const Way& way, Direction& direction, Direction& partner, RoceRoute& route);
  void set(const Endpoint& one, const Endpoint& other);
  void manage(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route);
  void establish(Conversation& talk, const Name& name, std::uint32_t qpn, std::uint32_t id, RoceRoute& route);
  void keep_early(const Datagram& datagram, const roce::CmMessage& cm);
  void answer_early(const Name& name, std::int64_t time_ns, RoceRoute& route);
  Conversation* conversation(const Datagram& datagram, const roce::CmMessage& cm, bool& from_initiator);

  Directions directions_;
  std::deque<Way> order_;  // the oldest first
  std::deque<Way> unpaired_;
  std::unordered_map<Name, Conversation, NameHash> conversations_;
  std::deque<Name> asked_;        // the oldest first
  std::deque<EarlyReply> early_;  // likewise
  EarlyReply answered_;
};

}  // namespace wirelaw::pcap
