// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 5.2: segmentation of messages.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpSegmentationRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-5.2-1", must, any, kSection, none, octets,
       "DDP divides a message into segments that each have a header.", "DDP-4.4-1 judges a segment without a header"},
      {"DDP-5.2-2", must, any, kSection, none, octets,
       "DDP sends no segment larger than MULPDU.",
       "RDMAP/A-24: MULPDU follows from TCP's segment size; MPA's rules judge the FPDUs by it"},
      {"DDP-5.2-3", must, any, kSection, trace, octets,
       "A ULP message has fewer than 2^32 octets."},
      {"DDP-5.2-4", must, any, kSection, api, octets,
       "DDP sends all data of a ULP message.",
       "Only the verbs show the intended length; RDMAP-4.4 judges that of a Read Response",
       {{write_cut, "verbs pair"}}},
      {"DDP-5.2-5", must, any, kSection, stimulus, octets,
       "A receiver places the payload of all valid segments of a message into the ULP's buffer.", {},
       {{pad_delivered, "pair"}}},
      {"DDP-5.2-6", must, any, kSection, trace, octets,
       "The MO of an untagged segment is the offset of its first octet: each octet is sent once, and none is left "
       "out.", "RDMAP/A-23: judged when the message has ended, since segments may come in another order", {mo_wrong}},
      {"DDP-5.2-7", must, any, kSection, trace, octets,
       "The TO of a tagged segment is the TO of the message plus the number of octets before the segment.",
       "RDMAP/A-23, RDMAP/A-25: judged when the message has ended; a segment without payload has no meaningful TO"},
      {"DDP-5.2-8", must, any, kSection, api, octets,
       "The ULP gives DDP the STag and the first TO.",
       "Between RDMAP and DDP of one implementation; a Write goes to the place that its work request names",
       {{to_wrong, "verbs pair"}}},
      {"DDP-5.2-9", must, any, kSection, trace, octets,
       "A sender sends a message of zero octets in exactly one segment.", {}, {zero_length_in_two}},
      {"DDP-5.2-10", must, any, kSection, none, octets,
       "A tagged segment without payload has a valid control field and a valid RsvdULP.",
       "Judged by DDP-4.1 and RDMAP-4.1"},
      {"DDP-5.2-11", must_not, any, kSection, stimulus, octets,
       "A receiver does not check STag and TO of a tagged message of zero octets.", "RDMAP/A-25",
       {{zero_length_write_checked, initiator}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpSegmentationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpSegmentationRules, I> {
};
