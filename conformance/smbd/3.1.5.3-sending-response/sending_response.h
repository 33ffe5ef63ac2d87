// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_response_versions(Judge& judge, const NegotiateResponse& response);
void judge_response_reserved(Judge& judge, const NegotiateResponse& response);
void judge_failure_fields(Judge& judge, const NegotiateResponse& response);
void judge_negotiated_version(Judge& judge, const NegotiateResponse& response);
void judge_failure_is_last(Judge& judge, bool last);

}  // namespace wirelaw::smbd
