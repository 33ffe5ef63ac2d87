// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_request_versions(Judge& judge, const NegotiateRequest& request);
void judge_request_reserved(Judge& judge, const NegotiateRequest& request);

}  // namespace wirelaw::smbd
