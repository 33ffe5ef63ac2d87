// SPDX-License-Identifier: Apache-2.0
// The cases of SMB Direct, for behaviour that only a stimulus can show. The folder cases/ has them by theme. The rules
// that they judge are in the sections (rules.h). An id begins with the theme: negotiate/, credits/, data/, idle/, end/,
// application/, smb2/.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::smbd {

std::vector<Case> data_refused_cases();
std::vector<Case> data_transfer_cases();
std::vector<Case> listener_negotiation_cases();
// Cases for an IUT whose upper layer the harness drives (cases/driven.h).
std::vector<Case> application_message_cases();
std::vector<Case> application_buffer_cases();
std::vector<Case> segment_cases();
std::vector<Case> sent_segment_cases();
std::vector<Case> initiator_negotiation_cases();
std::vector<Case> credits_cases();
std::vector<Case> idle_cases();
std::vector<Case> end_cases();
// Cases for an initiator whose application is an SMB2 client.
std::vector<Case> smb2_cases();

const CaseSuite& suite();
// The deviations of the reference that make each rule fail.
std::span<const BreachList> breaches();

}  // namespace wirelaw::smbd
