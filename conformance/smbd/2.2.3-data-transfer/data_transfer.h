// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

bool check_data_whole(Judge& judge, const Message& message);
// The fields that every message has.
void check_data_fields(Judge& judge, const DataTransfer& data);
// Judges that the payload of a message of this length is within DataOffset and DataLength.
void check_data_place(Judge& judge, const DataTransfer& data, std::size_t length);

}  // namespace wirelaw::smbd
