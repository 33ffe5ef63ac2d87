// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 8: what an implementation owes to its own host. None of it is a matter of octets on the wire, save
// the checks of STags and bounds, which DDP-7.1 judges by stimuli.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kAssociation = Section{"RFC 5041 8.2"}.by(Observable::api);
constexpr Section kRequirements = Section{"RFC 5041 8.3"}.by(Observable::api);
constexpr Section kRnic = Section{"RFC 5041 8.3.1"}.by(Observable::api);
constexpr Section kRnicNotJudged = kRnic.by(Observable::none);
constexpr Section kManager = Section{"RFC 5041 8.3.2"}.by(Observable::api);
constexpr Section kServices = Section{"RFC 5041 8.4"}.by(Observable::api);
constexpr Section kIpsecSection = Section{"RFC 5041 8.4.2"}.by(Observable::api);
constexpr std::string_view kVerbs = "the verbs that register memory show it";
constexpr std::string_view kResources = "seen by local users of the RNIC, through its verbs and its resource manager";
constexpr std::string_view kIpsec = "IPsec is below TCP: its own conformance tests show it";

constinit const Rule kForeignDomainRefused = kAssociation.must(
    "DDP-8.2-1", "A segment for an STag of another protection domain is not placed, and that is reported to the ULP.",
    "needs two streams in different domains and the verbs of the host");
constinit const Rule kForeignStreamRefused = kAssociation.must(
    "DDP-8.2-2", "A segment for an STag of another stream is not placed, and that is reported to the ULP.",
    "needs an STag bound to one of two streams, by verbs");
constinit const Rule kAssociatesStags =
    kAssociation.should("DDP-8.2-3", "A ULP associates an STag with at least one stream.", kVerbs);
constinit const Rule kBothAssociations =
    kAssociation.must("DDP-8.2-4", "DDP supports association by protection domain and association by stream.", kVerbs);
constinit const Rule kRangeCanBeEstablished =
    kRequirements.must("DDP-8.3-1", "The ULP can establish and revoke the TO range of an STag's buffer.", kVerbs);
constinit const Rule kValidityCanBeEstablished =
    kRequirements.must("DDP-8.3-2", "The ULP can establish and revoke the validity of an STag.", kVerbs);
constinit const Rule kStreamCanBeAssociated =
    kRequirements.must("DDP-8.3-3", "The ULP can associate an STag with a stream.", kVerbs);
constinit const Rule kInvalidAccessReported =
    kRequirements.must("DDP-8.3-4", "An access by an invalid STag is passed to the ULP.",
                       "an asynchronous event of the verbs; that nothing is placed is judged by DDP-7.1");
constinit const Rule kHasManager =
    kRequirements.must("DDP-8.3-5", "There is an RNIC, and a privileged resource manager.", kResources);
constinit const Rule kNoForeignDomain =
    kRnic.must("DDP-8.3.1-1", "No stream reaches an STag of another protection domain.", kVerbs);
constinit const Rule kNoForeignStream =
    kRnic.must("DDP-8.3.1-2", "No stream uses an STag that belongs to another stream alone.", kVerbs);
constinit const Rule kWithinTheBuffer = kRnicNotJudged.must(
    "DDP-8.3.1-3", "A remote peer reaches no memory outside the buffer of the STag.", "judged by DDP-7.1-8 and -9");
constinit const Rule kBufferCanBeAssociated =
    kRnic.must("DDP-8.3.1-4", "The ULP can associate a buffer with an STag and TO range, and undo it.", kVerbs);
constinit const Rule kAccessCanBeGranted =
    kRnic.must("DDP-8.3.1-5", "The ULP can grant and revoke read and write access of an STag.", kVerbs);
constinit const Rule kNoChangeOnceRevoked = kRnic.must(
    "DDP-8.3.1-6", "Once the ULP has revoked remote access, the interface changes the buffer no more.", kVerbs);
constinit const Rule kNoUntrustedFirmware = kRnic.must_not(
    "DDP-8.3.1-7", "No firmware is loaded from a peer that is not authenticated, or by an insecure protocol.",
    "a property of the product");
constinit const Rule kThroughTheManager = kManager.must(
    "DDP-8.3.2-1", "What a non-privileged ULP asks that could affect others goes through the resource manager.",
    kResources);
constinit const Rule kAllocatesScarceResources =
    kManager.must("DDP-8.3.2-2", "Scarce resources are allocated through the resource manager.", kResources);
constinit const Rule kAssumesNoTrust = kManager.must_not(
    "DDP-8.3.2-3", "The resource manager assumes no trust between ULPs that no mechanism ensures.", kResources);
constinit const Rule kVerifiesTheRight = kManager.must(
    "DDP-8.3.2-4", "The right of a non-privileged ULP to a buffer is verified before an STag gives access to it.",
    kResources);
constinit const Rule kFairShare =
    kManager.should("DDP-8.3.2-5", "No local peer is allocated more than its fair share.", kResources);
constinit const Rule kDetectsExcess = kManager.must(
    "DDP-8.3.2-6", "Where receive buffers are shared by streams, a peer that takes more than its share is detected.",
    kResources);
constinit const Rule kAuthenticated = kServices.should(
    "DDP-8.4-1",
    "A stream that may be impersonated or hijacked is authenticated, and protected against change and replay.",
    "the deployment's choice");
constinit const Rule kEsp = kIpsecSection.must(
    "DDP-8.4.2-1",
    "IPsec for DDP supports ESP with replay protection, and uses them together with origin authentication.", kIpsec);
constinit const Rule kTunnelMode =
    kIpsecSection.must("DDP-8.4.2-2", "IPsec for DDP supports ESP in tunnel mode.", kIpsec);
constinit const Rule kIke = kIpsecSection.must("DDP-8.4.2-3", "IPsec for DDP supports IKE with the IPsec DOI.", kIpsec);
constinit const Rule kDeleteIsNoReason =
    kIpsecSection.must_not("DDP-8.4.2-4", "An IKE delete message is no reason to tear down a DDP stream.", kIpsec);
constinit const Rule kPreSharedKey =
    kIpsecSection.must("DDP-8.4.2-5", "Peers can be authenticated by a pre-shared key.", kIpsec);
constinit const Rule kMainMode = kIpsecSection.must("DDP-8.4.2-6", "IKE Main Mode is supported.", kIpsec);
constinit const Rule kSecretsRestricted =
    kIpsecSection.must("DDP-8.4.2-7", "Access to locally stored secrets is restricted.", kIpsec);
constinit const Rule kIkeParameters =
    kIpsecSection.must("DDP-8.4.2-8", "IKE parameters follow RFC 3723, 2.3.4.", kIpsec);

constexpr Breach kBreaches[] = {
    {Deviation::protection_domains_ignored, kForeignDomainRefused, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kRangeCanBeEstablished, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kValidityCanBeEstablished, {.given = "verbs pair"}},
    {Deviation::error_not_surfaced, kInvalidAccessReported, {.given = "verbs"}},
    {Deviation::protection_domains_ignored, kNoForeignDomain, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kBufferCanBeAssociated, {.given = "verbs pair"}},
    {Deviation::accepts_access, kAccessCanBeGranted, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kNoChangeOnceRevoked, {.given = "verbs pair"}},
};

}  // namespace

SectionRules ddp_security_rules() {
  static constexpr const Rule* kRules[] = {&kForeignDomainRefused,
                                           &kForeignStreamRefused,
                                           &kAssociatesStags,
                                           &kBothAssociations,
                                           &kRangeCanBeEstablished,
                                           &kValidityCanBeEstablished,
                                           &kStreamCanBeAssociated,
                                           &kInvalidAccessReported,
                                           &kHasManager,
                                           &kNoForeignDomain,
                                           &kNoForeignStream,
                                           &kWithinTheBuffer,
                                           &kBufferCanBeAssociated,
                                           &kAccessCanBeGranted,
                                           &kNoChangeOnceRevoked,
                                           &kNoUntrustedFirmware,
                                           &kThroughTheManager,
                                           &kAllocatesScarceResources,
                                           &kAssumesNoTrust,
                                           &kVerifiesTheRight,
                                           &kFairShare,
                                           &kDetectsExcess,
                                           &kAuthenticated,
                                           &kEsp,
                                           &kTunnelMode,
                                           &kIke,
                                           &kDeleteIsNoReason,
                                           &kPreSharedKey,
                                           &kMainMode,
                                           &kSecretsRestricted,
                                           &kIkeParameters};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
