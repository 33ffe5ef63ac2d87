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
       "An endpoint begins every packet with the base header of four octets."},
      {"EFA-1.3-2", must, any, k1_3Table1_3, trace, octets,
       "An endpoint sets version to 4 in every packet.", "EFA/A-37", {version_three}},
      {"EFA-1.3-3", must, any, k1_3Table1_2, trace, octets,
       "An endpoint sends only packet types that the document assigns.", "EFA/A-01, EFA/A-35", {sends_unassigned_type}},
      {"EFA-1.3-4", should_not, any, k1_3Table1_2, trace, octets,
       "An endpoint does not send packets of the deprecated types RTS and CONNACK.", {}, {sends_deprecated_type}},
      {"EFA-1.3-5", must_not, any, k1_3Table1_2, trace, octets,
       "An endpoint does not send packets of the reserved types 6, 131 and 132.", {}, {sends_reserved_type}},
      {"EFA-1.3-6", must, any, k1_3TheTablesOfChapters2To4, trace, octets,
       "An endpoint sends the complete mandatory header of the packet's type.", "EFA/A-05, EFA/A-08"},
      {"EFA-1.3-7", must_not, any, k1_3Table1_4, trace, octets,
       "A packet other than a REQ or HANDSHAKE has no flags except CONNID_HDR, and CTS_EMULATED_READ in a CTS.", {},
       {undefined_flag}},
      {"EFA-1.3-8", must_not, any, k1_3TheTablesOfChapters3And4, trace, octets,
       "An endpoint sends no octets after the header of a CTS, EOR, RECEIPT, READ_NACK or PEER_ERROR.",
       "EFA/A-08, EFA/A-92", {trailing_octets}},
      {"EFA-1.3-9", must, any, k1_3TheTablesOfChapters3And4, trace, octets,
       "A packet contains as many efa_rma_iov structures as its rma_iov_count and read_iov_count declare."},
      {"EFA-1.3-10", must, any, kSection, trace, octets,
       "An endpoint sends integers in little-endian octet order.", "EFA/A-21", {{big_endian, warning}}},
      {"EFA-1.3-11", must_not, any, kSection, api, octets,
       "An endpoint sends no packet that is longer than the device's MTU.",
       "The device reports its MTU (ibv_query_port and efadv_query_device), but a trace does not contain it. A device "
       "refuses to send a longer packet"},
      {"EFA-1.3-201", must, any, kSection, stimulus, octets,
       "An endpoint keeps working after a packet that is too short for the headers of its type.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_short_packet}},
      {"EFA-1.3-202", must, any, k1_3Table1_2, stimulus, octets,
       "An endpoint keeps working after a packet of a type that the protocol does not define.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_unknown_type}},
      {"EFA-1.3-203", must, any, k1_3Table1_2, stimulus, octets,
       "An endpoint keeps working after a packet of a deprecated or reserved type.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_unknown_type}},
      {"EFA-1.3-204", must, any, k1_3Table1_3, stimulus, octets,
       "An endpoint keeps working after a packet of another protocol version.",
       "EFA/A-37: it may accept or ignore the packet", {dies_of_other_version}},
      {"EFA-1.3-205", must, any, kSection, stimulus, octets,
       "An endpoint keeps working after a packet with a flag that its type does not define.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_undefined_flag}},
      {"EFA-1.3-206", must, any, kSection, stimulus, octets,
       "An endpoint keeps working after an empty datagram.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_short_packet}},
      {"EFA-1.3-207", must, any, kSection, stimulus, octets,
       "An endpoint keeps working after a packet whose counts declare more elements than the packet contains.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_short_packet}},
      {"EFA-1.3-208", must, any, kSection, stimulus, octets,
       "An endpoint keeps working after a packet that has extra octets although its type carries no data.",
       "EFA/A-36: the document is silent, so any orderly reaction is right", {dies_of_trailing_octets}},
      {"EFA-1.3-209", must, any, k1_3Table1_4, stimulus, octets,
       "An endpoint keeps working after a packet with CONNID_HDR but no connid, or with a connid but no CONNID_HDR.",
       {}, {{dies_of_trailing_octets, responder}, {dies_of_other_connid, requester}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::BaseHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::BaseHeaderRules, I> {
};
