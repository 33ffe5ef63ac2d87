// SPDX-License-Identifier: Apache-2.0
// The cases of UMSP: what only a stimulus can show. cases/ has them by theme, which an id begins with; the rules that
// they judge are declared with their sections (rules.h).
#pragma once

#include <span>
#include <vector>

#include "conformance/breach.h"
#include "conformance/case_suite.h"

namespace wirelaw::umsp {

// What a file of cases exports.
struct Theme {
  std::vector<Case> cases;
  std::vector<Breach> breaches;  // by which deviations of the reference rules are known to be able to fail
};
Theme opening_theme();            // cases/opening.cc: 5.3 to 5.3.3
Theme sharing_theme();            // cases/sharing.cc: 5.3
Theme reopening_theme();          // cases/reopening.cc: 5.3, 5.3.1
Theme closing_theme();            // cases/closing.cc: 5.4
Theme closing_initiator_theme();  // cases/closing_initiator.cc: 5.4
Theme zero_session_theme();       // cases/zero_session.cc: 5.8
Theme search_theme();             // cases/search.cc: 9
Theme sanction_theme();           // cases/sanction.cc: 5 and 5.2, of who executes
Theme task_activity_theme();      // cases/task_activity.cc: 5.6.2 and 5.7, of who executes
Theme control_request_theme();    // cases/control_requests.cc: 5.1 and 5.2, of a control point
Theme control_end_theme();        // cases/control_ends.cc: 5.5 and 5.6, of a control point
Theme control_activity_theme();   // cases/control_activity.cc: 5.7, of a control point
Theme job_initiator_theme();      // cases/job_initiator.cc: 5.1 and 5.6, of who initiates
Theme sequences_theme();          // cases/sequences.cc: 7, 7.1, 7.6
Theme transactions_theme();       // cases/transactions.cc: 7.2
Theme buffers_theme();            // cases/buffers.cc: 4.2, 7.3 to 7.5, 8.5
Theme sent_chains_theme();        // cases/sent_chains.cc: 7, 7.1, 7.4, 7.5 of who sends
Theme opening_theme();            // cases/opening.cc: 5.3 to 5.3.3
Theme addresses_theme();          // cases/addresses.cc: 6: addresses of memory
Theme exchange_theme();           // cases/exchange.cc: 6: the exchange as a whole
Theme asking_theme();             // cases/asking.cc: 6 to 6.3: what a VM asks for
Theme memory_theme();             // cases/memory.cc: 6.1, 6.2
Theme control_theme();            // cases/control.cc: 6.3, 6.4
Theme synchronization_theme();    // cases/synchronization.cc: 6.5
Theme objects_theme();            // cases/objects.cc: 6.6 to 6.6.3
Theme made_objects_theme();       // cases/made_objects.cc: 6.6.4
Theme object_names_theme();       // cases/object_names.cc: 6.6.4, 6.6.5
Theme header_theme();             // cases/headers.cc: 3, 3.1
Theme extension_theme();          // cases/extension_headers.cc: 3.2, 8.1 to 8.4
Theme connection_theme();         // cases/connections.cc: 2.2, 2.3, 3.4
Theme datagram_theme();           // cases/datagrams.cc: 2.3, 5, 5.8, 6 by UDP
Theme response_theme();           // cases/responses.cc: 4, 4.1
Theme operand_theme();            // cases/operands.cc: 3.3, 4.1, 5.3.4

const CaseSuite& suite();
std::span<const BreachList> breaches();

}  // namespace wirelaw::umsp
