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
       "An endpoint sets send_id of a CTS to the ID of a send operation of the packet's receiver.",
       "For a message or write it comes from the REQ, for a read from the READRSP (EFA/A-33)", {cts_wrong_send_id}},
      {"EFA-3.2-101", must_not, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends a CTS only for an operation of a long-CTS subprotocol.",
       "An operation may also become one after a READ_NACK (4.7)"},
      {"EFA-3.2-102", must, any, k3_2RecvLength, trace, octets,
       "An endpoint sets recv_length of a CTS to more than 0.", "EFA/A-43: one octet is enough", {cts_length_zero}},
      {"EFA-3.2-103", should, any, k3_2RecvLength, trace, absence,
       "An endpoint does not allow more octets in a CTS than remain of the message.", "EFA/A-24",
       {{request_data_lost, responder, warning}, {cts_length_beyond, warning}}},
      {"EFA-3.2-104", must, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends a further CTS only after it has received all data that the previous CTS allowed.",
       "EFA/A-24: judged if data that the previous CTS allowed comes after the further one",
       {{cts_early, warning}, {cts_twice, warning}, {cts_length_beyond, warning}}},
      {"EFA-3.2-105", must, any, k3_2RecvId, trace, absence,
       "An endpoint uses the same recv_id in every CTS of an operation."},
      {"EFA-3.2-106", must, requester, k3_2RecvId3_3Table3_12, trace, absence,
       "A requester uses the recv_id of its LONGCTS_RTR in every CTS of that read.", "EFA/A-33", {cts_recv_id_changes}},
      {"EFA-3.2-107", must, any, k3_2RecvId, trace, absence,
       "The first CTS of an operation does not use the recv_id of another operation that still waits for data.",
       "EFA/A-66"},
      {"EFA-3.2-108", must, requester, k3_2CTSEMULATEDREAD, trace, absence,
       "A requester sets CTS_EMULATED_READ in every CTS of a long-CTS read.", "EFA/A-27", {cts_read_flag_clear}},
      {"EFA-3.2-109", must_not, responder, k3_2CTSEMULATEDREAD, trace, absence,
       "A responder does not set CTS_EMULATED_READ in a CTS of a message or write.", {}, {cts_read_flag_set}},
      {"EFA-3.2-110", must_not, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends no CTS for a message whose data has all been sent.", {},
       {{request_data_lost, responder, "stimulus"}}},
      {"EFA-3.2-112", must, responder, k3_2LongCTSMessage, api, octets,
       "A responder sends the first CTS of a message after it has matched the message with a receive of the "
       "application.", "Only the application knows when it called for a receive, and which message it got"},
      {"EFA-3.2-241", must, responder, k3_2Table3_6, stimulus, octets,
       "A responder keeps working after a CTS whose recv_length is 0.", {}, {dies_of_zero_window}},
      {"EFA-3.2-242", must, responder, k3_2Table3_6, stimulus, octets,
       "A responder answers a CTS that allows more than the remaining data by sending all of the remaining data.",
       "EFA/A-24", {dies_of_wide_window}},
      {"EFA-3.2-243", must, responder, k3_2Table3_6, stimulus, octets,
       "A responder keeps working after a repeated CTS, even if it has already sent the data.", {},
       {dies_of_wide_window}},
      {"EFA-3.2-244", must, responder, k3_2Table3_6, stimulus, octets,
       "A responder keeps working after a second CTS with another recv_id.", {}, {dies_of_contradiction}},
      {"EFA-3.2-251", must, responder, k3_2Table3_7, stimulus, octets,
       "A responder keeps working after a CTSDATA whose seg_length is not its number of data octets, and adds no data "
       "from it to the message.", {}, {dies_of_contradiction}},
      {"EFA-3.2-252", must, responder, k3_2Table3_7, stimulus, octets,
       "A responder keeps working after a CTSDATA that extends beyond the end of the message.", {},
       {dies_of_contradiction}},
      {"EFA-3.2-253", must, responder, k3_2Table3_7, stimulus, octets,
       "A responder keeps working after CTSDATA that no CTS has allowed.", {}, {{dies_of_unknown_id, warning}}},
      {"EFA-3.2-254", must, responder, k3_2Table3_7, stimulus, octets,
       "A responder keeps working after CTSDATA for a message that is already complete.", {}, {connid_needed}},
      {"EFA-3.2-255", must, responder, k3_2Table3_7, stimulus, octets,
       "A responder neither corrupts nor completes a message because of CTSDATA from another peer.", {},
       {{foreign_data_taken, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::CtsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::CtsRules, I> {
};
