// SPDX-License-Identifier: Apache-2.0
// The live flows of a capture, found by their two endpoints. Their number is bounded, and the memory is allocated once.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "harness/check/stream_search.h"
#include "harness/flow/judged_flow.h"
#include "pcap/address.h"
#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"

namespace wirelaw {

// Same as ==, but compares two words without a call, because every message needs it.
inline bool is_same(const pcap::Endpoint& one, const pcap::Endpoint& other) {
  std::uint64_t a[2], b[2];
  std::memcpy(a, one.address.octets.data(), sizeof a);
  std::memcpy(b, other.address.octets.data(), sizeof b);
  return one.port == other.port && one.address.v6 == other.address.v6 && ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

// The transport as written before the two ends of a flow.
constexpr std::string_view word_of(pcap::Transport transport) {
  constexpr std::string_view kWords[] = {"", "udp", "tcp", "pdu", "roce"};  // in the order of the enumeration
  return kWords[static_cast<std::size_t>(transport)];
}

// Additional state of a TCP flow.
struct TcpFlow {
  explicit TcpFlow(const pcap::TcpLimits& limits) : connection(limits) {}

  pcap::TcpConnection connection;
  std::unique_ptr<StreamSearch> search;  // set while the protocol may still be recognised
  bool begun_at_key = false;             // the protocol begins for both sides at the point where it was recognised
  std::array<bool, 2> cut{};             // side a, side b: octets precede the recognised part
};

// The first datagrams of a flow with an assigned port, held until content confirms or disproves the port.
struct HeldDatagrams {
  static constexpr std::size_t kMost = 8, kMostOctets = 4096;
  struct One {
    Message message;
    OctetBuffer octets, headers;
  };
  std::vector<One> all;
  std::size_t octets = 0;

  void add(const Message& message) {
    all.push_back(
        {message, {message.octets.begin(), message.octets.end()}, {message.headers.begin(), message.headers.end()}});
    octets += message.octets.size();
  }
  bool is_full() const { return all.size() >= kMost || octets >= kMostOctets; }
};

struct Flow {
  pcap::Endpoint a, b;  // `a` sent the first message, or has made the connection
  pcap::Transport transport = pcap::Transport::none;
  std::uint8_t leg = 0;  // index of the leg of a relay (CaptureNote::has_legs)
  JudgedFlow judged;     // observes from the recognition of the protocol to the end of the flow
  std::unique_ptr<TcpFlow> tcp;
  std::uint64_t messages = 0;      // a stream's count is set once it has ended
  std::uint32_t interface = 0;     // interface that captured its first datagram
  std::uint64_t octets = 0;        // octets of the messages on the wire; for a stream: octets seen
  std::uint64_t passed_over = 0;   // messages, or octets of a stream, before the recognised part
  std::size_t memory = 0;          // memory that it held at the latest measurement
  std::size_t unasked_octets = 0;  // octets since that measurement
  std::string_view skipped;        // why it is not judged; empty if it is
  std::optional<bool> is_ours;     // once decided: true if this share of the run has to judge and list it
  bool is_loaded = false;          // its octets are counted for the part that judges it
  std::size_t part = 0;
  const Protocol* by_port = nullptr;  // the protocol to which a port is assigned, unless content has disproved it
  bool b_was_asked = false;           // the connection was made to side b
  bool to_port = false;  // by_port is that of the side that accepted the connection, or received the first datagram
  std::unique_ptr<HeldDatagrams> held;
  const Protocol* port_lies = nullptr;
  std::uint64_t cut = 0;      // packets whose payload the capture does not have in full
  std::string carriers;       // tags and tunnels of the first packet that had any
  std::string dissector;      // for exported PDUs: the judged protocol's, or else the first one named
  std::uint64_t foreign = 0;  // exported PDUs of other dissectors, after the judged ones
  // The RoCE packet that was captured latest after an answer to it, if any was: two clocks captured the directions.
  std::optional<pcap::TcpFlaw> late;
};

// True if the capture names another dissector than the flow's. --decode-as and notes override the name, so such flows
// have none.
inline bool is_foreign(const Flow& flow, const pcap::Datagram& datagram) {
  return !flow.dissector.empty() && !datagram.dissector.empty() && flow.dissector != datagram.dissector;
}

class FlowTable {
 public:
  explicit FlowTable(std::size_t capacity);

  // Returns the flow between these endpoints on this leg, in either direction, and makes it the most recently used one.
  // nullptr if there is none.
  [[gnu::always_inline]] Flow* find(pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to,
                                    std::uint8_t leg = 0) {
    if (newest_ != kNone && joins(entries_[newest_].flow, transport, from, to, leg)) return &entries_[newest_].flow;
    return look_up(transport, from, to, leg);
  }
  // Adds a flow that find() did not find. The table must not be full.
  Flow& add(pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to, std::uint8_t leg = 0);
  void remove(const Flow& flow);

  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  Flow* oldest() { return oldest_ == kNone ? nullptr : &entries_[oldest_].flow; }  // least recently used
  std::vector<Flow*> in_order();                                                   // ordered by number

 private:
  using Place = std::uint32_t;  // index of an entry
  static constexpr Place kNone = 0xffffffff;

  struct Entry {
    Place newer = kNone, older = kNone;
    std::uint32_t hash = 0;
    bool used = false;
    Flow flow;
  };
  struct Bucket {
    std::uint32_t hash = 0;
    Place place = kNone;
  };

  static bool joins(const Flow& flow, pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to,
                    std::uint8_t leg) {
    return flow.transport == transport && flow.leg == leg &&
           ((is_same(flow.a, from) && is_same(flow.b, to)) || (is_same(flow.a, to) && is_same(flow.b, from)));
  }
  Flow* look_up(pcap::Transport transport, const pcap::Endpoint& from, const pcap::Endpoint& to, std::uint8_t leg);
  Place take_place();
  void link_newest(Place place);
  void unlink(Place place);
  void empty_bucket(std::size_t bucket);

  std::size_t capacity_;
  std::vector<Entry> entries_;   // as many as were ever in use at the same time; entries never move
  std::vector<Bucket> buckets_;  // a power of two of them, at most half full; open addressing, linear probing
  std::vector<Place> free_;
  std::size_t size_ = 0;
  Place newest_ = kNone, oldest_ = kNone;
};

}  // namespace wirelaw
