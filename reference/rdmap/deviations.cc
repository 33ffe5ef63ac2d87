// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/deviations.h"

#include <array>

#include "reference/deviation_rows.h"
#include "reference/rdmap/faults/message_faults.h"

namespace wirelaw::rdmap {
namespace {

using enum Deviation;

constexpr std::uint8_t kReservedOpcode = 12;

// --- the segments that an edit concerns
bool any(const OutgoingSegment&) {
  return true;
}
bool tagged(const OutgoingSegment& one) {
  return one.header.tagged;
}
bool untagged(const OutgoingSegment& one) {
  return !one.header.tagged;
}
template <Opcode opcode>
bool only(const OutgoingSegment& one) {
  return one.opcode == opcode;
}
bool is_send(const OutgoingSegment& one) {
  return one.opcode >= Opcode::send && one.opcode <= Opcode::send_se_invalidate;
}
bool send_after_first(const OutgoingSegment& one) {
  return is_send(one) && one.index > 0;
}
bool send_or_write(const OutgoingSegment& one) {
  return is_send(one) || one.opcode == Opcode::write;
}
bool invalidates_nothing(const OutgoingSegment& one) {
  const OpcodeRow* const row = find_opcode(static_cast<std::uint8_t>(one.opcode));
  return untagged(one) && row != nullptr && !row->invalidate_stag;
}

// --- edits
template <Opcode opcode>
void become(Control& control) {
  control.opcode = static_cast<std::uint8_t>(opcode);
}
void on_send_queue(OutgoingSegment& one) {
  one.header.qn = kSendQueue;
}
void without_last(OutgoingSegment& one) {
  one.header.last = false;
}
void set_rtr(mpa::EnhancedData& one, bool peer_to_peer, bool rtr) {
  one.peer_to_peer = peer_to_peer;
  one.rtr_send = one.rtr_write = one.rtr_read = rtr;
}
void announce(mpa::StartFrame& frame, std::size_t octets) {
  frame.private_data_length = static_cast<std::uint16_t>(octets);
}

constexpr MessageEdit segment(bool (*where)(const OutgoingSegment&), void (*edit)(OutgoingSegment&)) {
  return {.where = where, .segment = edit};
}
constexpr MessageEdit control(bool (*where)(const OutgoingSegment&), void (*edit)(Control&)) {
  return {.where = where, .control = edit};
}
constexpr MessageEdit framing(void (*edit)(mpa::FramingFaults&)) {
  return {.framing = edit};
}
constexpr MessageEdit enhanced(void (*edit)(mpa::EnhancedData&)) {
  return {.enhanced = edit};
}
constexpr MessageEdit start(void (*edit)(mpa::StartFrame&, OctetBuffer& private_data)) {
  return {.start = edit};
}
constexpr MessageEdit terminate(void (*edit)(OutgoingTerminate&)) {
  return {.terminate = edit};
}
constexpr MessageEdit octets(void (*edit)(OctetBuffer&)) {
  return {.octets = edit};
}

// In the order of the enumeration. A deviation in a message has its edit here. One that needs time or several steps is
// in faults/.
constexpr std::array<DeviationEntry<Deviation, MessageEdit>, kDeviationCount> kRows{{
    {key_wrong, Role::any, "RFC 5044 7.1.1", "Changes the last octet of the key in its start frame.",
     start([](auto& one, auto&) { one.key.back() ^= 0x20; })},
    {key_of_other_role, Role::any, "RFC 5044 7.1.1", "Sends its start frame with the key of the other role.",
     start([](auto& one, auto&) {
       using mpa::FrameKind;
       using mpa::key_of;
       one.key = key_of(one.key == key_of(FrameKind::request) ? FrameKind::reply : FrameKind::request);
     })},
    {revision_zero, Role::any, "RFC 5044 7.1.1", "Sends its start frame with revision 0.",
     start([](auto& one, auto&) { one.revision = 0; })},
    {revision_three, Role::any, "RFC 5044 7.1.1", "Sends its start frame with revision 3.",
     start([](auto& one, auto&) { one.revision = 3; })},
    {start_reserved_set, Role::any, "RFC 5044 7.1.1", "Sets the reserved bits of its start frame.",
     start([](auto& one, auto&) { one.reserved = 0xf; })},
    {rejected_bit_in_request, Role::initiator, "RFC 5044 7.1.1", "Sets R in its request.",
     start([](auto& one, auto&) { one.rejected = true; })},
    {private_data_length_short, Role::any, "RFC 5044 7.1.1", "Announces one octet of private data less than it sends.",
     start([](auto& one, auto& private_data) {
       if (private_data.empty()) private_data.push_back(0x5a);
       announce(one, private_data.size() - 1);
     })},
    {private_data_length_long, Role::any, "RFC 5044 7.1.1", "Announces four octets of private data more than it sends.",
     start([](auto& one, auto& private_data) { announce(one, private_data.size() + 4); })},
    {private_data_too_long, Role::any, "RFC 5044 7.1.1", "Sends 513 octets of private data.",
     start([](auto& one, auto& private_data) {
       private_data.resize(mpa::kMaxPrivateData + 1, 0x5a);
       announce(one, private_data.size());
     })},
    {request_cut, Role::initiator, "RFC 5044 7.1.2", "Sends all of its request but the last octet."},
    {request_twice, Role::initiator, "RFC 5044 7.1.2", "Sends its request twice."},
    {fpdu_before_reply, Role::initiator, "RFC 5044 7.1.2", "Sends an FPDU right after its request."},
    {reply_before_request, Role::responder, "RFC 5044 7.1.2", "Sends its reply before it has seen a request."},
    {reply_missing, Role::responder, "RFC 5044 7.1.2", "Never answers a request."},
    {reply_revision_one, Role::responder, "RFC 6581 10", "Answers an enhanced request in revision 1."},
    {reply_not_enhanced, Role::responder, "RFC 6581 10", "Answers an enhanced request without enhanced data."},
    {reply_enhanced_unasked, Role::responder, "RFC 6581 10", "Answers an unenhanced request with enhanced data."},
    {fpdu_before_first, Role::responder, "RFC 5044 7.1.2", "Sends an FPDU right after its reply."},
    {fpdu_after_rejection, Role::any, "RFC 5044 7.1.2", "Sends an FPDU though the reply rejects the connection."},
    {rejects_everything, Role::responder, "RFC 5044 7.1.2", "Rejects whatever is asked."},
    {accepts_bad_key, Role::any, "RFC 5044 7.1.1", "Ignores the key of a start frame."},
    {accepts_any_revision, Role::any, "RFC 5044 7.1.1", "Ignores the revision of a start frame."},
    {accepts_long_private_data, Role::any, "RFC 5044 7.1.1", "Accepts more than 512 octets of private data."},
    {accepts_octets_behind_request, Role::responder, "RFC 5044 7.1.2", "Reads octets after a request as FPDUs."},
    {closes_on_reserved_bits, Role::any, "RFC 5044 7.1.1", "Closes on a start frame whose reserved bits are set."},
    {closes_on_rejected_bit_in_request, Role::responder, "RFC 5044 7.1.1", "Closes on a request whose R bit is set."},
    {closes_on_revision_one, Role::responder, "RFC 6581 6", "Closes on a request of revision 1."},
    {never_times_out, Role::any, "RFC 5044 7.1.2", "Waits for start frames without end."},
    {enhanced_a_not_echoed, Role::responder, "RFC 6581 9.2", "Clears A in its reply where the request has it.",
     enhanced([](auto& one) { set_rtr(one, false, false); })},
    {enhanced_a_unasked, Role::responder, "RFC 6581 9.2", "Sets A in its reply where the request does not.",
     enhanced([](auto& one) { one.peer_to_peer = one.rtr_write = true; })},
    {enhanced_no_rtr_bits, Role::any, "RFC 6581 9.2", "Sets A, and neither B, C nor D.",
     enhanced([](auto& one) { set_rtr(one, true, false); })},
    {enhanced_rtr_bits_without_a, Role::any, "RFC 6581 9.2", "Sets B, C and D while A is clear.",
     enhanced([](auto& one) { set_rtr(one, false, true); })},
    {enhanced_ord_above_ird, Role::responder, "RFC 6581 9.1", "Answers with an ORD above the IRD of the initiator."},
    {enhanced_ird_zero, Role::responder, "RFC 6581 9.1",
     "Answers with IRD 0 whatever the ORD of the initiator, and serves no read."},
    {enhanced_3fff_answered, Role::responder, "RFC 6581 9.1", "Answers an IRD or ORD of 0x3fff with a number."},
    {enhanced_little_endian, Role::any, "RFC 6581 9", "Writes the enhanced data in little-endian order."},
    {insufficient_ird_ignored, Role::initiator, "RFC 6581 9.1",
     "Continues although the ORD of the responder is above its own IRD."},
    {rtr_mismatch_ignored, Role::initiator, "RFC 6581 9.2",
     "Continues although no ready-to-receive message is agreed."},
    {rtr_missing, Role::initiator, "RFC 6581 9.2", "Sends no ready-to-receive message."},
    {rtr_not_agreed, Role::initiator, "RFC 6581 9.2",
     "Sends a ready-to-receive message of a kind that the reply does not offer."},
    {rtr_not_empty, Role::initiator, "RFC 6581 9.2", "Sends four octets in its ready-to-receive message."},
    {crc_wrong, Role::any, "RFC 5044 4.4", "Sends wrong CRCs.", framing([](auto& one) { one.crc_xor = 1; })},
    {crc_off, Role::any, "RFC 5044 7.1.1", "Sends no CRCs although a start frame requests them."},
    {crc_not_checked, Role::any, "RFC 5044 7.1.1", "Does not check CRCs although a start frame requests them."},
    {crc_checked_unasked, Role::any, "RFC 5044 7.1.1", "Checks CRCs that no start frame requests."},
    {pad_not_zero, Role::any, "RFC 5044 4.1", "Pads with ones.", framing([](auto& one) { one.pad_fill = 0xff; })},
    {ulpdu_length_wrong, Role::any, "RFC 5044 4.1", "Sends a ULPDU_Length of four octets more than there are.",
     framing([](auto& one) { one.length_add = 4; })},
    {markers_missing, Role::any, "RFC 5044 7.1.1", "Sends no markers although the peer requests them."},
    {markers_unasked, Role::any, "RFC 5044 7.1.1", "Sends markers though the peer does not ask for them."},
    {marker_pointer_wrong, Role::any, "RFC 5044 4.3", "Sends markers that point four octets off.",
     framing([](auto& one) { one.marker_pointer_xor ^= 4; })},
    {marker_pointer_low_bits, Role::any, "RFC 5044 4.2", "Sets the two low bits of FPDUPTR.",
     framing([](auto& one) { one.marker_pointer_xor ^= 3; })},
    {marker_reserved_set, Role::any, "RFC 5044 4.2", "Sets the reserved bits of markers.",
     framing([](auto& one) { one.marker_reserved = 0xffff; })},
    {ulpdu_too_short, Role::any, "RFC 5041 4.4", "Sends ULPDUs of ten octets before its Sends."},
    {ulpdu_above_mulpdu, Role::any, "RFC 5041 5.2", "Sends segments longer than the MULPDU."},
    {ddp_version_zero, Role::any, "RFC 5041 4.1", "Sends DV 0.",
     segment(any, [](auto& one) { one.header.version = 0; })},
    {ddp_version_two, Role::any, "RFC 5041 4.1", "Sends DV 2.",
     segment(any, [](auto& one) { one.header.version = 2; })},
    {ddp_reserved_set, Role::any, "RFC 5041 4.1", "Sets the reserved bits of the DDP control field.",
     segment(any, [](auto& one) { one.header.reserved = 0xf; })},
    {last_missing, Role::any, "RFC 5041 4.1", "Never sets L in Sends and Writes.",
     segment(send_or_write, without_last)},
    {last_early, Role::any, "RFC 5041 4.1", "Sets L in every segment.",
     segment(any, [](auto& one) { one.header.last = true; })},
    {msn_from_zero, Role::any, "RFC 5041 4.3", "Counts the messages of each queue from 0."},
    {msn_skips, Role::any, "RFC 5041 4.3", "Counts MSNs in steps of two."},
    {msn_repeats, Role::any, "RFC 5041 4.3", "Sends the MSN of the first message in every message."},
    {msn_shared, Role::any, "RFC 5041 4.3", "Counts the messages of all queues together."},
    {msn_changes, Role::any, "RFC 5041 4.3", "Increments the MSN with each segment.",
     segment(untagged, [](auto& one) { one.header.msn += one.index; })},
    {mo_wrong, Role::any, "RFC 5041 5.2", "Sends the second and later segments with an MO that is four too high.",
     segment(untagged,
             [](auto& one) {
               if (one.index > 0) one.header.mo += 4;
             })},
    {mo_from_one, Role::any, "RFC 5041 4.3", "Counts MO from 1.",
     segment(untagged, [](auto& one) { one.header.mo += 1; })},
    {to_wrong, Role::any, "RFC 5041 5.2", "Sends the second and later segments with a TO that is four too high.",
     segment(tagged,
             [](auto& one) {
               if (one.index > 0) one.header.to += 4;
             })},
    {stag_changes, Role::any, "RFC 5041 4.2", "Sends the second and later segments of a message with another STag.",
     segment(tagged,
             [](auto& one) {
               if (one.index > 0) one.header.stag ^= 1;
             })},
    {rsvdulp_changes, Role::any, "RFC 5041 4.3", "Sends the later segments of a Send with another opcode.",
     control(send_after_first, become<Opcode::send_se>)},
    {queue_number_three, Role::any, "RFC 5040 4.1", "Sends its Sends to queue 3, or 4 with the extensions.",
     segment(is_send, [](auto& one) { one.header.qn = one.extensions ? 4 : 3; })},
    {zero_length_in_two, Role::any, "RFC 5041 5.2", "Sends a zero-length message in two segments."},
    {rdmap_version_zero, Role::any, "RFC 5040 4.1", "Sends RV 0.",
     control(any, [](Control& control) { control.version = 0; })},
    {rdmap_version_two, Role::any, "RFC 5040 4.1", "Sends RV 2.",
     control(any, [](Control& control) { control.version = 2; })},
    {rdmap_reserved_set, Role::any, "RFC 5040 4.1", "Sets the reserved bits of the RDMAP control field.",
     control(any, [](Control& control) { control.reserved = 3; })},
    {invalidate_stag_not_zero, Role::any, "RFC 5040 4.1", "Sends an Invalidate STag in messages that have none.",
     segment(invalidates_nothing, [](auto& one) { one.header.rsvd_ulp_rest = 0xdeadbeef; })},
    {opcode_reserved, Role::any, "RFC 5040 4.1", "Sends its Sends with opcode 12.",
     control(is_send, [](Control& control) { control.opcode = kReservedOpcode; })},
    {opcode_extension_unasked, Role::any, "RFC 7306 4.1", "Sends its Sends as immediate data, whatever was declared.",
     control(is_send, become<Opcode::immediate_data>)},
    {send_on_read_queue, Role::any, "RFC 5040 5.3", "Sends its Sends to queue 1.",
     segment(is_send, [](auto& one) { one.header.qn = kReadRequestQueue; })},
    {read_request_on_send_queue, Role::any, "RFC 5040 5.2.1", "Sends its Read Requests to queue 0.",
     segment(only<Opcode::read_request>, on_send_queue)},
    {read_request_short, Role::any, "RFC 5040 4.4", "Sends 24 octets of a Read Request header."},
    {read_request_long, Role::any, "RFC 5040 4.2", "Sends four octets after a Read Request header."},
    {write_untagged, Role::any, "RFC 5040 5.1", "Sends its Writes with the untagged model.",
     segment(only<Opcode::write>,
             [](auto& one) {
               one.header.tagged = false;
               one.header.qn = kSendQueue;
               one.header.msn = one.msn;
               one.header.mo = one.offset;
             })},
    {messages_interleaved, Role::any, "RFC 5041 5.3",
     "Sends the last segment of a Send after the first segment of the next message."},
    {send_lost, Role::any, "RFC 5040 5.3", "Leaves out the last octet of a Send."},
    {response_stag_wrong, Role::any, "RFC 5040 4.4", "Answers a read with another STag than its SinkSTag."},
    {response_to_wrong, Role::any, "RFC 5040 4.4", "Answers a read at a TO eight above its SinkTO."},
    {responses_reordered, Role::any, "RFC 5040 5.2.2", "Answers the later of two reads first."},
    {response_short, Role::any, "RFC 5040 5.2.1", "Answers a read with one octet less."},
    {response_long, Role::any, "RFC 5040 5.2.1", "Answers a read with four octets more."},
    {response_missing, Role::any, "RFC 5040 5.2.1", "Does not answer reads."},
    {response_twice, Role::any, "RFC 5040 5.2", "Answers each read twice."},
    {response_unasked, Role::any, "RFC 5040 5.2", "Sends a Read Response after each Send."},
    {response_data_wrong, Role::any, "RFC 5040 5.2.1", "Answers reads with other octets than the buffer holds."},
    {response_last_missing, Role::any, "RFC 5041 4.1", "Never sets L in Read Responses.",
     segment(only<Opcode::read_response>, without_last)},
    {response_opcode_write, Role::any, "RFC 5040 4.1", "Answers reads with Writes.",
     control(only<Opcode::read_response>, become<Opcode::write>)},
    {zero_length_read_unanswered, Role::any, "RFC 5040 5.2.1", "Does not answer zero-length reads."},
    {zero_length_read_validated, Role::any, "RFC 5040 5.2.1", "Checks the source of zero-length reads."},
    {zero_length_stag_cleared, Role::any, "RFC 5040 4.4", "Answers zero-length reads with STag 0."},
    {exceeds_ord, Role::any, "RFC 5040 6.1", "Has more reads outstanding than the limit."},
    {exceeds_ird, Role::any, "RFC 5040 6.1", "Serves more outstanding reads than the limit."},
    {ird_off_by_one, Role::any, "RFC 5040 6.1", "Serves one outstanding read less than the limit."},
    {read_before_write, Role::any, "RFC 5040 5.5",
     "Answers reads with what the buffer held before the Writes ahead of them."},
    {terminate_missing, Role::any, "RFC 5040 7.1", "Closes without a Terminate."},
    {terminate_missing_stays, Role::any, "RFC 5040 7.1", "Sends no Terminate and stays open."},
    {reset_for_terminate, Role::any, "RFC 5040 6.2.1", "Resets the stream where it would send a Terminate."},
    {error_ignored, Role::any, "RFC 5040 7.1", "Drops invalid messages and continues."},
    {terminate_layer_wrong, Role::any, "RFC 5040 4.8", "Sends Terminates with layer 3.",
     terminate([](auto& one) { one.error.layer = 3; })},
    {terminate_layer_swapped, Role::any, "RFC 5040 4.8",
     "Sends Terminates of DDP errors as RDMA errors, and the other way round.", terminate([](auto& one) {
       if (one.error.layer < 2) one.error.layer ^= 1;
     })},
    {terminate_type_wrong, Role::any, "RFC 5040 4.8", "Sends Terminates with another error type.",
     terminate([](auto& one) { one.error.etype ^= 3; })},
    {terminate_code_wrong, Role::any, "RFC 5040 4.8", "Sends Terminates with code 0x7f.",
     terminate([](auto& one) { one.error.code = 0x7f; })},
    {terminate_no_headers, Role::any, "RFC 5040 4.8", "Sends Terminates without the headers that belong there.",
     terminate([](auto& one) {
       one.has_length = one.has_ddp_header = one.has_rdma_header = false;
       one.ddp_header = one.rdma_header = {};
     })},
    {terminate_r_set, Role::any, "RFC 5040 4.8", "Sets R in Terminates that have no RDMA header.",
     terminate([](auto& one) { one.has_rdma_header = true; })},
    {terminate_d_clear, Role::any, "RFC 5040 4.8", "Sends the terminated DDP header with D clear.",
     terminate([](auto& one) { one.has_ddp_header = false; })},
    {terminate_cut, Role::any, "RFC 5040 4.8", "Ends Terminates four octets before what their bits announce.",
     octets([](auto& octets) {
       if (octets.size() > 4) octets.resize(octets.size() - 4);
     })},
    {terminate_tail, Role::any, "RFC 5040 4.8", "Adds four octets to Terminates.",
     octets([](auto& octets) { octets.insert(octets.end(), 4, 0xee); })},
    {terminate_reserved_set, Role::any, "RFC 5040 4.8", "Sets the reserved bits of Terminates.",
     terminate([](auto& one) { one.reserved = 0x1fff; })},
    {terminate_length_wrong, Role::any, "RFC 5040 4.8",
     "Sends Terminates with a DDP segment length that is one too high.",
     terminate([](auto& one) { ++one.ddp_segment_length; })},
    {terminate_length_of_payload, Role::any, "RFC 5040 4.8",
     "Sends the length of the payload for the DDP segment length.", terminate([](auto& one) {
       if (one.has_ddp_header)
         one.ddp_segment_length =
             static_cast<std::uint16_t>(one.offender->segment_length - one.offender->header_octets);
     })},
    {terminate_header_altered, Role::any, "RFC 5040 4.8", "Changes the last octet of the terminated DDP header.",
     terminate([](auto& one) {
       if (one.altered.empty()) return;
       one.altered.back() ^= 1;
       one.ddp_header = one.altered;
     })},
    {terminate_read_missing, Role::any, "RFC 5040 7.1", "Leaves out the terminated Read Request header.",
     terminate([](auto& one) {
       one.has_rdma_header = false;
       one.rdma_header = {};
     })},
    {terminate_read_not_updated, Role::any, "RFC 5040 4.8",
     "Sends the original Read Request header in the middle of a read."},
    {terminate_on_send_queue, Role::any, "RFC 5040 5.4", "Sends Terminates to queue 0.",
     segment(only<Opcode::terminate>, on_send_queue)},
    {terminate_msn_two, Role::any, "RFC 5041 4.3", "Sends its Terminate with MSN 2.",
     segment(only<Opcode::terminate>, [](auto& one) { one.header.msn += 1; })},
    {terminate_twice, Role::any, "RFC 5040 5.4", "Sends its Terminate twice."},
    {terminate_answered, Role::any, "RFC 5040 5.4", "Answers a Terminate with a Terminate."},
    {terminate_ignored, Role::any, "RFC 5040 5.4", "Continues after the Terminate of the peer."},
    {sends_after_terminate, Role::any, "RFC 5040 5.4", "Sends a Write after its Terminate."},
    {stays_open_after_terminate, Role::any, "RFC 5040 7", "Does not end the stream after its Terminate."},
    {accepts_ddp_version, Role::any, "RFC 5040 7.2", "Ignores DV."},
    {accepts_rdmap_version, Role::any, "RFC 5040 7.2", "Ignores RV."},
    {accepts_opcode, Role::any, "RFC 5040 7.2", "Drops messages with a reserved opcode."},
    {accepts_later_opcode, Role::any, "RFC 5040 7.2", "Ignores the opcode of all segments but the first."},
    {accepts_queue_number, Role::any, "RFC 5041 7.1", "Drops segments for queues that do not exist."},
    {accepts_wrong_queue, Role::any, "RFC 5040 4.1", "Drops messages that come by the wrong queue or buffer model."},
    {accepts_msn, Role::any, "RFC 5041 7.1", "Takes whatever MSN comes for the next."},
    {accepts_mo, Role::any, "RFC 5041 7.1", "Takes whatever MO comes for the next."},
    {accepts_too_long, Role::any, "RFC 5041 7.1", "Truncates messages that are longer than the buffer."},
    {accepts_without_buffer, Role::any, "RFC 5041 7.1", "Drops Sends that find no buffer."},
    {accepts_stag, Role::any, "RFC 5041 7.1", "Drops Writes to an invalid STag, and answers reads of one with zeros."},
    {accepts_foreign_stag, Role::any, "RFC 5041 8.2", "Lets the peer use the buffers of other streams."},
    {accepts_bounds, Role::any, "RFC 5041 7.1", "Drops Writes beyond the bounds, and answers such reads with zeros."},
    {accepts_wrap, Role::any, "RFC 5041 7.1", "Drops Writes whose TO wraps, and answers such reads with zeros."},
    {accepts_access, Role::any, "RFC 5040 4.8", "Lets the peer read and write whatever the access rights."},
    {accepts_marker, Role::any, "RFC 5044 8", "Does not check markers."},
    {accepts_short_ulpdu, Role::any, "RFC 5044 8", "Drops ULPDUs that are too short for their header."},
    {accepts_read_size, Role::any, "RFC 5040 4.4", "Drops Read Requests of another length than their header."},
    {accepts_unasked_response, Role::any, "RFC 5040 5.2.2", "Drops unsolicited Read Responses."},
    {accepts_response_size, Role::any, "RFC 5040 5.2.2", "Takes Read Responses of any length for the answer."},
    {accepts_invalidation, Role::any, "RFC 5040 5.3", "Ignores invalidations that it must refuse."},
    {invalidation_ignored, Role::any, "RFC 5040 5.3", "Keeps STags valid that the peer has invalidated."},
    {writes_not_placed, Role::any, "RFC 5041 5.2", "Does not place Writes."},
    {zero_length_write_checked, Role::any, "RFC 5041 5.2", "Checks STag and TO of zero-length Writes."},
    {zero_length_send_not_counted, Role::any, "RFC 5040 5.3", "Consumes no buffer for a zero-length Send."},
    {reserved_checked, Role::any, "RFC 5041 4.1", "Terminates on reserved bits that are set."},
    {pad_checked, Role::any, "RFC 5044 4.1", "Terminates on pad octets that are not zero."},
    {bare_invalidate_stag_checked, Role::any, "RFC 5040 4.1",
     "Terminates on an Invalidate STag in messages that have none."},
    {buffer_short_by_one, Role::any, "RFC 5040 5.3", "Refuses Sends that fill their buffer to the last octet."},
    {dies_of_short_ulpdu, Role::any, "RFC 5044 8",
     "Never does anything again after a ULPDU that is too short for its header."},
    {dies_of_bad_opcode, Role::any, "RFC 5040 7", "Never does anything again after a reserved opcode."},
    {dies_of_bad_start, Role::any, "RFC 5044 7.1.2", "Never does anything again after a bad start frame."},
    {goes_silent, Role::any, "RFC 5040 7", "Never does anything again after an error."},
    {closes_inside_fpdu, Role::any, "RFC 5044 7.2", "Ends its stream before the last four octets of its last FPDU."},
    {closes_inside_message, Role::any, "RFC 5040 6.2", "Ends its stream after the first segment of a message."},
    {resets_at_close, Role::any, "RFC 5040 6.2", "Resets the stream where it should close it."},
    {never_closes, Role::any, "RFC 5040 6.2", "Does not end its direction."},
    {extensions_refused, Role::any, "RFC 7306 4.1", "Terminates on the opcodes that it should understand."},
    {atomic_identifier_wrong, Role::any, "RFC 7306 5.2.2",
     "Answers an atomic operation with another request identifier."},
    {atomic_value_wrong, Role::any, "RFC 7306 5.2.2", "Answers an atomic operation with the value after it."},
    {atomic_not_applied, Role::any, "RFC 7306 5.1", "Does not change the buffer."},
    {atomic_alignment_ignored, Role::any, "RFC 7306 5.1",
     "Performs atomic operations at addresses that are not aligned."},
    {atomic_response_queue_zero, Role::any, "RFC 7306 5.2.2", "Sends atomic responses to queue 0.",
     segment(only<Opcode::atomic_response>, on_send_queue)},
    {atomic_reserved_set, Role::any, "RFC 7306 5.2.1", "Sets the reserved bits of atomic requests."},
    {immediate_seven_octets, Role::any, "RFC 7306 6.3", "Sends seven octets of immediate data."},
    {accepts_immediate_size, Role::any, "RFC 7306 6.3", "Delivers immediate data of any size."},
    {accepts_read_msn, Role::any, "RFC 5041 7.1", "Takes whatever MSN a Read Request has for the next, and answers."},
    {accepts_read_mo, Role::any, "RFC 5041 7.1", "Takes whatever MO a Read Request has for zero, and answers."},
    {accepts_extension_mo, Role::any, "RFC 7306 8.2",
     "Takes whatever MO Immediate Data or an Atomic Response has for zero."},
    {accepts_read_queue, Role::any, "RFC 5041 7.1", "Drops Read Requests for queues that do not exist."},
    {accepts_response_wrap, Role::initiator, "RFC 5041 7.1", "Drops segments of Read Responses whose TO wraps."},
    {accepts_atomic_identifier, Role::initiator, "RFC 7306 5.2.2",
     "Takes Atomic Responses with any Request Identifier for the answer."},
    {buffer_long_by_one, Role::responder, "RFC 5041 7.1", "Takes Sends that are one octet longer than their buffer."},
    {unaligned_writes_misplaced, Role::responder, "RFC 5041 4.2",
     "Places a Write whose TO is no multiple of four at the multiple below."},
    {write_stag_unknown, Role::initiator, "RFC 5041 4.2", "Writes to an STag that the peer has not advertised.",
     segment(only<Opcode::write>, [](auto& one) { one.header.stag ^= 0x5a5a0000; })},
    {shared_stag_invalidated, Role::responder, "RFC 5040 8.1.1",
     "Lets the peer invalidate an STag that several streams share."},
    {atomic_of_stale_word, Role::responder, "RFC 7306 5.3",
     "Performs atomic operations on the word as its stream has seen it last."},
    {atomic_done_though_refused, Role::responder, "RFC 7306 5.1",
     "Performs atomic operations that it refuses because of their alignment."},
    {receive_length_wrong, Role::any, "RFC 5040 4.1", "Reports one octet more in a receive than came."},
    {header_before_payload, Role::any, "RFC 5040 4.6", "Puts four octets before the payload of Sends and Writes."},
    {solicited_not_sent, Role::any, "RFC 5041 4.3", "Sends what is solicited as if it were not."},
    {write_cut, Role::any, "RFC 5041 5.2", "Sends a Write without its last octet."},
    {pad_delivered, Role::any, "RFC 5044 4.3", "Passes pad and CRC to the application with the octets."},
    {boundaries_lost, Role::any, "RFC 5044 4.3", "Loses an octet where a long Send passes from one ULPDU to the next."},
    {invalidate_stag_lost, Role::any, "RFC 5040 4.7", "Sends a Send with Invalidate with an STag of zero."},
    {work_reordered, Role::any, "RFC 5040 5.5", "Sends of two operations that were posted together the second first."},
    {completes_early, Role::any, "RFC 5040 5.5", "Reports Sends and Writes as complete when they are posted."},
    {reads_complete_early, Role::any, "RFC 5040 5.5",
     "Reports reads and atomic operations as complete when they are posted."},
    {completions_reordered, Role::any, "RFC 5040 5.5", "Reports each second completion before the first."},
    {read_completion_lost, Role::any, "RFC 5040 5.2.2", "Never reports that a read is complete."},
    {read_data_lost, Role::any, "RFC 5040 5.2.2", "Reports a read as complete, and its buffer holds zeros."},
    {fence_ignored, Role::any, "RFC 5040 5.5", "Does not delay fenced work until the preceding reads are complete."},
    {ord_off_by_one, Role::any, "RFC 5040 6.1", "Has one read less outstanding than was negotiated."},
    {terminate_with_stag_ignored, Role::any, "RFC 5040 4.1", "Ignores a Terminate whose Invalidate STag is not zero."},
    {invalid_terminate_ignored, Role::any, "RFC 5040 5.4", "Ignores a Terminate that is not valid."},
    {work_not_flushed, Role::any, "RFC 5040 5.4", "Never completes what was posted when the stream fails."},
    {work_flushed_as_success, Role::any, "RFC 5040 5.4",
     "Completes with success what was posted when the stream fails."},
    {error_not_surfaced, Role::any, "RFC 5040 7.1", "Reports nothing to its application of a stream that has failed."},
    {local_fault_ignored, Role::any, "RFC 5040 7.1",
     "Drops an operation whose local buffer is not valid, and continues."},
    {deregistered_stays, Role::any, "RFC 5040 8.1.1", "Lets the peer use memory that is not registered any more."},
    {protection_domains_ignored, Role::any, "RFC 5040 8.1.1",
     "Lets each stream use the STags of every other, invalid ones not."},
    {invalidated_rkey_wrong, Role::any, "RFC 5041 4.3", "Reports another STag as invalidated than came."},
    {places_what_fits, Role::any, "RFC 5041 7.1",
     "Places the part of a Write inside the buffer before it finds the Write too long."},
    {places_after_error, Role::any, "RFC 5041 7.1", "Continues to place Writes after an error, while it terminates."},
    {disconnect_not_told, Role::any, "RFC 5041 3", "Does not report that the peer has closed the stream."},
    {posts_after_disconnect, Role::any, "RFC 5041 6.2.1",
     "Takes work after the graceful teardown, and reports it as complete."},
    {mulpdu_of_sixty, Role::any, "RFC 5044 4.5", "Sends segments as if MULPDU were 60 octets."},
    {private_data_not_passed, Role::any, "RFC 5044 7.1.1", "Does not pass private data to its application."},
    {depths_not_passed, Role::any, "RFC 6581 9.1", "Does not pass the peer's IRD and ORD to its application."},
    {start_error_not_reported, Role::initiator, "RFC 5044 7.1.1",
     "Does not report to its application that the start-up has failed."},
    {reject_closes, Role::responder, "RFC 5044 7.1.2", "Closes instead of rejecting."},
    {queue_pair_not_bound, Role::any, "RFC 5044 7.1", "Leaves its queue pair unconnected when Full Operation begins."},
    {atomic_consumes_receive, Role::any, "RFC 7306 5.2.1",
     "Delivers an Atomic Request to a receive of its application."},
    {atomic_result_lost, Role::any, "RFC 7306 5.2.2",
     "Reports an atomic operation as complete without its original value."},
    {atomic_responses_short, Role::any, "RFC 7306 5.2.2",
     "Has a buffer for one Atomic Response less than was negotiated."},
    {immediate_value_wrong, Role::any, "RFC 7306 6.1", "Reports other immediate data than came."},
    {solicited_not_told, Role::any, "RFC 7306 6.1", "Raises no event for what is solicited."},
    {receives_reordered, Role::any, "RFC 7306 6.3", "Reports each second receive before the first."},
    {delivers_before_placing, Role::any, "RFC 7306 7", "Delivers what follows a Write without having placed it."},
    {receive_told_late, Role::any, "RFC 7306 7", "Reports a receive only when the next one has come."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const DeviationInfo> all_deviations() {
  return kDeviations;
}

std::span<const MessageEdit> message_edits() {
  return kEdits;
}

}  // namespace wirelaw::rdmap
