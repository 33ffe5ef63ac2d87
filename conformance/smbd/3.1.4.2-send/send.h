// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// The token was invalidated before, and not lent since (SMBD/A47).
void check_invalidated_once(Judge& judge, std::uint32_t token);

}  // namespace wirelaw::smbd
