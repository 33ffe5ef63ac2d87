// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceIrdAndOrdRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.1-1", must, any, kSection, api, octets,
       "MPA passes the peer's IRD and ORD to the ULP.", "RDMAP/V-06: the events of librdmacm show it.",
       {{depths_not_passed, "verbs"}}},
      {"ECE-9.1-2", must, responder, kSection, trace, octets,
       "The responder's ORD is at most the initiator's IRD.",
       "Only for an accepting reply whose request has another IRD than 0x3FFF. An ORD of 0x3FFF is a warning: "
       "RDMAP/A-65.", {enhanced_ord_above_ird}},
      {"ECE-9.1-3", must, responder, kSection, trace, octets,
       "The responder's IRD is large enough for the initiator's ORD.",
       "RDMAP/A-51: the definition requires at least the ORD, yet the initiator has to lower it. So a smaller IRD is "
       "ignored, and 0 is a warning if Reads are wanted.", {{enhanced_ird_zero, warning}}},
      {"ECE-9.1-4", must, initiator, kSection, none, octets,
       "After an accepting reply, the initiator's ORD is at most the responder's IRD, and its IRD at least the "
       "responder's ORD.", "The outstanding Read Requests show its values: judged with RFC 5040's Reads."},
      {"ECE-9.1-5", must, initiator, kSection, stimulus, octets,
       "An initiator that lacks resources for the responder's ORD sends a Terminate 2/0/06 and ends the connection.",
       "It may also have the resources; then it continues.", {{insufficient_ird_ignored, warning}, goes_silent}},
      {"ECE-9.1-6", may, responder, kSection, api, octets,
       "A responder whose ULP needs more than the initiator's IRD may reject and name the IRD that it needs.",
       "Only the ULP knows what it needs. In the text a Terminate 2/0/06 follows, but a rejected connection has no "
       "FPDU for it: RDMAP/A-32."},
      {"ECE-9.1-8", must, responder, kSection, trace, octets,
       "The responder answers an ORD of 0x3FFF (no negotiation) with an IRD of 0x3FFF.", {}, {enhanced_3fff_answered}},
      {"ECE-9.1-9", must, responder, kSection, trace, octets,
       "The responder answers an IRD of 0x3FFF (no negotiation) with an ORD of 0x3FFF.", {}, {enhanced_3fff_answered}},
      {"ECE-9.1-10", must, responder, kSection, api, octets,
       "The responder does not adjust its IRD if the initiator's ORD is 0x3FFF, nor its ORD if the initiator's IRD "
       "is.", "A value inside one implementation: the wire shows 0x3FFF (ECE-9.1-8, ECE-9.1-9)."},
      {"ECE-9.1-11", must, initiator, kSection, api, octets,
       "The initiator does not adjust its ORD if the responder's IRD is 0x3FFF, nor its IRD if the responder's ORD "
       "is.", "A value inside one implementation."},
      {"ECE-9.1-12", must, initiator, kSection, api, octets,
       "MPA passes the responder's IRD and ORD to the initiator's ULP, also with a rejection.",
       "RDMAP/V-06: the events of librdmacm show it.", {{depths_not_passed, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceIrdAndOrdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceIrdAndOrdRules, I> {
};
