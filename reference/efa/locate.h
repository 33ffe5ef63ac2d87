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
  std::size_t offset;         // in the packet
  std::size_t width;          // octets
  std::uint64_t value;        // integers only; 0 for an array of octets
  Array array = Array::none;  // that it is part of
  std::size_t element = 0;    // index in that array
};

struct Location {
  std::vector<Located> fields;  // in the order of the wire; if octets are no packet, those before the error
  std::size_t payload = 0;      // where the payload begins
  std::optional<DecodeError> error;
};

// At most `elements` of each array, so that people are not shown thousands.
Location locate(Octets octets, std::size_t elements = 16);

inline constexpr std::string_view kDissector = "efa_rdm";
// What a dissector calls the field: "efa_rdm." and its name, with the array's in between.
std::string dissector_name(Field field, Array array = Array::none);

}  // namespace wirelaw::efa
