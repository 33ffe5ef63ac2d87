// SPDX-License-Identifier: Apache-2.0
// The sending half of MPA in Full Operation: takes ULPDUs, and returns FPDUs with CRC and markers (RFC 5044, 4).
#pragma once

#include <cstdint>
#include <span>

#include "reference/mpa/fpdu.h"

namespace wirelaw::mpa {

// Faults of a sender, for one FPDU. Used by deviations, probes and mutators.
struct FramingFaults {
  std::uint32_t crc_xor = 0;             // XORed into the CRC field
  std::int32_t length_add = 0;           // added to ULPDU_Length
  std::uint8_t pad_fill = 0;             // value of the pad octets
  std::uint16_t marker_pointer_xor = 0;  // XORed into each FPDUPTR in this FPDU
  std::uint16_t marker_reserved = 0;     // value in each marker in this FPDU

  bool operator==(const FramingFaults&) const = default;
};

class Framer {
 public:
  // `markers`: the peer requests them; `crc`: CRCs are in use, else the field is zero. `position`: octets of Full
  // Operation that have been sent.
  Framer(bool markers, bool crc, std::uint64_t position = 0) : markers_(markers), crc_(crc), position_(position) {}

  // Appends the FPDU of a ULPDU, which is given in parts (header, payload) of at most kMaxUlpdu octets together. With
  // markers, the one right before the FPDU belongs to it.
  void frame(std::span<const Octets> parts, OctetBuffer& out, const FramingFaults& faults = {});
  void frame(Octets ulpdu, OctetBuffer& out, const FramingFaults& faults = {}) {
    frame(std::span<const Octets>(&ulpdu, 1), out, faults);
  }

  // Octets of Full Operation sent so far.
  std::uint64_t position() const { return position_; }

 private:
  bool markers_;
  bool crc_;
  std::uint64_t position_;
};

}  // namespace wirelaw::mpa
