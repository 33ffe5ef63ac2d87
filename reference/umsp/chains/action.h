// SPDX-License-Identifier: Apache-2.0
// Actions that the receiver of chains requests from its caller.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/umsp/draft.h"

namespace wirelaw::umsp {

// Why a session is broken off.
enum class BreakOff : std::uint8_t {
  window_exceeded,  // data do not fit the window (7.4)
  early_exceeded,   // more instructions out of order than this side keeps
};
constexpr std::string_view explain(BreakOff reason) {
  return reason == BreakOff::window_exceeded ? "data of chains do not fit the session's window"
                                             : "too many instructions of chains are in disorder";
}

struct Action {
  enum class Kind : std::uint8_t {
    respond,    // send `response`, which has no session yet
    answered,   // the VM has got `response`, which came in a chain: the application may wait for it
    break_off,  // end the session for `reason`; later instructions are ignored, except session_ended()
  };
  Kind kind = Kind::respond;
  Draft response = {};
  BreakOff reason = BreakOff::window_exceeded;
};

}  // namespace wirelaw::umsp
