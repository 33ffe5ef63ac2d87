// SPDX-License-Identifier: Apache-2.0
// Claims that only the end of a flow decides: a side has done what was due. The tracker states whether each holds, with
// the observed and the expected value. The sections have a row for each (conformance/efa/claim_rows.h).
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/efa/tracker/seen.h"

namespace wirelaw::efa {

class TraceState;

// What the side does if it is right.
enum class Claim : std::uint8_t {
  // --- 3.2: its message IDs
  begins_with_id_0,   // `got`: the lowest
  wraps_to_id_0,      // after 4294967295
  uses_every_id,      // `got`: the number of those that are missing, `due`: the latest of them
  uses_every_old_id,  // likewise, and they are too far below its newest ID to be known
  // --- data; `got` and `due` are octets
  sends_whole_medium,     // 3.2
  sends_what_is_allowed,  // 3.2
  allows_the_rest,        // 3.2
  receives_all_before,    // 4.2: before its RECEIPT
  // --- answers to the packet
  sends_receipt,             // 4.2
  answers_read,              // 3.3
  answers_read_before_data,  // 3.3
  answers_atomic,            // 3.3
  allows_rest_of_write,      // 3.3
  reports_read,              // 4.1
  resumes_message,           // 4.7
  resumes_write,             // 4.7
  // --- others
  allows_rest_of_read,   // 3.3; `got` and `due` are octets
  sends_all_runts,       // 4.5; `got` and `due` are octets
  allows_resumed,        // 4.7
  begins_named_message,  // 4.10; `got`: the message ID in the PEER_ERROR
  count_
};

struct ClaimFact {
  Claim claim = Claim::count_;
  bool holds = false;
  bool is_certain = false;          // otherwise likely: something that was not seen may explain a breach
  Mark mark = {};                   // the packet that shows it
  Side side = Side::a;              // the side that has done it, or has not
  std::uint64_t got = 0, due = 0;   // the observed and the expected value, if the claim is about one
  bool is_served = false;           // the side has answered later requests for the same memory (EFA/A-72)
  const Layout* request = nullptr;  // what began the operation, for a RECEIPT
  OctetRange where = {};            // the field, if the claim is about one

  bool is_answer() const { return claim >= Claim::sends_receipt && claim <= Claim::resumes_write; }
  Message message() const { return is_answer() ? unanswered(mark, side) : marked(mark, side); }
  OctetRange place() const { return claim <= Claim::sends_receipt ? OctetRange{0, mark.octets} : where; }
};

// The claims that the end of the flow decides, in the order of the sections.
std::vector<ClaimFact> find_claims(const TraceState& state);
// Those about messages that this side gave up by PEER_ERROR and never began.
std::vector<ClaimFact> find_unbegun(Side side, const TraceState& state);

}  // namespace wirelaw::efa
