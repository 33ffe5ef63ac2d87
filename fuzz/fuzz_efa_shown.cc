// SPDX-License-Identifier: Apache-2.0
// Any octets as an EFA RDM packet, field by field. Oracles: all fields, and all that users see, are within the packet,
// in wire order and without overlap; only a valid packet begins a conversation.
#include <algorithm>

#include "conformance/efa/decode.h"
#include "conformance/efa/observer.h"
#include "fuzz/target.h"
#include "reference/efa/locate.h"
#include "reference/efa/packet.h"

namespace wirelaw::fuzz {
namespace {

using namespace efa;

void find_all_fields(const Packet& packet, std::size_t octets) {
  for (const FieldInfo& info : all_fields())
    if (const auto place = find_field(packet, info.field))
      require(place->offset + place->width <= octets, "a field is in its packet");
}

void show(Octets octets) {
  const Location location = locate(octets);
  const auto packet = decode(octets);
  require(location.error.has_value() == !packet.has_value(), "what does not decode cannot be located");
  if (packet) {
    find_all_fields(*packet, octets.size());
    require(std::ranges::equal(encode(*packet), octets), "encode(decode(x)) == x, in memory of its own");
  }
  std::size_t end = 0;
  for (const Located& one : location.fields) {
    require(one.offset >= end && one.width > 0, "fields are in the order of the wire");
    end = one.offset + one.width;
    require(end <= octets.size(), "a field lies within its packet");
  }
  const Decoded decoded = decode_for_people(octets);
  require(decoded.error.empty() == !location.error.has_value(), "people are shown what is wrong");
  require(!decoded.summary.empty(), "there is something to say of every packet");
  for (const wirelaw::Field& field : decoded.fields) {
    require(!field.name.empty(), "a field has a name");
    require(field.offset <= octets.size() && field.length <= octets.size() - field.offset,
            "what is shown lies within its packet");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wirelaw::Octets octets(data, size);
  wirelaw::fuzz::show(octets);
  const bool recognised = wirelaw::efa::recognises(wirelaw::message_of(octets, wirelaw::Side::a, 0));
  wirelaw::fuzz::require(!recognised || wirelaw::efa::decode(octets).has_value(), "only a packet is recognised");
  return 0;
}
