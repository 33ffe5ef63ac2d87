// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct RawAddressHeaderRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 2.2";
  static constexpr std::string_view k3_1Table3_2 = "EFA RDM v4 3.1, table 3.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-2.2-1", must, requester, kSection, trace, absence,
       "Until the peer's HANDSHAKE has come, every REQ packet has the raw address header.",
       "EFA/A-31, EFA/A-40, EFA/A-45", {raw_address_missing, {raw_address_missing, responder}}},
      {"EFA-2.2-2", must_not, requester, kSection, trace, absence,
       "Once the peer's HANDSHAKE has come, REQ packets have no raw address header, save where the peer asks for a "
       "constant header length.", "EFA/A-40", {raw_address_kept, {raw_address_kept, responder}}},
      {"EFA-2.2-3", must, responder, kSection, api, octets,
       "A receiver takes the address of a sender that it does not know from the raw address header, once.",
       "the address vector and the device's address handles are inside the receiver; that it answers at all, "
       "EFA-2.1-1 shows"},
      {"EFA-2.2-201", must, responder, k3_1Table3_2, stimulus, octets,
       "A raw address of 32 octets or more is read by its size, and what follows it is found behind it.",
       "EFA/A-07: 32 in early releases, 36 since, more in the future", {msg_ids_shared}},
      {"EFA-2.2-202", must, responder, k3_1Table3_2, stimulus, octets,
       "A raw address of fewer than 32 octets does no harm.", {}, {dies_of_contradiction}},
      {"EFA-2.2-203", must, responder, k3_1Table3_2, stimulus, octets,
       "A raw address that is larger than its packet does no harm.", {}, {dies_of_short_packet}},
      {"EFA-2.2-204", must, responder, kSection, stimulus, octets,
       "Once the HANDSHAKE has gone, REQ packets are taken with a raw address and without one.",
       "EFA/A-40, EFA/A-45: packets sent before its arrival have one", {raw_address_refused}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::RawAddressHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::RawAddressHeaderRules, I> {
};
