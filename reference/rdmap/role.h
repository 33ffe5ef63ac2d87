// SPDX-License-Identifier: Apache-2.0
// The two ends of an RDMAP stream: the initiator sends the MPA request (RFC 5044, 7.1).
#pragma once

#include <cstdint>

namespace wirelaw::rdmap {

enum class Role : std::uint8_t { initiator = 1, responder = 2, both = 3 };

}  // namespace wirelaw::rdmap
