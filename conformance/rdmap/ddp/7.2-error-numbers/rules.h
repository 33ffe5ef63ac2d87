// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpErrorNumbersRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 7.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-7.2-1", must, any, kSection, trace, octets,
       "DDP's error type is 0 (Local Catastrophic), 1 (Tagged Buffer) or 2 (Untagged Buffer).",
       "RDMAP/A-01: type 3 is reserved for the LLP, which has a layer of its own"},
      {"DDP-7.2-2", must, any, kSection, trace, octets,
       "A Local Catastrophic error of DDP has code 00."},
      {"DDP-7.2-3", must, any, kSection, trace, octets,
       "A Tagged Buffer Error has code 00 to 04."},
      {"DDP-7.2-4", must, any, kSection, trace, octets,
       "An Untagged Buffer Error has code 01 to 06."},
      {"DDP-7.2-5", must, any, kSection, trace, octets,
       "A Tagged Buffer Error concerns a tagged segment."},
      {"DDP-7.2-6", must, any, kSection, trace, octets,
       "An Untagged Buffer Error concerns an untagged segment."},
      {"DDP-7.2-10", must, any, kSection, trace, absence,
       "1/1/00, invalid STag: the terminated segment places at least one octet.", "RDMAP/A-25, RDMAP/A-27"},
      {"DDP-7.2-11", must, any, kSection, trace, absence,
       "1/1/01, base or bounds: the terminated segment places at least one octet.",
       "RDMAP/A-22, RDMAP/A-25, RDMAP/A-27"},
      {"DDP-7.2-12", must, any, kSection, trace, absence,
       "1/1/02, STag of another stream: the terminated segment places at least one octet.", "RDMAP/A-25, RDMAP/A-27"},
      {"DDP-7.2-13", must, any, kSection, trace, absence,
       "1/1/03, TO wrap: TO plus payload of the terminated segment goes beyond 2^64.", "RDMAP/A-22, RDMAP/A-25"},
      {"DDP-7.2-14", must, any, kSection, trace, octets,
       "1/1/04: the DDP version of the terminated segment is not 1.", "RDMAP/A-11"},
      {"DDP-7.2-20", must, any, kSection, trace, octets,
       "1/2/01: the terminated segment is on a queue that does not exist or is not its opcode's.", "RDMAP/A-09"},
      {"DDP-7.2-21", must, any, kSection, api, octets,
       "1/2/02: there was no buffer for the terminated segment.",
       "Only the sink knows its buffers; RDMAP-5.4-4 judges that a Terminate always finds one. RDMAP/A-26: waiting is "
       "also right"},
      {"DDP-7.2-22", must, any, kSection, trace, octets,
       "1/2/03: the MSN of the terminated segment is not the next one of its queue.", "RDMAP/A-22"},
      {"DDP-7.2-23", must, any, kSection, trace, absence,
       "1/2/04: the MO of the terminated segment is not 0, which is in every buffer.", "RDMAP/A-22"},
      {"DDP-7.2-24", must, any, kSection, trace, octets,
       "1/2/05: the terminated segment has payload that could be too long.", "RDMAP/A-22"},
      {"DDP-7.2-25", must, any, kSection, trace, octets,
       "1/2/06: the DDP version of the terminated segment is not 1.", "RDMAP/A-11"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpErrorNumbersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpErrorNumbersRules, I> {
};
