// SPDX-License-Identifier: Apache-2.0
// Any octets as a message of SMB Direct, as users see it. Oracle: every octet of a message is shown, once and in order.
#include "conformance/smbd/decode.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using namespace smbd;

void show(Octets octets) {
  const Decoded decoded = decode_for_people(octets);
  require(!decoded.summary.empty(), "there is something to say of every message");
  std::size_t end = 0;
  for (const wirelaw::Field& field : decoded.fields) {
    require(!field.name.empty(), "a field has a name");
    require(field.offset >= end, "fields are in the order of the wire");
    end = field.offset + field.length;
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
