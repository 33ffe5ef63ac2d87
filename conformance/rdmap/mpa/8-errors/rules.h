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
       "That the TCP connection is gone is detected (code 1).",
       "Nothing can be sent any more: verbs show an event. That a server survives it is judged by cases.",
       {{error_not_surfaced, "verbs"}}},
      {"MPA-8-2", must, any, kSection, stimulus, octets,
       "A CRC that does not hold is detected (code 2): that is reported to the peer, or the segment is dropped in "
       "silence.", "RDMAP/A-01: the Terminate says 2/0/02; 2/3/02 is warned of.", {terminate_code_wrong}},
      {"MPA-8-3", must, any, kSection, stimulus, octets,
       "A marker that does not agree with the ULPDU_Lengths is detected (code 3), where it is checked at all.",
       "RDMAP/A-33: section 5.2 does not require markers to be examined. What must not happen is wrong data.",
       {{terminate_code_wrong, responder, "markers"}}},
      {"MPA-8-4", must, any, kSection, stimulus, octets,
       "On an invalid Request or Reply the TCP connection is closed at once (code 4).",
       "RDMAP/A-34: a Terminate 2/0/04 before that is warned of.", {accepts_bad_key}},
      {"MPA-8-5", must_not, any, kSection, stimulus, octets,
       "Once MPA has delivered an error, it passes no more FPDUs of that half connection.", {},
       {{error_ignored, responder}}},
      {"MPA-8-6", must_not, any, kSection, api, octets,
       "After an error of code 2 or 3 it is not MPA that closes the connection, but the ULP of DDP.",
       "Which of the two has closed does not show on the wire."},
      {"MPA-8-7", should, any, kSection, none, octets,
       "DDP or another consumer is given the code of an error.",
       "Where RDMAP hands it on, the Terminate shows it: MPA-8-2, MPA-8-3."},
      {"MPA-8-8", should, any, kSection, none, octets,
       "2/0/01, connection closed or lost, is reported to DDP.",
       "A Terminate with this code can hardly be sent; time-outs, its other cause, leave nothing in a trace that "
       "could contradict it"},
      {"MPA-8-9", must_not, any, kSection, trace, octets,
       "2/0/03, marker mismatch, is not reported where no markers are in the stream.",
       "RDMAP/A-33, RDMAP/A-55: warned of, as the text has the marker in brackets."},
      {"MPA-8-10", must, any, kSection, trace, octets,
       "2/0/04, invalid start frame: the connection is closed at once instead.", "RDMAP/A-34"},
      {"MPA-8-11", must_not, any, kSection, trace, octets,
       "2/0/02, CRC mismatch, is not reported where CRCs are not in use."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaErrorsRules, I> {
};
