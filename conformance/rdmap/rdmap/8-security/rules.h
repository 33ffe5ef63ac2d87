// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 8: what an implementation owes to its own host. None of it is a matter of octets on the wire, save
// the checks of STags and bounds, which RDMAP-7.2 and DDP-7.1 judge by stimuli.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct SecurityRules : Words {
  static constexpr std::string_view kSection8_1 = "RFC 5040 8.1";
  static constexpr std::string_view kSection8_1_1 = "RFC 5040 8.1.1";
  static constexpr std::string_view kSection8_1_2 = "RFC 5040 8.1.2";
  static constexpr std::string_view kSection8_2_2 = "RFC 5040 8.2.2";
  static constexpr std::string_view kVerbs = "the verbs that register memory show it";
  static constexpr std::string_view kResources =
      "seen by local users of the RNIC, through its verbs and its resource manager";
  static constexpr std::string_view kIpsec = "IPsec is below TCP: its own conformance tests show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-8.1-1", must, any, kSection8_1, none, octets,
       "RNIC and resource manager meet the requirements of RFC 5042.", "listed one by one below"},
      {"RDMAP-8.1.1-1", must, any, kSection8_1_1, api, octets,
       "No stream reaches an STag of another protection domain.", kVerbs,
       {{protection_domains_ignored, "verbs pair"}}},
      {"RDMAP-8.1.1-2", must, any, kSection8_1_1, api, octets,
       "No stream uses an STag that belongs to another stream alone.", kVerbs},
      {"RDMAP-8.1.1-3", must, any, kSection8_1_1, none, octets,
       "A remote peer reaches no memory outside the buffer of the STag.",
       "judged by DDP-7.1-8, DDP-7.1-9, RDMAP-7.2-10 and RDMAP-7.2-11"},
      {"RDMAP-8.1.1-4", must, any, kSection8_1_1, api, octets,
       "The ULP can associate a buffer with an STag and TO range, and undo it.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"RDMAP-8.1.1-5", must, any, kSection8_1_1, api, octets,
       "The ULP can grant and revoke read and write access of an STag.", kVerbs, {{accepts_access, "verbs pair"}}},
      {"RDMAP-8.1.1-6", must, any, kSection8_1_1, api, octets,
       "Once the ULP has revoked remote access, the interface changes the buffer no more.", kVerbs,
       {{deregistered_stays, "verbs pair"}}},
      {"RDMAP-8.1.1-7", must, any, kSection8_1_1, stimulus, octets,
       "A remote peer cannot invalidate an STag that streams share.",
       "RDMAP/A-67: an invalidation that is neither refused nor done is warned of",
       {{shared_stag_invalidated, responder}, {accepts_invalidation, responder, warning}}},
      {"RDMAP-8.1.1-8", must, any, kSection8_1_1, api, octets,
       "STags are hard to predict.", "a statistical property of many registrations"},
      {"RDMAP-8.1.1-9", must_not, any, kSection8_1_1, api, octets,
       "ULPs that do not trust each other share no completion queue.", kResources},
      {"RDMAP-8.1.1-10", must, any, kSection8_1_1, api, octets,
       "A completion queue that overflows affects no stream that does not use it.", kResources},
      {"RDMAP-8.1.1-11", should, any, kSection8_1_1, api, octets,
       "The number of outstanding RDMA Reads can be capped.",
       "by initiator_depth of the verbs; that a negotiated cap is kept is judged by RDMAP-6.1-6 and -7",
       {{exceeds_ord, warning, "verbs"}}},
      {"RDMAP-8.1.1-12", must_not, any, kSection8_1_1, api, octets,
       "No firmware is loaded from a peer that is not authenticated, or by an insecure protocol.",
       "a property of the product"},
      {"RDMAP-8.1.2-1", must, any, kSection8_1_2, api, octets,
       "What a non-privileged ULP asks that could affect others goes through the resource manager.", kResources},
      {"RDMAP-8.1.2-2", must, any, kSection8_1_2, api, octets,
       "Scarce resources are allocated through the resource manager.", kResources},
      {"RDMAP-8.1.2-3", must_not, any, kSection8_1_2, api, octets,
       "The resource manager assumes no trust between ULPs that no mechanism ensures.", kResources},
      {"RDMAP-8.1.2-4", must, any, kSection8_1_2, api, octets,
       "The right of a non-privileged ULP to a buffer is verified before an STag gives access to it.", kResources},
      {"RDMAP-8.1.2-5", must, any, kSection8_1_2, api, octets,
       "The resource manager allots the entries of completion queues.", kResources},
      {"RDMAP-8.1.2-6", should, any, kSection8_1_2, api, octets,
       "No local peer is allocated more than its fair share.", kResources},
      {"RDMAP-8.1.2-7", must, any, kSection8_1_2, api, octets,
       "Streams without mutual trust share no resources of Read Request queues.", kResources},
      {"RDMAP-8.1.2-8", must, any, kSection8_1_2, api, octets,
       "Where receive buffers are shared by streams, a peer that takes more than its share is detected.", kResources},
      {"RDMAP-8.2.2-1", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports ESP with replay protection, and uses them together with origin authentication.",
       kIpsec},
      {"RDMAP-8.2.2-2", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports ESP in tunnel mode.", kIpsec},
      {"RDMAP-8.2.2-3", must, any, kSection8_2_2, api, octets,
       "IPsec for RDMAP supports IKE with the IPsec DOI.", kIpsec},
      {"RDMAP-8.2.2-4", must_not, any, kSection8_2_2, api, octets,
       "An IKE phase 2 delete message is no reason to tear down an RDMAP stream.", kIpsec},
      {"RDMAP-8.2.2-5", must, any, kSection8_2_2, api, octets,
       "Peers can be authenticated by a pre-shared key.", kIpsec},
      {"RDMAP-8.2.2-6", must, any, kSection8_2_2, api, octets,
       "IKE Main Mode is supported.", kIpsec},
      {"RDMAP-8.2.2-7", should, any, kSection8_2_2, api, octets,
       "With digital signatures, certificates are requested by their authority and checked against revocation lists.",
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
