// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct BaseHeaderRules : Words {
  static constexpr std::string_view k1_3Table1_3 = "EFA RDM v4 1.3, table 1.3";
  static constexpr std::string_view k1_3Table1_2 = "EFA RDM v4 1.3, table 1.2";
  static constexpr std::string_view k1_3TheTablesOfChapters2To4 = "EFA RDM v4 1.3, the tables of chapters 2 to 4";
  static constexpr std::string_view k1_3Table1_4 = "EFA RDM v4 1.3, table 1.4";
  static constexpr std::string_view k1_3TheTablesOfChapters3And4 = "EFA RDM v4 1.3, the tables of chapters 3 and 4";
  static constexpr std::string_view kSection = "EFA RDM v4 1.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-1.3-1", must, any, k1_3Table1_3, trace, octets,
       "Every packet begins with the base header of four octets."},
      {"EFA-1.3-2", must, any, k1_3Table1_3, trace, octets,
       "The version of every packet is 4.", "EFA/A-37", {version_three}},
      {"EFA-1.3-3", must, any, k1_3Table1_2, trace, octets,
       "The type is an ID that the document assigns.", "EFA/A-01, EFA/A-35", {sends_unassigned_type}},
      {"EFA-1.3-4", should_not, any, k1_3Table1_2, trace, octets,
       "Packets of the deprecated types RTS and CONNACK are not sent.", {}, {sends_deprecated_type}},
      {"EFA-1.3-5", must_not, any, k1_3Table1_2, trace, octets,
       "Packets of the reserved types 6, 131 and 132 are not sent.", {}, {sends_reserved_type}},
      {"EFA-1.3-6", must, any, k1_3TheTablesOfChapters2To4, trace, octets,
       "Every packet holds the whole mandatory header of its type.", "EFA/A-05, EFA/A-08"},
      {"EFA-1.3-7", must_not, any, k1_3Table1_4, trace, octets,
       "A packet that is no REQ and no HANDSHAKE has no flag but CONNID_HDR, and a CTS besides CTS_EMULATED_READ.",
       {}, {undefined_flag}},
      {"EFA-1.3-8", must_not, any, k1_3TheTablesOfChapters3And4, trace, octets,
       "Nothing follows the header of a CTS, EOR, RECEIPT, READ_NACK or PEER_ERROR.", "EFA/A-08, EFA/A-92",
       {trailing_octets}},
      {"EFA-1.3-9", must, any, k1_3TheTablesOfChapters3And4, trace, octets,
       "A packet holds as many efa_rma_iov as rma_iov_count and read_iov_count say."},
      {"EFA-1.3-10", must, any, kSection, trace, octets,
       "Integers are sent with their lowest octet first.", "EFA/A-21", {{big_endian, warning}}},
      {"EFA-1.3-11", must_not, any, kSection, api, octets,
       "No packet is longer than the device's MTU.",
       "the device reports its MTU (ibv_query_port and efadv_query_device), a trace does not; a device refuses to "
       "send a longer packet"},
      {"EFA-1.3-201", must, any, kSection, stimulus, octets,
       "A packet that is too short for the headers of its type does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_short_packet}},
      {"EFA-1.3-202", must, any, k1_3Table1_2, stimulus, octets,
       "A packet of a type that the protocol does not have does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_unknown_type}},
      {"EFA-1.3-203", must, any, k1_3Table1_2, stimulus, octets,
       "A packet of a deprecated or reserved type does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_unknown_type}},
      {"EFA-1.3-204", must, any, k1_3Table1_3, stimulus, octets,
       "A packet of another version of the protocol does no harm.", "EFA/A-37: taken or passed over",
       {dies_of_other_version}},
      {"EFA-1.3-205", must, any, kSection, stimulus, octets,
       "A flag that the packet's type does not have does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_undefined_flag}},
      {"EFA-1.3-206", must, any, kSection, stimulus, octets,
       "A datagram without a single octet does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_short_packet}},
      {"EFA-1.3-207", must, any, kSection, stimulus, octets,
       "A packet whose counts promise more elements than it has octets does no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_short_packet}},
      {"EFA-1.3-208", must, any, kSection, stimulus, octets,
       "Octets behind a packet that carries no data do no harm.",
       "EFA/A-36: the document is silent; any orderly reaction will do", {dies_of_trailing_octets}},
      {"EFA-1.3-209", must, any, k1_3Table1_4, stimulus, octets,
       "CONNID_HDR without its connid, and a connid without CONNID_HDR, do no harm.", {},
       {{dies_of_trailing_octets, responder}, {dies_of_other_connid, requester}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::BaseHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::BaseHeaderRules, I> {
};
