// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendingRequestRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.2-1", must, initiator, kSection, trace, octets,
       "In a Negotiate Request, MinVersion is 0x0100.", "SMBD/A25", {request_min_version_zero, request_version_two}},
      {"SMBD-3.1.5.2-2", must, initiator, kSection, trace, octets,
       "In a Negotiate Request, MaxVersion is 0x0100.", "SMBD/A25", {request_max_version_two, request_version_two}},
      {"SMBD-3.1.5.2-3", must, initiator, kSection, trace, octets,
       "In a Negotiate Request, Reserved is zero.", "SMBD/A3", {request_reserved_set}},
      {"SMBD-3.1.5.2-4", should, initiator, kSection, stimulus, octets,
       "The initiator sets CreditsRequested to SendCreditTarget.", "SMBD/A37",
       {{credits_requested_zero, warning}, {requests_what_is_missing, warning}}},
      {"SMBD-3.1.5.2-5", must, initiator, kSection, stimulus, octets,
       "The initiator sets PreferredSendSize to MaxSendSize.",
       "A local value; SMBD-3.1.5.4-12 judges that the initiator does not exceed it",
       {data_length_beyond, segment_above_preferred_size, request_twice, negotiates_again}},
      {"SMBD-3.1.5.2-6", must, initiator, kSection, stimulus, octets,
       "The initiator sets MaxReceiveSize to Connection.MaxReceiveSize.",
       "A local value; SMBD-2.2.1-14 judges that the initiator accepts such messages",
       {no_message_arrives, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
        data_before_response, delivers_fragments, fragments_left_behind}},
      {"SMBD-3.1.5.2-7", must, initiator, kSection, stimulus, octets,
       "The initiator sets MaxFragmentedSize to MaxFragmentedRecvSize.",
       "A local value; SMBD-2.2.1-15 judges that the initiator accepts such messages",
       {{data_before_response, initiator}, fragments_swapped, fragment_missing, receives_small, delivers_fragments,
        fragments_left_behind, grant_replaces_credits}},
      {"SMBD-3.1.5.2-8", must, initiator, kSection, stimulus, octets,
       "The initiator posts the request to the RDMA provider.", {},
       {request_short, request_version_two, request_big_endian, request_missing, data_before_request}},
      {"SMBD-3.1.5.2-9", must, initiator, kSection, api, octets,
       "The initiator returns the RDMA provider's result to the caller.", "The upper layer sees it"},
      {"SMBD-3.1.5.2-10", must, initiator, kSection, none, octets,
       "The request is the first message on the connection.", "Judged by SMBD-2.2.1-1"},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SendingRequestRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SendingRequestRules, I> {
};
