// SPDX-License-Identifier: Apache-2.0
// Why a CRC does not hold: the mistakes that leave their mark in the FPDU. Looked for only where one does not hold.
#pragma once

#include <cstdint>

#include "reference/mpa/deframer.h"

namespace wirelaw::rdmap {

enum class CrcFault : std::uint8_t {
  wrong,           // nothing is known but that it is
  absent,          // the field is zero
  octet_order,     // it would hold with its octets the other way round
  all_markers,     // it leaves out the markers
  marker_before,   // it leaves out the marker before ULPDU_Length
  marker_behind,   // it leaves out the marker between PAD and CRC
  missing_marker,  // it holds if no marker is where one is due
  ulpdu_length,    // it holds for a shorter FPDU
  pad_count,       // it holds for another number of pad octets
};

CrcFault crc_fault(const mpa::Fpdu& fpdu);

}  // namespace wirelaw::rdmap
