// SPDX-License-Identifier: Apache-2.0
// Follows the packets of exchanges, and states facts about them. It judges nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/efa/tracker/facts.h"
#include "conformance/efa/tracker/trace_state.h"

namespace wirelaw::efa {

// --- any packet
// Follows any packet before it is decoded.
BaseHeaderFact follow_base_header(const Message& message, TraceState& state);
// Follows a packet that does not decode. Returns false if the capture has cut it.
bool follow_broken(const Message& message, TraceState& state);
// Notes what a packet shows about the document that its sender follows, before it is judged.
void note_revision(const Packet& packet, const Layout* layout, Side sender, TraceState& state);
// Names the document by which each side was judged; empty if that was only the one of 2023-10.
std::string revisions_of(const TraceState& state);
SenderFact sender_of(Side side, const TraceState& state);
// Follows a packet with a known layout. `is_first`: it is the first of the flow.
SeenPacket see(const Message& message, const Packet& packet, const Layout& layout, bool is_first, TraceState& state);
// Called for every such packet after its parts were followed, unless its sender has been replaced.
void end_packet(const SeenPacket& seen, TraceState& state);
// Returns true for a packet that may address the former endpoint, because its sender has not sent a HANDSHAKE to the
// one that took its place (4.4). It is not judged further.
bool addresses_former(const SeenPacket& seen, TraceState& state);
// For a request that is not judged itself: the peer may still answer the IDs that it contains.
void expect_any_answer(const SeenPacket& seen, TraceState& state);
// For a packet whose parts after the mandatory header cannot be located.
void pass_over(const SeenPacket& seen, TraceState& state);

// --- who sends (1.4, 4.4)
// The connid that the packet contains, in any of its headers.
std::optional<std::uint32_t> said_connid(const Packet& packet);
// For a packet with a raw address.
RawAddressFact follow_raw_address(const SeenPacket& seen, TraceState& state);
ConnidFact follow_connid(const SeenPacket& seen, TraceState& state);
// Treats the sender as another endpoint until the end of the flow shows if it started like one. Its connid is at
// `where`. Returns an earlier replacement that is ruled out.
std::optional<ReplacementFact> begin_anew_for_now(const SeenPacket& seen, OctetRange where, std::uint32_t former,
                                                  std::uint32_t connid, TraceState& state);
// Ends the assumption that an endpoint has been replaced: before another one may take its place, or at the end of the
// flow. Empty: there is no such assumption.
std::optional<ReplacementFact> take_replacement(Side side, TraceState& state);
// Returns true for a packet of an endpoint that another one has replaced.
bool is_of_replaced(const SeenPacket& seen, const TraceState& state);
// Notes such a packet, which may rule out that the endpoint has been replaced.
ReplacedFact note_replaced(const SeenPacket& seen, TraceState& state);
// Called for every packet after it was judged. `is_in_question`: it has breaches that a replaced endpoint may explain.
PresenceFact follow_presence(const SeenPacket& seen, bool is_in_question, TraceState& state);
// Returns true if the side had shown this connid long before that time.
bool was_long_known(Side side, std::uint32_t connid, std::int64_t time_ns, TraceState& state);
// Returns true if the side has shown one connid long before that time and the same long after it.
bool was_there(Side side, std::int64_t time_ns, TraceState& state);
// Answers with another connid may arrive before the evidence that another endpoint has taken their sender's place
// (4.4). SRD keeps no order, so an answer may overtake the HANDSHAKE that its sender sent before it. Returns true if
// the packet has another connid than its sender's, and does not itself show another endpoint.
bool is_ahead_of_newcomer(const SeenPacket& seen, const TraceState& state);
// Keeps such a packet: it is not judged further.
void note_ahead_of_newcomer(const SeenPacket& seen, TraceState& state);
// Returns true if the sender's previous connid is seen again so long after these packets that another endpoint cannot
// explain them.
bool disproves_newcomer(const SeenPacket& seen, const TraceState& state);
// Takes the packets of this side that were kept, because nothing has shown another endpoint in its place.
// `is_disproved`: there certainly is none.
std::vector<StrayConnidFact> take_ahead_of_newcomer(Side side, bool is_disproved, TraceState& state);

// --- what the two sides tell each other before (2.1), and the order of messages (3.2)
// Follows a HANDSHAKE, which need not be decoded. Empty: it is not the first of its side.
std::optional<HandshakeFact> follow_handshake(const Message& message, TraceState& state);
// Takes the features that a HANDSHAKE announces.
void take_extras(const SeenPacket& seen, TraceState& state);
// Follows a packet of an extra feature. Empty: the packet has none, or the peer's HANDSHAKE has not come.
std::optional<ExtraFact> follow_extra(const SeenPacket& seen, TraceState& state);
// States once, when both HANDSHAKEs have come or the flow ends, if a side has used an extra feature before. Empty: not
// now.
std::optional<EarlyExtraFact> take_early_extra(Side side, TraceState& state, bool at_end);
// At the end of the flow, when the side's own HANDSHAKE has shown which document it may follow. Empty: it has used an
// extra feature too, or nothing that is baseline only in later documents.
std::optional<EarlyExtraFact> find_early_baseline(Side side, const TraceState& state);
std::optional<MissingHandshakeFact> find_missing_handshake(Side side, const TraceState& state);
// Follows a REQ. Empty: its sender may use the default queue pair.
std::optional<QueuePairFact> follow_queue_pair(const SeenPacket& seen, TraceState& state);
// Follows the raw address header of a REQ, or its absence. Empty: nothing is known, or only the rest of the flow shows
// it (TraceState::address_again).
std::optional<AddressHeaderFact> follow_address_header(const SeenPacket& seen, TraceState& state);
// The packets that `side` sent before the other side's HANDSHAKE, which has come, or the flow has ended without it.
std::optional<FirstRequestsFact> first_requests_of(Side side, bool has_handshake, const TraceState& state);
// Follows a message ID, and returns if it is a new one. Empty: it may be the ID of a message that goes on.
std::optional<bool> follow_msg_id(const SeenPacket& seen, TraceState& state);
// Notes the message ID of a packet that is not judged.
MessageIds::Place note_msg_id(const SeenPacket& seen, TraceState& state);
// Returns true if the packet belongs to the message that already has its ID: another segment, or its repetition after a
// READ_NACK.
bool continues_message(const SeenPacket& seen, TraceState& state, bool all_are_known);

// Called for a packet with a message ID before anything in it is judged, to see if its sender counts anew (EFA/A-87).
inline bool may_meet_again(const SeenPacket& seen) {
  return seen.layout.ordered() && (seen.packet.msg_id == 0 || seen.packet.has(flag::kRawAddress));
}
// Returns an earlier meeting that nothing has shown.
std::optional<MeetingAgainFact> follow_meeting_again(const SeenPacket& seen, TraceState& state);
// Ends the assumption that the two endpoints have met again. Empty: they have, or there is no such assumption.
std::optional<MeetingAgainFact> take_meeting_again(TraceState& state);

// --- packets that begin or make up a message (3.2): eager, medium and long-CTS
MessageFact follow_eager_message(const SeenPacket& seen, TraceState& state);
MessageFact follow_longcts_message(const SeenPacket& seen, TraceState& state);
MediumFact follow_medium_message(const SeenPacket& seen, TraceState& state);

// --- requests of one-sided operations (3.3), and those whose data is read (4.1, 4.5)
RuntreadFact follow_runting_message(const SeenPacket& seen, TraceState& state);
RequestFact follow_longread(const SeenPacket& seen, TraceState& state);
RequestFact follow_eager_write(const SeenPacket& seen, TraceState& state);
RequestFact follow_longcts_write(const SeenPacket& seen, TraceState& state);
RequestFact follow_read_request(const SeenPacket& seen, TraceState& state);
AtomicFact follow_atomic(const SeenPacket& seen, TraceState& state);
// Returns true if read_iov names the whole data, which is to be read.
bool has_source(const RequestFact& fact, const Packet& packet);
// Begins the exchange of a request. Its ID belonged to the exchange `before` (nullptr: to none), which still waits if
// `in_use`, and which the request may repeat. Returns nullptr if it does.
Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state, Exchange* before, bool in_use,
                        bool may_repeat);
// The same for a request with a send_id.
Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state);

// --- what the two sides send after the request
CtsFact follow_cts(const SeenPacket& seen, TraceState& state);
CtsdataFact follow_ctsdata(const SeenPacket& seen, TraceState& state);
ReceiptFact follow_receipt(const SeenPacket& seen, TraceState& state);
ReadrspFact follow_readrsp(const SeenPacket& seen, TraceState& state);
AtomrspFact follow_atomrsp(const SeenPacket& seen, TraceState& state);
ReadEndFact follow_eor(const SeenPacket& seen, TraceState& state);
ReadEndFact follow_read_nack(const SeenPacket& seen, TraceState& state);
PeerErrorFact follow_peer_error(const SeenPacket& seen, TraceState& state);
// Empty: the packet belongs to no operation that a side has given up. Such a packet is not judged further.
std::optional<GivenUpFact> follow_given_up(const SeenPacket& seen, TraceState& state);
// Returns the RECEIPT of an exchange of which data comes later. The exchange is not judged further.
std::optional<Mark> take_early_receipt(Exchange& exchange);
// Another answer of a kind that comes once, to an exchange that has one. Empty if the request was repeated too.
std::optional<AnswerFact> another_answer(const Exchange& exchange, const TraceState& state);

// --- what follows a READ_NACK (4.7)
// Returns true if the packet is a LONGCTS_RTM with the msg_id of a message that was refused by READ_NACK, and so begins
// no new message.
bool follows_read_nack(const SeenPacket& seen, TraceState& state);
// Follows a LONGCTS_RTM if it resumes such a message.
ResumptionFact follow_resumption(const SeenPacket& seen, TraceState& state);
// Returns true if a LONGCTS_RTW sends a write again that was refused. Such a write is a new request (EFA/A-17).
bool resumes_write(const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
