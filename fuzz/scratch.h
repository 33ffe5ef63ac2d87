// SPDX-License-Identifier: Apache-2.0
// Memory for what a target encodes, kept from input to input: to allocate it anew takes a sanitizer longer than to
// encode.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Empty; the caller's until the next call.
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
