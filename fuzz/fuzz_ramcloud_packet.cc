// SPDX-License-Identifier: Apache-2.0
// Any octets as a RAMCloud RPC packet. Oracles: encode(decode(x)) == x, what is shorter than a header gives an error
// that names its length, and the fields shown to people lie within the packet.
#include <algorithm>

#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/observer.h"
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
  require(std::ranges::equal(encode(packet->header, packet->payload), octets), "encode(decode(x)) == x");
  const auto ack = decode_ack(packet->payload);
  require(ack.has_value() == (packet->payload.size() >= layout::kAck), "six octets are an ACK");
  if (ack) require(std::ranges::equal(encode_ack(*ack), packet->payload.first(layout::kAck)), "an ACK round trips");
  const auto announced = decode_open_response(packet->payload);
  require(announced.has_value() == !packet->payload.empty(), "an open response has one octet");
}

void show(Octets octets) {
  const Decoded decoded = decode_for_people(octets);
  require(decoded.error.empty() || octets.size() < layout::kHeader, "only a short packet is an error to people");
  require(!decoded.summary.empty() || !decoded.error.empty(), "every packet has a summary or an error");
  for (const Field& field : decoded.fields) {
    require(!field.name.empty(), "a field has a name");
    require(field.offset <= octets.size() && field.length <= octets.size() - field.offset,
            "a field lies within its packet");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wirelaw::Octets octets(data, size);
  wirelaw::fuzz::round_trip(octets);
  wirelaw::fuzz::show(octets);
  const bool recognised = wirelaw::ramcloud::recognises(wirelaw::message_of(octets, wirelaw::Side::a, 0));
  wirelaw::fuzz::require(!recognised || size == wirelaw::ramcloud::layout::kHeader, "an open request is a bare header");
  return 0;
}
