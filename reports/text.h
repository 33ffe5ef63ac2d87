// SPDX-License-Identifier: Apache-2.0
// Results as text: the overall result, the counts, one block for each fault, and the overall result again.
#pragma once

#include "reports/report.h"

namespace wirelaw {

void write_text(const Report& report, Output& out);

// One finding as the text report and `wirelaw decode` print it, in one line: "RAMCLOUD-ack-5 MUST: …".
std::string one_line(const Finding& finding);
// "trace.pcap: frame 7, octet 38: UDP length 4 is …; hint".
std::string one_line(const InputProblem& problem);

}  // namespace wirelaw
