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
       "An endpoint uses the same connid in the headers of all its packets.", "EFA/A-42, EFA/A-64",
       {{handshake_connid_wrong, responder}, {handshake_blocks_swapped, responder}}},
      {"EFA-4.4-2", must, any, k4_4Table1_5, trace, absence,
       "An endpoint uses the connid of its raw address in its headers.", "EFA/A-42",
       {handshake_connid_wrong, raw_address_wrong_connid, connid_wrong}},
      {"EFA-4.4-3", must, any, k4_4_3_2, trace, octets,
       "An endpoint sets CONNID_HDR in every packet that contains its connid.", "EFA/A-65",
       {handshake_space_reserved, connid_unannounced, {connid_unannounced, requester, warning}}},
      {"EFA-4.4-4", should, requester, k4_4_2_1_3_1, trace, absence,
       "A requester puts the connid, or a raw address, which contains it, in REQ packets to a peer that requests "
       "connid.", "EFA/A-11, EFA/A-39, EFA/A-40", {connid_not_sent, {connid_not_sent, responder}}},
      {"EFA-4.4-5", should, any, k4_4_2_1Table3_7, trace, absence,
       "An endpoint puts the connid in CTSDATA packets to a peer that requests connid.", "EFA/A-39, EFA/A-40",
       {connid_not_sent}},
      {"EFA-4.4-6", should, any, k4_4_2_1Table3_6, trace, absence,
       "An endpoint puts the connid in CTS, READRSP, EOR, ATOMRSP, RECEIPT and READ_NACK packets to a peer that "
       "requests connid.", "EFA/A-39, EFA/A-40"},
      {"EFA-4.4-7", must, any, k3_2Table3_7, trace, octets,
       "An endpoint sends the connid of a CTSDATA packet with its padding, eight octets in all.", "EFA/A-51"},
      {"EFA-4.4-201", should, responder, kSection, stimulus, octets,
       "A responder does not accept a packet as the peer's if its connid is not that of the peer's address.",
       "The receiver may choose not to use the connid, so a violation is a warning",
       {{wrong_connid_accepted, warning}}},
      {"EFA-4.4-202", must, responder, kSection, stimulus, octets,
       "A responder keeps working, and keeps serving the peer, after packets with a connid that is not the peer's.",
       {}, {dies_of_other_connid}},
      {"EFA-4.4-203", must, responder, kSection, stimulus, octets,
       "A responder starts anew with an endpoint that has taken another's address, and accepts its first messages.",
       {}, {wrong_connid_accepted, other_endpoint_refused}},
      {"EFA-4.4-204", must, responder, kSection, stimulus, octets,
       "A responder accepts packets with and without a connid.", {}, {connid_needed, ctsdata_missing}},
      {"EFA-4.4-221", should, requester, kSection, stimulus, octets,
       "A requester does not accept a packet as the responder's if its connid is not the responder's.",
       "The receiver may choose not to use the connid, so a violation is a warning",
       {{wrong_connid_accepted, warning}}},
      {"EFA-4.4-222", must, requester, kSection, stimulus, octets,
       "A requester keeps working, and completes what it waits for, after packets with a connid that is not the "
       "responder's.", {}, {dies_of_other_connid}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ConnidRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ConnidRules, I> {
};
