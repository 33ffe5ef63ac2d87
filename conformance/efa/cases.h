// SPDX-License-Identifier: Apache-2.0
// The cases of EFA RDM, for behaviour that only a stimulus can show. The folder of a section has its cases.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::efa {

std::vector<Case> base_header_cases();  // invalid packets: short, of unknown types, of other versions
std::vector<Case> handshake_cases();
std::vector<Case> raw_address_header_cases();
std::vector<Case> req_cases();     // optional headers of REQ packets
std::vector<Case> msg_id_cases();  // the order of messages
std::vector<Case> eager_cases();
std::vector<Case> medium_cases();
std::vector<Case> longcts_cases();              // long-CTS messages: the receiver of the data
std::vector<Case> cts_cases();                  // CTS and CTSDATA that no correct peer sends
std::vector<Case> truncated_cases();            // messages longer than their receives
std::vector<Case> requester_runs_cases();       // everything that a requester does, while the trace is judged
std::vector<Case> message_requester_cases();    // messages from and to a requester
std::vector<Case> write_cases();                // emulated writes
std::vector<Case> read_cases();                 // emulated reads
std::vector<Case> atomic_cases();               // emulated atomics
std::vector<Case> one_sided_requester_cases();  // answers to a requester's reads and atomics
std::vector<Case> long_read_cases();
std::vector<Case> delivery_complete_cases();
std::vector<Case> receipt_to_requester_cases();  // RECEIPT to a requester
std::vector<Case> connid_cases();
std::vector<Case> runting_read_cases();
std::vector<Case> direct_write_cases();  // completions of writes with CQ data
std::vector<Case> read_nack_cases();     // reads that are refused
std::vector<Case> user_recv_qp_cases();  // user receive QPs, of later documents
std::vector<Case> peer_error_cases();    // PEER_ERROR of later documents
std::vector<Case> padding_cases();       // padding and reserved octets that are not zero
std::vector<Case> stray_answer_cases();  // unsolicited answers
// Cases for an IUT whose application is driven (probes/driven.h). They test the rules of these sections:
std::vector<Case> application_endpoint_cases();   // 1 and 2
std::vector<Case> application_message_cases();    // 3.1 and 3.2
std::vector<Case> application_one_sided_cases();  // 3.3
std::vector<Case> application_delivery_cases();   // 4.2
std::vector<Case> application_rdma_cases();       // 4.1, 4.6 and 4.7

const CaseSuite& suite();

// BrokenBy::given for a deviation that only the stimulus of a case shows: traffic between two endpoints does not.
inline constexpr std::string_view kStimulus = "stimulus";

// The breaches of all rules: the deviations of the reference that each rule reports.
std::span<const BreachList> breaches();
// True if an endpoint in this role breaks the rule. If the breach names no role, it is the role that the rule binds.
bool is_broken_by(const Breach& breach, Role role);

}  // namespace wirelaw::efa
