// SPDX-License-Identifier: Apache-2.0
// RFC 5042, as RFC 5040 8.1 takes it over: what binds an implementation of RDMAP and DDP (there: the RNIC and its
// Privileged Resource Manager). What it asks of upper layers and of IPsec is not an RDMAP implementation's to show and
// stands here only as the two requirements that it makes of the RNIC.
#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {

RuleList security_rules() {
  static constexpr auto rule = [](std::string_view id, Level level, std::string_view section, Observable observable,
                                  std::string_view summary, std::string_view note = {}) {
    return Rule{id, level, Role::any, section, observable, summary, note};
  };
  static constexpr std::string_view kTwoUlps =
      "It takes two applications on one adapter, of which one tries what only the other may";
  static constexpr std::string_view kVerbs =
      "A test over the verbs that tries it, or their absence from the interface, shows it";

  static constinit const Rule kProxy =
      rule("RDMASEC-2-1", Level::must, "RFC 5042 2.3, RFC 5040 8.1.2", Observable::api,
           "What an application without privileges does to the RNIC that could affect others goes through a privileged "
           "resource manager.",
           kVerbs);
  static constinit const Rule kScarce =
      rule("RDMASEC-2-2", Level::must, "RFC 5042 2.3, 6.4.1, RFC 5040 8.1.2", Observable::api,
           "Scarce resources are allocated by a privileged resource manager.", kVerbs);
  static constinit const Rule kTrust =
      rule("RDMASEC-3-1", Level::must_not, "RFC 5042 3, RFC 5040 8.1.2", Observable::api,
           "The resource manager does not assume that streams share trust unless something makes sure that they do.",
           kTwoUlps);
  static constinit const Rule kIpsec =
      rule("RDMASEC-5.4.5-1", Level::must, "RFC 5042 5.4.5, RFC 5040 8.2.2", Observable::none,
           "The implementation follows the IPsec requirements of RFC 3723, 2.3 and 5.",
           "IPsec ends below TCP: what carries these octets, encrypted or not, is not in them");
  static constinit const Rule kPhase2Delete =
      rule("RDMASEC-5.4.5-2", Level::must_not, "RFC 5042 5.4.5, RFC 5040 8.2.2", Observable::none,
           "An IKE Phase 2 delete message is no reason to tear down a stream.",
           "Key exchange runs beside the connection, between hosts; a test of IPsec would bring it about");
  static constinit const Rule kScope = rule(
      "RDMASEC-6.1.1-1", Level::must, "RFC 5042 6.1.1", Observable::api,
      "Without sharing of STags, each stream has a protection domain of its own or each STag a single stream.", kVerbs);
  static constinit const Rule kDomain =
      rule("RDMASEC-6.1.1-2", Level::must, "RFC 5042 6.1.1, RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::stimulus,
           "A stream of one protection domain cannot use an STag of another.",
           "An STag that was offered on one connection, used on another; where both are of one domain it may be taken");
  static constinit const Rule kSingleStream =
      rule("RDMASEC-6.1.1-3", Level::must, "RFC 5042 6.1.1, RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::stimulus,
           "An STag of a single stream cannot be used by another stream.",
           "An STag that was offered on one connection, used on another; where its scope is wider it may be taken");
  static constinit const Rule kUnpredictable =
      rule("RDMASEC-6.1.1-4", Level::must, "RFC 5042 6.1.1, RFC 5040 8.1.1", Observable::stimulus,
           "STags are chosen so that they are hard to predict, and best spread over the whole range.",
           "STags that several connections are offered, compared");
  static constinit const Rule kBounds =
      rule("RDMASEC-6.2.1-1", Level::must, "RFC 5042 6.2.1, RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::stimulus,
           "A remote peer cannot reach memory outside the buffer of the STag.",
           "Writes and Reads across each end of a buffer that was offered");
  static constinit const Rule kRevoked =
      rule("RDMASEC-6.2.2-1", Level::must, "RFC 5042 6.2.2, RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::stimulus,
           "Once access by an STag has been revoked, nothing from the network changes its buffer.",
           "A Send with Invalidate for the STag that was offered, then a Write to it");
  static constinit const Rule kAssociate =
      rule("RDMASEC-6.2.2-2", Level::must, "RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::api,
           "The ULP can establish and revoke the association of a buffer with an STag and a range of TO.", kVerbs);
  static constinit const Rule kRights =
      rule("RDMASEC-6.3.5-1", Level::must, "RFC 5042 6.3.5, RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::api,
           "The ULP can grant and revoke read access, write access, or both, to the buffer of an STag.", kVerbs);
  static constinit const Rule kRightsKept =
      rule("RDMASEC-6.3.5-2", Level::must, "RFC 5042 6.3.5", Observable::stimulus,
           "A buffer that may only be written cannot be read, and one that may only be read cannot be written.",
           "A zero-length Read is allowed all the same");
  static constinit const Rule kFairShare =
      rule("RDMASEC-6.4.3.1-1", Level::must, "RFC 5042 6.4.3.1, RFC 5040 8.1.2", Observable::api,
           "Where streams share receive buffers, a peer that takes more than its share is detected.",
           "A limit event on a shared receive queue shows it");
  static constinit const Rule kCqEntries =
      rule("RDMASEC-6.4.3.2-1", Level::must, "RFC 5042 6.4.3.2, RFC 5040 8.1.2", Observable::api,
           "A privileged resource manager controls the allocation of completion queue entries.", kVerbs);
  static constinit const Rule kReadQueues =
      rule("RDMASEC-6.4.3.3-1", Level::must, "RFC 5042 6.4.3.3, RFC 5040 8.1.2", Observable::api,
           "Streams that do not trust each other do not share the queue of incoming Read Requests.", kTwoUlps);
  static constinit const Rule kReadCap = rule(
      "RDMASEC-6.4.3.3-2", Level::should, "RFC 5042 6.4.3.3, RFC 5040 8.1.1", Observable::stimulus,
      "The number of outstanding Read Requests is capped.", "More Read Requests at once than the peer said it takes");
  static constinit const Rule kSharedInvalidate =
      rule("RDMASEC-6.4.5-1", Level::must, "RFC 5042 6.4.5, RFC 5040 8.1.1", Observable::api,
           "A remote peer cannot invalidate an STag that is shared by several streams.",
           "It takes an application that shares one; a peer sees only that its request is refused");
  static constinit const Rule kCqOverflow =
      rule("RDMASEC-6.4.6-1", Level::must, "RFC 5042 6.4.6, RFC 5040 8.1.1", Observable::api,
           "When a completion queue overflows, streams that do not use it are not affected.",
           "It takes an application that lets one overflow");
  static constinit const Rule kFirmware =
      rule("RDMASEC-8-1", Level::must_not, "RFC 5040 8.1.1, RFC 5041 8.3.1", Observable::none,
           "Firmware is not loaded from a peer that is not trusted, authenticated and reached by a secure protocol.",
           "How an adapter takes firmware is outside these protocols");
  static constinit const Rule kCqSharing =
      rule("RDMASEC-7.1-1", Level::must_not, "RFC 5042 7.1, RFC 5040 8.1.1", Observable::api,
           "A completion queue cannot be shared by ULPs that do not trust each other.", kTwoUlps);
  static constinit const Rule kReadQueueEntries =
      rule("RDMASEC-7.2-1", Level::must, "RFC 5042 7.2", Observable::api,
           "Interfaces that allocate entries of the Read Request queue are open to a trusted local peer only.", kVerbs);
  static constinit const Rule kReadQueueShare =
      rule("RDMASEC-7.2-2", Level::should, "RFC 5042 7.2, RFC 5040 8.1.2", Observable::api,
           "The resource manager keeps a local ULP from allocating more than its share.", kVerbs);
  static constinit const Rule kRightToBuffer =
      rule("RDMASEC-7.3-1", Level::must, "RFC 5042 7.3, RFC 5040 8.1.2", Observable::api,
           "Before an STag is associated with a buffer, it is verified that the ULP has a right to that buffer.",
           "A registration of memory that is not the application's own must fail");
  static constexpr const Rule* kRules[] = {&kProxy,
                                           &kScarce,
                                           &kTrust,
                                           &kIpsec,
                                           &kPhase2Delete,
                                           &kScope,
                                           &kDomain,
                                           &kSingleStream,
                                           &kUnpredictable,
                                           &kBounds,
                                           &kRevoked,
                                           &kAssociate,
                                           &kRights,
                                           &kRightsKept,
                                           &kFairShare,
                                           &kCqEntries,
                                           &kReadQueues,
                                           &kReadCap,
                                           &kSharedInvalidate,
                                           &kCqOverflow,
                                           &kFirmware,
                                           &kCqSharing,
                                           &kReadQueueEntries,
                                           &kReadQueueShare,
                                           &kRightToBuffer};
  return kRules;
}

}  // namespace wirelaw::rdmap
