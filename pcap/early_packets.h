// SPDX-License-Identifier: Apache-2.0
// RoCE packets of connections that are still being opened. The two directions may come from two taps, or from two
// hosts, whose clocks differ. Then the packets of one side precede the Communication Manager message of the other side
// that names their queue pair. They wait here while a connection is being opened between their addresses. When it is
// open, its packets are those whose sequence numbers follow its Starting PSNs; time decides nothing. Memory is bounded:
// if too many packets wait, or if one waits for too long in the capture's time, the first waits no longer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "pcap/udp.h"
#include "reference/roce/packet.h"

namespace wirelaw::pcap {

// The two ends of a flow. Their ports are queue pair numbers. A number with the bit kUnknownQueue is no queue pair: it
// only distinguishes flows.
struct QueuePair {
  Endpoint source, destination;
};
inline constexpr std::uint32_t kUnknownQueue = 0x80000000;

// A conversation of two Communication Managers: the initiator's address and number, and the responder's address.
struct CmConversation {
  Address initiator, responder;
  std::uint32_t id = 0;
  bool operator==(const CmConversation&) const = default;
};

// An end of a connection that has been opened: its queue pair, and the PSN of its first packet.
struct OpenedEnd {
  Endpoint queue;
  std::uint32_t first_psn = 0;
};

class EarlyPackets {
 public:
  static constexpr std::size_t kMost = 1024;                   // packets
  static constexpr std::size_t kMostOctets = 4U << 20;         // their octets, with IP and UDP headers
  static constexpr std::size_t kMostOpenings = 256;            // connections that are being opened
  static constexpr std::uint64_t kPatienceNs = 1'000'000'000;  // the time that a packet waits at most

  // A packet that has waited.
  struct One {
    OctetBuffer octets, headers;
    Datagram datagram;
    Endpoint to;  // the queue pair that it was sent to
    std::uint32_t psn = 0;
    bool is_request = false, is_answer = false;
    std::optional<CmConversation> ends;  // for a message that ends a connection: the conversation that opens it
    // The flow of this packet before the new connection: that of an earlier use of the queue pair, or of an unknown
    // one.
    QueuePair before;
    bool is_older = false;     // it belongs to `before`
    std::uint64_t number = 0;  // among packets and openings
  };

  // A request, or the reply to one that was not captured yet.
  void open(const CmConversation& name);
  bool is_opening(const CmConversation& name) const { return std::ranges::count(openings_, name, &Opening::name) > 0; }
  bool is_opening(const Address& one, const Address& other) const {
    return std::ranges::any_of(openings_, [&](const Opening& each) { return is_between(each.name, one, other); });
  }
  void hold(const Datagram& datagram, const roce::Packet& packet, const QueuePair& before,
            const std::optional<CmConversation>& ends = {});
  // The connection is open: the packets that belong to it wait no longer.
  void opened(const CmConversation& name, const OpenedEnd& initiator, const OpenedEnd& responder);
  // The connection is not made.
  void refused(const CmConversation& name);
  // Packets that have waited for too long at this time wait no longer.
  void expire(std::int64_t time_ns) {
    while (!held_.empty() && waits_too_long(time_ns)) [[unlikely]] give_up(held_.front());
  }
  void finish() {
    while (!held_.empty()) give_up(held_.front());
  }

  bool has_released() const { return !released_.empty(); }
  // Takes the first packet that waits no longer. Those that belong to `before` come first.
  One take_released();
  bool has_older() const { return has_released() && released_.front().is_older; }

  // Packets that no connection has named while they waited.
  std::uint64_t unnamed() const { return unnamed_; }
  std::size_t size() const { return held_.size(); }
  std::size_t openings() const { return openings_.size(); }
  std::size_t memory() const { return (held_.size() + released_.size()) * sizeof(One) + octets_; }

 private:
  static bool is_between(const CmConversation& name, const Address& one, const Address& other) {
    return (name.initiator == one && name.responder == other) || (name.initiator == other && name.responder == one);
  }
  static bool is_between(const One& packet, const Address& one, const Address& other) {
    const Address& from = packet.datagram.source.address;
    const Address& to = packet.datagram.destination.address;
    return (from == one && to == other) || (from == other && to == one);
  }
  bool waits_too_long(std::int64_t time_ns) const {
    const std::int64_t since_ns = held_.front().datagram.time_ns;
    return time_ns > since_ns &&
           static_cast<std::uint64_t>(time_ns) - static_cast<std::uint64_t>(since_ns) > kPatienceNs;
  }
  void give_up(const One& packet);
  std::uint64_t release_rest(const CmConversation& name);

  // A side's packets follow its own message, so a packet waits only for connections that were being opened before it.
  struct Opening {
    CmConversation name;
    std::uint64_t number = 0;
  };
  std::deque<Opening> openings_;     // the oldest first
  std::deque<One> held_, released_;  // likewise
  std::uint64_t numbers_ = 0;        // how many packets and openings have come
  std::size_t octets_ = 0;           // how many both queues hold
  std::uint64_t unnamed_ = 0;
};

}  // namespace wirelaw::pcap
