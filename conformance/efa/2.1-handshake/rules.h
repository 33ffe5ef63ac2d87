// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct HandshakeRules : Words {
  static constexpr std::string_view k2_1_2_2 = "EFA RDM v4 2.1, 2.2";
  static constexpr std::string_view k2_1 = "EFA RDM v4 2.1";
  static constexpr std::string_view k2_1Table2_2 = "EFA RDM v4 2.1, table 2.2";
  static constexpr std::string_view k2_1Table2_1 = "EFA RDM v4 2.1, table 2.1";
  static constexpr std::string_view k2_1_1Table2_3 = "EFA RDM v4 2.1.1, table 2.3";
  static constexpr std::string_view k2_1_1Table2_2 = "EFA RDM v4 2.1.1, table 2.2";
  static constexpr std::string_view k2_1_1 = "EFA RDM v4 2.1.1";
  static constexpr std::string_view k2_1Table2_1_2_6 = "EFA RDM v4 2.1, table 2.1 (2.6)";
  static constexpr std::string_view k2_1_1Table2_3Main = "EFA RDM v4 2.1.1, table 2.3 (main)";
  static constexpr std::string_view k2_1_2_1_1 = "EFA RDM v4 2.1, 2.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-2.1-1", must, any, k2_1_2_2, trace, absence,
       "An endpoint sends a HANDSHAKE to a peer whose first packet is a REQ.", "EFA/A-13, EFA/A-14",
       {no_handshake, {no_handshake, warning}, {handshake_late, requester, "stimulus"},
        {dies_of_long_raw_address, warning}, {dies_of_empty_write, responder, "stimulus"}}},
      {"EFA-2.1-2", must, any, k2_1, trace, absence,
       "An endpoint sends a HANDSHAKE to a peer whose first packet is a HANDSHAKE or another non-REQ.", "EFA/A-13",
       {{no_handshake, requester, warning}, {handshake_late, requester, warning, "stimulus"},
        {handshake_only_to_requests, requester, warning}, {handshake_only_to_requests, responder, warning, "stimulus"}}},
      {"EFA-2.1-3", should, any, k2_1, trace, absence,
       "An endpoint sends one HANDSHAKE to each peer.", "EFA/A-14",
       {{handshake_twice, warning}, {handshake_to_every_request, warning}}},
      {"EFA-2.1-4", should, any, k2_1, trace, absence,
       "An endpoint sends its HANDSHAKE immediately after the peer's first packet.", "EFA/A-14, EFA/A-40",
       {{handshake_only_to_requests, requester, warning}}},
      {"EFA-2.1-10", must, any, k2_1Table2_2, trace, octets,
       "An endpoint sets nextra_p3 to at least 4: the number of members of extra_info, at least one, plus three.",
       "EFA/A-12", {{handshake_without_extra_info, warning}}},
      {"EFA-2.1-11", must, any, k2_1Table2_2, trace, octets,
       "extra_info in a HANDSHAKE has nextra_p3 - 3 members of eight octets each.", "EFA/A-12",
       {handshake_count_low, handshake_count_of_ids}},
      {"EFA-2.1-12", should_not, any, k2_1Table2_1, trace, octets,
       "An endpoint sets only those bits of extra_info that are the ID of an extra feature or request.", "EFA/A-35",
       {{handshake_undefined_bit, warning}}},
      {"EFA-2.1-13", must_not, any, k2_1_1Table2_3, trace, octets,
       "A HANDSHAKE has no flags except CONNID_HDR, HANDSHAKE_HOST_ID_HDR, HANDSHAKE_DEVICE_VERSION_HDR and, in later "
       "documents, those of the user receive QP and of HMEM.", "EFA/A-35, EFA/A-90", {undefined_flag}},
      {"EFA-2.1-14", must, any, k2_1_1Table2_2, trace, octets,
       "A HANDSHAKE contains each optional field that its flags announce, with its padding.", {},
       {handshake_connid_unpadded, handshake_truncated}},
      {"EFA-2.1-15", must, any, k2_1_1Table2_2, trace, octets,
       "A HANDSHAKE has its optional fields in the order connid, host_id, device_version and, in later documents, "
       "user receive QP and HMEM.", {}, {handshake_blocks_swapped}},
      {"EFA-2.1-16", must_not, any, k2_1_1, trace, octets,
       "A HANDSHAKE reserves no space for an optional field that is absent."},
      {"EFA-2.1-17", should_not, any, k2_1Table2_2, trace, octets,
       "A HANDSHAKE has no octets after the fields of table 2.2.", "EFA/A-35",
       {{handshake_space_reserved, responder, warning}, {connid_unannounced, responder, warning}}},
      {"EFA-2.1-30", should, any, k2_1Table2_1_2_6, trace, octets,
       "An endpoint of 2.6 or later still announces IDs 1, 3, 4 and 6, because earlier peers check them.",
       "EFA/A-91: judged if --revision is 2.6 or main, or if the HANDSHAKE shows main"},
      {"EFA-2.1-31", must, any, k2_1_1Table2_3Main, trace, octets,
       "An endpoint sets p2p_supported in the HMEM block of its HANDSHAKE to 0 or 1.", {}, {hmem_undefined}},
      {"EFA-2.1-201", must, any, k2_1_2_1_1, stimulus, octets,
       "An endpoint accepts a HANDSHAKE with unknown bits, flags, extra_info members or trailing octets, and uses the "
       "parts that it knows.", "EFA/A-35: later releases send them",
       {{dies_of_undefined_flag, responder}, dies_of_undefined_extra_info, dies_of_trailing_handshake}},
      {"EFA-2.1-202", must, any, k2_1Table2_2, stimulus, octets,
       "An endpoint keeps working after a HANDSHAKE whose nextra_p3 is invalid.", "EFA/A-12",
       {{dies_of_trailing_handshake, responder}, {dies_of_second_handshake, requester}, dies_of_missing_extra_info}},
      {"EFA-2.1-203", must, any, k2_1, stimulus, octets,
       "An endpoint keeps working after a second HANDSHAKE from a peer.", "EFA/A-14", {dies_of_undefined_extra_info}},
      {"EFA-2.1-204", must, responder, k2_1, stimulus, octets,
       "A responder serves a peer that announces nothing, or has not sent its HANDSHAKE, with the baseline features.",
       {}, {dies_of_missing_extra_info, handshake_needed, ctsdata_missing}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::HandshakeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::HandshakeRules, I> {
};
