// SPDX-License-Identifier: Apache-2.0
// One direction of an RPC, the request or the response, as far as a trace has shown it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "conformance/ramcloud/tracker/facts.h"
#include "conformance/ramcloud/tracker/fragment_set.h"
#include "conformance/ramcloud/tracker/reported.h"
#include "conformance/transitions.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

class Transfer {
 public:
  enum class State : std::uint8_t {
    unseen,         // no packet of it was seen
    without_total,  // only packets with a total of 0
    sound,          // its sender has not contradicted itself
    contradictory,  // its sender has contradicted itself: the reaction of the other side is not judged
    perhaps_old,    // other fragments of it may have been seen and forgotten
    count_
  };
  enum class Event : std::uint8_t {
    fragment,       // a fragment that fits the earlier ones
    total_missing,  // a total of 0
    total_changed,  // another total than before, or its octets in network order
    forgotten,      // its channel has forgotten RPCs, and this may be one of them
    count_
  };
  static constexpr Transition<State, Event> kRows[] = {
      {State::unseen, Event::fragment, State::sound},
      {State::unseen, Event::total_missing, State::without_total},
      {State::unseen, Event::forgotten, State::perhaps_old},
      {State::without_total, Event::fragment, State::contradictory},
      {State::sound, Event::total_missing, State::contradictory},
      {State::sound, Event::total_changed, State::contradictory},
  };

  State state() const { return state_; }
  bool is_sound() const { return state_ == State::unseen || state_ == State::sound; }
  bool is_known() const { return state_ != State::unseen; }  // a packet of it was seen, or may have been
  bool has_started() const { return total_frags_ != 0; }
  bool is_complete() const { return has_started() && fragments_.prefix() >= total_frags_; }
  std::uint16_t total_frags() const { return total_frags_; }   // totalFrags of the first fragment; 0 before that
  const FragmentSet& fragments() const { return fragments_; }  // includes those beyond the end, if they were sent
  bool is_repeated() const { return is_repeated_; }
  std::size_t memory() const { return fragments_.memory() + fingerprints_.memory() + reported_.memory(); }

  void clear();
  void forget_earlier() { happen(Event::forgotten); }
  // Adds a DATA packet of it. `is_cut`: the capture lacks the end of its data.
  FragmentFact add(const Packet& packet, bool is_cut);
  // Compares a complete ACK of it with what was sent; nothing if nothing was sent.
  std::optional<AckFact> acknowledge(const Packet& packet);
  void note_repeat() { is_repeated_ = true; }

 private:
  static constexpr Transitions<State, Event> kTransitions{kRows};
  void happen(Event event) { state_ = kTransitions.after(state_, event); }
  void compare(AckFact& fact) const;  // compares the ACK with the fragments sent

  State state_ = State::unseen;
  bool ack_requested_ = false;  // a fragment of it requested an ACK
  std::uint16_t total_frags_ = 0;
  bool is_repeated_ = false;  // a fragment was seen again, or its sender asked again
  Reported reported_;
  FragmentSet fragments_;
  Fingerprints fingerprints_;
};

}  // namespace wirelaw::ramcloud
