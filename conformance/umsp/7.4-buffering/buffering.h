// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_facts.h"

namespace wirelaw::umsp {

SectionTables buffering_tables();
// Checks whether a buffer was granted for a transaction that begins.
void check_grant(Judge& judge, const SeenInstruction& seen, const GrantFact& fact);
// Checks that the chain, together with all others that are open, fits the window of the receiver.
void check_window(Judge& judge, const WindowFact& fact);
// Checks the size in REQ_BUF.
void check_buffer_size(Judge& judge, const BufferSizeFact& fact);

}  // namespace wirelaw::umsp
