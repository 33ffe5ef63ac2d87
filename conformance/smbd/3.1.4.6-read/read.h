// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_read(Judge& judge, const MoveFact& move);

}  // namespace wirelaw::smbd
