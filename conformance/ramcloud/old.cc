// SPDX-License-Identifier: Apache-2.0
// "Old:", the part of the text that describes use cases in the words of an earlier header. What still holds in today's
// header is judged by the cases of old_use_cases.cc; what does not is listed here, with what took its place.
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kMultiRequest = "RAMCloud RPC, Old: Multi-packet request is lost";
constexpr std::string_view kSingleResponse = "RAMCloud RPC, Old: Single packet response is lost";
constexpr std::string_view kSingleRequest = "RAMCloud RPC, Old: Single packet request is lost";
constexpr std::string_view kSetUp = "RAMCloud RPC, Old: Connection Setup";

constinit const Rule kResponsePerConnection{
    "RAMCLOUD-old-4",
    Level::obsolete,
    Role::responder,
    kSingleResponse,
    Observable::none,
    "The server keeps the latest response of each connection.",
    "R24: rpcIds count per channel, so the response is kept per channel; RAMCLOUD-old-6 judges that"};
constinit const Rule kGivingUpIsReported{"RAMCLOUD-old-7",
                                         Level::must,
                                         Role::initiator,
                                         kSingleRequest,
                                         Observable::api,
                                         "A client that gives up reports it to its caller.",
                                         "seen only by the application above the client"};
constinit const Rule kEmptyAckRequest{
    "RAMCLOUD-old-16",
    Level::obsolete,
    Role::initiator,
    kMultiRequest,
    Observable::none,
    "The client asks for the state of a request with an empty packet, marked by a bit or a fragment id past the end.",
    "R21: requestAck rides on a DATA fragment; RAMCLOUD-old-8 judges that"};
constinit const Rule kAckByControlBit{
    "RAMCLOUD-old-18",
    Level::obsolete,
    Role::responder,
    kMultiRequest,
    Observable::none,
    "The state of a request is reported under a control bit and opcode 2, as a bitmap.",
    "R22: payloadType PT_ACK with firstMissingFrag and stagingVector; RAMCLOUD-ack-* judge that"};
constinit const Rule kRequestFlag{"RAMCLOUD-old-19",
                                  Level::obsolete,
                                  Role::initiator,
                                  kSetUp,
                                  Observable::none,
                                  "A connection is asked for under connection id 0 with a request flag.",
                                  "R22: payloadType PT_SESSION_OPEN; RAMCLOUD-openRequest-* judge that"};
constinit const Rule kReplyFlag{
    "RAMCLOUD-old-20",
    Level::obsolete,
    Role::responder,
    kSetUp,
    Observable::none,
    "The new connection id comes in the first three octets of a payload, under a reply flag.",
    "R22: the header's sessionToken and hints; RAMCLOUD-openResponse-* and RAMCLOUD-sessionToken-* judge that"};
constinit const Rule kIdleClose{
    "RAMCLOUD-old-21",
    Level::may,
    Role::any,
    kSetUp,
    Observable::none,
    "A machine closes connections that have been idle for long.",
    "R36: there is no packet for it and no period; a server may forget a session at any time"};
constinit const Rule kErrorForClosed{"RAMCLOUD-old-22",
                                     Level::obsolete,
                                     Role::responder,
                                     kSetUp,
                                     Observable::none,
                                     "An error packet answers a packet of a connection that was closed.",
                                     "R22: payloadType PT_BAD_SESSION; RAMCLOUD-badSession-4 judges that"};

}  // namespace

RuleList old_rules() {
  static constexpr const Rule* kRules[] = {
      &kResponsePerConnection, &kGivingUpIsReported, &kEmptyAckRequest, &kAckByControlBit,
      &kRequestFlag,           &kReplyFlag,          &kIdleClose,       &kErrorForClosed};
  return kRules;
}

}  // namespace wirelaw::ramcloud
