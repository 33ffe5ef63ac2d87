// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 8: protection of the local host. Nothing of it is visible on the wire, except the checks of STags
// and bounds, which RDMAP-7.2 and DDP-7.1 judge by stimuli.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct SecurityRules : Words {
  static constexpr std::string_view kSection8_1 = "RFC 5040 8.1";
  static constexpr std::string_view kSection8_1_1 = "RFC 5040 8.1.1";
  static constexpr std::string_view kSection8_1_2 = "RFC 5040 8.1.2";
  static constexpr std::string_view kSection8_2_2 = "RFC 5040 8.2.2";
  static constexpr std::string_view kVerbs = "The verbs that register memory show it";
  static constexpr std::string_view kResources =
      "Local users of the RNIC see it through its verbs and its resource manager";
  static constexpr std::string_view kIpsec = "IPsec is below TCP: its own conformance tests show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-8.1-1", must, any, kSection8_1, none, octets,
       "The RNIC and the resource manager meet the requirements of RFC 5042.", "The rules below list them"},
      {"RDMAP-8.1.1-1", must, any, kSection8_1_1, api, octets,
       "No stream can access an STag of another protection domain.", kVerbs,
       {{protection_domains_ignored, "verbs pair"}}},
      {"RDMAP-8.1.1-2", must, any, kSection8_1_1, api, octets,
       "No stream can use an STag that is bound to another stream alone.", kVerbs},
      {"RDMAP-8.1.1-3", must, any, kSection8_1_1, none, octets,
       "A remote peer can access no memory outside the buffer of the STag.",
       "Judged by DDP-7.1-8, DDP-7.1-9, RDMAP-7.2-10 and RDMAP-7.2-11"},
      {"RDMAP-8.1.1-4", must, any, kSection8_1_1, api, octets,
       "The ULP can associate a buffer with an STag and TO range, and remove the association.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"RDMAP-8.1.1-5", must, any, kSection8_1_1, api, octets,
       "The ULP can grant and revoke read and write access of an STag.", kVerbs, {{accepts_access, "verbs pair"}}},
      {"RDMAP-8.1.1-6", must, any, kSection8_1_1, api, octets,
       "After the ULP has revoked remote access, the RNIC does not change the buffer.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"RDMAP-8.1.1-7", must, any, kSection8_1_1, stimulus, octets,
       "A remote peer cannot invalidate an STag that streams share.",
       "RDMAP/A-67: an invalidation that is neither refused nor done is a warning",
       {{shared_stag_invalidated, responder}, {accepts_invalidation, responder, warning}}},
      {"RDMAP-8.1.1-8", must, any, kSection8_1_1, api, octets,
       "STags are hard to predict.", "A statistical property of many registrations"},
      {"RDMAP-8.1.1-9", must_not, any, kSection8_1_1, api, octets,
       "ULPs that do not trust each other share no completion queue.", kResources},
      {"RDMAP-8.1.1-10", must, any, kSection8_1_1, api, octets,
       "If a completion queue overflows, only the streams that use it are affected.", kResources},
      {"RDMAP-8.1.1-11", should, any, kSection8_1_1, api, octets,
       "The RNIC can limit the number of outstanding RDMA Reads.",
       "By initiator_depth of the verbs; RDMAP-6.1-6 and -7 judge that a negotiated limit is kept",
       {{exceeds_ord, warning, "verbs"}}},
      {"RDMAP-8.1.1-12", must_not, any, kSection8_1_1, api, octets,
       "The RNIC loads no firmware from an unauthenticated peer or by an insecure protocol.",
       "A property of the product"},
      {"RDMAP-8.1.2-1", must, any, kSection8_1_2, api, octets,
       "Requests of a non-privileged ULP that could affect others go through the resource manager.", kResources},
      {"RDMAP-8.1.2-2", must, any, kSection8_1_2, api, octets,
       "The resource manager allocates scarce resources.", kResources},
      {"RDMAP-8.1.2-3", must_not, any, kSection8_1_2, api, octets,
       "The resource manager assumes no trust between ULPs unless a mechanism enforces it.", kResources},
      {"RDMAP-8.1.2-4", must, any, kSection8_1_2, api, octets,
       "The resource manager checks a non-privileged ULP's right to a buffer before an STag gives access to it.",
       kResources},
      {"RDMAP-8.1.2-5", must, any, kSection8_1_2, api, octets,
       "The resource manager allocates the entries of completion queues.", kResources},
      {"RDMAP-8.1.2-6", should, any, kSection8_1_2, api, octets,
       "The resource manager allocates no local peer more than its fair share.", kResources},
      {"RDMAP-8.1.2-7", must, any, kSection8_1_2, api, octets,
       "Streams without mutual trust share no Read Request queue resources.", kResources},
      {"RDMAP-8.1.2-8", must, any, kSection8_1_2, api, octets,
       "If streams share receive buffers, the RNIC detects a peer that takes more than its share.", kResources},
      {"RDMAP-8.2.2-1", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports ESP with replay protection, and uses them together with origin authentication.",
       kIpsec},
      {"RDMAP-8.2.2-2", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports ESP in tunnel mode.", kIpsec},
      {"RDMAP-8.2.2-3", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports IKE with the IPsec DOI.", kIpsec},
      {"RDMAP-8.2.2-4", must_not, any, kSection8_2_2, api, octets,
       "RDMAP does not tear down a stream because of an IKE phase 2 delete message.", kIpsec},
      {"RDMAP-8.2.2-5", must, any, kSection8_2_2, api, octets,
       "Peers can be authenticated by a pre-shared key.", kIpsec},
      {"RDMAP-8.2.2-6", must, any, kSection8_2_2, api, octets,
       "IKE Main Mode is supported.", kIpsec},
      {"RDMAP-8.2.2-7", should, any, kSection8_2_2, api, octets,
       "With digital signatures, an implementation requests certificates by authority and checks revocation lists.",
       kIpsec},
      {"RDMAP-8.2.2-8", must, any, kSection8_2_2, api, octets,
       "Access to locally stored secrets is restricted.", kIpsec},
      {"RDMAP-8.2.2-9", must, any, kSection8_2_2, api, octets,
       "IKE parameters follow RFC 3723, 2.3.4.", kIpsec},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::SecurityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::SecurityRules, I> {
};
