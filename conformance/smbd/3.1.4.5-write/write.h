// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

// Compares an RDMA operation with the memory that the peer has lent, as the payloads describe it (SMBD/A44, SMBD/A45).
void check_write(Judge& judge, const MoveFact& move);
void check_use(Judge& judge, const Rule& rule, const MoveFact& move);

}  // namespace wirelaw::smbd
