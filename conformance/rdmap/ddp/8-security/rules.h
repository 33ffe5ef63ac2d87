// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 8: protection of the local host. Nothing of it is visible on the wire, except the checks of STags
// and bounds, which DDP-7.1 judges by stimuli.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpSecurityRules : Words {
  static constexpr std::string_view kSection8_2 = "RFC 5041 8.2";
  static constexpr std::string_view kSection8_3 = "RFC 5041 8.3";
  static constexpr std::string_view kSection8_3_1 = "RFC 5041 8.3.1";
  static constexpr std::string_view kSection8_3_2 = "RFC 5041 8.3.2";
  static constexpr std::string_view kSection8_4 = "RFC 5041 8.4";
  static constexpr std::string_view kSection8_4_2 = "RFC 5041 8.4.2";
  static constexpr std::string_view kVerbs = "The verbs that register memory show it";
  static constexpr std::string_view kResources =
      "Local users of the RNIC see it through its verbs and its resource manager";
  static constexpr std::string_view kIpsec = "IPsec is below TCP: its own conformance tests show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-8.2-1", must, any, kSection8_2, api, octets,
       "DDP does not place a segment for an STag of another protection domain, and reports it to the ULP.",
       "Needs two streams in different domains, and the verbs of the host",
       {{protection_domains_ignored, "verbs pair"}}},
      {"DDP-8.2-2", must, any, kSection8_2, api, octets,
       "DDP does not place a segment for an STag of another stream, and reports it to the ULP.",
       "Needs an STag that verbs bind to one of two streams"},
      {"DDP-8.2-3", should, any, kSection8_2, api, octets,
       "A ULP associates an STag with at least one stream.", kVerbs},
      {"DDP-8.2-4", must, any, kSection8_2, api, octets,
       "DDP supports association by protection domain and association by stream.", kVerbs},
      {"DDP-8.3-1", must, any, kSection8_3, api, octets,
       "The ULP can establish and revoke the TO range of an STag's buffer.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"DDP-8.3-2", must, any, kSection8_3, api, octets,
       "The ULP can establish and revoke the validity of an STag.", kVerbs, {{deregistered_stays, "verbs pair"}}},
      {"DDP-8.3-3", must, any, kSection8_3, api, octets,
       "The ULP can associate an STag with a stream.", kVerbs},
      {"DDP-8.3-4", must, any, kSection8_3, api, octets,
       "DDP reports an access with an invalid STag to the ULP.",
       "An asynchronous event of the verbs; DDP-7.1 judges that nothing is placed", {{error_not_surfaced, "verbs"}}},
      {"DDP-8.3-5", must, any, kSection8_3, api, octets,
       "The system has an RNIC and a privileged resource manager.", kResources},
      {"DDP-8.3.1-1", must, any, kSection8_3_1, api, octets,
       "No stream can access an STag of another protection domain.", kVerbs,
       {{protection_domains_ignored, "verbs pair"}}},
      {"DDP-8.3.1-2", must, any, kSection8_3_1, api, octets,
       "No stream can use an STag that is bound to another stream alone.", kVerbs},
      {"DDP-8.3.1-3", must, any, kSection8_3_1, none, octets,
       "A remote peer can access no memory outside the buffer of the STag.", "Judged by DDP-7.1-8 and -9"},
      {"DDP-8.3.1-4", must, any, kSection8_3_1, api, octets,
       "The ULP can associate a buffer with an STag and TO range, and remove the association.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"DDP-8.3.1-5", must, any, kSection8_3_1, api, octets,
       "The ULP can grant and revoke read and write access of an STag.", kVerbs, {{accepts_access, "verbs pair"}}},
      {"DDP-8.3.1-6", must, any, kSection8_3_1, api, octets,
       "After the ULP has revoked remote access, the RNIC does not change the buffer.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"DDP-8.3.1-7", must_not, any, kSection8_3_1, api, octets,
       "The RNIC loads no firmware from an unauthenticated peer or by an insecure protocol.",
       "A property of the product"},
      {"DDP-8.3.2-1", must, any, kSection8_3_2, api, octets,
       "Requests of a non-privileged ULP that could affect others go through the resource manager.", kResources},
      {"DDP-8.3.2-2", must, any, kSection8_3_2, api, octets,
       "The resource manager allocates scarce resources.", kResources},
      {"DDP-8.3.2-3", must_not, any, kSection8_3_2, api, octets,
       "The resource manager assumes no trust between ULPs unless a mechanism enforces it.", kResources},
      {"DDP-8.3.2-4", must, any, kSection8_3_2, api, octets,
       "The resource manager checks a non-privileged ULP's right to a buffer before an STag gives access to it.",
       kResources},
      {"DDP-8.3.2-5", should, any, kSection8_3_2, api, octets,
       "The resource manager allocates no local peer more than its fair share.", kResources},
      {"DDP-8.3.2-6", must, any, kSection8_3_2, api, octets,
       "If streams share receive buffers, the RNIC detects a peer that takes more than its share.", kResources},
      {"DDP-8.4-1", should, any, kSection8_4, api, octets,
       "A stream that could be impersonated or hijacked is authenticated and protected against change and replay.",
       "The deployment's choice"},
      {"DDP-8.4.2-1", must, any, kSection8_4_2, api, octets,
       "IPsec for DDP supports ESP with replay protection, and uses them together with origin authentication.",
       kIpsec},
      {"DDP-8.4.2-2", must, any, kSection8_4_2, api, octets,
       "IPsec for DDP supports ESP in tunnel mode.", kIpsec},
      {"DDP-8.4.2-3", must, any, kSection8_4_2, api, octets,
       "IPsec for DDP supports IKE with the IPsec DOI.", kIpsec},
      {"DDP-8.4.2-4", must_not, any, kSection8_4_2, api, octets,
       "DDP does not tear down a stream because of an IKE delete message.", kIpsec},
      {"DDP-8.4.2-5", must, any, kSection8_4_2, api, octets,
       "Peers can be authenticated by a pre-shared key.", kIpsec},
      {"DDP-8.4.2-6", must, any, kSection8_4_2, api, octets,
       "IKE Main Mode is supported.", kIpsec},
      {"DDP-8.4.2-7", must, any, kSection8_4_2, api, octets,
       "Access to locally stored secrets is restricted.", kIpsec},
      {"DDP-8.4.2-8", must, any, kSection8_4_2, api, octets,
       "IKE parameters follow RFC 3723, 2.3.4.", kIpsec},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpSecurityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpSecurityRules, I> {
};
