// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_read(Judge& judge, Connection& connection, const Delivery& read);

}  // namespace wirelaw::smbd
