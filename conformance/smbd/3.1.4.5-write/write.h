// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

// An RDMA operation against what its peer has lent, and the octets of it against what payloads say (SMBD/A44,
// SMBD/A45).
void judge_write(Judge& judge, Connection& connection, const Delivery& write);
void judge_use(Judge& judge, const Rule& rule, Use use, const RemoteRange& range);

}  // namespace wirelaw::smbd
