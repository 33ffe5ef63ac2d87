// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Every buffer that the packet describes: `array` is its rma_iov or its read_iov.
void judge_buffers(Judge& judge, const SeenPacket& seen, Array array);
// The sum of the lengths in an array of buffers, as a finding states it.
std::string sum_of(std::optional<std::uint64_t> octets, std::string_view array);
// Checks by `rule` that no operation under way has the ID in `field`. Such an operation waits for `awaited`.
void check_free_id(Judge& judge, const SeenPacket& seen, const Rule& rule, Field field, const IdFact& fact,
                   std::string_view awaited = "its peer");
// Checks an answer of a kind that comes once. A repetition with the same octets is only a warning (EFA/A-71).
void check_single_answer(Judge& judge, const SeenPacket& seen, const Rule& rule, const AnswerFact& fact);

}  // namespace wirelaw::efa
