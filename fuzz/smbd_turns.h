// SPDX-License-Identifier: Apache-2.0
// What a mutator of SMB Direct changes: the Data Transfers of a conversation in their order, as values that say how
// each departs from what is right. Upper-layer messages are inserted, cut and joined, and then what one message says of
// others, and of itself, is made right again: RemainingDataLength, DataOffset and DataLength, Flags, credits. A fault
// is one thing of one message that is wrong, or one message that is not where it belongs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "corpora/formats/smbd_steps.h"

namespace wirelaw::fuzz {

using Random = std::minstd_rand;

// A Data Transfer. `what` departs from the honest values in DataOffset and DataLength; its `data` is not used.
struct Turn {
  bool b = false;           // sent by side b
  std::size_t carrier = 0;  // whatever it was read from; a turn that was inserted has that of its neighbour
  bool is_new = false;
  corpora::SmbdTransfer what;
  OctetBuffer data;
};
using Turns = std::vector<Turn>;

// The way in which credits are counted.
struct CreditRules {
  std::uint16_t least_requested = 1;
  // Credits that each side has before the first turn; if there are none, credits are not kept balanced.
  std::optional<std::array<std::uint32_t, 2>> begin = {};
};

// Inserts, removes, doubles, moves, cuts and joins turns, and sets what they may choose freely; one to three times.
void change_turns(Turns& turns, Random& random, const CreditRules& rules);
// Makes turns consistent with themselves and with each other.
void make_consistent(Turns& turns, const CreditRules& rules);
// One thing is wrong afterwards.
void break_one_turn(Turns& turns, Random& random);

}  // namespace wirelaw::fuzz
