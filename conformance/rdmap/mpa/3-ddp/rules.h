// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaDdpRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-3-1", must, any, kSection, trace, octets,
       "An FPDU contains exactly one ULPDU, and a ULPDU has at least one octet."},
      {"MPA-3-2", must, any, kSection, api, octets,
       "MPA reports to DDP the longest record that it can send (MULPDU).",
       "Inside one implementation; MPA-4.5-1 and MPA-4.5-2 judge what DDP does with it."},
      {"MPA-3-3", should, any, kSection, none, octets,
       "DDP sends records of at most MULPDU octets.",
       "MPA-4.5-1 (with markers) and MPA-4.5-2 (without) judge the same octets."},
      {"MPA-3-4", must, any, kSection, api, octets,
       "MULPDU is between 128 and 64768 octets.", "A value inside one implementation; MPA-3-5 judges its upper end."},
      {"MPA-3-5", must_not, any, kSection, trace, octets,
       "A sender sends no ULPDU longer than 64768 octets."},
      {"MPA-3-6", must, any, kSection, api, octets,
       "MPA passes each valid ULPDU to DDP with its length.",
       "Inside one implementation; a receive that completes with the right length and octets shows it.",
       {{receive_length_wrong, "verbs"}}},
      {"MPA-3-7", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order passes each as soon as it is complete and valid.",
       "Inside one implementation; early placement may show in a buffer that verbs registered."},
      {"MPA-3-8", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order can report the order in which they were sent to DDP.",
       "Inside one implementation."},
      {"MPA-3-9", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order reports to DDP when a ULPDU and all before it are complete.",
       "Inside one implementation; verbs would show it as a completion."},
      {"MPA-3-10", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order reports to DDP when TCP closes or begins to close.",
       "Inside one implementation; verbs would show it as an asynchronous event."},
      {"MPA-3-11", must, any, kSection, api, octets,
       "DDP gets the protocol version that MPA has negotiated, and sets its own version accordingly.",
       "Inside one implementation; the rules of DDP and RDMAP judge their version fields by MPA's revision."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaDdpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaDdpRules, I> {
};
