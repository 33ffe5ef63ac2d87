// SPDX-License-Identifier: Apache-2.0
// A field as a script has the peer send it (corpora/formats/fate.h).
#pragma once

#include "corpora/formats/fate.h"

namespace wirelaw::fuzz {

// Its octets in the other order.
template <class Int>
Int mirrored(Int value) {
  Int out = 0;
  for (std::size_t i = 0; i < sizeof(Int); ++i) out = static_cast<Int>(out << 8 | (value >> (8 * i) & 0xff));
  return out;
}

// `others`: the value that it has in another session or operation. `no_value`: what means none of them.
template <class Int>
Int faulty(Int honest, Int others, Int no_value, Octet fault) {
  using corpora::Fault;
  if (fault >= corpora::kHonestFrom) return honest;
  switch (static_cast<Fault>(fault)) {
    case Fault::none:
      return honest;
    case Fault::one_more:
      return honest + 1;
    case Fault::one_less:
      return honest - 1;
    case Fault::zero:
      return 0;
    case Fault::ones:
      return static_cast<Int>(~Int{0});
    case Fault::mirrored:
      return mirrored(honest);
    case Fault::other_session:
      return others;
    case Fault::no_value:
      return no_value;
  }
  return honest;
}

}  // namespace wirelaw::fuzz
