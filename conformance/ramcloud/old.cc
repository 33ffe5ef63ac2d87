// SPDX-License-Identifier: Apache-2.0
// "Old:", the part of the text that describes use cases in the words of an earlier header. What still holds in today's
// header is judged by old_request_cases.cc and old_response_cases.cc; what does not is listed here, with what took its
// place.
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSingleResponse{"RAMCloud RPC, Old: Single packet response is lost", Role::any, Observable::none};
constexpr Section kSingleRequest{"RAMCloud RPC, Old: Single packet request is lost", Role::initiator, Observable::api};
constexpr Section kMultiRequest{"RAMCloud RPC, Old: Multi-packet request is lost", Role::any, Observable::none};
constexpr Section kSetUp{"RAMCloud RPC, Old: Connection Setup", Role::any, Observable::none};

constinit const Rule kResponsePerConnection =
    kSingleResponse.of(Role::responder)
        .obsolete(
            "RAMCLOUD-old-4", "The server keeps the latest response of each connection.",
            "RAMCLOUD/R24: rpcIds count per channel, so the response is kept per channel; RAMCLOUD-old-6 judges that");
constinit const Rule kGivingUpIsReported =
    kSingleRequest.must("RAMCLOUD-old-7", "A client that gives up reports it to its caller.",
                        "seen only by the application above the client");
constinit const Rule kEmptyAckRequest =
    kMultiRequest.of(Role::initiator)
        .obsolete("RAMCLOUD-old-16",
                  "The client asks for the state of a request with an empty packet, marked by a bit or a fragment id "
                  "past the end.",
                  "RAMCLOUD/R21: requestAck rides on a DATA fragment; RAMCLOUD-old-8 judges that");
constinit const Rule kAckByControlBit =
    kMultiRequest.of(Role::responder)
        .obsolete(
            "RAMCLOUD-old-18", "The state of a request is reported under a control bit and opcode 2, as a bitmap.",
            "RAMCLOUD/R22: payloadType PT_ACK with firstMissingFrag and stagingVector; RAMCLOUD-ack-* judge that");
constinit const Rule kRequestFlag =
    kSetUp.of(Role::initiator)
        .obsolete("RAMCLOUD-old-19", "A connection is asked for under connection id 0 with a request flag.",
                  "RAMCLOUD/R22: payloadType PT_SESSION_OPEN; RAMCLOUD-openRequest-* judge that");
constinit const Rule kReplyFlag =
    kSetUp.of(Role::responder)
        .obsolete("RAMCLOUD-old-20",
                  "The new connection id comes in the first three octets of a payload, under a reply flag.",
                  "RAMCLOUD/R22: the header's sessionToken and hints; RAMCLOUD-openResponse-* and "
                  "RAMCLOUD-sessionToken-* judge that");
constinit const Rule kIdleClose =
    kSetUp.may("RAMCLOUD-old-21", "A machine closes connections that have been idle for long.",
               "RAMCLOUD/R36: there is no packet for it and no period; a server may forget a session at any time");
constinit const Rule kErrorForClosed =
    kSetUp.of(Role::responder)
        .obsolete("RAMCLOUD-old-22", "An error packet answers a packet of a connection that was closed.",
                  "RAMCLOUD/R22: payloadType PT_BAD_SESSION; RAMCLOUD-badSession-4 judges that");

}  // namespace

RuleList old_rules() {
  static constexpr const Rule* kRules[] = {
      &kResponsePerConnection, &kGivingUpIsReported, &kEmptyAckRequest, &kAckByControlBit,
      &kRequestFlag,           &kReplyFlag,          &kIdleClose,       &kErrorForClosed};
  return kRules;
}

}  // namespace wirelaw::ramcloud
