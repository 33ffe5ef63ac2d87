// SPDX-License-Identifier: Apache-2.0
// States facts about how MPA is started. It judges nothing.
#pragma once

#include "conformance/rdmap/tracker/facts.h"

namespace wirelaw::rdmap {

// A start frame of `from` is complete. The connection does not hold it yet; the fact refers to what the connection
// holds.
StartFrameFact start_frame_fact(const Connection& connection, const Direction& from, const mpa::StartFrame& frame);
// `from` did not begin with a start frame; `certain`: a start frame was mandatory.
NoStartFrameFact no_start_frame_fact(const Connection& connection, const Direction& from, bool certain);
// Both start frames are known; `frame` of the capture is the latest. The fact refers to what the connection holds.
AgreementFact agreement_fact(const Connection& connection, std::uint64_t frame);
// Returns a fact if the stream of `from` ended before its start frame was complete.
std::optional<CutStartFrameFact> find_cut_start_frame(const Connection& connection, const Direction& from);

// An FPDU of `from` has come, and is not counted yet.
std::optional<ResponderOrderFact> take_responder_order(Connection& connection, const Direction& from);

// Returns true if a Reply names an indication that its sender accepts (RFC 6581, 9.2).
bool offers_a_kind(const mpa::EnhancedData& reply);

// --- when the trace is over
// The responder has sent something, and the initiator has never sent an FPDU.
std::optional<ResponderOrderFact> take_unanswered_early_octets(Connection& connection);
std::optional<LoneReplyFact> find_lone_reply(const Connection& connection);
// No Reply has ever come, and the initiator has sent more than its Request.
std::optional<HeldFact> find_unanswered_octets(const Connection& connection, std::uint64_t frame);

}  // namespace wirelaw::rdmap
