// SPDX-License-Identifier: Apache-2.0
// RoCEv2 as captures contain it: reliable connections, whose deliveries go to the protocol above. It has no rules, no
// cases and no row among the protocols. It is decoded, and carries protocols that are judged.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::roce {

extern const Protocol kProtocol;

}  // namespace wirelaw::roce
