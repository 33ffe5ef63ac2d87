// SPDX-License-Identifier: Apache-2.0
// Any octets as UMSP instructions, as users see them. Oracle: every octet is shown, in order.
#include <algorithm>

#include "conformance/umsp/decode.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using namespace umsp;

void show(Octets octets) {
  const Decoded decoded = decode_for_people(octets);
  require(!decoded.summary.empty(), "there is something to say of every message");
  std::size_t begin = 0, end = 0;
  for (const wirelaw::Field& field : decoded.fields) {
    require(!field.name.empty() && field.length > 0, "a field has a name and octets");
    require(field.offset >= begin && field.offset <= end, "fields are in the order of the wire and leave no hole");
    begin = field.offset;
    end = std::max(end, field.offset + field.length);
    require(end <= octets.size(), "what is shown lies within its message");
  }
  require(!decoded.error.empty() || end == octets.size(), "every octet of a message is shown");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::show({data, size});
  return 0;
}
