// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7: what happens to the streams after an error of RDMAP or DDP.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ErrorManagementRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-7-1", must, any, kSection, stimulus, octets,
       "An error at the RDMAP or DDP layer ends the RDMAP, DDP and LLP Streams abortively.", {},
       {error_ignored, stays_open_after_terminate}},
      {"RDMAP-7-2", must, any, kSection, none, octets,
       "If the LLP cannot tear down one of several streams, it marks that stream as erroneous.",
       "MPA over TCP has one stream in a connection, and tears it down"},
      {"RDMAP-7-3", must_not, any, kSection, stimulus, octets,
       "After RDMAP has requested the teardown of a stream, it transfers no data on it.",
       "RDMAP-5.4-9 judges what the IUT sends after its Terminate", {{error_ignored, responder}}},
      {"RDMAP-7-4", must, any, kSection, stimulus, octets,
       "When all streams of the LLP connection are torn down or erroneous, the connection is torn down.",
       "With MPA over TCP: after a Terminate, sent or received, the connection is closed. An IUT that waits for the "
       "other side to close it gets a warning", {{terminate_ignored, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ErrorManagementRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ErrorManagementRules, I> {
};
