// SPDX-License-Identifier: Apache-2.0
// A state machine as one table of rows.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wirelaw {

// `from` and `to` are states, `event` is what happened. An event without a row changes nothing.
template <class State, class Event>
struct Transition {
  State from;
  Event event;
  State to;
};

// `State` and `Event` are enums whose last enumerator is `count_`. The table has a place for each pair, so that a
// look-up is one load.
template <class State, class Event>
class Transitions {
 public:
  using Row = Transition<State, Event>;

  template <std::size_t rows>
  consteval explicit Transitions(const Row (&all)[rows]) {
    for (std::size_t state = 0; state < kStates; ++state)
      for (std::size_t event = 0; event < kEvents; ++event) to_[state][event] = static_cast<State>(state);
    for (const Row& row : all) {
      State& to = to_[index(row.from)][index(row.event)];
      if (to != row.from) throw "two rows for one state and event";
      if (row.to == row.from) throw "a row that changes nothing";
      to = row.to;
    }
  }

  constexpr State after(State from, Event event) const { return to_[index(from)][index(event)]; }

 private:
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::count_);
  static constexpr std::size_t kEvents = static_cast<std::size_t>(Event::count_);
  template <class Enum>
  static constexpr std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
  }

  std::array<std::array<State, kEvents>, kStates> to_{};
};

}  // namespace wirelaw
