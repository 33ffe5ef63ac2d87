// SPDX-License-Identifier: Apache-2.0
// The cases of RAMCloud RPC, for behaviour that only a stimulus can show. Each folder of a section has its cases.
#pragma once

#include "conformance/case_suite.h"

namespace wirelaw::ramcloud {

std::vector<Case> session_cases();              // session_cases.cc: "Sessions and Channels"
std::vector<Case> header_cases();               // header_cases.cc: "RAMCloud RPC Header format"
std::vector<Case> payload_type_cases();         // payload_type_cases.cc
std::vector<Case> session_token_cases();        // session_token_cases.cc
std::vector<Case> client_session_hint_cases();  // client_session_hint_cases.cc
std::vector<Case> server_session_hint_cases();  // server_session_hint_cases.cc
std::vector<Case> channel_id_cases();           // channel_id_cases.cc
std::vector<Case> rpc_id_cases();               // rpc_id_cases.cc
std::vector<Case> frag_number_cases();          // frag_number_cases.cc
std::vector<Case> total_frags_cases();          // total_frags_cases.cc
std::vector<Case> direction_cases();            // direction_cases.cc
std::vector<Case> request_ack_cases();          // request_ack_cases.cc
std::vector<Case> please_drop_cases();          // please_drop_cases.cc
std::vector<Case> reserved1_cases();            // reserved1_cases.cc
std::vector<Case> open_request_cases();         // open_request_cases.cc: "PT_SESSION_OPEN"
std::vector<Case> open_response_cases();        // open_response_cases.cc: "Session Open Response Payload Format"
std::vector<Case> bad_session_cases();          // bad_session_cases.cc: "PT_BAD_SESSION"
std::vector<Case> ack_cases();                  // ack_cases.cc: "Acknowledgement Response Payload Format"
std::vector<Case> old_request_cases();          // old_request_cases.cc: "Old", lost requests
std::vector<Case> old_response_cases();         // old_response_cases.cc: "Old", lost responses

// All cases, in the order of the specification.
const CaseSuite& suite();
// For each rule, the deviations of the reference that are known to make it fail.
std::span<const BreachList> breaches();

}  // namespace wirelaw::ramcloud
