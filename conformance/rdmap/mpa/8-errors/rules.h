// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 8: errors. How a Terminate reports them is judged with the Terminate (RFC 5040, 4.8).
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaErrorsRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-8-1", must, any, kSection, api, octets,
       "MPA detects the loss of the TCP connection (code 1).",
       "Nothing can be sent after it: verbs show an event. Cases judge that a server survives it.",
       {{error_not_surfaced, "verbs"}}},
      {"MPA-8-2", must, any, kSection, stimulus, octets,
       "MPA detects an invalid CRC (code 2): it reports it to the peer, or silently drops the segment.",
       "RDMAP/A-01: the Terminate has 2/0/02; 2/3/02 is a warning.", {terminate_code_wrong}},
      {"MPA-8-3", must, any, kSection, stimulus, octets,
       "An MPA that checks markers detects one that contradicts the ULPDU_Lengths (code 3).",
       "RDMAP/A-33: section 5.2 does not require a receiver to check markers. Wrong data must not result.",
       {{terminate_code_wrong, responder, "markers"}}},
      {"MPA-8-4", must, any, kSection, stimulus, octets,
       "MPA closes the TCP connection at once after an invalid Request or Reply (code 4).",
       "RDMAP/A-34: a Terminate 2/0/04 before that is a warning.", {accepts_bad_key}},
      {"MPA-8-5", must_not, any, kSection, stimulus, octets,
       "After MPA has delivered an error, it passes up no more FPDUs of that half connection.", {},
       {{error_ignored, responder}}},
      {"MPA-8-6", must_not, any, kSection, api, octets,
       "After an error of code 2 or 3, MPA does not close the connection; DDP's ULP does.",
       "The wire does not show which of the two has closed."},
      {"MPA-8-7", should, any, kSection, none, octets,
       "MPA reports the code of an error to DDP or another consumer.",
       "If RDMAP passes it on, the Terminate shows it: MPA-8-2, MPA-8-3."},
      {"MPA-8-8", should, any, kSection, none, octets,
       "MPA reports 2/0/01, connection closed or lost, to DDP.",
       "A Terminate with this code can hardly be sent; time-outs, its other cause, leave no evidence in a trace"},
      {"MPA-8-9", must_not, any, kSection, trace, octets,
       "A peer does not report 2/0/03 (marker mismatch) on a stream without markers.",
       "RDMAP/A-33, RDMAP/A-55: a warning, as the text has the marker in brackets."},
      {"MPA-8-10", must, any, kSection, trace, octets,
       "A peer does not report 2/0/04 (invalid start frame): it closes the connection at once instead.", "RDMAP/A-34"},
      {"MPA-8-11", must_not, any, kSection, trace, octets,
       "A peer does not report 2/0/02 (CRC mismatch) if CRCs are not in use."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaErrorsRules, I> {
};
