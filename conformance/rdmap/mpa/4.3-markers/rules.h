// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaMarkersRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.3-1", must, any, kSection, trace, octets,
       "A sender whose peer has set M inserts markers; every sender supports this.",
       "RDMAP/A-28: an implementation without markers breaks this as soon as a peer requests them.",
       {markers_missing}},
      {"MPA-4.3-2", must, any, kSection, trace, octets,
       "A sender inserts a marker at every 512th octet of the stream, counted from the first marker.",
       "Detected by a CRC that is valid if the marker is absent."},
      {"MPA-4.3-3", must, any, kSection, trace, octets,
       "In a marker inside an FPDU, FPDUPTR is the number of octets from ULPDU_Length to the marker.", {},
       {marker_pointer_wrong}},
      {"MPA-4.3-4", must, any, kSection, none, octets,
       "A receiver that counts back from a marker allows for a wrap of TCP's sequence numbers.",
       "A wrong count in a stream that wraps shows as MPA-4.3-3 or in the echo of a case; sequence numbers belong to "
       "TCP."},
      {"MPA-4.3-5", must, any, kSection, trace, octets,
       "In a marker between two FPDUs, FPDUPTR is zero."},
      {"MPA-4.3-6", must, any, kSection, trace, octets,
       "A sender puts the first marker right before the first FPDU of Full Operation, with FPDUPTR zero.",
       "RFC 5044, 7.1.2 rule 7 says the same."},
      {"MPA-4.3-7", must, any, kSection, trace, octets,
       "All markers inside one FPDU point to the same octet: the first of its ULPDU_Length."},
      {"MPA-4.3-8", must, any, kSection, api, octets,
       "A receiver preserves ULPDU boundaries when it passes data to DDP.",
       "Inside one implementation: with other boundaries, DDP would report errors or place wrong octets.",
       {{boundaries_lost, "verbs"}}},
      {"MPA-4.3-9", must, any, kSection, api, octets,
       "A receiver passes the ULPDU and its length to DDP, without markers, header or CRC.",
       "Inside one implementation; in a buffer that verbs registered, markers would appear in the data.",
       {{pad_delivered, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaMarkersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaMarkersRules, I> {
};
