// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct LongctsRules : Words {
  static constexpr std::string_view k3_2Table3_5 = "EFA RDM v4 3.2, table 3.5";
  static constexpr std::string_view k3_2LongCTSMessage = "EFA RDM v4 3.2, Long-CTS message";
  static constexpr std::string_view k3_2SendId = "EFA RDM v4 3.2, send_id";
  static constexpr std::string_view k3_2CreditRequest = "EFA RDM v4 3.2, credit_request";
  static constexpr std::string_view k3_2MediumMessage = "EFA RDM v4 3.2, Medium message";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-70", must, requester, k3_2Table3_5, trace, octets,
       "msg_length of a LONGCTS_RTM is at least the length of the data in that packet.", "EFA/A-23"},
      {"EFA-3.2-71", should, requester, k3_2LongCTSMessage, trace, octets,
       "A requester does not send the whole message in a LONGCTS_RTM: a CTS, which cannot allow zero octets, would "
       "then have nothing to allow.", "EFA/A-23"},
      {"EFA-3.2-72", must, requester, k3_2SendId, trace, absence,
       "A requester does not reuse a send_id while the operation that has it cannot have finished.",
       "EFA/A-66: the last data, the RECEIPT or the EOR ends it"},
      {"EFA-3.2-73", should, requester, k3_2CreditRequest, trace, octets,
       "A requester asks for at least one CTSDATA packet in credit_request of a LONGCTS_RTM.", "EFA/A-43",
       {{credit_request_zero, warning}}},
      {"EFA-3.2-74", must, requester, k3_2MediumMessage, api, octets,
       "A requester cancels the whole message if its only REQ packet cannot be sent.",
       "The device reports that a packet was not sent, and the application gets the error. A trace shows nothing"},
      {"EFA-3.2-231", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder allows a long-CTS message by CTS, and delivers it whole.", {}, {cts_recv_id_changes}},
      {"EFA-3.2-232", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder takes the data of a LONGCTS_RTM, which may be empty, as the beginning of the message.", "EFA/A-23",
       {request_data_lost, msg_ids_shared}},
      {"EFA-3.2-233", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder sends the next CTS when it has received all data that a CTS has allowed.", {},
       {ctsdata_missing, cts_not_again}},
      {"EFA-3.2-234", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder accepts the CTSDATA packets of a window in any order, and repeated ones.", "EFA/A-22",
       {request_data_lost, {counts_doubled, warning}}},
      {"EFA-3.2-235", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder accepts a message that reuses the send_id of an earlier message.", {}, {send_id_taken_once}},
      {"EFA-3.2-236", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A responder distinguishes several long-CTS messages of one peer by their IDs.", {},
       {one_long_message_at_a_time}},
      {"EFA-3.2-237", must, responder, k3_2Table3_5, stimulus, octets,
       "A responder keeps working after a msg_length that contradicts the packet, or that exceeds any memory.", {},
       {dies_of_truncation}},
      {"EFA-3.2-238", must, responder, k3_2Table3_5, stimulus, octets,
       "A responder completes a message whatever its credit_request, from zero to the maximum.", "EFA/A-43",
       {credit_request_obeyed}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::LongctsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::LongctsRules, I> {
};
