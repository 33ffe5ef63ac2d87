// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.2: messages are cut into segments. Judged in the account of messages: untagged_messages.cc and
// tagged_messages.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpSegmentationRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-5.2-1", must, any, kSection, none, octets,
       "DDP cuts a message into segments with a header each.",
       "what a segment that is none would be is judged by DDP-4.4-1"},
      {"DDP-5.2-2", must, any, kSection, none, octets,
       "No segment is larger than the MULPDU.",
       "RDMAP/A-24: MPA's MULPDU follows from TCP's segment size, and its rules judge the FPDUs by it"},
      {"DDP-5.2-3", must, any, kSection, trace, octets,
       "A ULP message is shorter than 2^32 octets."},
      {"DDP-5.2-4", must, any, kSection, api, octets,
       "DDP sends all data of a ULP message.",
       "how long the message was meant to be is known to verbs; of a Read Response, RDMAP-4.4 judges it",
       {{write_cut, "verbs pair"}}},
      {"DDP-5.2-5", must, any, kSection, stimulus, octets,
       "The payload of all valid segments of a message is placed into the buffer of the ULP.", {},
       {{pad_delivered, "pair"}}},
      {"DDP-5.2-6", must, any, kSection, trace, octets,
       "The MO of an untagged segment is the offset of its first octet in the message: each octet is sent once, none "
       "is left out.", "RDMAP/A-23: decided when the message has ended, since segments may come in another order",
       {mo_wrong}},
      {"DDP-5.2-7", must, any, kSection, trace, octets,
       "The TO of a tagged segment is that of the message's first octet, moved on by the octets before it.",
       "RDMAP/A-23, RDMAP/A-25: decided when the message has ended; the TO of a segment without payload means nothing"},
      {"DDP-5.2-8", must, any, kSection, api, octets,
       "The ULP gives DDP the STag and the first TO.",
       "between RDMAP and DDP of one implementation; a Write goes where its work request says",
       {{to_wrong, "verbs pair"}}},
      {"DDP-5.2-9", must, any, kSection, trace, octets,
       "A message of no octets takes exactly one segment.", {}, {zero_length_in_two}},
      {"DDP-5.2-10", must, any, kSection, none, octets,
       "The control field and RsvdULP of a tagged segment without payload are valid.",
       "judged by DDP-4.1 and RDMAP-4.1"},
      {"DDP-5.2-11", must_not, any, kSection, stimulus, octets,
       "STag and TO of a tagged message of no octets are not checked.", "RDMAP/A-25",
       {{zero_length_write_checked, initiator}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpSegmentationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpSegmentationRules, I> {
};
