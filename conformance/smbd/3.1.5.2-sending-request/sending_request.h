// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_request_versions(Judge& judge, const NegotiateRequest& request);
void check_request_reserved(Judge& judge, const NegotiateRequest& request);

}  // namespace wirelaw::smbd
