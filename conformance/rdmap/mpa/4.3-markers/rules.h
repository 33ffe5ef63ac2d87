// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaMarkersRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.3-1", must, any, kSection, trace, octets,
       "A side whose peer has set M puts markers into what it sends: every sender is able to.",
       "RDMAP/A-28: an implementation without markers breaks this as soon as a peer asks for them.",
       {markers_missing}},
      {"MPA-4.3-2", must, any, kSection, trace, octets,
       "A marker is at every 512th octet of the stream, counted from the first one.",
       "Detected by a CRC that holds if no marker is there."},
      {"MPA-4.3-3", must, any, kSection, trace, octets,
       "The FPDUPTR of a marker inside an FPDU counts the octets of the stream from the ULPDU_Length to the marker.",
       {}, {marker_pointer_wrong}},
      {"MPA-4.3-4", must, any, kSection, none, octets,
       "Counting back from a marker takes into account that TCP's sequence numbers may have wrapped in between.",
       "A wrong count in a stream that wraps shows as MPA-4.3-3 or in the echo of a case; sequence numbers are TCP's."},
      {"MPA-4.3-5", must, any, kSection, trace, octets,
       "The FPDUPTR of a marker between two FPDUs is zero."},
      {"MPA-4.3-6", must, any, kSection, trace, octets,
       "The first marker is right before the first FPDU of Full Operation, and its FPDUPTR is zero.",
       "RFC 5044, 7.1.2 rule 7 says the same."},
      {"MPA-4.3-7", must, any, kSection, trace, octets,
       "All markers inside one FPDU point at the same octet: the first of its ULPDU_Length."},
      {"MPA-4.3-8", must, any, kSection, api, octets,
       "A receiver keeps ULPDU boundaries when it passes data on.",
       "Inside one implementation: a DDP that were given other boundaries would answer with errors, or place wrong "
       "octets.", {{boundaries_lost, "verbs"}}},
      {"MPA-4.3-9", must, any, kSection, api, octets,
       "A receiver passes the ULPDU and its length to DDP, and neither markers nor header nor CRC.",
       "Inside one implementation; in a buffer that verbs registered, markers would show among the data.",
       {{pad_delivered, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaMarkersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaMarkersRules, I> {
};
