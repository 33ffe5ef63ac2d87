// SPDX-License-Identifier: Apache-2.0
// Any octets as an EFA RDM packet. Oracles: encode(decode(x)) == x, and an error gives its offset.
#include <algorithm>
#include <utility>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "reference/efa/packet.h"

namespace wirelaw::fuzz {
namespace {

using namespace efa;

void round_trip(Octets octets) {
  auto packet = decode(octets);
  if (!packet) {
    const DecodeError& error = packet.error();
    require(!error.part.empty(), "an error names the part that does not fit");
    require(error.offset + error.there == octets.size() && error.needed > error.there,
            "an error says where the part begins, and what it lacks");
    return;
  }
  // The payload is a view of the input, not a copy.
  const Octets payload = std::exchange(packet->payload, {});
  const std::size_t headers = header_octets(*packet);
  require(headers + payload.size() == octets.size() && payload.data() == octets.data() + headers,
          "headers and payload are the packet");
  OctetBuffer& again = scratch();
  encode(*packet, again);
  require(std::ranges::equal(again, octets.first(headers)), "encode(decode(x)) == x");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::round_trip({data, size});
  return 0;
}
