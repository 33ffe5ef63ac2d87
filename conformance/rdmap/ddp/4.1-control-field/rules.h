// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpControlFieldRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-4.1-1", must, any, kSection, stimulus, octets,
       "A receiver places the payload of a tagged segment into the tagged buffer.", {},
       {{writes_not_placed, "pair"}, {unaligned_writes_misplaced, responder}}},
      {"DDP-4.1-2", must, any, kSection, stimulus, octets,
       "A receiver places the payload of an untagged segment into an untagged buffer.", {}, {{send_lost, responder}}},
      {"DDP-4.1-3", must, any, kSection, trace, octets,
       "A sender sets L in the last segment of every message.",
       "RDMAP/A-38: seen if the next message of the queue, or the next tagged message, begins without it",
       {last_missing, {messages_interleaved, responder}, response_last_missing}},
      {"DDP-4.1-4", must_not, any, kSection, trace, octets,
       "A sender sets L in no segment but the last of a message.",
       "Seen in untagged messages, which have numbers: the message continues after a segment with L", {last_early}},
      {"DDP-4.1-5", must, any, kSection, trace, octets,
       "A sender posts the segment with L after all other segments of its message.", "Seen in untagged messages"},
      {"DDP-4.1-6", must, any, kSection, trace, octets,
       "The segment with L has the highest MO of its untagged message.", "RDMAP/A-23"},
      {"DDP-4.1-9", must, any, kSection, none, octets,
       "DDP delivers a message when the message and all before it are placed and all before it are delivered.",
       "Judged as DDP-5.4-1"},
      {"DDP-4.1-10", must, any, kSection, trace, octets,
       "A sender sets the four reserved bits of the control field to zero.", {}, {ddp_reserved_set}},
      {"DDP-4.1-11", must, any, kSection, stimulus, octets,
       "A receiver does not check the reserved bits of the control field.", {}, {reserved_checked}},
      {"DDP-4.1-12", must, any, kSection, trace, octets,
       "A sender sets DV to 1.",
       "RDMAP/A-11: with MPA revision 0, or if the start was not seen, the value is not judged",
       {ddp_version_zero, ddp_version_two}},
      {"DDP-4.1-13", must, any, kSection, trace, octets,
       "A sender uses the same DV in every segment of a stream."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpControlFieldRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpControlFieldRules, I> {
};
