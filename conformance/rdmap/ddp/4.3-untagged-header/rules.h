// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpUntaggedHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-4.3-1", must, any, kSection, trace, octets,
       "An untagged segment has the whole untagged header of 18 octets (figure 5).", {}, {ulpdu_too_short}},
      {"DDP-4.3-2", must, any, kSection, api, octets,
       "DDP sends the RsvdULP that its ULP has given.", "Only the verbs show what RDMAP gave",
       {{solicited_not_sent, "verbs"}}},
      {"DDP-4.3-3", must, any, kSection, api, octets,
       "DDP passes RsvdULP up with the message.",
       "RDMAP/V-05: shown by the invalidation of the received STag. It may be that of any segment",
       {{invalidated_rkey_wrong, "verbs pair"}}},
      {"DDP-4.3-4", must, any, kSection, trace, octets,
       "A sender uses the same RsvdULP in each segment of an untagged message.", {}, {rsvdulp_changes}},
      {"DDP-4.3-5", must, any, kSection, trace, octets,
       "A sender uses the same QN in each segment of an untagged message.",
       "Seen if all other fields continue a message of another queue"},
      {"DDP-4.3-6", must, any, kSection, none, octets,
       "DDP sends the QN that its ULP has given.", "RDMAP has one queue for each opcode: judged by RDMAP-4.1"},
      {"DDP-4.3-7", must, any, kSection, trace, octets,
       "A sender increments the MSN by one for each message of a queue.", {}, {msn_skips, msn_repeats}},
      {"DDP-4.3-8", must, any, kSection, trace, octets,
       "A sender gives the first message of a queue MSN 1.", {}, {msn_from_zero, msn_shared, terminate_msn_two}},
      {"DDP-4.3-9", must, any, kSection, trace, octets,
       "A sender wraps the MSN from 0xffffffff to 0."},
      {"DDP-4.3-10", must, any, kSection, trace, octets,
       "A sender uses the same MSN in each segment of an untagged message.",
       "Seen if the MO continues the open message of the queue", {msn_changes}},
      {"DDP-4.3-11", must, any, kSection, trace, octets,
       "The first octet of a message has MO 0.", {}, {mo_from_one}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpUntaggedHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpUntaggedHeaderRules, I> {
};
