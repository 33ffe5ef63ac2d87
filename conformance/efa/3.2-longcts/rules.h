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
       "msg_length of a LONGCTS_RTM is at least the data that the packet carries.", "EFA/A-23"},
      {"EFA-3.2-71", should, requester, k3_2LongCTSMessage, trace, octets,
       "A LONGCTS_RTM leaves some of its message to CTSDATA packets: a CTS, which cannot allow nothing, would "
       "otherwise have nothing to allow.", "EFA/A-23"},
      {"EFA-3.2-72", must, requester, k3_2SendId, trace, absence,
       "A send operation does not take the send_id of another one of its endpoint that cannot be finished yet.",
       "EFA/A-66: or for what else ends it"},
      {"EFA-3.2-73", should, requester, k3_2CreditRequest, trace, octets,
       "credit_request of a LONGCTS_RTM asks for at least one CTSDATA packet.", "EFA/A-43",
       {{credit_request_zero, warning}}},
      {"EFA-3.2-74", must, requester, k3_2MediumMessage, api, octets,
       "Where the one REQ packet of a message could not be sent, the message is cancelled as a whole.",
       "The device reports to its user that a packet was not sent, and the application gets the error; a trace shows "
       "nothing"},
      {"EFA-3.2-231", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A long-CTS message is allowed by CTS, and delivered whole.", {}, {cts_recv_id_changes}},
      {"EFA-3.2-232", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "The data of a LONGCTS_RTM is the beginning of the message, and may be none at all.", "EFA/A-23",
       {request_data_lost, msg_ids_shared}},
      {"EFA-3.2-233", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "When all the data that a CTS has allowed is there, the next CTS follows.", {},
       {ctsdata_missing, cts_not_again}},
      {"EFA-3.2-234", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "The CTSDATA packets of a window may arrive in any order, and come again.", "EFA/A-22",
       {request_data_lost, {counts_doubled, warning}}},
      {"EFA-3.2-235", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "A send_id may be used again by the next message.", {}, {send_id_taken_once}},
      {"EFA-3.2-236", must, responder, k3_2LongCTSMessage, stimulus, octets,
       "Several long-CTS messages of one peer are distinguished by their IDs.", {}, {one_long_message_at_a_time}},
      {"EFA-3.2-237", must, responder, k3_2Table3_5, stimulus, octets,
       "A msg_length that contradicts the packet, or that no memory can hold, does no harm.", {},
       {dies_of_truncation}},
      {"EFA-3.2-238", must, responder, k3_2Table3_5, stimulus, octets,
       "However many packets credit_request asks for, none or the most, the message goes through.", "EFA/A-43",
       {credit_request_obeyed}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::LongctsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::LongctsRules, I> {
};
