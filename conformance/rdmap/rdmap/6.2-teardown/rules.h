// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct TeardownRules : Words {
  static constexpr std::string_view kSection6_2 = "RFC 5040 6.2";
  static constexpr std::string_view kSection6_2_1 = "RFC 5040 6.2.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-6.2-1", should, any, kSection6_2, trace, absence,
       "Before it closes in order, a side sends the last segment of each message.",
       "RDMAP/A-40b: the section calls the loss of a stream within a message highly undesirable, but does not forbid "
       "it", {{closes_inside_message, initiator}}},
      {"RDMAP-6.2-2", should, any, kSection6_2, trace, absence,
       "Before it closes in order, a side answers the Reads that it has received.",
       "RDMAP/A-40b: a request may be in transit when its receiver closes, so a breach is a warning"},
      {"RDMAP-6.2-3", may, any, kSection6_2, api, octets,
       "The ULP performs ULP Graceful Termination.",
       "What the ULPs say to each other before the close is their own matter"},
      {"RDMAP-6.2-4", must, any, kSection6_2, stimulus, octets,
       "An LLP error during a transfer ends its own stream and no other.",
       "The text leaves the consequences to the ULP, but neither a connection that never ends nor a peer that is gone "
       "afterwards is right", {never_closes, {resets_at_close, warning}}},
      {"RDMAP-6.2.1-1", should, any, kSection6_2_1, none, octets,
       "RDMAP sends a Terminate when it encounters an error.", "RDMAP-7.1-4 and RDMAP-7.1-6 require it"},
      {"RDMAP-6.2.1-2", should, any, kSection6_2_1, stimulus, octets,
       "RDMAP sends a Terminate when the LLP surfaces an error to it.",
       "RDMAP/A-01. MPA may also drop a segment with an invalid CRC", {{terminate_missing, warning}}},
      {"RDMAP-6.2.1-3", should, any, kSection6_2_1, api, octets,
       "When RDMAP receives a Terminate, it considers all outstanding messages completed in error.",
       "The completion queue shows it", {{work_not_flushed, "verbs pair"}}},
      {"RDMAP-6.2.1-4", may, any, kSection6_2_1, stimulus, octets,
       "A peer may tear down the LLP Stream as soon as it has sent or received a Terminate.",
       "Any close is accepted; RDMAP-7-4 requires that there is one", {stays_open_after_terminate}},
      {"RDMAP-6.2.1-5", should, any, kSection6_2_1, trace, absence,
       "A side that has sent or received a Terminate closes the connection in order, so that the Terminate is "
       "delivered.", "RDMAP/A-63 says when a connection that is left open is reported. RFC 6581 9.3 lets the sender of "
       "2/0/05 reset an enhanced connection."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TeardownRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TeardownRules, I> {
};
