// SPDX-License-Identifier: Apache-2.0
// The cases of EFA RDM: what only a stimulus can show. cases/s….cc has those of a section, with the rules that they
// judge; s….cc above it has the rules that a trace alone can show to be broken.
#pragma once

#include <span>

#include "conformance/case_suite.h"

namespace wirelaw::efa {

SectionCases s1_3_cases();              // packets that are none: short, of unknown types, of other versions
SectionCases s2_1_cases();              // the HANDSHAKE
SectionCases s2_2_cases();              // the raw address header
SectionCases s3_1_cases();              // optional headers of REQ packets
SectionCases s3_2_msg_id_cases();       // the order of messages
SectionCases s3_2_eager_cases();        // eager messages
SectionCases s3_2_medium_cases();       // medium messages
SectionCases s3_2_longcts_cases();      // long-CTS messages: the receiver of the data
SectionCases s3_2_cts_cases();          // CTS and CTSDATA that no good peer sends
SectionCases s3_2_truncated_cases();    // messages longer than their receives
SectionCases requester_run_cases();     // everything that a requester does, while the trace is judged
SectionCases s3_2_requester_cases();    // messages of and to a requester
SectionCases s3_3_write_cases();        // emulated writes
SectionCases s3_3_read_cases();         // emulated reads
SectionCases s3_3_atomic_cases();       // emulated atomics
SectionCases s3_3_requester_cases();    // what answers a requester's reads and atomics
SectionCases s4_1_cases();              // long reads
SectionCases s4_2_cases();              // delivery complete
SectionCases s4_2_requester_cases();    // RECEIPT to a requester
SectionCases s4_4_cases();              // connid
SectionCases s4_5_cases();              // runting reads
SectionCases s4_6_cases();              // completions of writes with CQ data
SectionCases s4_7_cases();              // reads that are refused
SectionCases s4_8_cases();              // user receive QPs, of later documents
SectionCases later_peer_error_cases();  // PEER_ERROR of later documents
SectionCases padding_cases();           // padding and reserved octets that are not zero
SectionCases stray_answer_cases();      // answers that nobody asked for
// Of an IUT whose application is driven (probes/driven.h); their rules are those of the sections.
SectionCases application_endpoint_cases();   // 1 and 2
SectionCases application_message_cases();    // 3.1 and 3.2
SectionCases application_one_sided_cases();  // 3.3
SectionCases application_delivery_cases();   // 4.2
SectionCases application_rdma_cases();       // 4.1, 4.6 and 4.7

const CaseSuite& suite();

// The breaches of all rules: by which of them each deviation of the reference is reported.
std::span<const BreachList> breaches();
// Whether an endpoint in this role breaks the rule. Where the breach does not say, it is whom the rule binds.
bool is_broken_by(const Breach& breach, wirelaw::Role role);

}  // namespace wirelaw::efa
