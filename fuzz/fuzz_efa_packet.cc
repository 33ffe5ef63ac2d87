// SPDX-License-Identifier: Apache-2.0
// Any octets as an EFA RDM packet. Oracles: encode(decode(x)) == x, an error says where, and everything that people are
// shown lies within the packet, in the order of the wire and without overlap.
#include <algorithm>

#include "conformance/efa/decode.h"
#include "conformance/efa/observer.h"
#include "fuzz/efa_mutator.h"
#include "fuzz/target.h"
#include "reference/efa/locate.h"
#include "reference/efa/packet.h"

namespace wirelaw::fuzz {
namespace {

using namespace efa;

void round_trip(Octets octets) {
  const auto packet = decode(octets);
  if (!packet) {
    const DecodeError& error = packet.error();
    require(!error.part.empty(), "an error names the part that does not fit");
    require(error.offset + error.there == octets.size() && error.needed > error.there,
            "an error says where the part begins, and what it lacks");
    return;
  }
  require(std::ranges::equal(encode(*packet), octets), "encode(decode(x)) == x");
  require(header_octets(*packet) + packet->payload.size() == octets.size(), "headers and payload are the packet");
  for (const FieldInfo& info : all_fields())
    if (const auto place = find_field(*packet, info.field))
      require(place->offset + place->width <= octets.size(), "a field is in its packet");
}

void show(Octets octets) {
  const Location location = locate(octets);
  require(location.error.has_value() == !decode(octets).has_value(), "what does not decode cannot be located");
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
  wirelaw::fuzz::round_trip(octets);
  wirelaw::fuzz::show(octets);
  const bool recognised = wirelaw::efa::recognises(wirelaw::message_of(octets, wirelaw::Side::a, 0));
  wirelaw::fuzz::require(!recognised || wirelaw::efa::decode(octets).has_value(), "only a packet is recognised");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate_efa_packet({data, max_size}, size, seed);
}
