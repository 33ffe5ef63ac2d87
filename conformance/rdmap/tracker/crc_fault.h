// SPDX-License-Identifier: Apache-2.0
// The reason why a CRC is wrong, for mistakes that can be recognised in the FPDU. Searched only for a wrong CRC.
#pragma once

#include <cstdint>

#include "reference/mpa/deframer.h"

namespace wirelaw::rdmap {

enum class CrcFault : std::uint8_t {
  wrong,           // wrong for an unknown reason
  absent,          // the field is zero
  octet_order,     // its octets are in reverse order
  all_markers,     // it does not cover the markers
  marker_before,   // it does not cover the marker before ULPDU_Length
  marker_behind,   // it does not cover the marker between PAD and CRC
  missing_marker,  // it is right if a marker that is due is absent
  ulpdu_length,    // it is right for a shorter FPDU
  pad_count,       // it is right for another number of pad octets
};

CrcFault crc_fault(const mpa::Fpdu& fpdu);

}  // namespace wirelaw::rdmap
