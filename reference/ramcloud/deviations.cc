// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/deviations.h"

#include <array>
#include <bit>

#include "reference/deviation_rows.h"
#include "reference/ramcloud/faults/packet_faults.h"

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;

constexpr std::uint8_t kAlterMask = 1;  // the bit that payload faults flip

// The packets that an edit concerns.
constexpr unsigned kData = kind_of(PayloadType::data), kAck = kind_of(PayloadType::ack),
                   kOpen = kind_of(PayloadType::session_open), kBadSession = kind_of(PayloadType::bad_session),
                   kEvery = kData | kAck | kOpen | kBadSession;

template <class Int>
void add(Int& value, int step) {
  value = static_cast<Int>(value + static_cast<Int>(step));
}

void flip(Draft& draft, std::size_t at) {
  if (at < draft.payload.size()) draft.payload[at] ^= kAlterMask;
}

void swap_nibbles(OctetBuffer& octets) {
  Octet& flags = octets[layout::kFlags];
  flags = static_cast<Octet>(flags << 4 | flags >> 4);
}

constexpr PacketEdit draft(unsigned kinds, void (*edit)(Draft&)) {
  return {.kinds = kinds, .draft = edit};
}
constexpr PacketEdit extra(unsigned kinds, void (*edit)(Draft&)) {
  return {.kinds = kinds, .extra = edit};
}
constexpr PacketEdit octets(unsigned kinds, void (*edit)(OctetBuffer&)) {
  return {.kinds = kinds, .octets = edit};
}
constexpr PacketEdit ack(void (*edit)(Ack&, std::uint16_t total)) {
  return {.ack = edit};
}
constexpr PacketEdit ack_octets(void (*edit)(OctetBuffer& payload)) {
  return {.ack_octets = edit};
}

// In the order of the enumeration. A deviation in what an endpoint sends has its edit here. One that needs time or
// several steps is in faults/.
constexpr std::array<DeviationEntry<Deviation, PacketEdit>, kDeviationCount> kRows{{
    {session_open_no_answer, Role::responder, "payloadType", "Leaves session open requests unanswered."},
    {open_response_empty, Role::responder, "Session Open Response Payload Format",
     "Answers a session open request without a maxChannelId.",
     draft(kOpen, [](Draft& draft) { draft.payload.clear(); })},
    {open_response_two_octets, Role::responder, "Session Open Response Payload Format",
     "Puts a second octet after the maxChannelId.", draft(kOpen, [](Draft& draft) { draft.payload.push_back(0); })},
    {open_response_direction_clear, Role::responder, "flags.direction",
     "Sends the session open response with flags.direction clear.",
     draft(kOpen, [](Draft& draft) { draft.header.flags.direction = false; })},
    {open_response_other_client_hint, Role::responder, "clientSessionHint",
     "Sends the session open response with another clientSessionHint than the request had.",
     draft(kOpen, [](Draft& draft) { add(draft.header.client_session_hint, 1); })},
    {open_response_nibbles_swapped, Role::responder, "RAMCloud RPC Header format",
     "Puts the payloadType of the session open response into the low four bits.", octets(kOpen, swap_nibbles)},
    {big_endian_header, Role::any, "RAMCloud RPC Header format",
     "Sends every header field in network byte order; a client also reads them so.",
     octets(kEvery, reverse_header_fields)},
    {token_not_accepted, Role::responder, "sessionToken", "Expects another token in the session than it gave out."},
    {token_zero_in_data, Role::responder, "sessionToken", "Sends its DATA with sessionToken 0.",
     draft(kData, [](Draft& draft) { draft.header.session_token = 0; })},
    {token_changes, Role::responder, "sessionToken",
     "Uses another token in DATA and ACKs than in the session open response.",
     draft(kData | kAck, [](Draft& draft) { add(draft.header.session_token, 1); })},
    {tokens_repeat, Role::responder, "sessionToken", "Gives every session the same token."},
    {tokens_count_up, Role::responder, "sessionToken", "Gives the tokens 1, 2, 3 and so on."},
    {wrong_token_accepted, Role::responder, "sessionToken", "Finds the session by its hint and ignores the token."},
    {server_hint_changes, Role::responder, "serverSessionHint",
     "Uses another serverSessionHint in DATA and ACKs than in the session open response.",
     draft(kData | kAck, [](Draft& draft) { add(draft.header.server_session_hint, 1); })},
    {client_hint_not_echoed_in_data, Role::responder, "clientSessionHint",
     "Sends DATA with another clientSessionHint than the client chose.",
     draft(kData, [](Draft& draft) { add(draft.header.client_session_hint, 1); })},
    {client_hint_truncated_16, Role::responder, "clientSessionHint", "Keeps only 16 bits of the clientSessionHint.",
     draft(kEvery, [](Draft& draft) { draft.header.client_session_hint &= 0xffff; })},
    {answers_on_other_channel, Role::responder, "channelId",
     "Sends the response on another channel than the request came on.",
     draft(kData, [](Draft& draft) { draft.header.channel_id ^= 1; })},
    {channel_out_of_range_executed, Role::responder, "channelId",
     "Executes requests on channels beyond the maxChannelId that it announced."},
    {highest_channel_refused, Role::responder, "Session Open Response Payload Format",
     "Ignores the highest channel, as if the octet that it announced were a count."},
    {rpc_id_off_by_one, Role::responder, "rpcId", "Sends DATA with the rpcId after the one of the request.",
     draft(kData, [](Draft& draft) { add(draft.header.rpc_id, 1); })},
    {old_rpc_executed, Role::responder, "rpcId", "Executes requests whose rpcId is older than the current one."},
    {skipped_rpc_executed, Role::responder, "rpcId", "Executes requests whose rpcId skips one or more."},
    {response_before_request_complete, Role::responder, "totalFrags",
     "Executes and answers a request after its first fragment."},
    {frag_number_from_one, Role::any, "fragNumber", "Numbers the fragments of DATA from 1.",
     draft(kData, [](Draft& draft) { add(draft.header.frag_number, 1); })},
    {frag_number_beyond_total_stored, Role::responder, "fragNumber",
     "Keeps fragments whose number is not below totalFrags."},
    {total_frags_zero_in_response, Role::responder, "totalFrags", "Sends its response with totalFrags 0.",
     draft(kData, [](Draft& draft) { draft.header.total_frags = 0; })},
    {total_frags_changes, Role::any, "totalFrags", "Counts one fragment more in every DATA packet but the first.",
     draft(kData,
           [](Draft& draft) { add(draft.header.total_frags, draft.resent || draft.header.frag_number > 0 ? 1 : 0); })},
    {total_mismatch_accepted, Role::responder, "totalFrags", "Follows a totalFrags that changes within a request."},
    {total_zero_executed, Role::responder, "totalFrags", "Executes a request whose totalFrags is 0."},
    {duplicate_fragment_appended, Role::responder, "fragNumber", "Appends a repeated request fragment again."},
    {reorder_not_tolerated, Role::responder, "fragNumber",
     "Concatenates request fragments in the order of their arrival."},
    {direction_clear_in_data, Role::responder, "flags.direction", "Sends DATA with flags.direction clear.",
     draft(kData, [](Draft& draft) { draft.header.flags.direction = false; })},
    {direction_clear_in_ack, Role::responder, "flags.direction", "Sends ACKs with flags.direction clear.",
     draft(kAck, [](Draft& draft) { draft.header.flags.direction = false; })},
    {direction_ignored_on_receipt, Role::any, "flags.direction",
     "Takes packets whose flags.direction is that of packets to the other role."},
    {no_ack, Role::any, "flags.requestAck", "Never sends an ACK."},
    {ack_five_octets, Role::any, "Acknowledgement Response Payload Format", "Sends ACKs that lack their last octet.",
     ack_octets([](OctetBuffer& payload) { payload.pop_back(); })},
    {ack_seven_octets, Role::any, "Acknowledgement Response Payload Format", "Sends ACKs with one octet more.",
     ack_octets([](OctetBuffer& payload) { payload.push_back(0); })},
    {ack_eight_octets_padded, Role::any, "Acknowledgement Response Payload Format",
     "Sends ACKs as a structure of eight octets whose firstMissingFrag takes four.",
     ack_octets([](OctetBuffer& payload) { payload.insert(payload.begin() + layout::kStagingVector, 2, Octet{0}); })},
    {ack_first_missing_beyond_total, Role::any, "firstMissingFrag",
     "Sends ACKs whose firstMissingFrag is above totalFrags.",
     ack([](Ack& ack, std::uint16_t total) { ack.first_missing_frag = static_cast<std::uint16_t>(total + 1); })},
    {ack_claims_unreceived, Role::any, "stagingVector", "Sends ACKs that claim a fragment that it has not received.",
     ack([](Ack& ack, std::uint16_t total) {
       if (ack.first_missing_frag + 1 < total)
         ack.staging_vector |= ack.staging_vector + 1;  // its lowest clear bit
       else
         ack.first_missing_frag = total;
     })},
    {ack_staging_off_by_one, Role::any, "stagingVector", "Sends ACKs whose bit 0 is firstMissingFrag itself.",
     ack([](Ack& ack, std::uint16_t) { ack.staging_vector <<= 1; })},
    {ack_staging_bits_reversed, Role::any, "stagingVector",
     "Sends ACKs whose stagingVector counts its bits from the highest.", ack([](Ack& ack, std::uint16_t) {
       std::uint32_t reversed = 0;
       for (unsigned bit = 0; bit < kStagingBits; ++bit) reversed = reversed << 1 | (ack.staging_vector >> bit & 1);
       ack.staging_vector = reversed;
     })},
    {ack_bits_beyond_total, Role::any, "stagingVector",
     "Sends ACKs with bits for fragments that the message does not have.", ack([](Ack& ack, std::uint16_t total) {
       const unsigned inside = total > ack.first_missing_frag ? total - ack.first_missing_frag - 1u : 0;
       if (inside < kStagingBits) ack.staging_vector |= ~std::uint32_t{0} << inside;
     })},
    {ack_first_missing_not_lowest, Role::any, "firstMissingFrag",
     "Sends ACKs whose firstMissingFrag is one after the highest fragment received.", ack([](Ack& ack, std::uint16_t) {
       if (ack.staging_vector == 0) return;
       ack.first_missing_frag =
           static_cast<std::uint16_t>(ack.first_missing_frag + 1 + std::bit_width(ack.staging_vector));
       ack.staging_vector = 0;
     })},
    {ack_wrong_rpc, Role::any, "rpcId", "Sends ACKs with the rpcId after the one that they acknowledge.",
     draft(kAck, [](Draft& draft) { add(draft.header.rpc_id, 1); })},
    {ack_wrong_channel, Role::any, "channelId", "Sends ACKs on another channel than the one that they acknowledge.",
     draft(kAck, [](Draft& draft) { draft.header.channel_id ^= 1; })},
    {ack_unasked, Role::responder, "flags.requestAck", "Sends an ACK for every DATA packet, asked or not."},
    {ack_with_request_ack, Role::any, "flags.requestAck", "Sends ACKs that ask for an ACK.",
     draft(kAck, [](Draft& draft) { draft.header.flags.request_ack = true; })},
    {please_drop_ignored, Role::any, "flags.pleaseDrop", "Takes packets with flags.pleaseDrop as if it were clear."},
    {please_drop_ignored_on_open, Role::responder, "flags.pleaseDrop",
     "Answers session open requests with flags.pleaseDrop."},
    {please_drop_acked, Role::responder, "flags.pleaseDrop",
     "Drops DATA with flags.pleaseDrop, yet sends the ACK that it asks for."},
    {please_drop_sent, Role::any, "flags.pleaseDrop", "Sends every DATA packet a second time with flags.pleaseDrop.",
     extra(kData, [](Draft& draft) { draft.header.flags.please_drop = true; })},
    {reserved1_sent, Role::any, "flags.reserved1", "Sends DATA with flags.reserved1.",
     draft(kData, [](Draft& draft) { draft.header.flags.reserved1 = true; })},
    {reserved1_dies, Role::any, "flags.reserved1", "Never answers again after a packet with flags.reserved1."},
    {reserved_type_sent, Role::any, "payloadType",
     "Sends a packet of the reserved payloadType 3 after every DATA packet.",
     extra(kData, [](Draft& draft) { draft.header.payload_type = static_cast<PayloadType>(3); })},
    {reserved_type_dies, Role::any, "payloadType", "Never answers again after a packet of a reserved payloadType."},
    {short_packet_dies, Role::any, "RAMCloud RPC Header format",
     "Never answers again after a packet that is shorter than the header."},
    {short_ack_dies, Role::any, "Acknowledgement Response Payload Format",
     "Never answers again after an ACK that is shorter than six octets."},
    {ack_past_end_dies, Role::any, "firstMissingFrag",
     "Never answers again after an ACK beyond the end of its message, or beyond what it has sent of it."},
    {bad_session_with_payload, Role::responder, "payloadType", "Sends BAD_SESSION with a payload.",
     draft(kBadSession, [](Draft& draft) { draft.payload.push_back(0); })},
    {bad_session_not_sent, Role::responder, "payloadType", "Drops packets of invalid sessions in silence."},
    {bad_session_wrong_client_hint, Role::responder, "clientSessionHint",
     "Sends BAD_SESSION with another clientSessionHint than the offending packet had.",
     draft(kBadSession, [](Draft& draft) { add(draft.header.client_session_hint, 1); })},
    {bad_session_for_valid, Role::responder, "payloadType", "Answers DATA of a valid session with BAD_SESSION."},
    {executes_bad_session, Role::responder, "sessionToken", "Executes requests of sessions that it never opened."},
    {re_executes_duplicate, Role::responder, "Single packet response is lost", "Executes a repeated request again."},
    {no_stored_response, Role::responder, "Single packet response is lost",
     "Drops a request that is repeated after it was answered."},
    {stored_response_one_per_session, Role::responder, "Sessions and Channels",
     "Keeps one response per session instead of one per channel."},
    {resends_everything_on_ack, Role::responder, "Multi-packet response is lost",
     "Resends every fragment when an ACK reports one missing, acknowledged ones too."},
    {ignores_unsolicited_ack, Role::responder, "Multi-packet response is lost",
     "Ignores an ACK that it did not ask for."},
    {sessions_share_channels, Role::responder, "Sessions and Channels",
     "Keeps the state of channels once for all sessions."},
    {one_rpc_at_a_time, Role::responder, "Sessions and Channels",
     "Ignores requests on other channels while one is incomplete."},
    {payload_altered, Role::responder, "PT_DATA", "Flips a bit in the last octet of each response fragment.",
     draft(kData, [](Draft& draft) { flip(draft, draft.payload.size() - 1); })},
    {retransmit_differs, Role::responder, "Multi-packet response is lost",
     "Flips a bit in each response fragment that it resends.",
     draft(kData,
           [](Draft& draft) {
             if (draft.resent) flip(draft, 0);
           })},
    {response_for_incomplete_after_ack, Role::responder, "totalFrags",
     "Executes and answers an incomplete request once it had to send an ACK for it."},
    {data_before_open_response, Role::initiator, "sessionToken",
     "Sends the first request without waiting for the session open response."},
    {open_with_payload, Role::initiator, "payloadType", "Sends the session open request with a payload.",
     draft(kOpen, [](Draft& draft) { draft.payload.push_back(0); })},
    {open_nibbles_swapped, Role::initiator, "RAMCloud RPC Header format",
     "Puts the payloadType of the session open request into the low four bits.", octets(kOpen, swap_nibbles)},
    {token_not_used, Role::initiator, "sessionToken", "Sends DATA and ACKs with sessionToken 0.",
     draft(kData | kAck, [](Draft& draft) { draft.header.session_token = 0; })},
    {token_alternates, Role::initiator, "sessionToken", "Opens two sessions and uses their tokens by turns."},
    {client_hint_changes, Role::initiator, "clientSessionHint",
     "Uses another clientSessionHint in DATA and ACKs than in the session open request.",
     draft(kData | kAck, [](Draft& draft) { add(draft.header.client_session_hint, 1); })},
    {server_hint_not_echoed, Role::initiator, "serverSessionHint",
     "Sends DATA and ACKs with another serverSessionHint than the server chose.",
     draft(kData | kAck, [](Draft& draft) { add(draft.header.server_session_hint, 1); })},
    {channel_beyond_max, Role::initiator, "channelId",
     "Uses only channels beyond the maxChannelId that the server announced."},
    {rpc_id_starts_at_one, Role::initiator, "rpcId", "Gives the first request on a channel the rpcId 1."},
    {rpc_id_steps_by_two, Role::initiator, "rpcId", "Increments the rpcId by two."},
    {rpc_id_not_reset_on_reopen, Role::initiator, "rpcId", "Continues to count rpcIds in a new session."},
    {next_rpc_before_response, Role::initiator, "Sessions and Channels",
     "Starts the next request on a channel before the response to the last."},
    {total_frags_zero, Role::initiator, "totalFrags", "Sends DATA with totalFrags 0.",
     draft(kData, [](Draft& draft) { draft.header.total_frags = 0; })},
    {direction_set, Role::initiator, "flags.direction", "Sends its packets with flags.direction set.",
     draft(kEvery, [](Draft& draft) { draft.header.flags.direction = true; })},
    {sends_bad_session, Role::initiator, "payloadType", "Sends a BAD_SESSION after every DATA packet.",
     extra(kData,
           [](Draft& draft) {
             draft.header.payload_type = PayloadType::bad_session;
             draft.payload.clear();
           })},
    {never_retransmits, Role::initiator, "Single packet request is lost",
     "Waits and gives up without resending anything."},
    {never_gives_up, Role::initiator, "Single packet request is lost", "Resends for ever."},
    {resends_everything, Role::initiator, "Multi-packet request is lost",
     "Resends every fragment of a request, acknowledged ones too."},
    {resend_differs, Role::initiator, "Multi-packet request is lost",
     "Flips a bit in each request fragment that it resends.",
     draft(kData,
           [](Draft& draft) {
             if (draft.resent) flip(draft, 0);
           })},
    {no_unsolicited_ack, Role::initiator, "Multi-packet response is lost",
     "Waits for the rest of a response without sending an ACK."},
    {partial_response_accepted, Role::initiator, "totalFrags",
     "Takes the first fragments of a response for the whole."},
    {wrong_token_response_accepted, Role::initiator, "sessionToken",
     "Takes responses with another token than that of the session."},
    {wrong_rpc_response_accepted, Role::initiator, "rpcId",
     "Takes responses with another rpcId than that of the request."},
    {wrong_channel_response_accepted, Role::initiator, "channelId",
     "Takes responses on a channel where no request is active."},
    {old_session_after_bad_session, Role::initiator, "payloadType",
     "Continues in a session that the server called invalid."},
    {duplicate_response_fragment_appended, Role::initiator, "fragNumber",
     "Appends a repeated response fragment again."},
    {response_reorder_not_tolerated, Role::initiator, "fragNumber",
     "Concatenates response fragments in the order of their arrival."},
    {executes_twice_when_asked, Role::responder, "flags.requestAck",
     "Executes a request twice where several of its fragments ask for an ACK."},
    {empty_open_response_dies, Role::initiator, "Session Open Response Payload Format",
     "Never sends again after a session open response without its payload."},
    {reopens_for_ever, Role::initiator, "payloadType", "Opens another session however many the server calls invalid."},
    {long_ack_dies, Role::responder, "Acknowledgement Response Payload Format",
     "Never answers again after an ACK that is longer than six octets."},
    {bound_too_high, Role::responder, "Session Open Response Payload Format",
     "Announces a maxChannelId that is eight above the highest channel it has."},
    {bad_session_dies, Role::responder, "payloadType", "Never answers again after a BAD_SESSION."},
    {open_payload_dies, Role::responder, "payloadType",
     "Never answers again after a session open request with a payload."},
    {total_zero_acknowledged, Role::responder, "totalFrags",
     "Reports fragment 0 of a request whose totalFrags is 0 as received."},
    {next_rpc_dies, Role::responder, "Sessions and Channels",
     "Never answers again after a request that comes while the one before it is executed."},
    {silent_once_acknowledged, Role::initiator, "Single packet response is lost",
     "Never asks again once every fragment of its request was acknowledged."},
    {old_octets_in_repeated_request, Role::initiator, "payloadType",
     "Leaves octets of the request before in a request that it sends again in a new session."},
    {response_beyond_end_taken, Role::initiator, "fragNumber",
     "Takes a response fragment beyond the end for the last one."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const DeviationInfo> all_deviations() {
  return kDeviations;
}

std::span<const PacketEdit> packet_edits() {
  return kEdits;
}

}  // namespace wirelaw::ramcloud
