// SPDX-License-Identifier: Apache-2.0
// The states of an exchange.
#pragma once

#include <cstdint>

#include "conformance/transitions.h"

namespace wirelaw::efa {

// Whether an exchange goes on, and whether its packets are still judged.
class Standing {
 public:
  enum class State : std::uint8_t {
    open,                   // more packets of it may come
    done,                   // both sides have finished, so its IDs are free
    unsettled,              // a packet has contradicted it: it is not judged further, and more may come
    closed,                 // a packet has contradicted it, and both sides have finished
    given_up_by_requester,  // its requester has sent PEER_ERROR (4.10 of later documents)
    given_up_by_responder,  // its responder has
    count_
  };
  enum class Event : std::uint8_t {
    finished,               // the last packet that it needs has come
    reopened,               // a READ_NACK has come for it
    contradicted,           // a packet contradicts it, or may belong to another exchange with the same ID
    given_up_by_requester,  // its requester has sent PEER_ERROR
    given_up_by_responder,  // its responder has
    count_
  };
  static constexpr Transition<State, Event> kRows[] = {
      {State::open, Event::finished, State::done},
      {State::open, Event::contradicted, State::unsettled},
      {State::open, Event::given_up_by_requester, State::given_up_by_requester},
      {State::open, Event::given_up_by_responder, State::given_up_by_responder},
      {State::done, Event::reopened, State::open},
      {State::done, Event::contradicted, State::closed},
      {State::done, Event::given_up_by_requester, State::given_up_by_requester},
      {State::done, Event::given_up_by_responder, State::given_up_by_responder},
      {State::unsettled, Event::finished, State::closed},
      {State::unsettled, Event::given_up_by_requester, State::given_up_by_requester},
      {State::unsettled, Event::given_up_by_responder, State::given_up_by_responder},
      {State::closed, Event::given_up_by_requester, State::given_up_by_requester},
      {State::closed, Event::given_up_by_responder, State::given_up_by_responder},
      {State::given_up_by_requester, Event::given_up_by_responder, State::given_up_by_responder},
      {State::given_up_by_responder, Event::given_up_by_requester, State::given_up_by_requester},
  };

  State state() const { return state_; }
  // Nothing more is expected of either side, and the IDs are free.
  bool is_done() const { return state_ != State::open && state_ != State::unsettled; }
  // It is not judged further.
  bool is_unsettled() const { return state_ != State::open && state_ != State::done; }
  void happen(Event event) { state_ = kTransitions.after(state_, event); }

 private:
  static constexpr Transitions<State, Event> kTransitions{kRows};
  State state_ = State::open;
};

// How the data of a request with read_iov goes: the other side reads it, or refuses to by READ_NACK, and then it goes
// by CTSDATA (4.7).
class Course {
 public:
  enum class State : std::uint8_t {
    as_requested,      // as its request says
    refused,           // refused by READ_NACK
    refused_again,     // by two READ_NACKs or more
    resumed,           // a LONGCTS_RTM has followed the READ_NACK
    resumed_unmarked,  // likewise, without bit 13: the receiver may drop it (EFA/A-15)
    resumed_refused,   // a READ_NACK has followed the LONGCTS_RTM, or two had come before it
    unmarked_refused,  // likewise, without bit 13
    count_
  };
  enum class Event : std::uint8_t {
    read_nack,         // a READ_NACK has come for it
    longcts,           // a LONGCTS_RTM with its msg_id or its send_id
    longcts_unmarked,  // the same without bit 13
    count_
  };
  static constexpr Transition<State, Event> kRows[] = {
      {State::as_requested, Event::read_nack, State::refused},
      {State::refused, Event::read_nack, State::refused_again},
      {State::refused, Event::longcts, State::resumed},
      {State::refused, Event::longcts_unmarked, State::resumed_unmarked},
      {State::refused_again, Event::longcts, State::resumed_refused},
      {State::refused_again, Event::longcts_unmarked, State::unmarked_refused},
      {State::resumed, Event::read_nack, State::resumed_refused},
      {State::resumed_unmarked, Event::read_nack, State::unmarked_refused},
  };

  void happen(Event event) { state_ = kTransitions.after(state_, event); }
  bool is_refused() const { return state_ != State::as_requested; }
  bool is_resumed() const { return state_ >= State::resumed; }
  bool is_unmarked() const { return state_ == State::resumed_unmarked || state_ == State::unmarked_refused; }
  // Returns true if a READ_NACK has come to which no LONGCTS_RTM belongs.
  bool has_open_refusal() const {
    return is_refused() && state_ != State::resumed && state_ != State::resumed_unmarked;
  }

 private:
  static constexpr Transitions<State, Event> kTransitions{kRows};
  State state_ = State::as_requested;
};

}  // namespace wirelaw::efa
