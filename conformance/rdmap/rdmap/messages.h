// SPDX-License-Identifier: Apache-2.0
// Shared by the files of RFC 5040's sections on messages (3, 4.1 to 4.7, 5.1 to 5.3, 5.5, 6.1, 7.2, 8).
#pragma once

#include <optional>

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

// Returns true if the buffer model and the queue of a first segment are those of its opcode, so that it can be decoded
// as such a message.
bool is_as_its_opcode_demands(const Seen& seen);

// The fields of a Read Request, once it is complete; nothing before that, or if it cannot be read.
std::optional<ReadRequest> request_in(Judge& judge, Seen& seen);  // read_request_header.cc
// Text that names the other explanation of a response which does not match the next request.
constexpr std::string_view or_another_request(Evidence evidence) {
  return evidence == Evidence::octets ? "" : "or the request that it answers was not captured";
}
// Compares a Read Response's first segment with its request (4.4), and its octets so far with the requested size.
void judge_copied_fields(Judge& judge, Seen& seen, const ReadRequest& request);
void judge_response_length(Judge& judge, Seen& seen, const OutstandingRead& read);

// 7.2: a Read Response answers a Request that must be refused.
void judge_wrapping_read(Judge& judge, const Seen& seen, const ReadRequest& request);

// 5.2
// The request that a Read Response answers becomes the front one of the requester's; false: none is known.
bool judge_answer(Judge& judge, Seen& seen);
void judge_zero_length_answer(Judge& judge, Seen& seen, const OutstandingRead& read);
// 6.1
void judge_outstanding_reads(Judge& judge, Seen& seen);

}  // namespace wirelaw::rdmap
