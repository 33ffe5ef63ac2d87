// SPDX-License-Identifier: Apache-2.0
// RAMCloud RPC, as the harness sees it.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::ramcloud {

extern const Protocol kProtocol;

}  // namespace wirelaw::ramcloud
