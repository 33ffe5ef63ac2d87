// SPDX-License-Identifier: Apache-2.0
// Finds the reliable connection of a RoCEv2 datagram. A packet contains its destination (address and queue pair), but
// not the sending queue pair, and its UDP port does not show it. The two directions of a connection are known from the
// datagrams that open it (Communication Manager). If the capture begins after them, they are known from answers: an
// answer has the PSN of its request, 24 bits with a random beginning, so the one direction in which that PSN has just
// been sent is the other half. If none or several fit, the directions stay separate. Packets that are captured before
// the datagrams that open their connection wait for these (early_packets.h). Memory is bounded: the oldest entry is
// dropped first.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

#include "pcap/early_packets.h"
#include "pcap/udp.h"
#include "reference/roce/cm.h"
#include "reference/roce/packet.h"

namespace wirelaw::pcap {

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
  bool waits = false;  // true: the datagram waits, and take_released() gives it later; the rest is empty then
  // Set if an answer to the datagram was captured earlier than the datagram itself, by this time: the clocks of the two
  // directions differ by more.
  std::int64_t late_ns = 0;
};

// A datagram that has waited, and its route.
struct ReleasedDatagram {
  EarlyPackets::One packet;
  RoceRoute route;
};

class QueuePairs {
 public:
  static constexpr std::size_t kMostDirections = 1u << 14;
  static constexpr std::size_t kMostUnpaired = 256;
  static constexpr std::size_t kMostConversations = 1024;
  static constexpr std::size_t kMostEarlyReplies = 256;
  static constexpr std::size_t kMostEarlyOctets = 512;          // the longest such reply; it has 280
  static constexpr std::uint64_t kMostEarlyNs = 1'000'000'000;  // between the times of a request and its reply

  QueuePairs() = default;
  QueuePairs(QueuePairs&&) = default;  // directions point to each other, so copies would share them
  QueuePairs& operator=(QueuePairs&&) = default;

  RoceRoute route(const Datagram& datagram);
  // --- datagrams that have waited. Call expire() before route(), and take all of them before and after it.
  void expire(std::int64_t time_ns) { early_packets_.expire(time_ns); }
  void finish() { early_packets_.finish(); }
  bool has_released() const { return early_packets_.has_released(); }
  // True if the first of them belongs to an earlier connection than the one that the routed datagram opens.
  bool has_older() const { return early_packets_.has_older(); }
  ReleasedDatagram take_released();
  // Datagrams that have waited in vain: no message named their queue pair.
  std::uint64_t unnamed() const { return early_packets_.unnamed(); }
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
    bool ended = false;  // its connection was closed; the queue pair may be used again
    bool has_requests = false;
    std::uint32_t first = 0, last = 0;  // the latest run of consecutive request PSNs
    Direction* partner = nullptr;       // the other direction of its connection
    // An answer to a request that has not been captured yet.
    bool is_answered_early = false;
    std::uint32_t answered_psn = 0;
    std::int64_t answered_ns = 0;
  };
  using Name = CmConversation;
  struct NameHash {
    std::size_t operator()(const Name& name) const noexcept {
      return (std::hash<Address>()(name.initiator) * 31 + std::hash<Address>()(name.responder)) * 31 + name.id;
    }
  };
  struct Conversation {
    std::uint32_t initiator_qpn = 0, responder_qpn = 0, responder_id = 0;
    std::uint32_t responder_first_psn = 0;
    bool established = false;
    std::optional<std::int64_t> ready_ns;  // time of the initiator's answer to the reply
    OctetBuffer octets;                    // octets of the request
    Datagram request;
  };
  // A reply whose request has not been captured yet.
  struct EarlyReply {
    Name name;
    std::uint32_t qpn = 0, id = 0, starting_psn = 0;
    OctetBuffer octets;
    Datagram datagram;
  };
  using Directions = std::unordered_map<Way, Direction, WayHash>;

  Direction& find(const Way& way);
  Direction* partner_of(const Way& way, std::uint32_t psn);
  void pair(const Way& way, Direction& direction, Direction& partner, RoceRoute& route);
  static void join(Direction& one, Direction& other);
  static void part(Direction& one);
  void set(const OpenedEnd& one, const OpenedEnd& other);
  void route_request(const Way& way, const roce::Packet& packet, const Datagram& datagram, RoceRoute& route);
  void route_other(const Way& way, const roce::Packet& packet, const Datagram& datagram, RoceRoute& route);
  static void note_answer(Direction* partner, const roce::Packet& packet, const Datagram& datagram);
  bool hold(const Way& way, const roce::Packet& packet, const Datagram& datagram);
  void manage(const Datagram& datagram, const roce::Packet& packet, const roce::CmMessage& cm, RoceRoute& route);
  void ask(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route);
  bool hold_end(const Datagram& datagram, const roce::Packet& packet, const roce::CmMessage& cm);
  void route_end(const Datagram& datagram, const roce::Packet& packet, RoceRoute& route);
  void route_answer(const Datagram& datagram, const roce::CmMessage& cm, RoceRoute& route);
  void mark_end(const QueuePair& about);
  void establish(Conversation& talk, const Name& name, const EarlyReply& reply, RoceRoute& route);
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
  EarlyPackets early_packets_;
};

}  // namespace wirelaw::pcap
