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
       "A requester sets no flags in a REQ packet except those of table 3.1.", "EFA/A-15",
       {undefined_flag, {undefined_flag, responder}}},
      {"EFA-3.1-2", must, requester, k3_1Table3_1, trace, octets,
       "A requester sets REQ_MSG in every RTM packet, including tagged ones.", "EFA/A-10",
       {msg_flag_missing, {msg_flag_missing, responder}, {msg_flag_missing, requester, warning}}},
      {"EFA-3.1-3", must, requester, k3_1Table3_1, trace, octets,
       "A requester sets REQ_TAGGED in every TAGRTM packet.", "EFA/A-10", {tagged_flag_missing}},
      {"EFA-3.1-4", should, requester, k3_1Table3_1, trace, octets,
       "A requester sets REQ_RMA in every RTW and RTR packet.", "EFA/A-09", {{rma_flag_missing, warning}}},
      {"EFA-3.1-5", must, requester, k3_1Table3_1, trace, octets,
       "A requester sets REQ_ATOMIC in every RTA packet.", {}, {atomic_flag_missing}},
      {"EFA-3.1-6", must_not, requester, k3_1Table3_1, trace, octets,
       "A requester does not set REQ_MSG in RTW, RTR or RTA packets.", {}, {msg_flag_on_write}},
      {"EFA-3.1-7", must_not, requester, k3_1Table3_1, trace, octets,
       "A requester does not set REQ_TAGGED in REQ packets other than TAGRTM.", {},
       {tagged_flag_on_untagged, {tagged_flag_on_untagged, responder}}},
      {"EFA-3.1-8", must_not, requester, k3_1Table3_1, trace, octets,
       "A requester does not set REQ_RMA in RTM or RTA packets."},
      {"EFA-3.1-9", must_not, requester, k3_1Table3_1, trace, octets,
       "A requester does not set REQ_ATOMIC in RTM, RTW or RTR packets."},
      {"EFA-3.1-10", must, requester, k3_1Table3_2, trace, octets,
       "The raw address header contains as many address octets as its size field declares.", "EFA/A-07",
       {raw_address_size_beyond, {raw_address_size_beyond, responder}}},
      {"EFA-3.1-11", must, requester, kSection, trace, octets,
       "A REQ packet contains every optional header that its flags announce."},
      {"EFA-3.1-12", must, requester, kSection, trace, octets,
       "A requester puts the raw address header before the CQ data header.", {}, {raw_address_behind_cq_data}},
      {"EFA-3.1-13", must, requester, kSection, trace, octets,
       "A requester puts the CQ data header before the connid header.", {}, {connid_before_cq_data}},
      {"EFA-3.1-14", must, requester, kSection, trace, octets,
       "The connid header of a REQ packet has four octets and no padding.", "EFA/A-51", {connid_padded}},
      {"EFA-3.1-15", must_not, requester, kSection, trace, octets,
       "A requester sends no application data in an RTR packet.", {}, {rtr_with_data}},
      {"EFA-3.1-16", should_not, requester, kSection, trace, octets,
       "A requester sends no CQ data header in RTR and RTA packets.", "EFA/A-47", {rtr_cq_data}},
      {"EFA-3.1-17", must, requester, kSection, api, octets,
       "A requester uses TAGRTM packets for tagged sends, and MSGRTM packets for untagged sends.",
       "The packets do not show which call the application made"},
      {"EFA-3.1-18", must, requester, kSection, api, octets,
       "A requester puts the application's CQ data for a send or write in the CQ data header, and the peer's "
       "completion contains it.", "The application's call and the completion of the peer's application show it"},
      {"EFA-3.1-19", must, responder, kSection, api, octets,
       "A responder reports a message's CQ data in the completion of the receive that takes the message.",
       "The completion of the receiving application shows it"},
      {"EFA-3.1-201", must, responder, kSection, stimulus, octets,
       "A responder reads any combination of optional headers in the order of their bits, and finds the data after "
       "them.", "EFA/A-11, EFA/A-51", {raw_address_refused, atomic_read_needs_operand}},
      {"EFA-3.1-202", must, responder, k3_1Table3_1, stimulus, octets,
       "A responder accepts a write with REQ_RMA set or clear.", "EFA/A-09: no release sets it", {rma_flag_needed}},
      {"EFA-3.1-203", must, responder, k3_1Table3_1, stimulus, octets,
       "A responder keeps working after a REQ packet whose flags do not match its type.",
       "The document defines no reaction", {dies_of_empty_write}},
      {"EFA-3.1-204", must, responder, kSection, stimulus, octets,
       "A responder delivers a tagged message only to a receive with the same tag.",
       "TAGRTM comes from libfabric's tagged calls. Tried only if the application receives a single tag (parameter "
       "tag)", {{tag_ignored, "one tag"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReqRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReqRules, I> {
};
