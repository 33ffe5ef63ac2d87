// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_longread_message(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
void check_longread_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact);
// Checks read_iov: by the rule `some` it names at least one buffer, by `sum` its lengths add up to msg_length.
bool check_source(Judge& judge, const SeenPacket& seen, const RequestFact& fact, const Rule& some, const Rule& sum);

}  // namespace wirelaw::efa
