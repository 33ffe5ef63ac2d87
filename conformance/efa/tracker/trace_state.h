// SPDX-License-Identifier: Apache-2.0
// The state that an observer keeps for one flow between two EFA RDM endpoints: the endpoints and the exchanges in
// progress.
//
// The order of a trace is the order of delivery (EFA/A-40). A packet may have been on its way when the other side sent
// the next one in the trace. A rule on what a side must know before it sends is judged at once if the other side had
// sent nothing of the kind. A rule on what a side must do after it has learnt something has a grace period.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/efa/tracker/exchange.h"
#include "conformance/efa/tracker/party.h"
#include "reference/efa/revision.h"
#include "reference/network/address.h"

namespace wirelaw::efa {

// What is known of a flow before its first packet.
struct FlowLimits {
  std::size_t octets = 0;                 // memory for its exchanges; the oldest are dropped first
  bool may_double = false;                // the network may deliver a datagram twice
  bool has_homogeneous_peers = false;     // the user declares that all peers are alike (EFA/A-88)
  std::optional<Revision> revision = {};  // declared by the user
  std::optional<std::array<wirelaw::Endpoint, 2>> addresses = {};  // where side a and side b are
};

class TraceState {
 public:
  // Limit on the gaps in one exchange's data. A message that its sender splits further is no longer followed.
  static constexpr std::size_t kMostGaps = 256;

  explicit TraceState(const FlowLimits& limits) : limits_(limits) {
    exchanges_.set_transit(grace());
    const auto& said = limits.revision;
    if (!said) return;
    for (Party& party : parties_) party.document = {{.least = *said, .most = *said, .said = true}};
  }

  Party& party(Side side) { return parties_[static_cast<std::size_t>(side)]; }
  const Party& party(Side side) const { return parties_[static_cast<std::size_t>(side)]; }
  Exchanges& exchanges() { return exchanges_; }
  const Exchanges& exchanges() const { return exchanges_; }

  // The flow was seen from its first packet on, and nothing has been forgotten or found missing since. Only then can a
  // packet be reported because nothing seen before explains it.
  bool complete() const {
    return from_start_ && partial_.empty() && !exchanges_.has_forgotten() &&
           std::ranges::all_of(parties_, [](const Party& one) { return one.ahead_of_newcomer.empty(); });
  }
  bool from_start() const { return from_start_; }
  bool may_double() const { return limits_.may_double; }  // the network may duplicate packets
  void begin_at_start() { from_start_ = true; }
  void note_partial(std::string_view reason);
  // Another endpoint has taken the place of this side's (4.4). The state of both is discarded.
  void begin_anew(Side side, std::uint32_t former_connid);
  // A raw address or a HANDSHAKE of this side with another connid. It is assumed to come from another endpoint until
  // the rest of the flow shows otherwise.
  std::optional<ReplacementFact>& replacement(Side side) { return replacements_[static_cast<std::size_t>(side)]; }

  // A side has restarted its message IDs, as it does after its application has removed the other side's address and
  // inserted it again (EFA/A-87). Later packets show if both sides have done so.
  struct MeetingAgain : MeetingAgainFact {
    static constexpr std::size_t kMostHandshakes = 16;
    std::array<bool, 2> greeted{};                        // side a, side b has sent a HANDSHAKE again
    std::array<std::optional<Mark>, 2> first_handshakes;  // first HANDSHAKE of side a and of side b
    bool other_counted = false;                           // the other side had sent messages before
  };
  std::optional<MeetingAgain>& meeting_again() { return meeting_again_; }
  bool has_met_again() const { return has_met_again_; }
  // Returns true if the other side has restarted its message IDs, as it does if another endpoint has replaced this one,
  // and this side has sent no HANDSHAKE since.
  bool is_met_as_new(Side side) const {
    return meeting_again_ && meeting_again_->side != side && !meeting_again_->greeted[static_cast<std::size_t>(side)];
  }
  void meet_again(MeetingAgain again);
  // Returns true if the sender of a REQ has gone back to raw addresses, as it does after the other side's address was
  // inserted again. Its operations in progress may then be void.
  bool may_have_met_again(const SeenPacket& seen) const {
    return seen.packet.has(flag::kRawAddress) && party(seen.sender()).stopped_addresses;
  }
  // Observations that only a new meeting explains, kept until one shows: the first raw address that came back, and
  // HANDSHAKEs.
  std::optional<AddressHeaderFact>& address_again() { return address_again_; }
  std::vector<HandshakeAgainFact>& handshakes_again() { return handshakes_again_; }
  bool has_homogeneous_peers() const { return limits_.has_homogeneous_peers; }

  // It is unknown if this side's packets are for the former endpoint or for the one that has taken its place (4.4). Its
  // HANDSHAKE shows that it knows the new one.
  bool may_mean_former(Side side) const { return party(side).counts_anew && !party(side).handshake; }
  // Packets of this side have several connids. The other side may have ignored some of them, or may have started again
  // with what it took for another endpoint (4.4), in the order in which it received them.
  void note_several_connids(Side side) {
    note_partial("a packet with another connid than its sender's may have been passed over");
    party(other(side)).counts_anew = true;
  }
  const std::string& partial() const { return partial_; }
  // A PEER_ERROR has come (4.10 of later documents): some exchange may have been aborted.
  void note_peer_error() { has_peer_errors_ = true; }
  bool has_peer_errors() const { return has_peer_errors_; }

  // --- at the end of the flow
  // Sets the time until which the source captured packets of any flow.
  void end(std::int64_t now_ns) { end_ns_ = std::max(now_ns, latest_ ? latest_->time_ns : now_ns); }
  // True if nothing from that time is still in transit, in this flow or another: no device takes a second.
  bool is_long_ago(const Mark& mark) const { return end_ns_ - mark.time_ns >= (is_slow_ ? kSlowTransit : kSilence); }
  // Returns true if the side should have answered that packet: its time is over, and it is alive and reads packets,
  // because it has since sent a packet that only a received packet causes (EFA/A-85). In a partial flow the side may
  // have ignored the packet.
  bool owes_answer(Side side, const Mark& asked) const {
    const auto& answer = party(side).last_answer;
    return partial_.empty() && is_long_ago(asked) && answer && answer->time_ns - asked.time_ns >= grace();
  }
  // Returns true if the side should have sent more data: its time is over, and it has since sent something else. In a
  // partial flow the side may have ignored the packet that asked for the data.
  bool owes_data(Side side, const Mark& before) const {
    const Party& self = party(side);
    return partial_.empty() && is_long_ago(before) && self.packets > 0 &&
           self.latest.time_ns - before.time_ns >= grace();
  }
  // Returns true if the responder should have served this one-sided request: its time is over, and it has answered a
  // later one of the same kind for the same memory, so it does not refuse that memory (EFA/A-72).
  bool owes_service(const Exchange& exchange) const {
    return owes_answer(other(exchange.requester), exchange.begun) && serves_memory_of(exchange);
  }

  // Returns true if the flow has continued for so long that nothing more will follow from that packet.
  bool is_stale(const Mark& mark) const {
    return is_long_ago(mark) || std::ranges::any_of(parties_, [&](const Party& party) {
             return party.packets > 0 && party.latest.time_ns - mark.time_ns >= grace() &&
                    party.latest.index >= mark.index + kGracePackets;
           });
  }

  // True if a packet sent at `mark` must have been delivered and processed by now: nothing is in transit for a tenth of
  // a second of trace time. `sent` is the number of packets that the other side has sent since.
  bool past_grace(const Mark& mark, std::int64_t now_ns, std::uint64_t sent) const {
    return now_ns - mark.time_ns >= grace() && sent >= kGracePackets;
  }
  // For a flow that was not seen from its start: true if no packet from before its first one can still be in transit.
  bool is_past_beginning(std::int64_t now_ns) const {
    return !has_met_again_ && first_ && now_ns - first_->time_ns >= kSlowTransit;
  }
  // Returns true if message IDs show that the flow began with the first message. A request without a message ID but
  // with a raw address may or may not be the first (2.2).
  bool began_with_first_message() const {
    return std::ranges::all_of(parties_,
                               [](const Party& one) { return !one.message_ids.any() || one.message_ids.spans(0); });
  }
  bool saw_beginning() const { return from_start_ && !is_slow_ && began_with_first_message(); }
  // For the end of the flow: returns true if the exchange at `mark` is completely in the trace, and no packet of it
  // passed before.
  bool is_in_view(const Mark& mark) const { return saw_beginning() || is_past_beginning(mark.time_ns); }
  // Records how long a side took to answer. If that is longer than a local network needs, other packets may take as
  // long.
  void note_latency(std::int64_t nanoseconds) {
    is_slow_ = is_slow_ || nanoseconds >= kSlow;
    exchanges_.set_transit(grace());
  }
  // True if nothing from that time is still in transit (EFA/A-40).
  static bool is_past_transit(std::int64_t then_ns, std::int64_t now_ns) { return now_ns - then_ns >= kGraceTime; }

  // True if UDP may have delivered a packet twice: the same octets came so shortly before that they may still be in
  // transit.
  bool may_be_copy(const SeenPacket& seen) const {
    return seen.same_before_ns && seen.message.time_ns - *seen.same_before_ns < grace();
  }

  // True if this side must have processed the other side's HANDSHAKE by now: the grace period is over, and the side has
  // since sent a packet that only a received packet causes. An application that does not poll may continue for a long
  // time without it, and the side may have ignored an invalid packet.
  bool knows_handshake(Side side, const Message& now) const {
    const Party& self = party(side);
    if (!partial_.empty()) return false;
    if (!self.knows_handshake) self.knows_handshake = has_taken_handshake(side, now);
    return self.knows_handshake;
  }

  // The network address of this side, its GID and queue pair number; empty if it is unknown.
  std::optional<wirelaw::Endpoint> address(Side side) const {
    if (!limits_.addresses) return std::nullopt;
    return (*limits_.addresses)[side == Side::a ? 0 : 1];
  }
  // The last packet of the flow.
  const std::optional<Mark>& latest() const { return latest_; }
  void note_latest(const Mark& mark) {
    if (!first_) first_ = mark;
    latest_ = mark;
  }

  // At the end of the flow: returns true if the responder has sent enough packets, for long enough, since the exchange
  // began that an answer would be among them.
  bool responder_had_time(const Exchange& exchange) const {
    const Party& responder = party(other(exchange.requester));
    return past_grace(exchange.begun, responder.latest.time_ns, responder.packets - exchange.peer_packets);
  }

  // Begins the exchange of a REQ packet, with the IDs that the packet has.
  Exchange& begin(const SeenPacket& seen);

  // The connid that a side has shown in any packet, and when. It stays when an endpoint is replaced.
  struct Shown {
    std::uint32_t connid = 0;
    std::int64_t time_ns = 0;
  };
  struct Showing {
    std::optional<Shown> first, at_handshake, latest;  // first and latest: in any packet; that in the first HANDSHAKE
  };
  Showing& showing(Side side) { return showings_[static_cast<std::size_t>(side)]; }
  // The number of times that an endpoint has been replaced, or that both have met again.
  std::uint64_t beginnings() const { return beginnings_; }

  void keep_within_limits() { exchanges_.keep_within(limits_.octets); }
  std::size_t memory() const {
    std::size_t sum = exchanges_.memory();
    for (const Party& party : parties_)
      sum += party.message_ids.memory() + party.rtm_ids.memory() + party.rta_ids.memory();
    return sum;
  }

 private:
  bool has_taken_handshake(Side side, const Message& now) const {
    const Party& self = party(side);
    const Party& peer = party(other(side));
    // If both sides have answered each other, it is known how long an answer takes.
    if (!self.handshake) return false;
    return peer.handshake && self.last_answer && self.last_answer->index > peer.handshake->index &&
           past_grace(*peer.handshake, now.time_ns, self.packets - peer.packets_at_handshake);
  }
  bool serves_memory_of(const Exchange& exchange) const;
  std::int64_t grace() const { return is_slow_ ? kSlowTransit : kGraceTime; }

  static constexpr std::int64_t kGraceTime = 100'000'000;  // in nanoseconds
  static constexpr std::int64_t kSilence = 1'000'000'000;
  // Limits for a network whose packets take seconds: the latency that identifies it, and more than its round-trip time.
  static constexpr std::int64_t kSlow = 50'000'000;
  static constexpr std::int64_t kSlowTransit = 10'000'000'000;
  static constexpr std::uint64_t kGracePackets = 8;

  FlowLimits limits_;
  std::array<Party, 2> parties_;
  std::array<Showing, 2> showings_;
  Exchanges exchanges_;
  std::uint64_t beginnings_ = 0;
  std::optional<Mark> first_, latest_;
  std::int64_t end_ns_ = 0;
  bool from_start_ = false;
  bool is_slow_ = false;
  bool has_peer_errors_ = false;
  std::array<std::optional<ReplacementFact>, 2> replacements_;
  std::optional<MeetingAgain> meeting_again_;
  std::optional<AddressHeaderFact> address_again_;
  std::vector<HandshakeAgainFact> handshakes_again_;
  bool has_met_again_ = false;
  std::string partial_;
};

}  // namespace wirelaw::efa
