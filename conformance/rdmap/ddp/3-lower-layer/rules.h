// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 3: what DDP asks of the layer below it. Over TCP that layer is MPA, whose own rules judge what of
// it can be seen.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpLowerLayerRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 3";
  static constexpr std::string_view kInside =
      "between two layers of one implementation: seen where DDP hands segments to its LLP";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-3-1", must, any, kSection, api, octets,
       "The LLP reports to DDP its MULPDU and each change of it.", kInside},
      {"DDP-3-2", must_not, any, kSection, api, octets,
       "A change of MULPDU never makes DDP segment again what it has posted.", kInside},
      {"DDP-3-3", must, any, kSection, api, octets,
       "A segment that the LLP has accepted is transferred reliably, or its failure is reported.",
       "RDMAP/V-02: the completion in error of what a reset connection carried shows it",
       {{error_not_surfaced, "verbs"}}},
      {"DDP-3-4", must, any, kSection, none, octets,
       "The LLP preserves the boundaries of segments and messages.",
       "FPDUs keep them: judged by MPA's rules of framing"},
      {"DDP-3-5", must, any, kSection, api, octets,
       "An LLP that hands segments up out of order says in which order they were sent.", kInside},
      {"DDP-3-6", must, any, kSection, none, octets,
       "The LLP protects each segment by a digest at least as strong as CRC32c.", "judged by MPA's rules of the CRC"},
      {"DDP-3-7", must, any, kSection, api, octets,
       "On receipt the LLP reports the length of the segment.", kInside},
      {"DDP-3-8", must_not, any, kSection, none, octets,
       "Where streams cannot be torn down one by one, nothing more is transferred on one that had an error.",
       "a TCP connection is one stream; what follows a Terminate is judged by RDMAP's rules of it"},
      {"DDP-3-9", must, any, kSection, api, octets,
       "The LLP reports that a stream or connection was torn down gracefully.",
       "RDMAP/V-01: what verbs report of the peer's close shows it", {{disconnect_not_told, "verbs pair"}}},
      {"DDP-3-10", must, any, kSection, none, octets,
       "A connection is torn down once each of its streams is torn down or erroneous.",
       "a TCP connection is one stream: judged by RDMAP's rules of error management"},
      {"DDP-3-11", must_not, any, kSection, api, octets,
       "The LLP hands no segment up a second time once all before it have been handed up.",
       "RDMAP/A-73; between two layers of one implementation"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpLowerLayerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpLowerLayerRules, I> {
};
