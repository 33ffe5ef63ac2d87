// SPDX-License-Identifier: Apache-2.0
// The cases of EFA RDM: what only a stimulus can show. s…_cases.cc has the cases of a section, with the rules that they
// judge; s….cc beside it has the rules that a trace alone can show to be broken.
#pragma once

#include <span>

#include "conformance/case.h"
#include "conformance/catalogue.h"

namespace wirelaw::efa {

struct SectionCases {
  RuleList rules;  // those that need a stimulus
  std::span<const Case> cases;
};

SectionCases s1_3_cases();            // packets that are none: short, of unknown types, of other versions
SectionCases s2_1_cases();            // the HANDSHAKE
SectionCases s2_2_cases();            // the raw address header
SectionCases s3_1_cases();            // optional headers of REQ packets
SectionCases s3_2_msg_id_cases();     // the order of messages
SectionCases s3_2_eager_cases();      // eager messages
SectionCases s3_2_medium_cases();     // medium messages
SectionCases s3_2_longcts_cases();    // long-CTS messages: the receiver of the data
SectionCases s3_2_cts_cases();        // CTS and CTSDATA that no good peer sends
SectionCases s3_2_truncated_cases();  // messages longer than their receives
SectionCases s3_2_requester_cases();  // messages of and to a requester
SectionCases s3_3_write_cases();      // emulated writes
SectionCases s3_3_read_cases();       // emulated reads
SectionCases s3_3_atomic_cases();     // emulated atomics
SectionCases s3_3_requester_cases();  // what answers a requester's reads and atomics
SectionCases s4_1_cases();            // long reads
SectionCases s4_2_cases();            // delivery complete
SectionCases s4_2_requester_cases();  // RECEIPT to a requester
SectionCases s4_4_cases();            // connid
SectionCases s4_5_cases();            // runting reads
SectionCases s4_6_cases();            // what an application is told of writes
SectionCases s4_7_cases();            // reads that are refused
SectionCases padding_cases();         // padding and reserved octets that are not zero
SectionCases stray_cases();           // answers that nobody asked for
// Of an IUT whose application is driven (conformance/efa/driven.h); their rules are those of the sections.
SectionCases application_endpoint_cases();   // 1 and 2
SectionCases application_message_cases();    // 3.1 and 3.2
SectionCases application_one_sided_cases();  // 3.3
SectionCases application_delivery_cases();   // 4.2
SectionCases application_rdma_cases();       // 4.1, 4.6 and 4.7

// In the order of the document.
std::span<const SectionCases> all_sections();
std::span<const Case> all_cases();
// Their rules, for the catalogue.
std::span<const RuleList> case_rules();

}  // namespace wirelaw::efa
