// SPDX-License-Identifier: Apache-2.0
// The rules of EFA RDM, section by section of the document, and what judges them. A rule EFA-3.2-7 is declared and
// judged in a file whose name begins with s3_2, with the deviations of the reference that break it.
//
// Each judge_…(judge, seen, state) looks at one packet, and notes in the state of the trace what later packets are
// measured by.
#pragma once

#include <span>
#include <string_view>

#include "conformance/breach.h"
#include "conformance/catalogue.h"
#include "conformance/efa/roles.h"
#include "conformance/efa/state/seen.h"
#include "conformance/efa/state/trace_state.h"
#include "conformance/judge.h"
#include "conformance/rule.h"
#include "conformance/section.h"
#include "conformance/section_rules.h"
#include "reference/efa/deviations.h"

namespace wirelaw::efa {

// Breach::Where::given of a breach that no packets between endpoints as the tests of traces run them show: it takes a
// case's stimulus.
inline constexpr std::string_view kStimulus = "stimulus";

// In the order of the document.
std::span<const SectionRules> rule_sections();

// At the end of a flow: what is missing breaks the rule where it is `due` (EFA/A-85), and is warned of elsewhere.
template <class E, class A, class W = std::string_view>
bool judge_due(Judge& judge, bool due, const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
               const Actual<A>& a, const W& why = {}) {
  return due ? judge.require(rule, holds, where, e, a, why) : judge.advise(rule, holds, where, e, a, why);
}

// s1_3_base_header.cc: the base header, packet types, and that a packet is whole
SectionRules s1_3_rules();
bool judge_base_header(Judge& judge, const Message& message, TraceState& state);
// Of a packet that does not decode.
void judge_whole(Judge& judge, const Message& message, const DecodeError& error, TraceState& state);
// False where the type has no format in the sender's document: `layout` may be nullptr.
bool judge_type(Judge& judge, const Packet& packet, const Layout* layout, const Document& document);
void judge_format(Judge& judge, const SeenPacket& seen);
void judge_flags(Judge& judge, const SeenPacket& seen, const Document& document);
// The flags outside `defined` break the rule.
void blame_undefined_flags(Judge& judge, const Rule& rule, const SeenPacket& seen, std::uint16_t defined);
inline void judge_undefined_flags(Judge& judge, const Rule& rule, const SeenPacket& seen, std::uint16_t defined) {
  if ((seen.packet.flags & ~unsigned{defined}) == 0) [[likely]]
    judge.require(rule, true, {}, expected(""), actual(""));
  else
    blame_undefined_flags(judge, rule, seen, defined);
}

// s1_4_raw_address.cc, s2_2_raw_address_header.cc: of REQ packets
SectionRules s1_4_rules();
// False where the address is not whole: a receiver has no use for the packet.
bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state);
SectionRules s2_2_rules();
void judge_raw_address_header(Judge& judge, const SeenPacket& seen, TraceState& state);
// For a raw address that came back after it had been left out, if nothing shows that the two have met again (EFA/A-87).
void finish_address_again(Judge& judge, TraceState& state);
// What `side` sent before the other side's HANDSHAKE, which has come now, or has not come to the end.
void judge_early_requests(Judge& judge, Side side, bool handshake_came, TraceState& state);

// s2_1_handshake.cc: when it is sent
SectionRules s2_1_handshake_rules();
void judge_handshake(Judge& judge, const SeenPacket& seen, TraceState& state);
// For HANDSHAKEs after the first, if nothing shows that the two have met again (EFA/A-87).
void advise_one_handshake(Judge& judge, std::span<const TraceState::MeetingAgain::Handshake> handshakes);
// Of one that does not decode, too.
void note_handshake(Judge& judge, const Message& message, TraceState& state);
void finish_handshake(Judge& judge, TraceState& state);
// s2_1_handshake_format.cc
SectionRules s2_1_handshake_format_rules();
// False where its fields are not where they should be: nothing is read from them.
bool judge_handshake_format(Judge& judge, const SeenPacket& seen, const TraceState& state);
void judge_handshake_flags(Judge& judge, const SeenPacket& seen, const Document& document);
void judge_handshake_whole(Judge& judge, const Message& message, const DecodeError& error, TraceState& state);
// s2_1_extras.cc: which extra features a REQ packet, or a READ_NACK, may use
SectionRules s2_1_extras_rules();
void judge_extras(Judge& judge, const SeenPacket& seen, TraceState& state);
// Of the side's packets before the peer's HANDSHAKE, once both HANDSHAKEs have come, or at the end.
void judge_early_extras(Judge& judge, Side side, TraceState& state, bool at_end);
void finish_early_extras(Judge& judge, Side side, const TraceState& state);
// s2_3_implementation.cc: nothing of it is seen in packets
SectionRules s2_3_rules();

// s3_1_req.cc: what every REQ packet has
SectionRules s3_1_rules();
void judge_request_flags(Judge& judge, const SeenPacket& seen);
// False where its optional headers are not where they should be: nothing behind the mandatory header is judged.
bool judge_request(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_request_payload(Judge& judge, const SeenPacket& seen);
void judge_request_whole(Judge& judge, const Message& message, const DecodeError& error, const TraceState& state);

// s3_2_msg_id.cc: RTM and RTA
SectionRules s3_2_msg_id_rules();
void judge_msg_id(Judge& judge, const SeenPacket& seen, TraceState& state);
// Of a packet that is not judged.
void note_msg_id(const SeenPacket& seen, TraceState& state);
// For a packet with a message ID, before anything in it is judged: whether its sender has begun to count anew
// (EFA/A-87).
inline bool may_meet_again(const SeenPacket& seen) {
  return seen.layout.ordered() && (seen.packet.msg_id == 0 || seen.packet.has(flag::kRawAddress));
}
void note_meeting_again(Judge& judge, const SeenPacket& seen, TraceState& state);
void note_greeting_again(Side sender, const Mark& handshake, TraceState& state);
void finish_meeting_again(Judge& judge, TraceState& state);
// s3_2_eager.cc, s3_2_medium.cc, with their delivery complete forms
SectionRules s3_2_eager_rules();
void judge_eager_message(Judge& judge, const SeenPacket& seen, TraceState& state);
SectionRules s3_2_medium_rules();
void judge_medium_message(Judge& judge, const SeenPacket& seen, TraceState& state);
// s3_2_longcts.cc: LONGCTS_RTM; s3_2_cts.cc: CTS and CTSDATA of messages, writes and reads
SectionRules s3_2_longcts_rules();
void judge_longcts_message(Judge& judge, const SeenPacket& seen, TraceState& state);
// That of the first packet of a message, before its exchange begins.
void judge_send_id(Judge& judge, const SeenPacket& seen, TraceState& state);
// s3_2_cts.cc: octets of an exchange have been sent that had not been sent before: what CTS or RECEIPT came too early?
void judge_fresh_data(Judge& judge, const SeenPacket& seen, Exchange& exchange, std::uint64_t offset);
SectionRules s3_2_cts_rules();
void judge_cts(Judge& judge, const SeenPacket& seen, TraceState& state);
SectionRules s3_2_ctsdata_rules();
void judge_ctsdata(Judge& judge, const SeenPacket& seen, TraceState& state);
// s3_2_end.cc: what only the end of the flow shows of message IDs and exchanges.
SectionRules s3_2_end_rules();
void finish_messages(Judge& judge, TraceState& state);

// s3_3_one_sided.cc: what writes, reads and atomics have in common
SectionRules s3_3_general_rules();
// Every buffer that the packet describes: `array` is its rma_iov or its read_iov.
void judge_buffers(Judge& judge, const SeenPacket& seen, Array array);
// Another answer of a kind that comes once, to an exchange that has one. The `rule` is broken unless the request
// came again too; of the same octets it is warned (EFA/A-71).
void judge_another_answer(Judge& judge, const SeenPacket& seen, const Rule& rule, Exchange& exchange,
                          const TraceState& state);
// What only the end of the flow shows of reads and atomics.
void finish_one_sided(Judge& judge, TraceState& state);
// s3_3_write.cc
SectionRules s3_3_write_rules();
void judge_eager_write(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_longcts_write(Judge& judge, const SeenPacket& seen, TraceState& state);
// s3_3_read.cc: RTR; s3_3_readrsp.cc: READRSP
SectionRules s3_3_read_rules();
void judge_read_request(Judge& judge, const SeenPacket& seen, TraceState& state);
SectionRules s3_3_readrsp_rules();
// At the end of the flow.
void finish_write(Judge& judge, const Exchange& long_write, const TraceState& state);
void finish_window(Judge& judge, const Exchange& long_read, const TraceState& state);
void finish_read(Judge& judge, const Exchange& unanswered, const TraceState& state);
void judge_readrsp(Judge& judge, const SeenPacket& seen, TraceState& state);
// s3_3_atomic.cc: RTA; s3_3_atomrsp.cc: ATOMRSP
SectionRules s3_3_atomic_rules();
void judge_atomic_request(Judge& judge, const SeenPacket& seen, TraceState& state);
SectionRules s3_3_atomrsp_rules();
void finish_atomic(Judge& judge, const Exchange& unanswered, const TraceState& state);
void judge_atomrsp(Judge& judge, const SeenPacket& seen, TraceState& state);

// s4_1_long_read.cc: LONGREAD_RTM and LONGREAD_RTW; s4_1_eor.cc: EOR
SectionRules s4_1_rules();
SectionRules s4_1_eor_rules();
void judge_longread_message(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_longread_write(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_eor(Judge& judge, const SeenPacket& seen, TraceState& state);
// What only the end of the flow shows of messages and writes whose data is read (4.1, 4.5, 4.7).
void finish_reads(Judge& judge, TraceState& state);
// s4_2_delivery_complete.cc: RECEIPT
SectionRules s4_2_rules();
void judge_receipt(Judge& judge, const SeenPacket& seen, TraceState& state);
// Part of judge_send_id(): the operation that has the ID is `older`, where it waits for a RECEIPT.
void judge_receipted_send_id(Judge& judge, const SeenPacket& seen, const Exchange* older);
// Part of judge_medium_message(): of a segment that is not the first.
bool judge_segment_send_id(Judge& judge, const SeenPacket& seen, const Exchange& exchange);
// Part of judge_fresh_data().
void judge_early_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange);
// Part of judge_cts(): false if its sender has sent the RECEIPT of the operation, and data is still missing.
bool judge_grant_after_receipt(Judge& judge, const SeenPacket& seen, Exchange& exchange);
// Parts of finish_messages(): a RECEIPT that does not come; one that came, of an operation whose data never has.
void finish_receipts(Judge& judge, const Exchange& exchange, const TraceState& state);
void finish_early_receipt(Judge& judge, const Exchange& exchange, const TraceState& state);
// s4_3_constant_header.cc: called by judge_eager_message
SectionRules s4_3_rules();
void judge_constant_header(Judge& judge, const SeenPacket& seen, TraceState& state);
// s4_4_connid.cc: of every packet
SectionRules s4_4_rules();
// False where a connid that the flags do not announce is in front of the payload: that is not judged.
bool judge_connid(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_connid_of_address(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where);
void judge_connid_whole(Judge& judge, const DecodeError& error);
// s4_5_runting_read.cc
SectionRules s4_5_rules();
void judge_runting_message(Judge& judge, const SeenPacket& seen, TraceState& state);
// s4_6_direct_write.cc: nothing of it is seen in packets
SectionRules s4_6_rules();
// s4_7_read_nack.cc
SectionRules s4_7_rules();
void judge_read_nack(Judge& judge, const SeenPacket& seen, TraceState& state);
// Whether the packet is a LONGCTS_RTM with the msg_id of a message that was refused by READ_NACK: no new message.
bool follows_read_nack(const SeenPacket& seen, TraceState& state);
// Judges a LONGCTS_RTM that goes on with such a message. False where it does not: a message like any other.
bool judge_refused_message(Judge& judge, const SeenPacket& seen, TraceState& state);

}  // namespace wirelaw::efa
