// SPDX-License-Identifier: Apache-2.0
// Consecutive FPDUs in a stream whose start frames were not captured. Senders put an FPDU at the beginning of a TCP
// segment if they can (RFC 5044, 5.1), so the search starts there. Marker positions count from the beginning of Full
// Operation (4.3), which is unknown here, so the first marker is found by its pointer.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/protocol.h"
#include "reference/mpa/deframer.h"

namespace wirelaw::rdmap {

struct FpduRow {
  unsigned fpdus = 0;     // complete FPDUs, each with the fields that a DDP segment must have
  unsigned with_crc = 0;  // FPDUs with a correct CRC
  unsigned linked = 0;    // FPDUs that continue the previous one: the next MSN or MO, or the same STag
  std::size_t end = 0;    // offset of the first octet after the last of them
  std::size_t last = 0;   // offset of the last FPDU at or before `by`, with a marker right before it
  bool broken = false;    // the next octets are no FPDU
  std::optional<std::size_t> marker_at = {};  // offset of the first marker; empty: the FPDUs have no markers
};

// Returns true if an FPDU can begin with these octets: checks its ULPDU_Length, DDP's and RDMAP's control octets and
// the queue number, as far as they are present. The first four octets must be.
bool may_begin_fpdu(Octets octets);
FpduRow read_fpdu_row(Octets octets, std::size_t by = 0);
// Returns true if the FPDU has markers and all of them point at its beginning.
bool points_right(std::span<const mpa::Marker> markers);

// For a connection that is known to be iWARP: `octets` end with a TCP segment.
Plausible is_at_fpdu(const FpduRow& row, std::size_t octets);

// OnStreams::continues, for a connection that is not yet known to be iWARP.
Plausible continues(const Middle& middle);

}  // namespace wirelaw::rdmap
