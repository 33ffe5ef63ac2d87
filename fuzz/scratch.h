// SPDX-License-Identifier: Apache-2.0
// A buffer for encoded messages, reused for all inputs: with a sanitizer, an allocation takes longer than encoding.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Returns the buffer, emptied. It is valid until the next call.
inline OctetBuffer& scratch() {
  static OctetBuffer buffer = [] {
    OctetBuffer roomy;
    roomy.reserve(std::size_t{128} << 10);
    return roomy;
  }();
  buffer.clear();
  return buffer;
}

}  // namespace wirelaw::fuzz
