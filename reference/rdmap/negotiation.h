// SPDX-License-Identifier: Apache-2.0
// Negotiation with the enhanced data of both start frames (RFC 6581, 9): the number of outstanding reads in each
// direction, and the zero-length message with which the initiator announces that it is ready.
#pragma once

#include <optional>

#include "reference/mpa/start_frame.h"
#include "reference/rdmap/options.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

struct Depths {
  std::uint16_t ird = 0;
  std::uint16_t ord = 0;
};
Depths depths_of(const Options& options);  // if nothing is negotiated

// The enhanced data of an initiator's request.
mpa::EnhancedData offer(const Options& options);

// The enhanced data of a responder's reply. If the initiator's IRD is too small, the reply rejects and gives the ORD
// that the responder requires.
struct Answer {
  mpa::EnhancedData data;
  Depths depths;
  bool enough = true;
};
Answer answer(const mpa::EnhancedData& request, const Options& options);

// The initiator's result from the reply; if it has an error, the initiator terminates.
struct Conclusion {
  Depths depths;
  Rtr rtr = Rtr::none;
  std::optional<ErrorCode> error;
};
Conclusion conclude(const mpa::EnhancedData& reply, const Options& options);

}  // namespace wirelaw::rdmap
