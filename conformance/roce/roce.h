// SPDX-License-Identifier: Apache-2.0
// RoCEv2 as captures have it: reliable connections, of which what is delivered goes to the protocol above. It has no
// rules, no cases and no row among the protocols: it is decoded, and carries those that are judged.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::roce {

extern const Protocol kProtocol;

}  // namespace wirelaw::roce
