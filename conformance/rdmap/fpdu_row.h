// SPDX-License-Identifier: Apache-2.0
// FPDUs in a row, in a stream whose start frames were not captured. Senders put an FPDU at the beginning of a TCP
// segment where they can (RFC 5044, 5.1), so that is where a row is looked for. Where markers are is known only from
// the beginning of Full Operation on (4.3), so the first one is found by what it points at.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/protocol.h"
#include "reference/mpa/deframer.h"

namespace wirelaw::rdmap {

struct FpduRow {
  unsigned fpdus = 0;     // whole, each with the fields that a DDP segment has to have
  unsigned with_crc = 0;  // those whose CRC holds
  unsigned linked = 0;    // those that continue what came before: the next MSN, MO, or the same STag
  std::size_t end = 0;    // offset of the first octet after the last of them
  std::size_t last = 0;  // where the last one begins that begins at `by` or before; a marker right before is part of it
  bool broken = false;   // what follows is no FPDU
  std::optional<std::size_t> marker_at = {};  // the first marker; nothing: the row is one without markers
};

// Returns true if an FPDU can begin so: checks its ULPDU_Length, DDP's and RDMAP's control octets and the queue number,
// as far as they are present. The first four octets must be.
bool may_begin_fpdu(Octets octets);
FpduRow read_fpdu_row(Octets octets, std::size_t by = 0);
// The markers of an FPDU are some, and point at its beginning.
bool points_right(std::span<const mpa::Marker> markers);

// For a connection that is known to be iWARP: `octets` end with a TCP segment.
Plausible is_at_fpdu(const FpduRow& row, std::size_t octets);

// OnStreams::continues: in one that is not.
Plausible continues(const Middle& middle);

}  // namespace wirelaw::rdmap
