// SPDX-License-Identifier: Apache-2.0
// The stages of a session (RFC 3018 5.3, 5.4).
#pragma once

#include <cstdint>

#include "conformance/transitions.h"

namespace wirelaw::umsp {

// How far a session has come. The side that sent its first SESSION_OPEN is the initiator.
class SessionStages {
 public:
  enum class Stage : std::uint8_t {
    opening,  // the two sides exchange SESSION_OPENs
    open,     // both sides have accepted it
    closing,  // SESSION_CLOSE waits for its answer
    closed,   // a positive answer to SESSION_CLOSE was sent
    over,     // ended by SESSION_REJECT or SESSION_ABEND
    count_
  };
  enum class Event : std::uint8_t {
    accept,  // a SESSION_ACCEPT
    close,   // a SESSION_CLOSE of the initiator
    agree,   // a positive answer to SESSION_CLOSE
    refuse,  // a negative answer to SESSION_CLOSE
    use,     // any other instruction of the initiator that is no response, which cancels the closing (UMSP/B12)
    end,     // a SESSION_REJECT or SESSION_ABEND
    count_
  };
  static constexpr Transition<Stage, Event> kRows[] = {
      {Stage::opening, Event::accept, Stage::open}, {Stage::opening, Event::close, Stage::closing},
      {Stage::opening, Event::end, Stage::over},    {Stage::open, Event::close, Stage::closing},
      {Stage::open, Event::end, Stage::over},       {Stage::closing, Event::agree, Stage::closed},
      {Stage::closing, Event::refuse, Stage::open}, {Stage::closing, Event::use, Stage::open},
      {Stage::closing, Event::end, Stage::over},    {Stage::closed, Event::close, Stage::closing},
      {Stage::closed, Event::use, Stage::open},     {Stage::closed, Event::end, Stage::over},
  };

  static constexpr Stage after(Stage stage, Event event) { return kTransitions.after(stage, event); }

 private:
  static constexpr Transitions<Stage, Event> kTransitions{kRows};
};
using SessionStage = SessionStages::Stage;
using SessionEvent = SessionStages::Event;

}  // namespace wirelaw::umsp
