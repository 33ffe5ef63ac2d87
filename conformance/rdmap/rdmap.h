// SPDX-License-Identifier: Apache-2.0
// iWARP: RDMAP (RFC 5040, RFC 7306) over DDP (RFC 5041) over MPA (RFC 5044, RFC 6581) over TCP.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

extern const Protocol kProtocol;

}  // namespace wirelaw::rdmap
