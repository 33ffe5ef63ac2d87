// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/decode.h"

#include <fmt/format.h>

namespace wirelaw::rdmap {

Decoded decode_for_people(Octets octets) {
  return {.summary = fmt::format("{} octets", octets.size()), .fields = {}, .error = {}};
}

}  // namespace wirelaw::rdmap
