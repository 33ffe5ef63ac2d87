// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 8: what an implementation owes to its own host. None of it is a matter of octets on the wire, save
// the checks of STags and bounds, which DDP-7.1 judges by stimuli.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kVerbs = "the verbs that register memory show it";
constexpr std::string_view kResources = "seen by local users of the RNIC, through its verbs and its resource manager";
constexpr std::string_view kIpsec = "IPsec stands below TCP: its own conformance tests show it";

constexpr Rule security_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                             std::string_view note, Observable observable = Observable::api) {
  return ddp_rule(id, level, section, observable, summary, note);
}
constexpr std::string_view kAssociation = "RFC 5041 8.2", kRequirements = "RFC 5041 8.3", kRnic = "RFC 5041 8.3.1",
                           kManager = "RFC 5041 8.3.2", kServices = "RFC 5041 8.4", kIpsecSection = "RFC 5041 8.4.2";

constinit const Rule kRules[] = {
    security_rule("DDP-8.2-1", Level::must, kAssociation,
                  "A segment for an STag of another protection domain is not placed, and the ULP is told.",
                  "needs two streams in different domains and the verbs of the host"),
    security_rule("DDP-8.2-2", Level::must, kAssociation,
                  "A segment for an STag of another stream is not placed, and the ULP is told.",
                  "needs an STag bound to one of two streams, by verbs"),
    security_rule("DDP-8.2-3", Level::should, kAssociation, "A ULP associates an STag with at least one stream.",
                  kVerbs),
    security_rule("DDP-8.2-4", Level::must, kAssociation,
                  "DDP supports association by protection domain and association by stream.", kVerbs),
    security_rule("DDP-8.3-1", Level::must, kRequirements,
                  "The ULP can establish and revoke the TO range of an STag's buffer.", kVerbs),
    security_rule("DDP-8.3-2", Level::must, kRequirements, "The ULP can establish and revoke the validity of an STag.",
                  kVerbs),
    security_rule("DDP-8.3-3", Level::must, kRequirements, "The ULP can associate an STag with a stream.", kVerbs),
    security_rule("DDP-8.3-4", Level::must, kRequirements, "An access by an invalid STag is passed to the ULP.",
                  "an asynchronous event of the verbs; that nothing is placed is judged by DDP-7.1"),
    security_rule("DDP-8.3-5", Level::must, kRequirements, "There is an RNIC, and a privileged resource manager.",
                  kResources),
    security_rule("DDP-8.3.1-1", Level::must, kRnic, "No stream reaches an STag of another protection domain.", kVerbs),
    security_rule("DDP-8.3.1-2", Level::must, kRnic, "No stream uses an STag that belongs to another stream alone.",
                  kVerbs),
    security_rule("DDP-8.3.1-3", Level::must, kRnic, "A remote peer reaches no memory outside the buffer of the STag.",
                  "judged by DDP-7.1-8 and -9", Observable::none),
    security_rule("DDP-8.3.1-4", Level::must, kRnic,
                  "The ULP can associate a buffer with an STag and TO range, and undo it.", kVerbs),
    security_rule("DDP-8.3.1-5", Level::must, kRnic, "The ULP can grant and revoke read and write access of an STag.",
                  kVerbs),
    security_rule("DDP-8.3.1-6", Level::must, kRnic,
                  "Once the ULP has revoked remote access, the interface changes the buffer no more.", kVerbs),
    security_rule("DDP-8.3.1-7", Level::must_not, kRnic,
                  "No firmware is loaded from a peer that is not authenticated, or by an insecure protocol.",
                  "a property of the product"),
    security_rule("DDP-8.3.2-1", Level::must, kManager,
                  "What a non-privileged ULP asks that could affect others goes through the resource manager.",
                  kResources),
    security_rule("DDP-8.3.2-2", Level::must, kManager, "Scarce resources are allocated through the resource manager.",
                  kResources),
    security_rule("DDP-8.3.2-3", Level::must_not, kManager,
                  "The resource manager assumes no trust between ULPs that no mechanism ensures.", kResources),
    security_rule("DDP-8.3.2-4", Level::must, kManager,
                  "The right of a non-privileged ULP to a buffer is verified before an STag gives access to it.",
                  kResources),
    security_rule("DDP-8.3.2-5", Level::should, kManager, "No local peer is allocated more than its fair share.",
                  kResources),
    security_rule("DDP-8.3.2-6", Level::must, kManager,
                  "Where receive buffers are shared by streams, a peer that takes more than its share is detected.",
                  kResources),
    security_rule(
        "DDP-8.4-1", Level::should, kServices,
        "A stream that may be impersonated or hijacked is authenticated, and protected against change and replay.",
        "the deployment's choice"),
    security_rule(
        "DDP-8.4.2-1", Level::must, kIpsecSection,
        "IPsec for DDP supports ESP with replay protection, and uses them together with origin authentication.",
        kIpsec),
    security_rule("DDP-8.4.2-2", Level::must, kIpsecSection, "IPsec for DDP supports ESP in tunnel mode.", kIpsec),
    security_rule("DDP-8.4.2-3", Level::must, kIpsecSection, "IPsec for DDP supports IKE with the IPsec DOI.", kIpsec),
    security_rule("DDP-8.4.2-4", Level::must_not, kIpsecSection,
                  "An IKE delete message is no reason to tear down a DDP stream.", kIpsec),
    security_rule("DDP-8.4.2-5", Level::must, kIpsecSection, "Peers can be authenticated by a pre-shared key.", kIpsec),
    security_rule("DDP-8.4.2-6", Level::must, kIpsecSection, "IKE Main Mode is supported.", kIpsec),
    security_rule("DDP-8.4.2-7", Level::must, kIpsecSection, "Access to locally stored secrets is restricted.", kIpsec),
    security_rule("DDP-8.4.2-8", Level::must, kIpsecSection, "IKE parameters follow RFC 3723, 2.3.4.", kIpsec),
};

}  // namespace

RuleList ddp_security_rules() {
  static const auto kPointers = [] {
    std::array<const Rule*, std::size(kRules)> pointers{};
    for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] = &kRules[i];
    return pointers;
  }();
  return kPointers;
}

}  // namespace wirelaw::rdmap
