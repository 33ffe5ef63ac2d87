// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables transaction_tables();
// EXEC_TR, CANCEL_TR and SND_CANCEL: that there is such a transaction; keeps the account.
void judge_chain_control(Judge& judge, const Seen& seen, SessionHalf& half, std::uint16_t number);
// What its first instruction says of a transaction.
void note_transaction(const Seen& seen, ObservedChain& chain);

}  // namespace wirelaw::umsp
