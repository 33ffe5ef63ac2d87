// SPDX-License-Identifier: Apache-2.0
// The input of fuzz_PROTOCOL_case: which case meets which reference peer, over what network.
#pragma once

#include <algorithm>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

struct CaseInput {
  enum Flag : Octet {
    initiator = 1,    // the IUT's role; else responder
    driven = 2,       // through verbs, where the protocol can be
    pair = 4,         // and a consumer has the far end
    features = 8,     // the peer has, and declares, all that there are
    twice = 16,       // and the same again
    impairments = 32  // the network is not perfect
  };

  std::uint16_t place = 0;      // of the case, among those of the role (modulo their number)
  std::uint16_t deviation = 0;  // 0: honest; else its place from 1, likewise
  Octet flags = 0;
  Octet rate = 0;         // of datagrams that are doubled or late: of 1024
  std::uint16_t cut = 0;  // of streams: octets that come at once at most
  Octet delay = 0;        // the longest, in units of 100 us
  std::uint32_t seed = 0;
  Octet application = 0;  // its place among those that the protocol knows, likewise

  bool has(Flag flag) const { return (flags & flag) != 0; }
};

inline constexpr std::size_t kCaseInputOctets = 14;

// What a short input lacks is 0.
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

}  // namespace wirelaw::corpora
