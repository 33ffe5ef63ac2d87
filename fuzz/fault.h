// SPDX-License-Identifier: Apache-2.0
// Applies the fault of a step to a field that the peer sends (corpora/formats/fate.h).
#pragma once

#include "corpora/formats/fate.h"

namespace wirelaw::fuzz {

// Reverses the octets of a value.
template <class Int>
Int mirrored(Int value) {
  Int out = 0;
  for (std::size_t i = 0; i < sizeof(Int); ++i) out = static_cast<Int>(out << 8 | (value >> (8 * i) & 0xff));
  return out;
}

// `others`: the field's value in another session or operation. `no_value`: the value that means none.
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
