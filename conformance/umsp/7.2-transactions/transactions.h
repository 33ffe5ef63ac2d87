// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables transaction_tables();
// Judges that EXEC_TR, CANCEL_TR or SND_CANCEL names such a transaction, and keeps the account.
void judge_chain_control(Judge& judge, const Seen& seen, SessionHalf& half, std::uint16_t number);
// Notes what the first instruction of a transaction declares.
void note_transaction(const Seen& seen, ObservedChain& chain);

}  // namespace wirelaw::umsp
