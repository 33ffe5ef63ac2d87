// SPDX-License-Identifier: Apache-2.0
// Shared by the files of RFC 5040's sections on messages (3, 4.1 to 4.7, 5.1 to 5.3, 5.5, 6.1, 7.2, 8).
#pragma once

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

// Text that names the other explanation of a response which does not match the next request.
constexpr std::string_view or_another_request(Evidence evidence) {
  return evidence == Evidence::octets ? "" : "or the request that it answers was not captured";
}

// --- 4.1: the first segment of a message
void check_control_field(Judge& judge, const SegmentFacts& segment);
// --- 4.2
void check_read_request_length(Judge& judge, const SegmentFacts& segment, std::uint64_t octets);
// --- 4.4
void check_single_request(Judge& judge, const SegmentFacts& segment, bool is_whole);
// Compares a Read Response with its request.
void check_copied_fields(Judge& judge, const SegmentFacts& segment, const AnswerFact& answer);
void check_response_length(Judge& judge, const ResponseFact& fact, Evidence evidence);
// --- 5.2
// Returns false if no request waits for the response.
bool check_answer(Judge& judge, const AnswerFact& fact, Evidence evidence);
void check_zero_length_response(Judge& judge, std::uint64_t received, Evidence evidence);
// --- 6.1
void check_outstanding_reads(Judge& judge, const OutstandingFact& fact, Evidence evidence);
// --- 7.2: a Read Response answers a request that must be refused.
void check_wrapping_read(Judge& judge, const SegmentFacts& segment, const ReadRequest& request);
// A response shows that a segment was accepted that has to be refused.
void check_accepted(Judge& judge, const SegmentFacts& segment, const AcceptedFact& fact);

}  // namespace wirelaw::rdmap
