// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 3: what DDP requires of the layer below it. Over TCP that layer is MPA, whose rules judge what is
// visible.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpLowerLayerRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 3";
  static constexpr std::string_view kInside =
      "Between two layers of one implementation: it shows where DDP hands segments to its LLP";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-3-1", must, any, kSection, api, octets,
       "The LLP reports its MULPDU, and each change of it, to DDP.", kInside},
      {"DDP-3-2", must_not, any, kSection, api, octets,
       "DDP does not segment posted messages again when MULPDU changes.", kInside},
      {"DDP-3-3", must, any, kSection, api, octets,
       "The LLP transfers each segment that it has accepted reliably, or reports the failure.",
       "RDMAP/V-02: work on a reset connection completes in error", {{error_not_surfaced, "verbs"}}},
      {"DDP-3-4", must, any, kSection, none, octets,
       "The LLP preserves the boundaries of segments and messages.",
       "FPDUs preserve them: judged by MPA's framing rules"},
      {"DDP-3-5", must, any, kSection, api, octets,
       "An LLP that passes segments up out of order reports the order in which they were sent.", kInside},
      {"DDP-3-6", must, any, kSection, none, octets,
       "The LLP protects each segment with a digest at least as strong as CRC32c.", "Judged by MPA's CRC rules"},
      {"DDP-3-7", must, any, kSection, api, octets,
       "The LLP reports the length of each received segment to DDP.", kInside},
      {"DDP-3-8", must_not, any, kSection, none, octets,
       "If the LLP cannot tear down single streams, it transfers nothing more on a stream that had an error.",
       "A TCP connection is one stream; RDMAP's Terminate rules judge what follows a Terminate"},
      {"DDP-3-9", must, any, kSection, api, octets,
       "The LLP reports the graceful teardown of a stream or connection to DDP.",
       "RDMAP/V-01: the verbs report the peer's close", {{disconnect_not_told, "verbs pair"}}},
      {"DDP-3-10", must, any, kSection, none, octets,
       "The LLP tears a connection down when each of its streams is torn down or erroneous.",
       "A TCP connection is one stream: judged by RDMAP's error-management rules"},
      {"DDP-3-11", must_not, any, kSection, api, octets,
       "The LLP does not pass a segment up again after it has passed up all segments before it.",
       "RDMAP/A-73; between two layers of one implementation"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpLowerLayerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpLowerLayerRules, I> {
};
