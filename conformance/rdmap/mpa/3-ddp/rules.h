// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaDdpRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-3-1", must, any, kSection, trace, octets,
       "An FPDU holds exactly one ULPDU, and a ULPDU has at least one octet."},
      {"MPA-3-2", must, any, kSection, api, octets,
       "MPA reports to DDP how long a record may be (MULPDU).",
       "Inside one implementation; what DDP makes of it is seen as MPA-4.5-1 and MPA-4.5-2."},
      {"MPA-3-3", should, any, kSection, none, octets,
       "DDP's records are at most MULPDU long.",
       "The same octets are judged as MPA-4.5-1 (with markers) and MPA-4.5-2 (without)."},
      {"MPA-3-4", must, any, kSection, api, octets,
       "MULPDU is between 128 and 64768 octets.",
       "A value inside one implementation; its upper end is seen as MPA-3-5."},
      {"MPA-3-5", must_not, any, kSection, trace, octets,
       "No ULPDU is longer than 64768 octets."},
      {"MPA-3-6", must, any, kSection, api, octets,
       "Each ULPDU that has been validated is passed to DDP with its length.",
       "Inside one implementation; a receive that completes with the right length and octets is what shows of it.",
       {{receive_length_wrong, "verbs"}}},
      {"MPA-3-7", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order does so as soon as each is whole and validated.",
       "Inside one implementation; early placement may show in a buffer that verbs registered."},
      {"MPA-3-8", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order can report to DDP in which order they were sent.",
       "Inside one implementation."},
      {"MPA-3-9", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order reports to DDP when one, and all before it, is complete.",
       "Inside one implementation; verbs would show it as a completion."},
      {"MPA-3-10", should, any, kSection, api, octets,
       "A receiver that passes ULPDUs out of order reports to DDP that TCP has closed or begins to.",
       "Inside one implementation; verbs would show it as an asynchronous event."},
      {"MPA-3-11", must, any, kSection, api, octets,
       "DDP gets the protocol version that MPA has agreed on, and sets its own by it.",
       "Inside one implementation; DDP's and RDMAP's version fields are judged against MPA's revision there."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaDdpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaDdpRules, I> {
};
