// SPDX-License-Identifier: Apache-2.0
// Locates every field of a packet in its octets, for printing, dissectors and mutators.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/efa/packet.h"

namespace wirelaw::efa {

struct Located {
  Field field;
  std::string name;  // "efa_rdm.msg_id", "efa_rdm.rma_iov.addr"; "efa_rdm.padding" if a multiuse word is padding
  FieldKind kind;
  std::size_t offset;         // relative to the packet
  std::size_t width;          // octets
  std::uint64_t value;        // integers only; 0 for an array of octets
  Array array = Array::none;  // the array that contains it
  std::size_t element = 0;    // index in that array
};

struct Location {
  std::vector<Located> fields;  // in wire order; if the packet is invalid, the fields before the error
  std::size_t payload = 0;      // offset of the payload
  std::optional<DecodeError> error;
};

// `elements`: maximum number of elements of each array in the result, so that users do not see thousands.
Location locate(Octets octets, std::size_t elements = 16);

inline constexpr std::string_view kDissector = "efa_rdm";
// The field's name in a dissector: "efa_rdm." and its name, with that of the array in between.
std::string dissector_name(Field field, Array array = Array::none);

}  // namespace wirelaw::efa
