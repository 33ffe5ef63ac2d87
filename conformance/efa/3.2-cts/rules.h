// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct CtsRules : Words {
  static constexpr std::string_view k3_2Table3_6 = "EFA RDM v4 3.2, table 3.6";
  static constexpr std::string_view k3_2LongCTSMessage = "EFA RDM v4 3.2, Long-CTS message";
  static constexpr std::string_view k3_2RecvLength = "EFA RDM v4 3.2, recv_length";
  static constexpr std::string_view k3_2RecvId = "EFA RDM v4 3.2, recv_id";
  static constexpr std::string_view k3_2RecvId3_3Table3_12 = "EFA RDM v4 3.2, recv_id; 3.3, table 3.12";
  static constexpr std::string_view k3_2CTSEMULATEDREAD = "EFA RDM v4 3.2, CTS_EMULATED_READ";
  static constexpr std::string_view k3_2Table3_7 = "EFA RDM v4 3.2, table 3.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-100", must, any, k3_2Table3_6, trace, absence,
       "send_id of a CTS is that of a send operation of the endpoint that it goes to.",
       "of a message or write as its REQ gave it, of a read as the READRSP gave it (EFA/A-33)", {cts_wrong_send_id}},
      {"EFA-3.2-101", must_not, any, k3_2LongCTSMessage, trace, absence,
       "A CTS is sent for no operation but those of the long-CTS subprotocols.",
       "or one that became one after a READ_NACK (4.7)"},
      {"EFA-3.2-102", must, any, k3_2RecvLength, trace, octets,
       "recv_length of a CTS is greater than 0.", "EFA/A-43: one octet is enough", {cts_length_zero}},
      {"EFA-3.2-103", should, any, k3_2RecvLength, trace, absence,
       "A CTS allows no more octets than are left of the message.", "EFA/A-24",
       {{request_data_lost, responder, warning}, {cts_length_beyond, warning}}},
      {"EFA-3.2-104", must, any, k3_2LongCTSMessage, trace, absence,
       "A further CTS is sent only after all the data that the one before it allowed has come.",
       "EFA/A-24: judged when data that was allowed before comes behind it",
       {{cts_early, warning}, {cts_twice, warning}, {cts_length_beyond, warning}}},
      {"EFA-3.2-105", must, any, k3_2RecvId, trace, absence,
       "Every CTS of an operation has the same recv_id."},
      {"EFA-3.2-106", must, requester, k3_2RecvId3_3Table3_12, trace, absence,
       "A CTS of a read has the recv_id of its LONGCTS_RTR.", "EFA/A-33", {cts_recv_id_changes}},
      {"EFA-3.2-107", must, any, k3_2RecvId, trace, absence,
       "The first CTS of an operation does not take the recv_id of another one whose data has not all come.",
       "EFA/A-66"},
      {"EFA-3.2-108", must, requester, k3_2CTSEMULATEDREAD, trace, absence,
       "A CTS of a long-CTS read has CTS_EMULATED_READ set.", "EFA/A-27", {cts_read_flag_clear}},
      {"EFA-3.2-109", must_not, responder, k3_2CTSEMULATEDREAD, trace, absence,
       "A CTS of a message or a write has CTS_EMULATED_READ clear.", {}, {cts_read_flag_set}},
      {"EFA-3.2-110", must_not, any, k3_2LongCTSMessage, trace, absence,
       "No CTS is sent for a message whose data has all been sent.", {}, {{request_data_lost, responder, "stimulus"}}},
      {"EFA-3.2-112", must, responder, k3_2LongCTSMessage, api, octets,
       "The first CTS of a message is sent when the message has been matched with a receive of the application.",
       "Only the application knows when it called for a receive, and which message it got"},
      {"EFA-3.2-241", must, responder, k3_2Table3_6, stimulus, octets,
       "A CTS with recv_length 0 does no harm.", {}, {dies_of_zero_window}},
      {"EFA-3.2-242", must, responder, k3_2Table3_6, stimulus, octets,
       "A CTS that allows more than what is left brings what is left.", "EFA/A-24", {dies_of_wide_window}},
      {"EFA-3.2-243", must, responder, k3_2Table3_6, stimulus, octets,
       "A CTS that comes again, also after the data has gone, does no harm.", {}, {dies_of_wide_window}},
      {"EFA-3.2-244", must, responder, k3_2Table3_6, stimulus, octets,
       "A second CTS with another recv_id does no harm.", {}, {dies_of_contradiction}},
      {"EFA-3.2-251", must, responder, k3_2Table3_7, stimulus, octets,
       "A CTSDATA whose seg_length is not the octets that it has does no harm, and adds none to the message.", {},
       {dies_of_contradiction}},
      {"EFA-3.2-252", must, responder, k3_2Table3_7, stimulus, octets,
       "A CTSDATA that reaches beyond the message does no harm.", {}, {dies_of_contradiction}},
      {"EFA-3.2-253", must, responder, k3_2Table3_7, stimulus, octets,
       "Data that no CTS has allowed does no harm.", {}, {{dies_of_unknown_id, warning}}},
      {"EFA-3.2-254", must, responder, k3_2Table3_7, stimulus, octets,
       "CTSDATA that come when the message is whole do no harm.", {}, {connid_needed}},
      {"EFA-3.2-255", must, responder, k3_2Table3_7, stimulus, octets,
       "CTSDATA for a message of another peer neither spoil it nor complete it.", {}, {{foreign_data_taken, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::CtsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::CtsRules, I> {
};
