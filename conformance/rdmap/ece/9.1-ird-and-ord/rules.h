// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceIrdAndOrdRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.1-1", must, any, kSection, api, octets,
       "The peer's IRD and ORD are passed to the ULP.", "RDMAP/V-06: the events of librdmacm show it.",
       {{depths_not_passed, "verbs"}}},
      {"ECE-9.1-2", must, responder, kSection, trace, octets,
       "The responder's ORD is at most the initiator's IRD.",
       "Of an accepting reply, save where IRD is 0x3FFF. An ORD of 0x3FFF is warned of: RDMAP/A-65.",
       {enhanced_ord_above_ird}},
      {"ECE-9.1-3", must, responder, kSection, trace, octets,
       "The responder's IRD serves the initiator's ORD.",
       "RDMAP/A-51: at least as large by the definition; yet the initiator has to come down to it, so a smaller one "
       "is passed over, and one of 0 where Reads are wanted is warned of.", {{enhanced_ird_zero, warning}}},
      {"ECE-9.1-4", must, initiator, kSection, none, octets,
       "On an accepting reply the initiator's ORD becomes at most the responder's IRD, and its IRD at least the "
       "responder's ORD.",
       "What it has set shows in the Read Requests that are outstanding: judged with RFC 5040's Reads."},
      {"ECE-9.1-5", must, initiator, kSection, stimulus, octets,
       "An initiator without the resources for the responder's ORD sends a Terminate 2/0/06 and ends the connection.",
       "It may as well have the resources; then it goes on.", {{insufficient_ird_ignored, warning}, goes_silent}},
      {"ECE-9.1-6", may, responder, kSection, api, octets,
       "A responder whose ULP needs more than the initiator's IRD may reject and say how much it needs.",
       "What the ULP needs is known above MPA. The text has a Terminate 2/0/06 follow from it, for which a rejected "
       "connection has no FPDU: RDMAP/A-32."},
      {"ECE-9.1-8", must, responder, kSection, trace, octets,
       "An initiator's ORD of 0x3FFF (no negotiation) is answered by an IRD of 0x3FFF.", {}, {enhanced_3fff_answered}},
      {"ECE-9.1-9", must, responder, kSection, trace, octets,
       "An initiator's IRD of 0x3FFF (no negotiation) is answered by an ORD of 0x3FFF.", {}, {enhanced_3fff_answered}},
      {"ECE-9.1-10", must, responder, kSection, api, octets,
       "The responder leaves its own IRD alone where the initiator's ORD is 0x3FFF, and its ORD where the IRD is.",
       "A value inside one implementation: the wire shows 0x3FFF (ECE-9.1-8, ECE-9.1-9)."},
      {"ECE-9.1-11", must, initiator, kSection, api, octets,
       "The initiator leaves its own ORD alone where the responder's IRD is 0x3FFF, and its IRD where the ORD is.",
       "A value inside one implementation."},
      {"ECE-9.1-12", must, initiator, kSection, api, octets,
       "The responder's IRD and ORD are passed to the initiator's ULP, with a rejection too.",
       "RDMAP/V-06: the events of librdmacm show it.", {{depths_not_passed, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceIrdAndOrdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceIrdAndOrdRules, I> {
};
