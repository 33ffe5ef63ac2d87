// SPDX-License-Identifier: Apache-2.0
#include "fuzz/smbd_turns.h"

#include <algorithm>
#include <iterator>

#include "reference/smbd/message.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kMostTurns = 128;
constexpr std::size_t kMostOctets = 400;  // maximum length of an inserted segment

std::size_t below(Random& random, std::size_t bound) {
  return random() % bound;
}
bool chance(Random& random, std::size_t percent) {
  return below(random, 100) < percent;
}
template <class Items>
auto at(Items& items, std::size_t index) {
  return items.begin() + static_cast<std::ptrdiff_t>(index);
}

template <class Int>
Int interesting(Int value, Random& random) {
  static constexpr std::uint64_t kValues[] = {
      0, 1, 4, 8, 16, 20, 24, 32, 100, 127, 128, 1364, 8192, 0x7fff, 0xfff8, 0xffff, 131072, 0x7fffffff, 0x80000000};
  switch (below(random, 4)) {
    case 0:
      return static_cast<Int>(value + 1 + below(random, 8));
    case 1:
      return static_cast<Int>(value - 1 - below(random, 8));
    case 2:
      return static_cast<Int>(0 - static_cast<std::uint64_t>(below(random, 64)));  // near the wrap
    default:
      return static_cast<Int>(kValues[below(random, std::size(kValues))]);
  }
}

OctetBuffer new_data(Random& random) {
  static constexpr std::size_t kSizes[] = {1, 7, 8, 40, 104, 128};
  const std::size_t octets =
      chance(random, 50) ? kSizes[below(random, std::size(kSizes))] : 1 + below(random, kMostOctets);
  return OctetBuffer(octets, static_cast<Octet>(random()));
}

// --------------------------------------------------------------------------------------------------------- changes

Turn new_turn(const Turns& turns, std::size_t where, Random& random, const CreditRules& rules) {
  Turn turn{.b = chance(random, 50), .is_new = true};
  if (!turns.empty()) turn.carrier = turns[std::min(where, turns.size() - 1)].carrier;
  turn.what.credits_requested = static_cast<std::uint16_t>(rules.least_requested + below(random, 16));
  turn.what.credits_granted = static_cast<std::uint16_t>(below(random, 4));
  return turn;
}

// Inserts an upper-layer message, in segments.
void insert_message(Turns& turns, Random& random, const CreditRules& rules) {
  const std::size_t where = below(random, turns.size() + 1);
  const Turn like = new_turn(turns, where, random, rules);
  Turns message(1 + below(random, 5), like);
  for (Turn& one : message) {
    one.data = new_data(random);
    one.what.remaining = 1;  // corrected later
  }
  message.back().what.remaining = 0;
  turns.insert(at(turns, where), message.begin(), message.end());
}
void insert_empty(Turns& turns, Random& random, const CreditRules& rules) {
  const std::size_t where = below(random, turns.size() + 1);
  Turn turn = new_turn(turns, where, random, rules);
  turn.what.flags = static_cast<std::uint16_t>(below(random, 2));
  turns.insert(at(turns, where), std::move(turn));
}
void remove(Turns& turns, Random& random, const CreditRules&) {
  turns.erase(at(turns, below(random, turns.size())));
}
void duplicate(Turns& turns, Random& random, const CreditRules&) {
  const std::size_t from = below(random, turns.size());
  Turns some(at(turns, from), at(turns, from + 1 + below(random, std::min<std::size_t>(turns.size() - from, 4))));
  for (Turn& one : some) one.is_new = true;
  turns.insert(at(turns, below(random, turns.size() + 1)), some.begin(), some.end());
}
void exchange(Turns& turns, Random& random, const CreditRules&) {
  std::swap(turns[below(random, turns.size())], turns[below(random, turns.size())]);
}
// Splits a segment into two.
void cut(Turns& turns, Random& random, const CreditRules&) {
  const std::size_t which = below(random, turns.size());
  if (turns[which].data.size() < 2) return;
  Turn second = turns[which];
  second.is_new = true;
  const std::size_t octets = 1 + below(random, second.data.size() - 1);
  second.data.erase(second.data.begin(), at(second.data, octets));
  turns[which].data.resize(octets);
  turns[which].what.remaining = 1;
  turns.insert(at(turns, which + 1), std::move(second));
}
// Joins a message with the next one, or ends it here.
void join(Turns& turns, Random& random, const CreditRules&) {
  Turn& one = turns[below(random, turns.size())];
  one.what.remaining = one.what.remaining > 0 ? 0 : 1;
}
void change_data(Turns& turns, Random& random, const CreditRules&) {
  Turn& one = turns[below(random, turns.size())];
  one.data = chance(random, 20) ? OctetBuffer{} : new_data(random);
}
void change_choice(Turns& turns, Random& random, const CreditRules& rules) {
  corpora::SmbdTransfer& what = turns[below(random, turns.size())].what;
  switch (below(random, 4)) {
    case 0:
      what.credits_requested = static_cast<std::uint16_t>(rules.least_requested + below(random, 300));
      break;
    case 1:
      what.credits_granted = static_cast<std::uint16_t>(below(random, 64));
      break;
    case 2:
      what.flags ^= smbd::flag::kResponseRequested;
      break;
    default:
      what.trailing = static_cast<Octet>(below(random, 16));
  }
}

using Change = void (*)(Turns&, Random&, const CreditRules&);
constexpr Change kChanges[] = {insert_message, insert_message, insert_empty, remove, duplicate, exchange, cut,
                               join,           change_data,    change_choice};

// ----------------------------------------------------------------------------------------------------- consistency

// Makes the segments of a message consecutive: removes empty messages between them, and sets the remaining lengths.
void fit_messages(Turns& turns, bool b) {
  bool open = false;
  std::erase_if(turns, [&](const Turn& one) {
    if (one.b != b) return false;
    if (one.data.empty()) return open;
    open = one.what.remaining > 0;
    return false;
  });
  std::uint32_t behind = 0;  // octets in the following segments of the same message
  bool ends = true;          // this side sends nothing after it
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    if (turn->b != b) continue;
    if (turn->data.empty() || ends || turn->what.remaining == 0) behind = 0;
    turn->what.remaining = behind;
    behind += static_cast<std::uint32_t>(turn->data.size());
    ends = ends && turn->data.empty();
  }
}

// Neither side sends without a credit, or spends the last one without granting any. The other side's last message
// grants missing credits.
void balance(Turns& turns, std::array<std::uint32_t, 2> credits) {
  std::array<Turn*, 2> last{};
  for (Turn& turn : turns) {
    const std::size_t own = turn.b ? 1 : 0;
    constexpr std::uint16_t kSome = 4;
    if (credits[own] == 0 && last[1 - own] != nullptr) {
      last[1 - own]->what.credits_granted = static_cast<std::uint16_t>(last[1 - own]->what.credits_granted + kSome);
      credits[own] += kSome;
    }
    if (credits[own] <= 1) turn.what.credits_granted = std::max<std::uint16_t>(turn.what.credits_granted, 1);
    if (credits[own] > 0) --credits[own];
    credits[1 - own] += turn.what.credits_granted;
    last[own] = &turn;
  }
}

// ---------------------------------------------------------------------------------------------------------- faults

using Break = void (*)(corpora::SmbdTransfer&, Random&);
constexpr Break kBreaks[] = {
    [](auto& what, Random& random) { what.remaining = interesting(what.remaining, random); },
    [](auto& what, Random& random) { what.remaining = interesting(what.remaining, random); },
    [](auto& what, Random& random) { what.data_offset = interesting(what.data_offset, random); },
    [](auto& what, Random& random) { what.data_length = interesting(what.data_length, random); },
    [](auto& what, Random& random) {  // a sum that wraps
      const auto less = static_cast<std::uint32_t>(8 * below(random, 16));
      what.data_offset = 0 - less;
      what.data_length = less;
    },
    [](auto& what, Random& random) { what.credits_requested = interesting(what.credits_requested, random); },
    [](auto& what, Random& random) { what.credits_granted = interesting(what.credits_granted, random); },
    [](auto& what, Random& random) { what.flags ^= static_cast<std::uint16_t>(1u << below(random, 16)); },
    [](auto& what, Random& random) { what.trailing = static_cast<Octet>(random()); },
};

}  // namespace

void change_turns(Turns& turns, Random& random, const CreditRules& rules) {
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) {
    const Change change = turns.empty() ? insert_message : kChanges[below(random, std::size(kChanges))];
    change(turns, random, rules);
    if (turns.size() > kMostTurns) turns.resize(kMostTurns);
  }
}

void make_consistent(Turns& turns, const CreditRules& rules) {
  for (Turn& one : turns) {
    one.what.data_offset = one.what.data_length = 0;
    one.what.flags &= smbd::flag::kResponseRequested;
    one.what.credits_requested = std::max(one.what.credits_requested, rules.least_requested);
    if (one.data.empty()) one.what.trailing = 0;
  }
  fit_messages(turns, false);
  fit_messages(turns, true);
  if (rules.begin) balance(turns, *rules.begin);
}

void break_one_turn(Turns& turns, Random& random) {
  if (turns.empty()) return;
  const std::size_t which = below(random, turns.size());
  switch (below(random, 8)) {
    case 0:  // lost
      turns.erase(at(turns, which));
      return;
    case 1:  // moved to an earlier place
      if (which > 0) std::swap(turns[which - 1], turns[which]);
      return;
    case 2: {  // an empty message at any place
      Turn empty = turns[which];
      empty.is_new = true;
      empty.data.clear();
      empty.what = {.credits_requested = empty.what.credits_requested, .credits_granted = 0};
      turns.insert(at(turns, which + 1), std::move(empty));
      return;
    }
    default:
      kBreaks[below(random, std::size(kBreaks))](turns[which].what, random);
  }
}

}  // namespace wirelaw::fuzz
