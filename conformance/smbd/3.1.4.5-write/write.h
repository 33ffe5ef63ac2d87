// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// An RDMA operation against what its peer has lent, and the octets of it against what payloads say (SMBD/A44,
// SMBD/A45).
void check_write(Judge& judge, const MoveFact& move);
void check_use(Judge& judge, const Rule& rule, const MoveFact& move);

}  // namespace wirelaw::smbd
