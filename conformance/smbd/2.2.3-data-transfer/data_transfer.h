// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

bool judge_data_whole(Judge& judge, const Message& message);
// The fields that every message has.
void judge_data_fields(Judge& judge, const Seen& seen);
// Judges a message with payload. False if the payload is not where DataOffset and DataLength say.
bool judge_data_place(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
