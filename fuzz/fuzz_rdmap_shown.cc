// SPDX-License-Identifier: Apache-2.0
// Any octets as a ULPDU, bare and in an FPDU, as users see it. Oracle: the fields are within the octets.
#include <algorithm>

#include "conformance/rdmap/decode.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "reference/mpa/framer.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::fuzz {
namespace {

void show(Octets octets) {
  const Decoded decoded = rdmap::decode_for_people(octets);
  require(!decoded.summary.empty() || !decoded.error.empty(), "there is something to say of all octets");
  for (const Field& field : decoded.fields) {
    require(!field.name.empty(), "a field has a name");
    require(field.offset <= octets.size() && field.length <= octets.size() - field.offset,
            "a field lies within its FPDU");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  const Octets ulpdu = Octets(data, size).first(std::min(size, mpa::kMaxUlpdu));
  fuzz::show(ulpdu);
  if (const auto terminate = rdmap::decode_terminate(ulpdu))
    fuzz::require(!to_string(terminate->error).empty(), "every error has a text");
  OctetBuffer& fpdu = fuzz::scratch();
  mpa::Framer(false, true).frame(ulpdu, fpdu);
  fuzz::show(fpdu);
  return 0;
}
