// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ReqRules : Words {
  static constexpr std::string_view k3_1Table3_1 = "EFA RDM v4 3.1, table 3.1";
  static constexpr std::string_view k3_1Table3_2 = "EFA RDM v4 3.1, table 3.2";
  static constexpr std::string_view kSection = "EFA RDM v4 3.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.1-1", must_not, requester, k3_1Table3_1, trace, octets,
       "A REQ packet has no flags but those of table 3.1.", "EFA/A-15", {undefined_flag, {undefined_flag, responder}}},
      {"EFA-3.1-2", must, requester, k3_1Table3_1, trace, octets,
       "REQ_MSG is set in RTM packets, also in tagged ones.", "EFA/A-10",
       {msg_flag_missing, {msg_flag_missing, responder}, {msg_flag_missing, requester, warning}}},
      {"EFA-3.1-3", must, requester, k3_1Table3_1, trace, octets,
       "REQ_TAGGED is set in TAGRTM packets.", "EFA/A-10", {tagged_flag_missing}},
      {"EFA-3.1-4", should, requester, k3_1Table3_1, trace, octets,
       "REQ_RMA is set in RTW and RTR packets.", "EFA/A-09", {{rma_flag_missing, warning}}},
      {"EFA-3.1-5", must, requester, k3_1Table3_1, trace, octets,
       "REQ_ATOMIC is set in RTA packets.", {}, {atomic_flag_missing}},
      {"EFA-3.1-6", must_not, requester, k3_1Table3_1, trace, octets,
       "REQ_MSG is not set in RTW, RTR and RTA packets.", {}, {msg_flag_on_write}},
      {"EFA-3.1-7", must_not, requester, k3_1Table3_1, trace, octets,
       "REQ_TAGGED is set in no REQ packets but TAGRTM.", {},
       {tagged_flag_on_untagged, {tagged_flag_on_untagged, responder}}},
      {"EFA-3.1-8", must_not, requester, k3_1Table3_1, trace, octets,
       "REQ_RMA is not set in RTM and RTA packets."},
      {"EFA-3.1-9", must_not, requester, k3_1Table3_1, trace, octets,
       "REQ_ATOMIC is not set in RTM, RTW and RTR packets."},
      {"EFA-3.1-10", must, requester, k3_1Table3_2, trace, octets,
       "The raw address header holds as many octets as its size says.", "EFA/A-07",
       {raw_address_size_beyond, {raw_address_size_beyond, responder}}},
      {"EFA-3.1-11", must, requester, kSection, trace, octets,
       "The optional headers that the flags announce are there."},
      {"EFA-3.1-12", must, requester, kSection, trace, octets,
       "The raw address header is in front of the CQ data header.", {}, {raw_address_behind_cq_data}},
      {"EFA-3.1-13", must, requester, kSection, trace, octets,
       "The CQ data header is in front of the connid header.", {}, {connid_before_cq_data}},
      {"EFA-3.1-14", must, requester, kSection, trace, octets,
       "The connid header of REQ packets has four octets, no padding.", "EFA/A-51", {connid_padded}},
      {"EFA-3.1-15", must_not, requester, kSection, trace, octets,
       "RTR packets carry no application data.", {}, {rtr_with_data}},
      {"EFA-3.1-16", should_not, requester, kSection, trace, octets,
       "RTR and RTA packets have no CQ data header.", "EFA/A-47", {rtr_cq_data}},
      {"EFA-3.1-17", must, requester, kSection, api, octets,
       "Tagged sends are requested by TAGRTM packets, others by MSGRTM packets.",
       "which call the application made is not in the packets"},
      {"EFA-3.1-18", must, requester, kSection, api, octets,
       "CQ data that the application gives with a send or write goes in the CQ data header, and is in the peer's "
       "completion.", "the call of the application, and the completion of the peer's, show it"},
      {"EFA-3.1-19", must, responder, kSection, api, octets,
       "The CQ data of a message is in the completion of the receive that takes the message.",
       "the completion of the application that receives shows it"},
      {"EFA-3.1-201", must, responder, kSection, stimulus, octets,
       "Any combination of optional headers is read in the order of their bits, and the data is found behind them.",
       "EFA/A-11, EFA/A-51", {raw_address_refused, atomic_read_needs_operand}},
      {"EFA-3.1-202", must, responder, k3_1Table3_1, stimulus, octets,
       "A write is taken with REQ_RMA and without it.", "EFA/A-09: no release sets it", {rma_flag_needed}},
      {"EFA-3.1-203", must, responder, k3_1Table3_1, stimulus, octets,
       "A REQ packet whose flags are of another use than its type does no harm.", "the document has no reaction",
       {dies_of_empty_write}},
      {"EFA-3.1-204", must, responder, kSection, stimulus, octets,
       "A receive takes a tagged message with its own tag, and no other.",
       "TAGRTM are of libfabric's tagged calls; only where the application receives one tag alone (parameter tag)",
       {{tag_ignored, "one tag"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReqRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReqRules, I> {
};
