// SPDX-License-Identifier: Apache-2.0
// What a relay has done so far.
#pragma once

#include <cstdint>
#include <string>

namespace wirelaw {

struct RelayCounts {
  std::uint64_t connections = 0;  // that initiators have made; for datagrams, the flows
  std::uint64_t reached = 0;      // of these, those on which the responder could be reached
  std::uint64_t cut = 0;          // that the relay itself has ended, by a fault or because it ended
  std::string unreachable = {};   // why the responder could not be reached, last; one line
};

}  // namespace wirelaw
