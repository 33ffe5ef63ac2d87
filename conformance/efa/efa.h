// SPDX-License-Identifier: Apache-2.0
// The EFA RDM protocol, version 4, as the harness sees it.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::efa {

extern const Protocol kProtocol;

}  // namespace wirelaw::efa
