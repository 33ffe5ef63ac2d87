// SPDX-License-Identifier: Apache-2.0
// Reassembles the requests of one queue pair of a reliable connection from its packets in the order of their PSNs
// (InfiniBand Architecture 9.7): Sends with their octets, and completions of RDMA Writes and Reads. Repeated packets
// are skipped. Packets after a hole are held until the hole is filled, until the other side acknowledges the missing
// packets (then they were sent but not captured; conformance/roce/waiting.h), or until too many wait. It judges
// nothing. Memory is bounded: octets of a Send beyond kMostOctets are counted, not kept.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "conformance/delivery.h"
#include "reference/roce/packet.h"

namespace wirelaw::roce {

// The receiver of deliveries, in order.
struct Outlet {
  DeliverySink* above = nullptr;
  std::uint64_t messages = 0;

  Delivery at(Delivery::Event event, Side sender, const Message& where) const;
  void give(const Delivery& delivery, Judge& judge) const {
    if (above != nullptr) above->deliver(delivery, judge);
  }
};

class Requests {
 public:
  static constexpr std::size_t kMostHeld = 256;             // packets held after a hole
  static constexpr std::size_t kMostHeldOctets = 1u << 20;  // octets of held packets
  static constexpr std::size_t kMostOctets = 1u << 20;      // octets kept of a Send
  static constexpr std::size_t kMostPlaces = 4096;          // places of a Send in the capture
  static constexpr std::size_t kMostReads = 256;            // Reads that are remembered until they are answered
  // A PSN farther from the expected one belongs to another connection.
  static constexpr std::int32_t kFar = 1 << 22;

  Requests(Side side, Outlet& out) : side_(side), out_(&out) {}

  // The connection was opened, and the first packet of this side has this PSN, which the other side's request or reply
  // asked for (InfiniBand Architecture 12.7.31).
  void begin(std::uint32_t psn);
  // Sets the payload length of packets in the middle of a message.
  void set_mtu(std::uint32_t octets);
  void take(const Packet& packet, const Message& message, Judge& judge);
  // Requests that an answer shows to have been sent, and that have not been taken.
  struct Missing {
    std::uint32_t first = 0, last = 0;  // PSNs
  };
  // What such an answer of the other side shows. Empty if nothing is missing.
  std::optional<Missing> missing_before(const Packet& answer) const;
  // The other side has answered.
  void answered(const Packet& answer, const Message& message, Judge& judge);
  void finish(Judge& judge);

  bool has_begun() const { return begun_; }
  std::uint64_t repeated() const { return repeated_; }
  std::uint64_t lost() const { return lost_; }
  std::size_t memory() const;

 private:
  struct Held {
    std::uint32_t psn = 0;
    OctetBuffer octets;
    Message message;  // without its octets
  };
  struct Read {
    std::uint32_t psn = 0;
    std::uint32_t most = 0;  // upper bound for the PSN of its last response
    RemoteRange range;
  };
  enum class Open : std::uint8_t { nothing, send, write };

  bool can_begin_with(std::uint32_t psn) const;
  bool begins_with(std::uint32_t psn);
  void find_beginning(const Packet& packet, const Message& message, Judge& judge);
  bool is_due(std::int32_t ahead) const;
  void hold(const Packet& packet, const Message& message, Judge& judge);
  void drain(Judge& judge);
  void accept(const Packet& packet, const Message& message, Judge& judge);
  void send(const Packet& packet, const Message& message, Judge& judge);
  void write(const Packet& packet, const Message& message, Judge& judge);
  void read(const Packet& packet, const Message& message, Judge& judge);
  void keep(const Packet& packet, const Message& message);
  void lose(const Message& where, Judge& judge, bool uncaptured = true);
  void lose_through(std::uint32_t psn, const Message& where, Judge& judge);
  void complete_reads(const Packet& answer, std::uint32_t through, const Message& message, Judge& judge);

  Side side_;
  Outlet* out_;
  // --- the order
  bool begun_ = false;
  bool agreed_ = false;
  std::uint32_t due_ = 0;
  // Length of a Read immediately before `due_` whose number of responses is unknown; 0: none.
  std::uint32_t read_length_ = 0;
  std::uint32_t mtu_ = 0;  // 0: unknown
  std::deque<Held> held_;  // ascending
  std::size_t held_octets_ = 0;
  std::uint64_t repeated_ = 0, lost_ = 0;
  // --- the current message
  Open open_ = Open::nothing;
  bool whole_ = true;
  std::uint64_t length_ = 0;  // length on the wire
  OctetBuffer octets_;
  std::vector<Place> where_;
  RemoteRange range_;
  std::deque<Read> reads_;
};

}  // namespace wirelaw::roce
