// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 9.3 and 9.4: IPsec.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaSecurityRules : Words {
  static constexpr std::string_view kSection9_3 = "RFC 5044 9.3";
  static constexpr std::string_view kSection9_4 = "RFC 5044 9.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-9.3-1", must, any, kSection9_3, api, octets,
       "An implementation supports IPsec.",
       "IPsec is below TCP: an administrator configures it, and a trace of it contains no MPA."},
      {"MPA-9.4-1", must, any, kSection9_4, api, octets,
       "IPsec follows the requirements of RFC 3723 for IP storage.", "As MPA-9.3-1."},
      {"MPA-9.4-2", must_not, any, kSection9_4, api, octets,
       "MPA does not tear down a stream because an IKE phase 2 SA is deleted.",
       "As MPA-9.3-1: the key exchange is not part of the stream."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaSecurityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaSecurityRules, I> {
};
