// SPDX-License-Identifier: Apache-2.0
// FPDUs in a row, in a stream whose start frames were not captured. Senders put an FPDU at the beginning of a TCP
// segment where they can (RFC 5044, 5.1), so that is where a row is looked for. Without markers: where these are is
// known only from the beginning of Full Operation on (4.3).
#pragma once

#include <cstdint>

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

struct FpduRow {
  unsigned fpdus = 0;     // whole, each with the fields that a DDP segment has to have
  unsigned with_crc = 0;  // those whose CRC holds
  unsigned linked = 0;    // those that continue what came before: the next MSN, MO, or the same STag
  std::size_t end = 0;    // behind the last of them
  std::size_t last = 0;   // where the last of them begins
  bool broken = false;    // what follows is no FPDU
};

// Whether an FPDU can begin so: its ULPDU_Length, DDP's and RDMAP's control octets and the queue number, as far as they
// are there. The first four octets have to be.
bool may_begin_fpdu(Octets octets);
FpduRow read_fpdu_row(Octets octets);

// In a connection that is known to be iWARP: `octets` end where a segment does.
Plausible is_at_fpdu(const FpduRow& row, std::size_t octets);

// OnStreams::continues: in one that is not.
Plausible continues(const Middle& middle);

}  // namespace wirelaw::rdmap
