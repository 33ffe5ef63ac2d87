// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables memory_tables();
// As many octets as `asked` asks for, and padding.
void judge_data_asked_for(Judge& judge, const Seen& seen, const Asked& asked);
// Octets of data in DATA; nothing if it has them in operands and in a header.
std::optional<std::uint64_t> octets_of_answer(const Seen& seen);
// What a positive answer says that a comparison has found.
void judge_comparison(Judge& judge, const Seen& seen, const Asked& asked);

}  // namespace wirelaw::umsp
