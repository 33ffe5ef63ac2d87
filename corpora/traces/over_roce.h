// SPDX-License-Identifier: Apache-2.0
// Carries a conversation of SMB Direct over RoCEv2 instead of iWARP.
#pragma once

#include "corpora/traces/trace.h"

namespace wirelaw::corpora {

// The same conversation as `trace`, which is over iWARP, without markers. Each piece of its streams is a start frame or
// an FPDU with a Send, an RDMA Write, a Read Request or a Read Response of one segment. The name has "-roce" appended.
Trace over_roce(const Trace& trace);

}  // namespace wirelaw::corpora
