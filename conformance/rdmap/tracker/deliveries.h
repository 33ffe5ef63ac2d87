// SPDX-License-Identifier: Apache-2.0
// Reassembles from the FPDUs of a trace what RDMAP delivers to its ULP: Sends with their octets, and the completion of
// RDMA Writes and Reads (RFC 5040, 5; RFC 5041, 5.4). It judges nothing. Incomplete messages are delivered as
// incomplete or as lost. Memory is bounded: octets of a Send after the first kMostOctets are counted, not kept.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "conformance/rdmap/tracker/fact_sink.h"
#include "conformance/rdmap/tracker/seen.h"
#include "conformance/stream_places.h"

namespace wirelaw::rdmap {

class Deliveries {
 public:
  static constexpr std::size_t kMostOctets = 1u << 20;  // octets kept of one Send
  static constexpr std::size_t kMostPlaces = 4096;      // places in the capture kept for one Send
  static constexpr std::size_t kMostReads = 256;        // unanswered reads kept

  explicit Deliveries(FactSink& facts) : facts_(facts) {}

  // --- in the order of the trace
  void take(const StreamPiece& piece) {
    way(piece.sender).places.add(piece);
    if (piece.received != 0) way(other(piece.sender)).received.prove(piece.received);
  }
  void established(const Connection& connection, const StreamPiece& at);
  // Takes an FPDU whose header has been decoded.
  void segment(const Seen& seen, const StreamPiece& at);
  void lost(Side sender, const StreamPiece& at);
  void ended(const Direction& from, const StreamPiece& at);

  std::size_t memory() const;

 private:
  // Messages of one side that the other one has received (StreamPiece::received). Two of them are kept: the oldest
  // unproven one and the latest.
  struct Received {
    struct End {
      std::uint64_t octets = 0;    // stream octets up to the end of the message
      std::uint64_t messages = 0;  // messages up to there
    };
    End first, latest;
    std::uint64_t proven = 0;  // messages proven to be received

    void add(std::uint64_t octets) {
      latest = {.octets = octets, .messages = latest.messages + 1};
      if (first.messages <= proven) first = latest;
    }
    void prove(std::uint64_t octets) {
      if (octets >= latest.octets)
        proven = latest.messages;
      else if (octets >= first.octets && first.messages > proven)
        proven = std::exchange(first, latest).messages;
    }
    std::uint64_t may_miss() const { return latest.messages - proven; }
  };
  // One direction: everything that one side sends.
  struct Way {
    StreamPlaces places;
    Received received;  // messages that the other side has received
    // The Send that has begun.
    bool open = false;
    bool whole = true;
    std::uint32_t msn = 0;
    std::uint64_t due = 0;  // MO of the next octets
    OctetBuffer octets;
    std::vector<Place> where;
    // The tagged message that has begun.
    bool tagged = false;
    RemoteRange range;
    std::vector<RemoteRange> reads;  // unanswered reads of this side; usually few
  };

  Way& way(Side side) { return ways_[side == Side::a ? 0 : 1]; }
  void gather(const Seen& seen, Way& from);
  void send(const Seen& seen, const StreamPiece& at);
  void tagged(const Seen& seen, const StreamPiece& at);
  void read_request(const Seen& seen, const StreamPiece& at);
  void find_places(const Seen& seen, std::size_t offset, std::size_t length);
  Delivery delivery(Delivery::Event event, Side sender, const StreamPiece& at) const;

  FactSink& facts_;
  std::array<Way, 2> ways_;
  std::uint64_t messages_ = 0;
};

}  // namespace wirelaw::rdmap
