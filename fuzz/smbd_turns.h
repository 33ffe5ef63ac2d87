// SPDX-License-Identifier: Apache-2.0
// The Data Transfers of a conversation, in order, as a mutator of SMB Direct changes them: each is stored as its
// difference from the honest message. Upper-layer messages are inserted, cut and joined. Then dependent fields are
// corrected: RemainingDataLength, DataOffset and DataLength, Flags, credits. A fault makes one field of one message
// wrong, or puts one message in a wrong place.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "corpora/formats/smbd_steps.h"

namespace wirelaw::fuzz {

using Random = std::minstd_rand;

// A Data Transfer. `what` gives differences from the honest DataOffset and DataLength; its `data` is not used.
struct Turn {
  bool b = false;           // sent by side b
  std::size_t carrier = 0;  // index of the record that it was read from; an inserted turn has that of its neighbour
  bool is_new = false;
  corpora::SmbdTransfer what;
  OctetBuffer data;
};
using Turns = std::vector<Turn>;

// How credits are counted.
struct CreditRules {
  std::uint16_t least_requested = 1;
  // Credits of each side before the first turn; if empty, credits are not kept balanced.
  std::optional<std::array<std::uint32_t, 2>> begin = {};
};

// Inserts, removes, doubles, moves, cuts and joins turns, and sets fields that are free; one to three times.
void change_turns(Turns& turns, Random& random, const CreditRules& rules);
// Makes turns consistent with themselves and with each other.
void make_consistent(Turns& turns, const CreditRules& rules);
// Makes one thing wrong.
void break_one_turn(Turns& turns, Random& random);

}  // namespace wirelaw::fuzz
