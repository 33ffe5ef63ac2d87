// SPDX-License-Identifier: Apache-2.0
// A flow from its first message to its line in the report: its two sides and their names, which of them is judged, the
// stack of observers, and the result. Captures and live runs share it:
//
//   frame ─ pcap ─ datagram, or piece of a stream ─┐
//                                                  ├─ JudgedFlow ─ FlowObserver ─ Judge ─ findings
//   case ─ tap ─── datagram, or piece of a stream ─┘
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "conformance/judge.h"
#include "conformance/stack.h"
#include "conformance/verdict.h"

namespace wirelaw {

class JudgedFlow {
 public:
  // --- the sides. `transport` is the word before their names: "udp".
  void set_number(std::uint64_t number) { names_.number = number; }
  void name_sides(std::string_view transport, std::string a, std::string b, Judged judged);
  const FlowNames& names() const { return names_; }

  // --- the observers
  // `known` and what `limits` refer to outlive the flow.
  void begin(const Protocol& protocol, std::span<const Protocol* const> known, const ObserverLimits& limits,
             const Protocol* only) {
    begin_on(base_of(protocol, known), protocol, known, limits, only);
  }
  // Same, on this flow, for the protocols that can be below `protocol`.
  void begin_on(const Protocol& base, const Protocol& protocol, std::span<const Protocol* const> known,
                const ObserverLimits& limits, const Protocol* only) {
    observer_ = std::make_unique<FlowObserver>(base, protocol, known, limits, only);
    protocol_ = &observer_->protocol();
  }
  bool is_observed() const { return observer_ != nullptr; }
  // Like FlowObserver::join(); for a flow that is observed.
  void join(Associations& all) { observer_->join(all); }
  // The judge has entered the flow.
  void observe(const Message& message, Judge& judge) {
    if (message.is_cut()) [[unlikely]]
      miss("octets of its messages, which the capture cut");
    note_order(message.order_unknown, message.time_ns, message.sender);
    note_direction(message.sender);
    if (!observer_) return;
    observer_->observe(message, judge);
    if (observer_->misses_something()) [[unlikely]]
      miss("packets that were acknowledged");
  }
  void observe(const StreamPiece& piece, Judge& judge) {
    if (piece.event == StreamEvent::gap) [[unlikely]]
      miss("octets of its streams");
    if (piece.event == StreamEvent::opened && !piece.from_start) [[unlikely]]
      miss("the beginning of its streams");
    note_order(piece.order_unknown, piece.time_ns, piece.sender);
    note_direction(piece.sender);
    if (observer_) observer_->observe(piece, judge);
  }
  // A part of the flow is missing from the source. From now on absence proves nothing in it.
  void miss(std::string_view what) {
    if (names_.missing.empty()) names_.missing = what;
  }
  // It is not certain that both directions are captured: while only one is seen, absence proves nothing.
  void doubt_one_direction() { doubts_one_direction_ = true; }
  // Sets until when this side's peer had no room for what this side might have sent (FlowNames::held_until_ns).
  void hold(Side side, std::int64_t until_ns) { names_.held_until_ns[static_cast<std::size_t>(side)] = until_ns; }
  // Judges what only the end shows, and destroys the observers.
  void finish(Judge& judge);

  // --- what is known about it, also after its end
  const Protocol* protocol() const { return protocol_; }  // the lowest that is judged; nullptr if none is recognised
  // The protocol above it, once its messages are recognised; nullptr if there is none.
  const Protocol* above() const { return observer_ ? observer_->above() : above_; }
  const Protocol& protocol_of(const Message& message) const {
    return observer_ ? observer_->protocol_of(message) : *protocol_;
  }
  std::uint64_t stream_messages() const { return observer_ ? observer_->messages() : messages_; }
  std::size_t memory() const { return observer_ ? observer_->memory() : 0; }
  // `judged`, or `partial` with the reason; and what is seen to be missing.
  bool has_one_direction() const { return seen_[0] != seen_[1]; }
  bool is_partial() const { return !(observer_ ? observer_->partial() : partial_).empty(); }
  FlowResult result(std::uint64_t messages, std::uint64_t octets) const;
  // A remark for its line, besides how it was judged (Observer::remark).
  std::string remark() const { return observer_ ? observer_->remark() : remark_; }

 private:
  static constexpr std::string_view kOneDirection = "one of its directions";
  void note_direction(Side sender) {
    bool& is_seen = seen_[static_cast<std::size_t>(sender)];
    if (std::exchange(is_seen, true)) [[likely]]
      return;
    if (has_one_direction()) {
      if (doubts_one_direction_) miss(kOneDirection);
    } else if (names_.missing == kOneDirection) {
      names_.missing.clear();
    }
  }
  void note_order(bool is_unknown, std::int64_t time_ns, Side sender) {
    names_.order_unknown = is_unknown;
    if (!is_unknown) [[likely]]
      return;
    names_.order_was_unknown |= tied_ns_[static_cast<std::size_t>(other(sender))] == time_ns;
    tied_ns_[static_cast<std::size_t>(sender)] = time_ns;
  }

  FlowNames names_;
  std::unique_ptr<FlowObserver> observer_;
  const Protocol* protocol_ = nullptr;
  const Protocol* above_ = nullptr;  // once it has ended
  std::uint64_t messages_ = 0;       // on a stream; likewise
  std::string partial_;
  std::string remark_;
  bool doubts_one_direction_ = false;
  std::array<bool, 2> seen_{};                            // true if the side has sent anything
  std::array<std::optional<std::int64_t>, 2> tied_ns_{};  // when a side last sent what has a neighbour at that time
};

}  // namespace wirelaw
