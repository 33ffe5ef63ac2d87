// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaCrcRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.4-1", must, any, kSection, none, octets,
       "CRCs are implemented.", "An implementation without them breaks MPA-4.4-6 as soon as its peer sets C."},
      {"MPA-4.4-2", must, any, kSection, stimulus, octets,
       "CRCs are asked for unless the administrator has said otherwise.",
       "RDMAP/A-29: C=0 may follow an administrator's word, so a case warns of it and a trace says nothing."},
      {"MPA-4.4-3", should_not, any, kSection, api, octets,
       "An administrator does not suppress CRCs unless something else protects the connection as well.",
       "What protects the connection is the administrator's to know."},
      {"MPA-4.4-4", must, any, kSection, api, octets,
       "Whether CRCs are in use is not visible to the ULP.", "The interface to the ULP shows it."},
      {"MPA-4.4-5", must, any, kSection, trace, octets,
       "A side whose peer asks for CRCs generates them until the connection ends.",
       "Detected by a CRC field that is zero where CRCs are in use.", {crc_off}},
      {"MPA-4.4-6", must, any, kSection, trace, octets,
       "Where CRCs are in use, each FPDU has the CRC32c of its octets.", {}, {crc_wrong}},
      {"MPA-4.4-7", must, any, kSection, trace, octets,
       "The CRC's octets are in the order of iSCSI's digests: least significant first.",
       "The examples of figures 5 and 6 show it."},
      {"MPA-4.4-8", must, any, kSection, trace, octets,
       "The CRC covers all from ULPDU_Length to the last pad octet, the markers in between included.",
       "RFC 5044, 4.3 says the same of the markers."},
      {"MPA-4.4-9", must, any, kSection, trace, octets,
       "A marker between PAD and CRC is covered by that CRC."},
      {"MPA-4.4-10", must, any, kSection, trace, octets,
       "A marker right before ULPDU_Length is covered by the CRC of the FPDU that follows it.",
       "RFC 5044, 4.3 says the same."},
      {"MPA-4.4-11", must, any, kSection, stimulus, octets,
       "A receiver that checks CRCs takes an FPDU whose CRC does not hold for invalid: nothing of it arrives.", {},
       {crc_not_checked}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaCrcRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaCrcRules, I> {
};
