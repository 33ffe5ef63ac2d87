// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_first_grant(Judge& judge, bool is_granted);

}  // namespace wirelaw::smbd
