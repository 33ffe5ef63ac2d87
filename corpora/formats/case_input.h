// SPDX-License-Identifier: Apache-2.0
// The input of fuzz_PROTOCOL_case: the case, the reference peer, the network, and the changes to the messages.
#pragma once

#include <algorithm>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

struct CaseInput {
  enum Flag : Octet {
    initiator = 1,       // the IUT's role; else responder
    driven = 2,          // drives the IUT through verbs, if the protocol allows it
    pair = 4,            // with `driven`: a consumer controls the far end, too
    features = 8,        // the peer has and declares all features
    twice = 16,          // runs the case twice
    network_faults = 32  // the network delays, duplicates or cuts
  };
  static constexpr unsigned kSettingShift = 6;  // above the flags: which preset settings the peer has; 0: the default

  std::uint16_t place = 0;      // the case's index among those of the role (modulo their number)
  std::uint16_t deviation = 0;  // 0: honest; else 1 + index of the deviation (modulo their number)
  Octet flags = 0;
  Octet rate = 0;         // datagrams out of 1024 that are duplicated or delayed
  std::uint16_t cut = 0;  // for streams: maximum number of octets that arrive at once
  Octet delay = 0;        // maximum delay, in units of 100 us
  std::uint32_t seed = 0;
  Octet application = 0;  // index among the protocol's applications (modulo their number)

  bool has(Flag flag) const { return (flags & flag) != 0; }
  unsigned setting() const { return flags >> kSettingShift; }
};

inline constexpr std::size_t kCaseInputOctets = 14;

// Missing octets of a short input are 0.
inline CaseInput read_case_input(Octets input) {
  Octet whole[kCaseInputOctets] = {};
  std::copy_n(input.begin(), std::min(input.size(), kCaseInputOctets), whole);
  return {.place = load_little_endian<std::uint16_t>(whole),
          .deviation = load_little_endian<std::uint16_t>(whole + 2),
          .flags = whole[4],
          .rate = whole[5],
          .cut = load_little_endian<std::uint16_t>(whole + 6),
          .delay = whole[8],
          .seed = load_little_endian<std::uint32_t>(whole + 9),
          .application = whole[13]};
}

inline OctetBuffer octets_of(const CaseInput& input) {
  OctetBuffer octets(kCaseInputOctets);
  store_little_endian(octets.data(), input.place);
  store_little_endian(octets.data() + 2, input.deviation);
  octets[4] = input.flags;
  octets[5] = input.rate;
  store_little_endian(octets.data() + 6, input.cut);
  octets[8] = input.delay;
  store_little_endian(octets.data() + 9, input.seed);
  octets[13] = input.application;
  return octets;
}

// An edit of a message that the case sends (conformance/edit.h). Edits follow the CaseInput: 10 octets each, then their
// `octets`.
struct EditInput {
  Octet op = 0;       // index into edits::Op, modulo their number
  Octet message = 0;  // index of the case's message, from 0
  Octet copy = 0;
  Octet repair = 0;  // odd: lengths and checksums are recomputed
  std::uint16_t offset = 0;
  std::uint16_t count = 0;
  std::vector<Octet> octets = {};  // at most 0xffff of them
};

inline constexpr std::size_t kEditInputOctets = 10, kMostEditInputs = 8;

// If the input ends within an edit's octets, the edit has those that are present.
inline std::vector<EditInput> read_edit_inputs(Octets input) {
  std::vector<EditInput> edits;
  input = input.subspan(std::min(input.size(), kCaseInputOctets));
  while (input.size() >= kEditInputOctets && edits.size() < kMostEditInputs) {
    const Octet* const at = input.data();
    EditInput edit{.op = at[0],
                   .message = at[1],
                   .copy = at[2],
                   .repair = at[3],
                   .offset = load_little_endian<std::uint16_t>(at + 4),
                   .count = load_little_endian<std::uint16_t>(at + 6)};
    const std::size_t octets = load_little_endian<std::uint16_t>(at + 8);
    input = input.subspan(kEditInputOctets);
    const Octets own = input.first(std::min(octets, input.size()));
    edit.octets.assign(own.begin(), own.end());
    input = input.subspan(own.size());
    edits.push_back(std::move(edit));
  }
  return edits;
}

inline void append(OctetBuffer& input, const EditInput& edit) {
  const Octet head[] = {edit.op, edit.message, edit.copy, edit.repair};
  input.insert(input.end(), std::begin(head), std::end(head));
  Octet numbers[6];
  store_little_endian(numbers, edit.offset);
  store_little_endian(numbers + 2, edit.count);
  store_little_endian(numbers + 4, static_cast<std::uint16_t>(edit.octets.size()));
  input.insert(input.end(), std::begin(numbers), std::end(numbers));
  input.insert(input.end(), edit.octets.begin(), edit.octets.end());
}

}  // namespace wirelaw::corpora
