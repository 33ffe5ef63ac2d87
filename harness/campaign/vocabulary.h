// SPDX-License-Identifier: Apache-2.0
// The messages that a campaign can insert into the conversation of any case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"
#include "reference/octets/octets.h"

namespace wirelaw::campaign {

// Each message that scripts of this protocol can name, as either honest side sends it after the greetings. Empty if
// scripts cannot speak the protocol.
std::vector<OctetBuffer> vocabulary_of(const Protocol& protocol);

// A message that lines of scripts can name.
struct Word {
  std::string_view name;
  std::vector<script::Located> fields = {};  // integer fields that a line can change
  std::size_t octets = 0;                    // length of an honest message; 0: unknown
  bool is_below = false;                     // a message of the protocol below
};
std::vector<Word> words_of(const Protocol& protocol);

}  // namespace wirelaw::campaign
