// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 8: what an implementation owes to its own host. None of it is a matter of octets on the wire, save
// the checks of STags and bounds, which RDMAP-7.2 and DDP-7.1 judge by stimuli.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection8_1 = Section{"RFC 5040 8.1"}.by(Observable::none);
constexpr Section kRnic = Section{"RFC 5040 8.1.1"}.by(Observable::api);
constexpr Section kRnicNotJudged = kRnic.by(Observable::none);
constexpr Section kManager = Section{"RFC 5040 8.1.2"}.by(Observable::api);
constexpr Section kIpsecSection = Section{"RFC 5040 8.2.2"}.by(Observable::api);
constexpr std::string_view kVerbs = "the verbs that register memory show it";
constexpr std::string_view kResources = "seen by local users of the RNIC, through its verbs and its resource manager";
constexpr std::string_view kIpsec = "IPsec is below TCP: its own conformance tests show it";

constinit const Rule kMeetsRfc5042 = kSection8_1.must(
    "RDMAP-8.1-1", "RNIC and resource manager meet the requirements of RFC 5042.", "listed one by one below");
constinit const Rule kNoForeignDomain =
    kRnic.must("RDMAP-8.1.1-1", "No stream reaches an STag of another protection domain.", kVerbs);
constinit const Rule kNoForeignStream =
    kRnic.must("RDMAP-8.1.1-2", "No stream uses an STag that belongs to another stream alone.", kVerbs);
constinit const Rule kWithinTheBuffer =
    kRnicNotJudged.must("RDMAP-8.1.1-3", "A remote peer reaches no memory outside the buffer of the STag.",
                        "judged by DDP-7.1-8, DDP-7.1-9, RDMAP-7.2-10 and RDMAP-7.2-11");
constinit const Rule kBufferCanBeAssociated =
    kRnic.must("RDMAP-8.1.1-4", "The ULP can associate a buffer with an STag and TO range, and undo it.", kVerbs);
constinit const Rule kAccessCanBeGranted =
    kRnic.must("RDMAP-8.1.1-5", "The ULP can grant and revoke read and write access of an STag.", kVerbs);
constinit const Rule kNoChangeOnceRevoked = kRnic.must(
    "RDMAP-8.1.1-6", "Once the ULP has revoked remote access, the interface changes the buffer no more.", kVerbs);
constinit const Rule kStagsHardToPredict =
    kRnic.must("RDMAP-8.1.1-8", "STags are hard to predict.", "a statistical property of many registrations");
constinit const Rule kNoSharedCompletionQueue =
    kRnic.must_not("RDMAP-8.1.1-9", "ULPs that do not trust each other share no completion queue.", kResources);
constinit const Rule kOverflowIsContained = kRnic.must(
    "RDMAP-8.1.1-10", "A completion queue that overflows affects no stream that does not use it.", kResources);
constinit const Rule kReadsCanBeCapped =
    kRnic.should("RDMAP-8.1.1-11", "The number of outstanding RDMA Reads can be capped.",
                 "by initiator_depth of the verbs; that a negotiated cap is kept is judged by RDMAP-6.1-6 and -7");
constinit const Rule kNoUntrustedFirmware = kRnic.must_not(
    "RDMAP-8.1.1-12", "No firmware is loaded from a peer that is not authenticated, or by an insecure protocol.",
    "a property of the product");
constinit const Rule kThroughTheManager = kManager.must(
    "RDMAP-8.1.2-1", "What a non-privileged ULP asks that could affect others goes through the resource manager.",
    kResources);
constinit const Rule kAllocatesScarceResources =
    kManager.must("RDMAP-8.1.2-2", "Scarce resources are allocated through the resource manager.", kResources);
constinit const Rule kAssumesNoTrust = kManager.must_not(
    "RDMAP-8.1.2-3", "The resource manager assumes no trust between ULPs that no mechanism ensures.", kResources);
constinit const Rule kVerifiesTheRight = kManager.must(
    "RDMAP-8.1.2-4", "The right of a non-privileged ULP to a buffer is verified before an STag gives access to it.",
    kResources);
constinit const Rule kAllotsCompletions =
    kManager.must("RDMAP-8.1.2-5", "The resource manager allots the entries of completion queues.", kResources);
constinit const Rule kFairShare =
    kManager.should("RDMAP-8.1.2-6", "No local peer is allocated more than its fair share.", kResources);
constinit const Rule kNoSharedReadQueue = kManager.must(
    "RDMAP-8.1.2-7", "Streams without mutual trust share no resources of Read Request queues.", kResources);
constinit const Rule kDetectsExcess = kManager.must(
    "RDMAP-8.1.2-8", "Where receive buffers are shared by streams, a peer that takes more than its share is detected.",
    kResources);
constinit const Rule kEsp = kIpsecSection.must(
    "RDMAP-8.2.2-1",
    "IPsec for RDMAP supports ESP with replay protection, and uses them together with origin authentication.", kIpsec);
constinit const Rule kTunnelMode =
    kIpsecSection.must("RDMAP-8.2.2-2", "IPsec for RDMAP supports ESP in tunnel mode.", kIpsec);
constinit const Rule kIke =
    kIpsecSection.must("RDMAP-8.2.2-3", "IPsec for RDMAP supports IKE with the IPsec DOI.", kIpsec);
constinit const Rule kDeleteIsNoReason = kIpsecSection.must_not(
    "RDMAP-8.2.2-4", "An IKE phase 2 delete message is no reason to tear down an RDMAP stream.", kIpsec);
constinit const Rule kPreSharedKey =
    kIpsecSection.must("RDMAP-8.2.2-5", "Peers can be authenticated by a pre-shared key.", kIpsec);
constinit const Rule kMainMode = kIpsecSection.must("RDMAP-8.2.2-6", "IKE Main Mode is supported.", kIpsec);
constinit const Rule kCertificatesChecked = kIpsecSection.should(
    "RDMAP-8.2.2-7",
    "With digital signatures, certificates are requested by their authority and checked against revocation lists.",
    kIpsec);
constinit const Rule kSecretsRestricted =
    kIpsecSection.must("RDMAP-8.2.2-8", "Access to locally stored secrets is restricted.", kIpsec);
constinit const Rule kIkeParameters =
    kIpsecSection.must("RDMAP-8.2.2-9", "IKE parameters follow RFC 3723, 2.3.4.", kIpsec);

constexpr Breach kBreaches[] = {
    {Deviation::protection_domains_ignored, kNoForeignDomain, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kBufferCanBeAssociated, {.given = "verbs pair"}},
    {Deviation::accepts_access, kAccessCanBeGranted, {.given = "verbs pair"}},
    {Deviation::deregistered_stays, kNoChangeOnceRevoked, {.given = "verbs pair"}},
    {Deviation::exceeds_ord, kReadsCanBeCapped, {.severity = Severity::warning, .given = "verbs"}},
};

}  // namespace

SectionRules rdmap_security_rules() {
  static constexpr const Rule* kRules[] = {&kMeetsRfc5042,
                                           &kNoForeignDomain,
                                           &kNoForeignStream,
                                           &kWithinTheBuffer,
                                           &kBufferCanBeAssociated,
                                           &kAccessCanBeGranted,
                                           &kNoChangeOnceRevoked,
                                           &kStagsHardToPredict,
                                           &kNoSharedCompletionQueue,
                                           &kOverflowIsContained,
                                           &kReadsCanBeCapped,
                                           &kNoUntrustedFirmware,
                                           &kThroughTheManager,
                                           &kAllocatesScarceResources,
                                           &kAssumesNoTrust,
                                           &kVerifiesTheRight,
                                           &kAllotsCompletions,
                                           &kFairShare,
                                           &kNoSharedReadQueue,
                                           &kDetectsExcess,
                                           &kEsp,
                                           &kTunnelMode,
                                           &kIke,
                                           &kDeleteIsNoReason,
                                           &kPreSharedKey,
                                           &kMainMode,
                                           &kCertificatesChecked,
                                           &kSecretsRestricted,
                                           &kIkeParameters};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
