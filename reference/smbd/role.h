// SPDX-License-Identifier: Apache-2.0
// The two ends of an SMB Direct connection ([MS-SMBD] 3.1.1.1, Connection.Role: ACTIVE and PASSIVE).
#pragma once

#include <cstdint>

namespace wirelaw::smbd {

enum class Role : std::uint8_t { initiator = 1, listener = 2, both = 3 };

}  // namespace wirelaw::smbd
