// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ConnidRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.4";
  static constexpr std::string_view k4_4Table1_5 = "EFA RDM v4 4.4, table 1.5";
  static constexpr std::string_view k4_4_3_2 = "EFA RDM v4 4.4, 3.2";
  static constexpr std::string_view k4_4_2_1_3_1 = "EFA RDM v4 4.4, 2.1, 3.1";
  static constexpr std::string_view k4_4_2_1Table3_7 = "EFA RDM v4 4.4, 2.1, table 3.7";
  static constexpr std::string_view k4_4_2_1Table3_6 = "EFA RDM v4 4.4, 2.1, table 3.6";
  static constexpr std::string_view k3_2Table3_7 = "EFA RDM v4 3.2, table 3.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.4-1", must, any, kSection, trace, absence,
       "Every connid in the headers of an endpoint's packets is the same.", "EFA/A-42, EFA/A-64",
       {{handshake_connid_wrong, responder}, {handshake_blocks_swapped, responder}}},
      {"EFA-4.4-2", must, any, k4_4Table1_5, trace, absence,
       "The connid in an endpoint's headers is that of its raw address.", "EFA/A-42",
       {handshake_connid_wrong, raw_address_wrong_connid, connid_wrong}},
      {"EFA-4.4-3", must, any, k4_4_3_2, trace, octets,
       "CONNID_HDR is set in a packet that has its sender's connid.", "EFA/A-65",
       {handshake_space_reserved, connid_unannounced, {connid_unannounced, requester, warning}}},
      {"EFA-4.4-4", should, requester, k4_4_2_1_3_1, trace, absence,
       "REQ packets to a peer that asks for connid have it, or a raw address, which has it.",
       "EFA/A-11, EFA/A-39, EFA/A-40", {connid_not_sent, {connid_not_sent, responder}}},
      {"EFA-4.4-5", should, any, k4_4_2_1Table3_7, trace, absence,
       "CTSDATA packets to a peer that asks for connid have it.", "EFA/A-39, EFA/A-40", {connid_not_sent}},
      {"EFA-4.4-6", should, any, k4_4_2_1Table3_6, trace, absence,
       "CTS, READRSP, EOR, ATOMRSP, RECEIPT and READ_NACK packets to a peer that asks for connid have it.",
       "EFA/A-39, EFA/A-40"},
      {"EFA-4.4-7", must, any, k3_2Table3_7, trace, octets,
       "The connid of a CTSDATA packet has its padding: eight octets in all.", "EFA/A-51"},
      {"EFA-4.4-201", should, responder, kSection, stimulus, octets,
       "A packet with another connid than its sender's address has is not taken for the sender's.",
       "to use the connid is the receiver's choice, so that this warns", {{wrong_connid_accepted, warning}}},
      {"EFA-4.4-202", must, responder, kSection, stimulus, octets,
       "Packets with another connid than the peer's do no harm, nor to what the peer does.", {},
       {dies_of_other_connid}},
      {"EFA-4.4-203", must, responder, kSection, stimulus, octets,
       "A new endpoint that has taken the address of another begins anew: its first messages are taken.", {},
       {wrong_connid_accepted, other_endpoint_refused}},
      {"EFA-4.4-204", must, responder, kSection, stimulus, octets,
       "Packets are taken with a connid and without one.", {}, {connid_needed, ctsdata_missing}},
      {"EFA-4.4-221", should, requester, kSection, stimulus, octets,
       "A packet to the requester with another connid than the responder's is not taken for the responder's.",
       "to use the connid is the receiver's choice, so that this warns", {{wrong_connid_accepted, warning}}},
      {"EFA-4.4-222", must, requester, kSection, stimulus, octets,
       "Packets to the requester with another connid than the responder's do no harm, nor to what it waits for.", {},
       {dies_of_other_connid}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ConnidRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ConnidRules, I> {
};
