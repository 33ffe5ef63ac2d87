// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/decode.h"

namespace wirelaw::umsp {

Decoded decode_for_people(Octets) {
  return {};
}

}  // namespace wirelaw::umsp
