// SPDX-License-Identifier: Apache-2.0
// The interface of UMSP (RFC 3018) for the harness, the reports and the command.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::umsp {

extern const Protocol kProtocol;

}  // namespace wirelaw::umsp
