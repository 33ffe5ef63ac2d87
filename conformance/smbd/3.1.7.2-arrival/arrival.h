// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_first_grant(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
