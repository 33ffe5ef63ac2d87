// SPDX-License-Identifier: Apache-2.0
// Builds the Terminate for an error: its layer and type decide which headers it carries (RFC 5040, figure 10 and 7.1;
// rulings RDMAP/A-05 to RDMAP/A-08 and RDMAP/A-21 if these disagree).
#pragma once

#include <array>
#include <optional>

#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

// The segment that caused an error, as received.
struct Offender {
  std::array<Octet, ddp::layout::kUntagged> header = {};
  std::size_t header_octets = 0;
  std::uint16_t segment_length = 0;  // header and payload: MPA's ULPDU_Length (RDMAP/A-06)
  std::optional<ReadRequest> read;   // set if the header of a Read Request was received
  std::optional<ReadRequest> original_read;

  Octets ddp_header() const { return Octets(header).first(header_octets); }
};
Offender offender_of(Octets ulpdu, const ddp::Header& header);

// Returns the Terminate header and its contents. Without an offender, the error belongs to no message.
OctetBuffer build_terminate(const ErrorCode& error, const Offender* offender);

}  // namespace wirelaw::rdmap
