// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 8: what an implementation owes to its own host. None of it is a matter of octets on the wire, save
// the checks of STags and bounds, which RDMAP-7.2 and DDP-7.1 judge by stimuli.
#include <array>

#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kRnic = "RFC 5040 8.1.1", kManager = "RFC 5040 8.1.2", kIpsecSection = "RFC 5040 8.2.2";
constexpr std::string_view kVerbs = "the verbs that register memory show it";
constexpr std::string_view kResources = "seen by local users of the RNIC, through its verbs and its resource manager";
constexpr std::string_view kIpsec = "IPsec stands below TCP: its own conformance tests show it";

constexpr Rule security_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                             std::string_view note, Observable observable = Observable::api) {
  return rdmap_rule(id, level, section, observable, summary, note);
}

constinit const Rule kRules[] = {
    security_rule("RDMAP-8.1-1", Level::must, "RFC 5040 8.1",
                  "RNIC and resource manager meet the requirements of RFC 5042.", "listed one by one below",
                  Observable::none),
    security_rule("RDMAP-8.1.1-1", Level::must, kRnic, "No stream reaches an STag of another protection domain.",
                  kVerbs),
    security_rule("RDMAP-8.1.1-2", Level::must, kRnic, "No stream uses an STag that belongs to another stream alone.",
                  kVerbs),
    security_rule("RDMAP-8.1.1-3", Level::must, kRnic,
                  "A remote peer reaches no memory outside the buffer of the STag.",
                  "judged by DDP-7.1-8, DDP-7.1-9, RDMAP-7.2-10 and RDMAP-7.2-11", Observable::none),
    security_rule("RDMAP-8.1.1-4", Level::must, kRnic,
                  "The ULP can associate a buffer with an STag and TO range, and undo it.", kVerbs),
    security_rule("RDMAP-8.1.1-5", Level::must, kRnic, "The ULP can grant and revoke read and write access of an STag.",
                  kVerbs),
    security_rule("RDMAP-8.1.1-6", Level::must, kRnic,
                  "Once the ULP has revoked remote access, the interface changes the buffer no more.", kVerbs),
    security_rule("RDMAP-8.1.1-7", Level::must, kRnic, "A remote peer cannot invalidate an STag that streams share.",
                  "needs an STag that is shared, by verbs"),
    security_rule("RDMAP-8.1.1-8", Level::must, kRnic, "STags are hard to predict.",
                  "a statistical property of many registrations"),
    security_rule("RDMAP-8.1.1-9", Level::must_not, kRnic,
                  "ULPs that do not trust each other share no completion queue.", kResources),
    security_rule("RDMAP-8.1.1-10", Level::must, kRnic,
                  "A completion queue that overflows affects no stream that does not use it.", kResources),
    security_rule("RDMAP-8.1.1-11", Level::should, kRnic, "The number of outstanding RDMA Reads can be capped.",
                  "by initiator_depth of the verbs; that a negotiated cap is kept is judged by RDMAP-6.1-6 and -7"),
    security_rule("RDMAP-8.1.1-12", Level::must_not, kRnic,
                  "No firmware is loaded from a peer that is not authenticated, or by an insecure protocol.",
                  "a property of the product"),
    security_rule("RDMAP-8.1.2-1", Level::must, kManager,
                  "What a non-privileged ULP asks that could affect others goes through the resource manager.",
                  kResources),
    security_rule("RDMAP-8.1.2-2", Level::must, kManager,
                  "Scarce resources are allocated through the resource manager.", kResources),
    security_rule("RDMAP-8.1.2-3", Level::must_not, kManager,
                  "The resource manager assumes no trust between ULPs that no mechanism ensures.", kResources),
    security_rule("RDMAP-8.1.2-4", Level::must, kManager,
                  "The right of a non-privileged ULP to a buffer is verified before an STag gives access to it.",
                  kResources),
    security_rule("RDMAP-8.1.2-5", Level::must, kManager,
                  "The resource manager allots the entries of completion queues.", kResources),
    security_rule("RDMAP-8.1.2-6", Level::should, kManager, "No local peer is allocated more than its fair share.",
                  kResources),
    security_rule("RDMAP-8.1.2-7", Level::must, kManager,
                  "Streams without mutual trust share no resources of Read Request queues.", kResources),
    security_rule("RDMAP-8.1.2-8", Level::must, kManager,
                  "Where receive buffers are shared by streams, a peer that takes more than its share is detected.",
                  kResources),
    security_rule("RDMAP-8.2.2-1", Level::must, kIpsecSection,
                  "IPsec for RDMAP supports ESP with replay protection, and uses them together with origin "
                  "authentication.",
                  kIpsec),
    security_rule("RDMAP-8.2.2-2", Level::must, kIpsecSection, "IPsec for RDMAP supports ESP in tunnel mode.", kIpsec),
    security_rule("RDMAP-8.2.2-3", Level::must, kIpsecSection, "IPsec for RDMAP supports IKE with the IPsec DOI.",
                  kIpsec),
    security_rule("RDMAP-8.2.2-4", Level::must_not, kIpsecSection,
                  "An IKE phase 2 delete message is no reason to tear down an RDMAP stream.", kIpsec),
    security_rule("RDMAP-8.2.2-5", Level::must, kIpsecSection, "Peers can be authenticated by a pre-shared key.",
                  kIpsec),
    security_rule("RDMAP-8.2.2-6", Level::must, kIpsecSection, "IKE Main Mode is supported.", kIpsec),
    security_rule("RDMAP-8.2.2-7", Level::should, kIpsecSection,
                  "With digital signatures, certificates are requested by their authority and checked against "
                  "revocation lists.",
                  kIpsec),
    security_rule("RDMAP-8.2.2-8", Level::must, kIpsecSection, "Access to locally stored secrets is restricted.",
                  kIpsec),
    security_rule("RDMAP-8.2.2-9", Level::must, kIpsecSection, "IKE parameters follow RFC 3723, 2.3.4.", kIpsec),
};

}  // namespace

RuleList rdmap_security_rules() {
  static const auto kPointers = [] {
    std::array<const Rule*, std::size(kRules)> pointers{};
    for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] = &kRules[i];
    return pointers;
  }();
  return kPointers;
}

}  // namespace wirelaw::rdmap
