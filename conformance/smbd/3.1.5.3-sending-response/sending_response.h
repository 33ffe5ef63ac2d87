// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_response_versions(Judge& judge, const NegotiateResponse& response);
void check_response_reserved(Judge& judge, const NegotiateResponse& response);
void check_failure_fields(Judge& judge, const NegotiateResponse& response);
void check_negotiated_version(Judge& judge, const NegotiateResponse& response);
void check_failure_is_last(Judge& judge, bool is_last);

}  // namespace wirelaw::smbd
