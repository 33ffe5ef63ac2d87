// SPDX-License-Identifier: Apache-2.0
// The checking pipeline: from capture files to verdicts. A frame becomes a finding in these steps:
//
//   PacketReader ─┬─ Datagram ───────┬─────────────────────┐
//                 │                  └─ QueuePairs (RoCEv2) ┤
//                 └─ Segment ─ TcpConnection ─ StreamPiece ─┴─ JudgedFlow ─ Observer ─ Judge ─ Finding
//
// One Checker judges all flows, or its share of them. If it has a share, it also follows the other flows, so that order
// and number of flows are the same as for a single Checker (harness/shard/).
//
// PacketReader (pcap/packet_reader.h) reads frames. The Checker sorts their packets into flows. The protocol of a flow
// is chosen by the user, proven by content, or suggested by a port (conformance/protocol.h). TCP segments become
// streams. A JudgedFlow (harness/flow/judged_flow.h) is the same as in live runs: from there on nothing depends on the
// source. One judge gets all flows, and a finding keeps the frame and the octets. Memory is bounded for all captures.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/judge.h"
#include "conformance/protocol.h"
#include "conformance/verdict.h"
#include "harness/check/flow_table.h"
#include "harness/flow/leg_interface.h"
#include "harness/shard/shard.h"
#include "harness/shard/share.h"
#include "pcap/packet_reader.h"
#include "pcap/queue_pairs.h"
#include "pcap/tcp_connection.h"

namespace wirelaw {

struct CheckLimits {
  std::size_t live_flows = 4096;                // open at the same time; the least recently used is dropped first
  std::size_t flow_octets = 16u << 20;          // memory of all observers and connections together
  std::size_t listed_flows = 10'000;            // further flows are only counted
  std::size_t recognition_messages = 64;        // messages of a flow before it is given up as unrecognised
  std::size_t recognition_octets = 128u << 10;  // in both directions of a connection, likewise
  // Octets of a flow after which its memory is measured again; more with few flows.
  std::size_t octets_between_checks = 1u << 10;
  // Limits for each direction of a connection: octets that wait for missing ones, and octets kept for comparison with
  // repeats.
  pcap::TcpLimits tcp{.held = 1u << 20, .compared = 2048};
};

// `--decode-as udp.port=7001,ramcloud`, `tcp.port=7175,rdmap`: a flow with this port at either end is of this protocol.
struct DecodeAs {
  pcap::Transport transport = pcap::Transport::udp;
  std::uint16_t port = 0;
  const Protocol* protocol = nullptr;
};
tl::expected<DecodeAs, std::string> parse_decode_as(const std::string& text);  // the error is one line

// The address of the implementation under test, with its port, or for any port.
struct IutAddress {
  pcap::Address address;
  std::optional<std::uint32_t> port;

  bool is(const pcap::Endpoint& endpoint) const {
    return endpoint.address == address && (!port || *port == endpoint.port);
  }
};
tl::expected<IutAddress, std::string> parse_iut(const std::string& text);

// A note that a live run wrote into its capture, so that judging it again needs no options. It is a section comment
// such as "wirelaw iut=192.0.2.1:7001 protocol=efa headers=synthetic features=rdma_read,rdma_write revision=2.6", and
// every flow is then this protocol. A run that knows only its own address writes tester= instead of iut=. With
// synthetic headers, the addresses are real and the rest was made up for the capture. With headers=script, the TCP
// segments and their MSS are real too: a script says them. With below=synthetic, the protocol that a device carried
// below the judged one was made up, and is not judged. In a flow that has neither end, the IUT is the side that began
// it: it has connected to another port or address of the tester. A relay writes both: iut= is the responder that it
// connects to, the only judged side in its flows, and tester= is the address where initiators connect to the relay, and
// in those flows only they are judged. A transparent relay, between whose legs addresses do not change, writes
// legs=interfaces: the interfaces of the capture are those of LegInterface, and on each leg only the peer at its end is
// judged. Its frames may hold other traffic as well, so port= says where the responder listens. Features and revision
// are those that the run was judged with; CheckOptions override them.
struct CaptureNote {
  std::optional<IutAddress> iut;
  std::optional<IutAddress> tester;
  const Protocol* protocol = nullptr;
  bool synthetic_headers = false;
  bool synthetic_below = false;
  bool says_segments = false;  // headers=script: synthetic, but for the TCP segments
  // True for a relay's recording, whose TCP connections end at the relay.
  bool is_of_relay() const { return synthetic_headers && iut && tester; }
  bool has_legs = false;              // legs=interfaces
  std::optional<std::uint16_t> port;  // with legs: only flows with this port at one end are known to be the protocol's
  std::vector<std::string> features;  // as CheckOptions::features
  std::string revision;               // as CheckOptions::revision
};
CaptureNote parse_capture_note(std::string_view comment);

struct CheckOptions {
  std::vector<DecodeAs> decode_as;
  std::optional<IutAddress> iut;
  const Protocol* protocol = nullptr;  // nullptr: every protocol that this build knows
  std::vector<std::string> rules;      // patterns; empty: all rules
  bool as_they_come = false;           // reads frames in the file's order, so that a live pipe does not wait
  bool complete = false;               // nothing was dropped, even if the files do not state it
  std::vector<std::string> features;   // features that the implementations declare (Protocol::features)
  std::string revision;  // the revision that they follow (Protocol::revisions); empty: the traffic shows it
  JudgeLimits judge;
  CheckLimits limits;
  Shard shard;  // judges only flows of this shard, by their stable hash, and follows all flows
  Shard part;   // part of this shard for one process of --jobs, by octets
};

// The catalogue of one protocol, or of all of them.
const Catalogue& catalogue_for(const Protocol* protocol);

// The load of one part of a run: the flows that it was given so far.
struct PartLoad {
  std::uint64_t octets = 0;
  std::uint64_t flows = 0;
  friend auto operator<=>(const PartLoad&, const PartLoad&) = default;
};

// Returns true if the port is assigned to the protocol.
bool has_assigned_port(const Protocol& protocol, pcap::Transport transport, std::uint32_t port);

// Passes packets to flows, flows to observers, and their messages to the judge. Datagrams and segments may come from
// any source.
class Checker {
 public:
  explicit Checker(CheckOptions options);
  // Uses other protocols than those of this build.
  Checker(CheckOptions options, std::span<const Protocol* const> protocols, const Catalogue& catalogue);

  // Begins a file, whose `note` is in force until the next one. With Completeness::unknown, end_file() decides. `place`
  // is the index of the file among the inputs of the run.
  void begin_file(const CaptureNote& note, Completeness completeness = Completeness::complete, std::uint64_t place = 0);
  // Sets the part for the file that begins next.
  void take_part(const Shard& part) { options_.part = part; }
  // Calls `report` with the flaws below a flow's protocol when the flow ends.
  void report_flaws_to(std::function<void(const pcap::TcpFlaw&)> report) { report_ = std::move(report); }
  // Begins the next case of a recording of cases, which ends the flows of the previous one. For their open requests,
  // time ends with their last frame: the time until the next case does not count.
  void begin_case();
  // Judges one datagram, or the stream octets of a segment, and returns its flow, which is valid until the next call.
  const Flow& take(const pcap::Datagram& datagram);
  const Flow& take(const pcap::Segment& segment);
  // Takes the RoCE packets that still wait for the opening of their connection. Calls of take() may not follow.
  void finish_early();
  // Number of RoCE packets of the present file that have waited in vain for the messages that name their queue pairs,
  // after finish_early(). They were judged apart from their connection, if at all.
  std::uint64_t unnamed_packets() const;
  void end_file(Completeness completeness = Completeness::complete);  // ends its flows

  // The flow that an observer is judging now; nullptr if none is.
  const Flow* current() const { return current_; }
  Judge& judge() { return judge_; }
  bool iut_seen() const { return iut_seen_; }
  std::uint64_t judged_messages() const { return judged_; }  // a stream's messages count once it has ended
  std::size_t memory() const { return memory_; }             // octets of memory of all flows, approximately
  // The greatest memory held for the present file, for the state of flows and for associations.
  std::size_t most_memory() const { return most_memory_; }
  // True if several interfaces of the present file captured a flow of datagrams. Their clocks may differ, so the order
  // of its two directions is unknown.
  bool may_have_two_clocks() const { return may_have_two_clocks_; }
  // Number of packets that the snap length cut, of flows that are or may be judged, once this file has ended.
  std::uint64_t cut_packets() const { return cut_packets_; }
  std::size_t associations() const {
    return std::max({most_associations_, associations_[0].size(), associations_[1].size()});
  }
  // Returns the results of all files; call it once. The caller adds inputs and problems.
  Results take_results();
  Share take_share();
  // Makes rules not applicable that had no chance to fail: those for a role that was not tested, and those about TCP
  // segments if a relay ended each connection.
  static void exclude(const FlowKinds& kinds, std::span<const Protocol* const> protocols,
                      std::vector<RuleResult>& rules);

 private:
  // Where a packet was captured.
  struct FlowPlace {
    std::uint8_t leg = 0;
    std::optional<pcap::Endpoint> peer;  // the end that is at this leg; empty: the capture has no legs
  };
  template <class Packet>
  std::uint8_t leg_of(const Packet& packet) const {
    return note_.has_legs ? wirelaw::leg_of(packet.interface) : std::uint8_t{0};
  }
  template <class Packet>
  FlowPlace place_of(const Packet& packet) const {
    if (!note_.has_legs) return {};
    return {.leg = leg_of(packet), .peer = is_from_peer(packet.interface) ? packet.source : packet.destination};
  }
  void forget_associations(bool is_of_case);
  void select_rules();

  // --- datagrams
  const Flow& take_datagram(pcap::Transport transport, const pcap::Datagram& datagram);
  // Gives a flow between queue pairs a datagram of another flow that concerns it.
  void tell(const pcap::Datagram& datagram, const pcap::QueuePair& pair);
  const Flow& take_roce(const pcap::Datagram& datagram);
  const Flow& take_routed(const pcap::Datagram& datagram, const pcap::RoceRoute& route);
  void take_released(pcap::QueuePairs& pairs);
  void follow(const pcap::RoceRoute& route, const pcap::Datagram& datagram);
  void note_clocks(Flow& flow, const pcap::Datagram& datagram, std::int64_t late_ns);
  const Flow& flow_of_managers(const pcap::Datagram& datagram);
  bool is_roce(const pcap::Datagram& datagram) const;
  // `place`: of its first packet. `b_was_asked`: side a is known to have made the connection, or to have sent the first
  // datagram.
  Flow& open_flow(pcap::Transport transport, const pcap::Endpoint& a, const pcap::Endpoint& b, const FlowPlace& place,
                  bool b_was_asked = true);
  void choose_sides(Flow& flow, const FlowPlace& place);
  const Protocol* settled_protocol(const Flow& flow) const;
  const Protocol* base_for(const Protocol& protocol, pcap::Transport transport) const;
  void recognise(Flow& flow, const Message& message);
  void recognise_named(Flow& flow, std::string_view dissector);
  const Protocol* protocol_of_port(const Flow& flow) const;
  const Protocol* carrier_of_port(const Flow& flow) const;
  bool selects(const Protocol& protocol) const;
  void assign(Flow& flow, const Protocol& protocol);
  void enter(const Flow& flow) {
    if (current_ == &flow) return;
    judge_.enter_flow(flow.judged.names());
    current_ = &flow;
  }
  void step() { judge_.begin_step(++step_); }
  // --- the share's own flows
  bool is_ours(Flow& flow, const Protocol* base);
  std::size_t least_loaded() const;
  std::size_t part_of_nodes(std::uint64_t hash);
  // --- connections
  void set_pace();
  bool feed(Flow& flow, const pcap::Segment& segment);
  void take_piece(Flow& flow, const StreamPiece& piece);
  void search(Flow& flow, const StreamPiece& piece);
  void begin_stream(Flow& flow, const StreamSearch::Beginning& beginning, const StreamPiece* piece);
  void weigh_datagram(Flow& flow, const Message& message);
  Plausible weigh_held(const Flow& flow, bool is_all) const;
  void observe_held(Flow& flow, std::size_t count);
  void conclude(Flow& flow);
  void give_up_search(Flow& flow);
  void end_observer(Flow& flow);

  void measure(Flow& flow);
  void keep_budget(Flow& flow);
  void close_flow(Flow& flow, std::string_view reason);
  std::string unrecognised_note(const Flow& flow) const;
  void make_room(std::string_view reason);
  static FlowState state_of(const Flow& flow, std::string_view reason);
  void list(Flow& flow, std::string_view reason);
  static void settle(FlowResult& flow, Completeness completeness);

  CheckOptions options_;
  std::span<const Protocol* const> protocols_;
  std::vector<const Protocol*> wanted_;  // the protocols that flows may be recognised as
  Judge judge_;
  // The associations between the flows of the file, and its queue pairs; by leg.
  std::array<Associations, kLegs> associations_;
  std::array<pcap::QueuePairs, kLegs> queue_pairs_;
  FlowTable table_;
  const Protocol* const roce_;             // the protocol between queue pairs; nullptr if unknown
  const std::string too_many_, too_much_;  // why flows are ended early
  CaptureNote note_;
  bool narrowed_ = false;          // true: the note restricts the judged rules
  const Flow* current_ = nullptr;  // the flow that the judge is in
  std::uint64_t flows_ = 0;
  std::uint64_t flows_dropped_ = 0;
  std::array<std::uint64_t, 3> flows_dropped_as_{};
  static constexpr unsigned kStepBits = 44;  // bits for the steps of one file
  static RunPlace place_of(std::uint64_t step);
  std::uint64_t step_ = 0;  // low kStepBits: steps in the file; above them the file's place
  std::vector<PartLoad> loads_;
  std::map<std::uint64_t, std::size_t> parts_of_nodes_;
  std::size_t memory_ = 0;             // memory of all flows, as last measured
  std::size_t most_memory_ = 0;        // greatest value in this file
  std::uint64_t cut_packets_ = 0;      // likewise
  std::size_t most_associations_ = 0;  // greatest number in a case that has ended
  std::size_t pace_ = 0;               // octets of a flow before its memory is measured again
  std::size_t unjudged_ = 0;           // flows without an observer
  bool iut_seen_ = false;
  bool may_have_two_clocks_ = false;
  FlowKinds kinds_;
  std::function<void(const pcap::TcpFlaw&)> report_;
  std::uint64_t judged_ = 0;  // messages
  std::vector<FlowResult> listed_;
  std::vector<RunPlace> flow_ends_;  // for each listed flow
  std::size_t first_of_file_ = 0;    // index of the first listed flow of this file
  std::int64_t now_ns_ = 0;          // the latest time of the file
};

}  // namespace wirelaw
