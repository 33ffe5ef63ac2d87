// SPDX-License-Identifier: Apache-2.0
// Any octets as a RAMCloud RPC packet, as users see it. Oracles: the fields are within the packet; only a possible open
// request begins a conversation.
#include <algorithm>

#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/observer.h"
#include "fuzz/target.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::fuzz {
namespace {

using namespace ramcloud;

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
  wirelaw::fuzz::show(octets);
  if (const auto packet = wirelaw::ramcloud::decode(octets))
    wirelaw::fuzz::require(std::ranges::equal(wirelaw::ramcloud::encode(packet->header, packet->payload), octets),
                           "encode(decode(x)) == x, in memory of its own");
  const bool recognised = wirelaw::ramcloud::recognises(wirelaw::message_of(octets, wirelaw::Side::a, 0));
  wirelaw::fuzz::require(!recognised || size == wirelaw::ramcloud::layout::kHeader, "an open request is a bare header");
  return 0;
}
