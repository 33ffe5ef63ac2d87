// SPDX-License-Identifier: Apache-2.0
// A DDP segment and its RDMAP header for people.
#pragma once

#include <string>

#include "conformance/field_list.h"

namespace wirelaw::rdmap {

struct DecodedSegment {
  std::string summary;
  std::string error;  // not empty where a header is not whole
};

// `at`: where the ULPDU is in the octets of `fields`.
DecodedSegment decode_segment(Octets ulpdu, std::size_t at, FieldList& fields);

}  // namespace wirelaw::rdmap
