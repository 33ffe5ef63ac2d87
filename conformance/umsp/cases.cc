// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/cases.h"

#include <utility>

#include "conformance/umsp/umsp.h"

namespace wirelaw::umsp {

const CaseSuite& suite() {
  static const CaseSuite kSuite{session_opening_cases(),
                                sharing_cases(),
                                reopening_cases(),
                                session_closing_cases(),
                                closing_initiator_cases(),
                                zero_session_cases(),
                                search_cases(),
                                sanction_cases(),
                                task_activity_cases(),
                                control_requests_cases(),
                                control_ends_cases(),
                                control_activity_cases(),
                                job_initiator_cases(),
                                sequences_cases(),
                                transactions_cases(),
                                buffers_cases(),
                                sent_chains_cases(),
                                memory_addresses_cases(),
                                exchange_cases(),
                                asking_cases(),
                                memory_cases(),
                                control_transfer_cases(),
                                syn_and_nop_cases(),
                                objects_cases(),
                                made_objects_cases(),
                                object_names_cases(),
                                header_cases(),
                                extension_headers_cases(),
                                operands_cases(),
                                connections_cases(),
                                datagrams_cases(),
                                responses_cases()};
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(kProtocol.catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

}  // namespace wirelaw::umsp
