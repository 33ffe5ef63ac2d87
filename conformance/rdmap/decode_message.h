// SPDX-License-Identifier: Apache-2.0
// Prints a DDP segment and its RDMAP header.
#pragma once

#include <string>

#include "conformance/field_list.h"

namespace wirelaw::rdmap {

struct DecodedSegment {
  std::string summary;
  std::string error;  // not empty if a header is incomplete
};

// `at`: offset of the ULPDU in the octets of `fields`.
DecodedSegment decode_segment(Octets ulpdu, std::size_t at, FieldList& fields);

}  // namespace wirelaw::rdmap
