// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/deviations.h"

#include <algorithm>
#include <array>

#include "reference/deviation_rows.h"
#include "reference/smbd/faults/message_faults.h"

namespace wirelaw::smbd {
namespace {

using enum Deviation;

constexpr Octet kNotZero = 0xee;
constexpr std::array<Octet, 4> kTrailing{kNotZero, kNotZero, kNotZero, kNotZero};

// --- edits of octets
// Reverses the octets of every fixed field.
void swap_fields(MessageType type, OctetBuffer& octets) {
  for (const FieldRow& row : describe(type).fields)
    std::reverse(octets.begin() + row.offset, octets.begin() + row.offset + row.width);
}
// Leaves out the last octet of a message that has only its fixed fields.
void cut(MessageType type, OctetBuffer& octets) {
  if (octets.size() == describe(type).octets) octets.pop_back();
}
void alter_data(MessageType, OctetBuffer& octets) {
  if (octets.size() > kUsualDataOffset) octets.back() ^= 0xff;
}

// --- the Data Transfers that an edit concerns
bool anywhere(const Draft&) {
  return true;
}
bool empty(const Draft& draft) {
  return draft.message.is_empty();
}
bool with_data(const Draft& draft) {
  return !draft.message.is_empty();
}
bool unfinished(const Draft& draft) {
  return with_data(draft) && !draft.around.last;
}
bool first(const Draft& draft) {
  return unfinished(draft) && draft.around.first;
}
bool middle(const Draft& draft) {
  return unfinished(draft) && !draft.around.first;
}
bool end(const Draft& draft) {
  return with_data(draft) && draft.around.last;
}
bool granting(const Draft& draft) {
  return draft.message.credits_granted > 0;
}

constexpr MessageEdit request(void (*edit)(NegotiateRequest&)) {
  return {.request = edit};
}
constexpr MessageEdit success(void (*edit)(NegotiateResponse&, std::uint32_t request_receive_size)) {
  return {.success = edit};
}
constexpr MessageEdit failure(void (*edit)(NegotiateResponse&)) {
  return {.failure = edit};
}
constexpr MessageEdit data(bool (*where)(const Draft&), void (*edit)(Draft&)) {
  return {.where = where, .data = edit};
}
constexpr MessageEdit octets(MessageType type, void (*edit)(MessageType, OctetBuffer&)) {
  return {.type = type, .octets = edit};
}

// In the order of the enumeration. A deviation in a message has its edit here. One that needs time or several steps is
// in faults/.
constexpr std::array<DeviationEntry<Deviation, MessageEdit>, kDeviationCount> kRows{{
    {request_short, Role::initiator, "2.2.1", "Sends a Negotiate Request of 19 octets.",
     octets(MessageType::negotiate_request, cut)},
    {request_trailing_not_zero, Role::initiator, "2.2", "Puts octets that are not zero after the Negotiate Request.",
     request([](auto& one) { one.trailing = kTrailing; })},
    {request_min_version_zero, Role::initiator, "3.1.5.2", "Sends MinVersion 0x0000.",
     request([](auto& one) { one.min_version = 0; })},
    {request_max_version_two, Role::initiator, "3.1.5.2", "Sends MaxVersion 0x0200.",
     request([](auto& one) { one.max_version = 0x0200; })},
    {request_version_two, Role::initiator, "3.1.5.2", "Sends MinVersion and MaxVersion 0x0200.",
     request([](auto& one) { one.min_version = one.max_version = 0x0200; })},
    {request_max_below_min, Role::initiator, "2.2.1", "Sends MaxVersion 0x00ff, below MinVersion.",
     request([](auto& one) { one.max_version = 0x00ff; })},
    {request_reserved_set, Role::initiator, "3.1.5.2", "Sends Reserved 0xffff in the Negotiate Request.",
     request([](auto& one) { one.reserved = 0xffff; })},
    {request_credits_zero, Role::initiator, "3.1.5.6", "Requests no credits in the Negotiate Request.",
     request([](auto& one) { one.credits_requested = 0; })},
    {request_receive_size_low, Role::initiator, "3.1.5.6", "Sends MaxReceiveSize 127.",
     request([](auto& one) { one.max_receive_size = kLeastMaxReceiveSize - 1; })},
    {request_fragmented_size_low, Role::initiator, "3.1.5.6", "Sends MaxFragmentedSize 131,071.",
     request([](auto& one) { one.max_fragmented_size = kLeastMaxFragmentedSize - 1; })},
    {request_big_endian, Role::initiator, "2.2", "Sends the fields of the Negotiate Request in network byte order.",
     octets(MessageType::negotiate_request, swap_fields)},
    {response_short, Role::responder, "2.2.2", "Sends a Negotiate Response of 31 octets.",
     octets(MessageType::negotiate_response, cut)},
    {response_trailing_not_zero, Role::responder, "2.2", "Puts octets that are not zero after the Negotiate Response.",
     success([](auto& one, auto) { one.trailing = kTrailing; })},
    {response_min_version_zero, Role::responder, "3.1.5.3", "Sends MinVersion 0x0000.",
     success([](auto& one, auto) { one.min_version = 0; })},
    {response_max_version_two, Role::responder, "3.1.5.3", "Sends MaxVersion 0x0200.",
     success([](auto& one, auto) { one.max_version = 0x0200; })},
    {response_max_below_min, Role::responder, "2.2.2", "Sends MaxVersion 0x00ff, below MinVersion.",
     success([](auto& one, auto) { one.max_version = 0x00ff; })},
    {response_negotiated_zero, Role::responder, "3.1.5.3", "Sends NegotiatedVersion 0x0000 with success.",
     success([](auto& one, auto) { one.negotiated_version = 0; })},
    {response_negotiated_two, Role::responder, "2.2.2", "Sends NegotiatedVersion 0x0200, which was not offered.",
     success([](auto& one, auto) { one.negotiated_version = 0x0200; })},
    {response_reserved_set, Role::responder, "3.1.5.3", "Sends Reserved 0xffff in the Negotiate Response.",
     success([](auto& one, auto) { one.reserved = 0xffff; })},
    {response_credits_requested_zero, Role::responder, "3.1.5.7", "Requests no credits in the Negotiate Response.",
     success([](auto& one, auto) { one.credits_requested = 0; })},
    {response_credits_granted_zero, Role::responder, "3.1.5.7", "Grants no credits in the Negotiate Response.",
     success([](auto& one, auto) { one.credits_granted = 0; })},
    {response_credits_granted_unposted, Role::responder, "3.1.5.3",
     "Grants twice as many credits in the Negotiate Response as it has posted receives.",
     success([](auto& one, auto) { one.credits_granted = static_cast<std::uint16_t>(one.credits_granted * 2); })},
    {response_status_not_zero, Role::responder, "2.2.2",
     "Sends an error as Status of a negotiation that has succeeded.",
     success([](auto& one, auto) { one.status = status::kInsufficientResources; })},
    {response_preferred_above_request, Role::responder, "2.2.2",
     "Sends a PreferredSendSize above the MaxReceiveSize of the Negotiate Request.",
     success([](auto& one, auto receive_size) { one.preferred_send_size = receive_size + 8; })},
    {response_receive_size_low, Role::responder, "3.1.5.7", "Sends MaxReceiveSize 127.",
     success([](auto& one, auto) { one.max_receive_size = kLeastMaxReceiveSize - 1; })},
    {response_fragmented_size_low, Role::responder, "3.1.5.7", "Sends MaxFragmentedSize 131,071.",
     success([](auto& one, auto) { one.max_fragmented_size = kLeastMaxFragmentedSize - 1; })},
    {response_big_endian, Role::responder, "2.2", "Sends the fields of the Negotiate Response in network byte order.",
     octets(MessageType::negotiate_response, swap_fields)},
    {failure_versions_zero, Role::responder, "3.1.5.3",
     "Sends a failure response with MinVersion and MaxVersion 0x0000.",
     failure([](auto& one) { one.min_version = one.max_version = 0; })},
    {failure_reserved_set, Role::responder, "3.1.5.3", "Sends a failure response with Reserved 0xffff.",
     failure([](auto& one) { one.reserved = 0xffff; })},
    {failure_fields_set, Role::responder, "3.1.5.3",
     "Sends a failure response with credits and sizes that are not zero.", failure([](auto& one) {
       one.negotiated_version = kVersion1;
       one.credits_requested = one.credits_granted = 10;
       one.max_read_write_size = 1'048'576;
       one.preferred_send_size = one.max_receive_size = 1024;
       one.max_fragmented_size = kLeastMaxFragmentedSize;
     })},
    {failure_status_other, Role::responder, "3.1.5.6", "Answers another version with STATUS_INSUFFICIENT_RESOURCES.",
     failure([](auto& one) { one.status = status::kInsufficientResources; })},
    {credits_requested_zero, Role::any, "3.1.5.8", "Requests no credits in Data Transfer messages.",
     data(anywhere, [](Draft& one) { one.message.credits_requested = 0; })},
    {flags_undefined, Role::any, "2.2.3", "Sets a bit of Flags that has no meaning.",
     data(anywhere, [](Draft& one) { one.message.flags |= 0x8000; })},
    {flag_without_cause, Role::any, "3.1.5.1", "Requests a response with every message.",
     data(anywhere, [](Draft& one) { one.message.flags |= flag::kResponseRequested; })},
    {segment_reserved_set, Role::any, "2.2.3", "Sends Reserved 0xffff in messages with data.",
     data(with_data, [](Draft& one) { one.message.reserved = 0xffff; })},
    {empty_reserved_set, Role::any, "3.1.5.4", "Sends Reserved 0xffff in empty messages.",
     data(empty, [](Draft& one) { one.message.reserved = 0xffff; })},
    {data_big_endian, Role::any, "2.2", "Sends the fields of Data Transfer messages in network byte order.",
     octets(MessageType::data_transfer, swap_fields)},
    {data_short, Role::any, "3.1.5.8", "Sends empty messages of 19 octets.", octets(MessageType::data_transfer, cut)},
    {empty_remaining_set, Role::any, "3.1.5.4", "Sends an empty message with RemainingDataLength 8.",
     data(empty, [](Draft& one) { one.message.remaining_data_length = 8; })},
    {empty_offset_set, Role::any, "3.1.5.4", "Sends an empty message with DataOffset 24 and padding.",
     data(empty,
          [](Draft& one) {
            one.message.data_offset = kUsualDataOffset;
            one.padding.resize(4);
          })},
    {empty_length_set, Role::any, "3.1.5.4", "Sends an empty message with DataLength 8 and DataOffset 0.",
     data(empty, [](Draft& one) { one.message.data_length = 8; })},
    {empty_padded, Role::any, "3.1.5.4", "Sends an empty message with four octets of padding.",
     data(empty, [](Draft& one) { one.padding.resize(4); })},
    {data_offset_unaligned, Role::any, "3.1.5.4", "Puts the data at DataOffset 20.",
     data(with_data,
          [](Draft& one) {
            one.message.data_offset = 20;
            one.padding.clear();
          })},
    {data_offset_in_header, Role::any, "2.2.3", "Sends DataOffset 16 with data at 24.",
     data(with_data, [](Draft& one) { one.message.data_offset = 16; })},
    {data_offset_zero, Role::any, "2.2.3", "Sends DataOffset 0 with data.",
     data(with_data, [](Draft& one) { one.message.data_offset = 0; })},
    {data_offset_beyond, Role::any, "3.1.5.8", "Sends a DataOffset that is after the message.",
     data(with_data,
          [](Draft& one) {
            const auto behind = static_cast<std::uint32_t>(one.message.octets() + kDataAlignment);
            one.message.data_offset = behind / kDataAlignment * kDataAlignment;
          })},
    {data_length_beyond, Role::any, "3.1.5.8", "Sends a DataLength that reaches 8 octets after the message.",
     data(with_data, [](Draft& one) { one.message.data_length += 8; })},
    {data_sum_wraps, Role::any, "3.1.5.8", "Sends a DataOffset that gives, with DataLength, a small sum in 32 bits.",
     data(with_data, [](Draft& one) { one.message.data_offset = 0xfffffff8; })},
    {data_length_short, Role::any, "3.1.5.4", "Sends a DataLength that leaves out the last octet of the data.",
     data(with_data, [](Draft& one) { --one.message.data_length; })},
    {padding_not_zero, Role::any, "3.1.5.4", "Sends padding of 0xee.",
     data(with_data, [](Draft& one) { std::ranges::fill(one.padding, kNotZero); })},
    {trailing_not_zero, Role::any, "2.2", "Puts octets that are not zero after the data, where there is room.",
     data(with_data,
          [](Draft& one) {
            if (one.message.octets() + kTrailing.size() <= one.around.most_octets) one.message.trailing = kTrailing;
          })},
    {remaining_includes_current, Role::any, "3.1.5.4", "Counts the fragment's own data in RemainingDataLength.",
     data(unfinished, [](Draft& one) { one.message.remaining_data_length += one.message.data_length; })},
    {remaining_one_too_many, Role::any, "3.1.5.4", "Sends a RemainingDataLength of one too many in fragments.",
     data(unfinished, [](Draft& one) { ++one.message.remaining_data_length; })},
    {remaining_constant, Role::any, "3.1.5.4", "Sends the same RemainingDataLength in every fragment but the last.",
     data(unfinished, [](Draft& one) { one.message.remaining_data_length = one.around.first_remaining; })},
    {remaining_at_end, Role::any, "3.1.5.4", "Sends RemainingDataLength 8 in the last fragment.",
     data(end, [](Draft& one) { one.message.remaining_data_length = 8; })},
    {remaining_zero_early, Role::any, "3.1.5.4",
     "Sends RemainingDataLength 0 in the fragments between the first and the last.",
     data(middle, [](Draft& one) { one.message.remaining_data_length = 0; })},
    {announces_too_much, Role::any, "3.1.5.8",
     "Announces, with the first fragment, more than the peer's MaxFragmentedSize.",
     data(first, [](Draft& one) { one.message.remaining_data_length = one.around.most_fragmented; })},
    {data_altered, Role::any, "3.1.5.4", "Sends other data than the upper layer has given.",
     octets(MessageType::data_transfer, alter_data)},
    {fragments_swapped, Role::any, "3.1.5.4", "Sends the second fragment of a message before the first."},
    {fragment_repeated, Role::any, "3.1.5.4", "Sends the first fragment of a message twice."},
    {fragment_missing, Role::any, "3.1.5.4", "Leaves out the second fragment of three or more."},
    {empty_between_fragments, Role::any, "3.1.5.4", "Sends an empty message after the first fragment of a message."},
    {fragment_without_data, Role::any, "3.1.5.4",
     "Sends a fragment with DataLength 0 before the first one of a message."},
    {segment_above_receive_size, Role::any, "3.1.5.6",
     "Fills segments to its own size, above the peer's MaxReceiveSize."},
    {segment_above_preferred_size, Role::any, "2.2.2",
     "Fills segments to the peer's MaxReceiveSize, above its own PreferredSendSize."},
    {message_above_fragmented_size, Role::any, "3.1.5.4", "Sends messages above the peer's MaxFragmentedSize."},
    {last_message_first, Role::any, "3.1.4.2", "Sends the message that was queued last before the others."},
    {last_credit_without_grant, Role::any, "3.1.5.1", "Spends its last credit without granting one."},
    {spends_without_credit, Role::any, "3.1.5.1", "Sends without credits."},
    {grants_nothing, Role::any, "3.1.5.9", "Never grants credits in Data Transfer messages."},
    {receives_small, Role::any, "3.1.5.9", "Posts receives of half its MaxReceiveSize."},
    {grants_unposted, Role::any, "3.1.5.9", "Grants one credit more than it has posted receives, with each message.",
     data(anywhere,
          [](Draft& one) {
            one.message.credits_granted = static_cast<std::uint16_t>(one.message.credits_granted + 1);
          })},
    {grants_above_target, Role::any, "3.1.5.9", "Posts and grants twice what the peer requests."},
    {grants_at_target, Role::any, "3.1.5.9",
     "Grants a credit with each message although the peer has as many as it requests."},
    {grant_is_total, Role::any, "2.2.3",
     "Sends as CreditsGranted all credits that the peer has, not those that are added.",
     data(granting,
          [](Draft& one) { one.message.credits_granted = static_cast<std::uint16_t>(one.around.receive_credits); })},
    {requests_what_is_missing, Role::any, "2.2.3",
     "Sends as CreditsRequested the credits that it lacks, at least one, not all that it wants.",
     data(anywhere,
          [](Draft& one) {
            one.message.credits_requested =
                static_cast<std::uint16_t>(std::clamp<std::uint32_t>(one.around.missing_credits, 1, 0xffff));
          })},
    {no_empty_grant, Role::any, "3.1.5.8", "Grants credits only with data."},
    {request_twice, Role::initiator, "2.2", "Sends the Negotiate Request twice."},
    {request_missing, Role::initiator, "3.1.5.2", "Sends no Negotiate Request."},
    {data_before_request, Role::initiator, "3.1.5.2",
     "Sends a Data Transfer message instead of the Negotiate Request."},
    {data_before_response, Role::initiator, "3.1.5.1",
     "Sends a Data Transfer message right after the Negotiate Request."},
    {response_twice, Role::responder, "2.2", "Sends the Negotiate Response twice."},
    {response_missing, Role::responder, "3.1.5.6", "Sends no Negotiate Response."},
    {response_behind_data, Role::responder, "3.1.5.3", "Sends a Data Transfer message before the Negotiate Response."},
    {negotiates_again, Role::any, "3.1.5.4", "Sends its negotiate message again before its first data."},
    {negotiation_never_times_out, Role::any, "3.1.6.1", "Waits for the peer's negotiate message for ever."},
    {negotiation_times_out_early, Role::any, "3.1.4.1, 3.1.7.2",
     "Waits for the peer's negotiate message for half its time."},
    {negotiation_timer_not_stopped, Role::any, "3.1.5.6, 3.1.5.7",
     "Ends the connection when the Negotiation Timer is over although the negotiation has succeeded."},
    {failure_not_sent, Role::responder, "3.1.5.6", "Ends the connection where it should send a failure response."},
    {failure_keeps_connection, Role::responder, "3.1.5.3", "Keeps the connection open after a failure response."},
    {bad_request_answered, Role::responder, "3.1.5.6",
     "Sends a failure response where it should end the connection without an answer."},
    {version_range_refused, Role::responder, "3.1.5.6", "Refuses a range of versions that includes 0x0100 and others."},
    {accepts_any_version, Role::any, "3.1.5.6, 3.1.5.7", "Accepts versions that are not 0x0100."},
    {accepts_short_negotiation, Role::any, "3.1.5.6, 3.1.5.7", "Accepts a negotiate message that is too short."},
    {accepts_no_credits, Role::any, "3.1.5.6, 3.1.5.7, 3.1.5.8", "Accepts CreditsRequested 0."},
    {accepts_small_receive_size, Role::any, "3.1.5.6, 3.1.5.7", "Accepts a MaxReceiveSize below 128."},
    {accepts_small_fragmented_size, Role::any, "3.1.5.6, 3.1.5.7", "Accepts a MaxFragmentedSize below 131,072."},
    {accepts_no_grant, Role::initiator, "3.1.5.7", "Accepts a Negotiate Response that grants no credits."},
    {accepts_large_preferred_size, Role::initiator, "3.1.5.7", "Accepts a PreferredSendSize above its MaxReceiveSize."},
    {accepts_failure_status, Role::initiator, "3.1.5.7", "Continues after a Negotiate Response whose Status is not 0."},
    {bad_negotiation_ignored, Role::any, "3.1.5.6, 3.1.5.7",
     "Drops a negotiate message that it should end the connection for, and waits."},
    {receive_size_not_lowered, Role::responder, "3.1.5.6",
     "Announces its own MaxReceiveSize whatever the PreferredSendSize."},
    {receive_size_below_128, Role::any, "3.1.5.6, 3.1.5.7",
     "Lowers MaxReceiveSize to the peer's PreferredSendSize, even below 128."},
    {refuses_trailing_octets, Role::any, "3.1.5.6, 3.1.5.7",
     "Ends the connection on octets after a negotiate message."},
    {refuses_reserved_bits, Role::any, "2.2", "Ends the connection where Reserved is not 0."},
    {first_receive_small, Role::any, "3.1.4.1, 3.1.7.2", "Posts a first receive of 32 octets instead of 512."},
    {refuses_padding, Role::any, "2.2.3", "Ends the connection where padding is not 0."},
    {refuses_unusual_offset, Role::any, "3.1.5.8", "Ends the connection on data at another DataOffset than 24."},
    {refuses_trailing_data, Role::any, "3.1.5.8", "Ends the connection on octets after the data."},
    {accepts_short_message, Role::any, "3.1.5.8", "Ignores a Data Transfer message that is too short."},
    {accepts_unaligned_data, Role::any, "3.1.5.8", "Accepts a DataOffset that is no multiple of 8."},
    {accepts_data_beyond, Role::any, "3.1.5.8",
     "Accepts data that reaches beyond the message, and takes what there is."},
    {wraps_on_receipt, Role::any, "3.1.5.8", "Checks the sums of lengths in 32 bits."},
    {offset_not_checked, Role::any, "3.1.5.8", "Checks only DataLength against the message, not DataOffset."},
    {accepts_too_much_announced, Role::any, "3.1.5.8",
     "Accepts fragments that announce more than its MaxFragmentedSize."},
    {accepts_early_end, Role::any, "3.1.5.8", "Delivers a message whose fragments end early."},
    {accepts_long_message, Role::any, "2.2.2", "Accepts messages above its MaxReceiveSize."},
    {ignores_bad_messages, Role::any, "3.1.5.8", "Drops messages that it should end the connection for."},
    {hangs_on_bad_message, Role::any, "3.1.5.8",
     "Neither answers nor ends anything after a message that it should end the connection for."},
    {delivers_fragments, Role::any, "3.1.5.8", "Delivers each fragment by itself."},
    {delivers_nothing, Role::any, "3.1.5.8", "Delivers no messages."},
    {takes_data_from_24, Role::any, "3.1.5.8", "Takes the data from octet 24 whatever DataOffset says."},
    {fragments_left_behind, Role::any, "3.1.5.8",
     "Puts a message that came in fragments in front of the next one as well."},
    {refuses_empty_messages, Role::any, "2.2.3", "Ends the connection on a message without data."},
    {hangs_on_odd_message, Role::any, "3.1.5.8",
     "Neither answers nor ends anything after a message that the text neither allows nor refuses."},
    {ignores_requested_credits, Role::any, "3.1.5.8", "Keeps to the credits that were requested first."},
    {ignores_granted_credits, Role::any, "3.1.5.8", "Ignores the credits that Data Transfer messages grant."},
    {grant_replaces_credits, Role::any, "3.1.5.8",
     "Takes the credits that a message grants for all that it has, not for those that are added."},
    {queue_not_restarted, Role::any, "3.1.5.8", "Sends what waits for credits only when something else is to be sent."},
    {keepalive_unanswered, Role::any, "3.1.5.8", "Does not answer where a response is requested."},
    {keepalive_answered_often, Role::any, "3.1.5.8",
     "Answers with eight messages where a response is requested, as credits allow."},
    {keepalive_not_sent, Role::any, "3.1.6.2", "Never asks a silent peer for a response."},
    {keepalive_without_flag, Role::any, "3.1.6.2", "Sends a silent peer an empty message that requests no response.",
     data(anywhere, [](Draft& one) { one.message.flags = 0; })},
    {keepalive_never_gives_up, Role::any, "3.1.6.2", "Keeps a connection whose peer has not answered."},
    {keepalive_repeated, Role::any, "3.1.6.2", "Asks a silent peer again and again."},
    {idle_timer_not_restarted, Role::any, "3.1.5.5", "Ends the connection after its time whatever has come."},
    {invalidates_every_segment, Role::any, "3.1.5.4", "Sends every segment of a message with Invalidate."},
    {invalidates_nothing, Role::any, "3.1.5.1", "Ignores the token that is to be invalidated."},
    {invalidates_other_token, Role::any, "3.1.5.1", "Invalidates another token than it was given."},
    {invalidation_not_reported, Role::any, "3.1.5.8",
     "Does not report to its upper layer which token was invalidated."},
    {transfer_offset_ignored, Role::any, "3.1.4.5, 3.1.4.6",
     "Begins every RDMA Read and Write at the first octet of the buffer."},
    {transfer_ignores_lengths, Role::any, "3.1.4.5, 3.1.4.6",
     "Reads and writes all in the buffer of the first descriptor, whatever its Length."},
    {transfer_above_agreed, Role::any, "2.2.2", "Reads and writes more than MaxReadWriteSize for one request."},
    {transfer_other_token, Role::any, "3.1.4.5, 3.1.4.6", "Reads and writes with another token than the descriptor's."},
    {transfer_result_wrong, Role::any, "3.1.4.5, 3.1.4.6",
     "Reports every RDMA Read and Write as done when it is begun."},
    {registers_every_access, Role::any, "3.1.4.3",
     "Registers buffers for reading and writing, whatever was requested."},
    {describes_first_part, Role::any, "3.1.4.3", "Describes only the first part of a registered buffer."},
    {failed_registration_stays, Role::any, "3.1.4.3",
     "Keeps parts registered of a buffer that could not be registered."},
    {deregistered_stays, Role::any, "3.1.4.4", "Leaves deregistered buffers open to the peer."},
    {loss_not_reported, Role::any, "3.1.7.1", "Does not report to its upper layer that the connection is lost."},
    {end_not_reported, Role::initiator, "3.1.4.1",
     "Does not report to its upper layer why it has ended the connection."},
    {arrival_not_reported, Role::any, "3.1.5.6, 3.1.5.7",
     "Does not report to its upper layer that the negotiation has succeeded."},
    {send_result_lost, Role::any, "3.1.4.2", "Does not report to its upper layer what has become of its messages."},
    {parameters_wrong, Role::any, "3.1.4.7", "Gives its upper layer its own sizes, not those that were negotiated."},
    {begins_with_a_message, Role::any, "3.1.4.1, 3.1.7.2",
     "Sends an empty message, for no reason and without a grant, as soon as it has credits."},
    {begins_with_fragments, Role::any, "3.1.4.1, 3.1.7.2",
     "Delivers its first message with octets of another one before it."},
    {register_error_hidden, Role::any, "3.1.4.3", "Gives descriptors of a buffer that could not be registered."},
    {descriptors_swapped, Role::any, "3.1.4.3", "Describes the parts of a buffer in the other order."},
    {descriptor_token_wrong, Role::any, "2.2.3.1", "Describes a buffer by another token than the provider's."},
    {transfer_result_lost, Role::any, "3.1.4.5, 3.1.4.6",
     "Does not report to its upper layer what has become of RDMA Reads and Writes."},
    {invalidation_reported_twice, Role::any, "3.1.5.8",
     "Reports a token that was invalidated again with the next message."},
    {first_token_kept, Role::any, "3.1.5.8", "Reports the first of two tokens that are invalidated with a message."},
    {token_at_first, Role::initiator, "3.1.4.1",
     "Reports a token as invalidated with the first message, though none was."},
    {read_write_size_at_first, Role::initiator, "3.1.4.1",
     "Gives its upper layer a MaxReadWriteSize before the listener has sent one."},
    {read_write_size_wrong, Role::any, "3.1.4.7", "Gives its upper layer twice the MaxReadWriteSize."},
    {keepalive_interval_wrong, Role::any, "3.1.4.7", "Gives its upper layer a KeepaliveInterval of zero."},
    {data_offset_32, Role::any, "3.1.5.4", "Sends data from octet 32 on, where they fit so.",
     data(with_data,
          [](Draft& one) {
            if (one.message.octets() + kDataAlignment > one.around.most_octets) return;
            one.message.data_offset = kUsualDataOffset + kDataAlignment;
            one.padding.resize(one.padding.size() + kDataAlignment);
          })},
    {failure_is_no_error, Role::responder, "3.1.5.6", "Answers another version with a status that is no error.",
     failure([](auto& one) { one.status = 0x40000000; })},
    {lengths_signed, Role::any, "3.1.5.8",
     "Takes the lengths and the offset of Data Transfer messages for signed numbers."},
    {sizes_signed, Role::any, "3.1.5.6, 3.1.5.7", "Takes the sizes of negotiate messages for signed numbers."},
    {sizes_checked_first, Role::responder, "3.1.5.6",
     "Checks credits and sizes of the Negotiate Request before its versions."},
    {endpoint_left_open, Role::any, "3.1.7.1",
     "Leaves its endpoint below open after its peer has ended the connection."},
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

}  // namespace wirelaw::smbd
