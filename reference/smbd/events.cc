// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/events.h"

#include <array>

namespace wirelaw::smbd {
namespace {

using enum Reason;

// In the order of the enumeration.
constexpr std::array<ReasonInfo, kReasons> kReasonTable{{
    {negotiation_timeout, "3.1.6.1", "the negotiation took too long"},
    {request_too_short, "3.1.5.6", "the Negotiate Request has fewer than 20 octets"},
    {version_not_supported, "3.1.5.6", "MinVersion to MaxVersion does not include 0x0100"},
    {no_credits_requested, "3.1.5.6, 3.1.5.7, 3.1.5.8", "CreditsRequested is 0"},
    {receive_size_too_small, "3.1.5.6, 3.1.5.7", "MaxReceiveSize is below 128"},
    {fragmented_size_too_small, "3.1.5.6, 3.1.5.7", "MaxFragmentedSize is below 131,072"},
    {no_receives, "3.1.5.6, 3.1.5.7", "no receive could be posted for the peer"},
    {response_too_short, "3.1.5.7", "the Negotiate Response has fewer than 32 octets"},
    {wrong_version, "3.1.5.7", "NegotiatedVersion is not 0x0100"},
    {no_credits_granted, "3.1.5.7", "CreditsGranted is 0"},
    {preferred_send_size_too_large, "3.1.5.7", "PreferredSendSize is above our MaxReceiveSize"},
    {negotiation_failed, "3.1.5.7", "Status is not 0"},
    {message_too_short, "3.1.5.8", "the Data Transfer message has fewer than 20 octets"},
    {data_not_aligned, "3.1.5.8", "DataOffset is no multiple of 8"},
    {data_beyond_message, "3.1.5.8", "DataOffset plus DataLength is beyond the message"},
    {message_too_long_for_reassembly, "3.1.5.8", "DataLength plus RemainingDataLength is above our MaxFragmentedSize"},
    {fragments_end_early, "3.1.5.8", "RemainingDataLength is 0 before all announced data has come"},
    {fragments_exceed_announcement, "3.1.5.8", "more data has come than the first fragment announced"},
    {message_longer_than_receive, "2.2.1, 2.2.2", "the message is longer than the receive that was posted"},
    {no_receive_posted, "3.1.5.9", "the message came without a credit"},
    {keepalive_unanswered, "3.1.6.2", "nothing came after SMB_DIRECT_RESPONSE_REQUESTED"},
    {send_failed, "3.1.5.4", "the RDMA layer could not send"},
    {transfer_failed, "3.1.4.5, 3.1.4.6", "an RDMA Read or Write failed"},
    {close_timeout, "3.1.4.2", "what was queued could not be sent before the end"},
    {closed_by_upper_layer, "3.1.7.1", "the upper layer has ended the connection"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kReasons; ++i)
    if (static_cast<std::size_t>(kReasonTable[i].reason) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

const ReasonInfo& describe(Reason reason) {
  return kReasonTable[static_cast<std::size_t>(reason)];
}

}  // namespace wirelaw::smbd
