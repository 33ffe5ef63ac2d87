// SPDX-License-Identifier: Apache-2.0
// UMSP (RFC 3018) as the harness, the reports and the command see it.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::umsp {

extern const Protocol kProtocol;

}  // namespace wirelaw::umsp
