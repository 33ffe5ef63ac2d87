// SPDX-License-Identifier: Apache-2.0
// The cases of UMSP, for rules that need a stimulus. They are in the folders of their sections; an id begins with a
// theme.
#pragma once

#include <span>
#include <vector>

#include "conformance/breach.h"
#include "conformance/case_suite.h"

namespace wirelaw::umsp {

std::vector<Case> session_opening_cases();    // 5.3 to 5.3.3
std::vector<Case> sharing_cases();            // 5.3
std::vector<Case> reopening_cases();          // 5.3, 5.3.1
std::vector<Case> session_closing_cases();    // 5.4
std::vector<Case> closing_initiator_cases();  // 5.4
std::vector<Case> zero_session_cases();       // 5.8
std::vector<Case> search_cases();             // 9
std::vector<Case> sanction_cases();           // 5 and 5.2, for an executor
std::vector<Case> task_activity_cases();      // 5.6.2 and 5.7, for an executor
std::vector<Case> control_requests_cases();   // 5.1 and 5.2, for a control point
std::vector<Case> control_ends_cases();       // 5.5 and 5.6, for a control point
std::vector<Case> control_activity_cases();   // 5.7, for a control point
std::vector<Case> job_initiator_cases();      // 5.1 and 5.6, for an initiator
std::vector<Case> sequences_cases();          // 7, 7.1, 7.6
std::vector<Case> transactions_cases();       // 7.2
std::vector<Case> buffers_cases();            // 4.2, 7.3 to 7.5, 8.5
std::vector<Case> sent_chains_cases();        // 7, 7.1, 7.4, 7.5, for a sender
std::vector<Case> memory_addresses_cases();   // 6: memory addresses
std::vector<Case> exchange_cases();           // 6: the exchange as a whole
std::vector<Case> asking_cases();             // 6 to 6.3: requests of a VM
std::vector<Case> memory_cases();             // 6.1, 6.2
std::vector<Case> control_transfer_cases();   // 6.3, 6.4
std::vector<Case> syn_and_nop_cases();        // 6.5
std::vector<Case> objects_cases();            // 6.6 to 6.6.3
std::vector<Case> made_objects_cases();       // 6.6.4
std::vector<Case> object_names_cases();       // 6.6.4, 6.6.5
std::vector<Case> header_cases();             // 3, 3.1
std::vector<Case> extension_headers_cases();  // 3.2, 8.1 to 8.4
std::vector<Case> operands_cases();           // 3.3, 4.1, 5.3.4
std::vector<Case> connections_cases();        // 2.2, 2.3, 3.4
std::vector<Case> datagrams_cases();          // 2.3, 5, 5.8, 6 by UDP
std::vector<Case> responses_cases();          // 4, 4.1

const CaseSuite& suite();
// The deviations of the reference that are known to violate each rule.
std::span<const BreachList> breaches();

}  // namespace wirelaw::umsp
