// SPDX-License-Identifier: Apache-2.0
// Shared by the files of DDP's sections.
#pragma once

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

// --- 4.1
void check_ddp_control(Judge& judge, const ddp::Header& header, const VersionFact& version);
void check_previous_ended(Judge& judge, const ddp::Header& header, const PreviousFact& fact);
void check_after_last(Judge& judge, const ddp::Header& header, AfterLast what);
void check_last_is_highest(Judge& judge, const MessageOrderFact& fact);
// --- 4.2
void check_shared_tagged(Judge& judge, const SharedFact& fact);
// --- 4.3
void check_msn(Judge& judge, std::uint32_t qn, const MsnFact& fact);
void check_shared_untagged(Judge& judge, const SharedFact& fact);
void check_start(Judge& judge, const ddp::Header& header);
void check_headless(Judge& judge, const Stray& stray);
// --- 5.2
void check_next(Judge& judge, const ddp::Header& header);
void check_length(Judge& judge, bool tagged, std::uint64_t length);
void check_empty_message(Judge& judge, std::uint32_t segments);
void check_gap(Judge& judge, const MessageOrderFact& fact);
// --- 5.3
void check_among(Judge& judge, const AmongFact& fact);
void check_order(Judge& judge, const MessageOrderFact& fact);

// A finding about the segment that strayed.
void blame_stray(Judge& judge, const Rule& rule, const Stray& stray, OctetRange where, std::string_view why);

}  // namespace wirelaw::rdmap
