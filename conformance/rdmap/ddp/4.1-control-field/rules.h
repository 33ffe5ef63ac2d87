// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpControlFieldRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-4.1-1", must, any, kSection, stimulus, octets,
       "The payload of a tagged segment is placed into the tagged buffer.", {},
       {{writes_not_placed, "pair"}, {unaligned_writes_misplaced, responder}}},
      {"DDP-4.1-2", must, any, kSection, stimulus, octets,
       "The payload of an untagged segment is placed into an untagged buffer.", {}, {{send_lost, responder}}},
      {"DDP-4.1-3", must, any, kSection, trace, octets,
       "The last segment of every message has L set.",
       "RDMAP/A-38: seen where the next message of the queue, or the next tagged message, begins without it",
       {last_missing, {messages_interleaved, responder}, response_last_missing}},
      {"DDP-4.1-4", must_not, any, kSection, trace, octets,
       "No segment but the last of a message has L set.",
       "seen in untagged messages, which have numbers: one that goes on behind its L", {last_early}},
      {"DDP-4.1-5", must, any, kSection, trace, octets,
       "The segment with L is posted after all other segments of its message.", "seen in untagged messages"},
      {"DDP-4.1-6", must, any, kSection, trace, octets,
       "The segment with L of an untagged message has its highest MO.", "RDMAP/A-23"},
      {"DDP-4.1-9", must, any, kSection, none, octets,
       "A message whose last segment has come is delivered once it and all before it have been placed, and those "
       "have been delivered.", "judged as DDP-5.4-1"},
      {"DDP-4.1-10", must, any, kSection, trace, octets,
       "The four reserved bits of the control field are sent as zero.", {}, {ddp_reserved_set}},
      {"DDP-4.1-11", must, any, kSection, stimulus, octets,
       "The reserved bits of the control field are not checked on receipt.", {}, {reserved_checked}},
      {"DDP-4.1-12", must, any, kSection, trace, octets,
       "DV is one.",
       "RDMAP/A-11: on a stream of MPA revision 0, or whose start was not seen, the value is not judged",
       {ddp_version_zero, ddp_version_two}},
      {"DDP-4.1-13", must, any, kSection, trace, octets,
       "DV is the same in every segment that a side sends on a stream."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpControlFieldRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpControlFieldRules, I> {
};
