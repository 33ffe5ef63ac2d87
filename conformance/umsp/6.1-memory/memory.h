// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables memory_tables();
// Requires the number of octets that `asked` requests, plus padding.
void judge_data_asked_for(Judge& judge, const SeenInstruction& seen, const Asked& asked);
// The length in octets of the data in DATA; none if both operands and a header have data.
std::optional<std::uint64_t> octets_of_answer(const SeenInstruction& seen);
// Judges the result of a comparison in a positive answer.
void judge_comparison(Judge& judge, const SeenInstruction& seen, const Asked& asked);

}  // namespace wirelaw::umsp
