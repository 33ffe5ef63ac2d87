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
       "A requester puts the raw address header in every REQ packet until it has received the peer's HANDSHAKE.",
       "EFA/A-31, EFA/A-40, EFA/A-45", {raw_address_missing, {raw_address_missing, responder}}},
      {"EFA-2.2-2", must_not, requester, kSection, trace, absence,
       "After it has received the peer's HANDSHAKE, a requester sends no raw address header, unless the peer requests "
       "a constant header length.", "EFA/A-40", {raw_address_kept, {raw_address_kept, responder}}},
      {"EFA-2.2-3", must, responder, kSection, api, octets,
       "A responder takes an unknown sender's address from the raw address header, once.",
       "The address vector and the device's address handles are internal to the receiver. EFA-2.1-1 shows that it "
       "answers at all"},
      {"EFA-2.2-201", must, responder, k3_1Table3_2, stimulus, octets,
       "A responder reads a raw address of 32 octets or more by its size, and finds the next header after it.",
       "EFA/A-07: 32 octets in early releases, 36 since then, possibly more in the future", {msg_ids_shared}},
      {"EFA-2.2-202", must, responder, k3_1Table3_2, stimulus, octets,
       "A responder keeps working after a raw address of fewer than 32 octets.", {}, {dies_of_contradiction}},
      {"EFA-2.2-203", must, responder, k3_1Table3_2, stimulus, octets,
       "A responder keeps working after a raw address whose size exceeds the packet.", {}, {dies_of_short_packet}},
      {"EFA-2.2-204", must, responder, kSection, stimulus, octets,
       "After it has sent its HANDSHAKE, a responder accepts REQ packets with and without a raw address.",
       "EFA/A-40, EFA/A-45: packets sent before the HANDSHAKE arrived have one", {raw_address_refused}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::RawAddressHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::RawAddressHeaderRules, I> {
};
