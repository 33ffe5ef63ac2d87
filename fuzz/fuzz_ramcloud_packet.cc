// SPDX-License-Identifier: Apache-2.0
// Any octets as a RAMCloud RPC packet. Oracles: encode(decode(x)) == x, and if the input is shorter than a header, the
// error gives its length.
#include <algorithm>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::fuzz {
namespace {

using namespace ramcloud;

void round_trip(Octets octets) {
  const auto packet = decode(octets);
  require(packet.has_value() == (octets.size() >= layout::kHeader), "what holds a header decodes, nothing else does");
  if (!packet) {
    require(packet.error().offset == octets.size() && packet.error().needed == layout::kHeader,
            "an error has the offset where the octets end");
    return;
  }
  OctetBuffer& again = scratch();
  encode(packet->header, packet->payload, again);
  require(std::ranges::equal(again, octets), "encode(decode(x)) == x");
  const auto ack = decode_ack(packet->payload);
  require(ack.has_value() == (packet->payload.size() >= layout::kAck), "six octets are an ACK");
  if (ack) require(std::ranges::equal(encode_ack(*ack), packet->payload.first(layout::kAck)), "an ACK round trips");
  const auto announced = decode_open_response(packet->payload);
  require(announced.has_value() == !packet->payload.empty(), "an open response has one octet");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::round_trip({data, size});
  return 0;
}
