// SPDX-License-Identifier: Apache-2.0
// The cases of RAMCloud RPC: what only a stimulus can show. One file a section of the text, with the rules that its
// cases judge; <section>.cc beside it has the rules that a trace alone can show to be broken.
#pragma once

#include "conformance/case_suite.h"

namespace wirelaw::ramcloud {

SectionCases session_cases();              // session_cases.cc: "Sessions and Channels"
SectionCases header_cases();               // header_cases.cc: "RAMCloud RPC Header format"
SectionCases payload_type_cases();         // payload_type_cases.cc
SectionCases session_token_cases();        // session_token_cases.cc
SectionCases client_session_hint_cases();  // client_session_hint_cases.cc
SectionCases server_session_hint_cases();  // server_session_hint_cases.cc
SectionCases channel_id_cases();           // channel_id_cases.cc
SectionCases rpc_id_cases();               // rpc_id_cases.cc
SectionCases frag_number_cases();          // frag_number_cases.cc
SectionCases total_frags_cases();          // total_frags_cases.cc
SectionCases direction_cases();            // direction_cases.cc
SectionCases request_ack_cases();          // request_ack_cases.cc
SectionCases please_drop_cases();          // please_drop_cases.cc
SectionCases reserved1_cases();            // reserved1_cases.cc
SectionCases open_request_cases();         // open_request_cases.cc: "PT_SESSION_OPEN"
SectionCases open_response_cases();        // open_response_cases.cc: "Session Open Response Payload Format"
SectionCases bad_session_cases();          // bad_session_cases.cc: "PT_BAD_SESSION"
SectionCases ack_cases();                  // ack_cases.cc: "Acknowledgement Response Payload Format"
SectionCases old_request_cases();          // old_request_cases.cc: "Old", lost requests
SectionCases old_response_cases();         // old_response_cases.cc: "Old", lost responses

// All of them, in the order of the text.
const CaseSuite& suite();

}  // namespace wirelaw::ramcloud
