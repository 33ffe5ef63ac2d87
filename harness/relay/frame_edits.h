// SPDX-License-Identifier: Apache-2.0
// Plays the faults of a file on the messages in frames that pass a transparent relay. A message in a datagram can be
// lost, doubled and delayed; a message in a stream of TCP is only edited. Frames wait for a bounded time until their
// message is whole. Nothing gets another length. Sans I/O.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/relay/hostile_faults.h"
#include "harness/relay/played_network.h"
#include "harness/relay/stream_edits.h"
#include "pcap/address.h"
#include "pcap/tcp.h"
#include "pcap/udp.h"

namespace wirelaw {

// A frame that goes on to its receiver.
struct PassingFrame {
  bool from_initiator = false;
  OctetBuffer octets = {};
  PlayedNetwork::Fate fate = {};
  Instant delay{0};  // besides that of its fate
  std::vector<std::string> comments = {};
};

class FrameEdits {
 public:
  using Clock = PlayedNetwork::Clock;

  // Frames wait at most this long for the end of their message. Linux repeats a segment after 200 ms.
  static constexpr std::chrono::milliseconds kMostWait{100};
  // The most frames that wait in one direction of a connection, and their payload in octets.
  static constexpr std::size_t kMostFrames = 32, kMostOctets = std::size_t{64} << 10;

  // The responder listens at `port`; other flows pass unedited. At most `flows` are followed at the same time. The
  // faults are not empty. They and the counts outlive this object.
  FrameEdits(const HostileFaults& faults, std::uint16_t port, std::size_t flows, RelayCounts& counts)
      : faults_(faults), port_(port), most_flows_(flows), counts_(counts) {}

  struct Outcome {
    std::vector<std::string> comments = {};  // about the frame as it arrived
    std::vector<PassingFrame> passing = {};  // what goes on now, in this order
  };
  // Takes a frame with its fate in the network.
  Outcome arrive(bool from_initiator, Octets frame, const PlayedNetwork::Fate& fate, Clock::time_point now);

  // When expire() has to be called; nullopt: no frame waits.
  std::optional<Clock::time_point> next_due() const;
  // Returns the frames that have waited too long.
  std::vector<PassingFrame> expire(Clock::time_point now);

 private:
  struct FlowKey {
    pcap::Endpoint initiator, responder;
    bool is_tcp = false;
    friend bool operator==(const FlowKey&, const FlowKey&) = default;
  };
  struct FlowHash {
    std::size_t operator()(const FlowKey& key) const {
      const std::hash<pcap::Endpoint> hash;
      return (hash(key.initiator) * 31 + hash(key.responder)) * 2 + (key.is_tcp ? 1 : 0);
    }
  };
  // A frame of TCP.
  struct Held {
    PassingFrame frame;
    Clock::time_point since;
    std::size_t segment = 0, payload = 0, length = 0;  // where TCP and its payload begin, and the octets of the payload
    std::uint64_t begin = 0;                           // place of the payload in the stream
    bool has_fin = false;
    bool is_taken = false;  // the triggers have seen it

    std::uint64_t end() const { return begin + length; }
  };
  // One direction of a connection.
  struct Way {
    std::uint32_t first = 0;           // sequence number of the first octet
    std::optional<StreamEdits> edits;  // once its SYN has passed
    std::deque<Held> held;
    bool is_closed = false;
  };
  struct Flow {
    Flow(FlowKey its, std::optional<script::TriggerRun> its_run) : key(its), run(std::move(its_run)) {}

    const FlowKey key;
    std::optional<script::TriggerRun> run;
    Way ways[2];  // [1]: from the initiator; only for TCP
    bool is_reset = false;
    Clock::time_point last_passed{};
  };
  using FlowPlace = std::list<Flow>::iterator;
  struct Arrival {
    bool from_initiator;
    Octets frame;
    const PlayedNetwork::Fate& fate;
    Clock::time_point now;
  };

  // --- the index `w` of a direction: 1 from the initiator, 0 from the responder
  static FlowKey key_of(const pcap::Endpoint& source, const pcap::Endpoint& destination, bool is_tcp, bool w);
  Flow* find(const FlowKey& key, Clock::time_point now);
  Flow* add(const FlowKey& key, Clock::time_point now);
  bool make_room(Clock::time_point now);
  static bool may_give_way(const Flow& flow, Clock::time_point now);
  void remove(FlowPlace flow);

  static void pass_as_it_is(const Arrival& arrival, Outcome& outcome);
  void pass_without_faults(const Arrival& arrival, std::string_view why, Outcome& outcome);
  void take_datagram(const Arrival& arrival, const pcap::Datagram& datagram, Outcome& outcome);
  void take_segment(const Arrival& arrival, const pcap::Segment& segment, Outcome& outcome);
  Flow* flow_of(const pcap::Segment& segment, bool w, Clock::time_point now, Outcome& outcome);
  void take_octets(Flow& flow, const Arrival& arrival, const pcap::Segment& segment, Outcome& outcome);
  void take_held(Way& way);
  void release(Flow& flow, bool w, std::vector<std::string> comments, std::vector<PassingFrame>& passing);
  void give_up(Flow& flow, bool w, std::string_view why, std::vector<PassingFrame>& passing);
  void release_all(Flow& flow, std::vector<PassingFrame>& passing);
  static void edit(const Flow& flow, bool w, Held& held);

  const HostileFaults& faults_;
  const std::uint16_t port_;
  const std::size_t most_flows_;
  RelayCounts& counts_;
  std::list<Flow> flows_;  // least recently used first
  std::unordered_map<FlowKey, FlowPlace, FlowHash> places_;
  // Directions in which frames wait, by the time since when.
  std::set<std::tuple<Clock::time_point, Flow*, bool>> waiting_;
};

}  // namespace wirelaw
