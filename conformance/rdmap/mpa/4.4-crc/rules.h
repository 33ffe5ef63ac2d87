// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaCrcRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.4-1", must, any, kSection, none, octets,
       "An implementation supports CRCs.",
       "An implementation without CRCs breaks MPA-4.4-6 as soon as its peer sets C."},
      {"MPA-4.4-2", must, any, kSection, stimulus, octets,
       "A sender requests CRCs unless the administrator has disabled them.",
       "RDMAP/A-29: an administrator may have set C=0, so a case warns and a trace gives no finding."},
      {"MPA-4.4-3", should_not, any, kSection, api, octets,
       "An administrator does not disable CRCs unless something else protects the connection as well.",
       "Only the administrator knows what protects the connection."},
      {"MPA-4.4-4", must, any, kSection, api, octets,
       "MPA does not show the ULP whether CRCs are in use.", "The interface to the ULP shows it."},
      {"MPA-4.4-5", must, any, kSection, trace, octets,
       "A sender whose peer requests CRCs generates them until the connection ends.",
       "Detected by a CRC field of zero although CRCs are in use.", {crc_off}},
      {"MPA-4.4-6", must, any, kSection, trace, octets,
       "If CRCs are in use, each FPDU has the CRC32c of its octets.", {}, {crc_wrong}},
      {"MPA-4.4-7", must, any, kSection, trace, octets,
       "A sender sends the CRC in the octet order of iSCSI's digests: least significant first.",
       "The examples in figures 5 and 6 show it."},
      {"MPA-4.4-8", must, any, kSection, trace, octets,
       "The CRC covers all octets from ULPDU_Length to the last pad octet, including the markers between them.",
       "RFC 5044, 4.3 says the same of the markers."},
      {"MPA-4.4-9", must, any, kSection, trace, octets,
       "The CRC covers a marker between the pad and the CRC."},
      {"MPA-4.4-10", must, any, kSection, trace, octets,
       "The CRC of an FPDU covers a marker right before its ULPDU_Length.", "RFC 5044, 4.3 says the same."},
      {"MPA-4.4-11", must, any, kSection, stimulus, octets,
       "A receiver that checks CRCs passes up nothing of an FPDU whose CRC is invalid.", {}, {crc_not_checked}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaCrcRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaCrcRules, I> {
};
