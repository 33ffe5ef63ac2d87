// SPDX-License-Identifier: Apache-2.0
#include "conformance/roce/roce.h"

#include "conformance/roce/decode.h"
#include "conformance/roce/observer.h"

namespace wirelaw::roce {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kNone{"roce", {RuleList{}}};
  return kNone;
}

}  // namespace

// Its flows are found by queue pairs (pcap/queue_pairs.h), not by ports.
constinit const Protocol kProtocol{.name = "roce",
                                   .title = "RoCEv2",
                                   .initiator = "requester",
                                   .responder = "responder",
                                   .transports = "udp",
                                   .catalogue = catalogue,
                                   .cases = [] { return std::span<const Case>(); },
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .datagrams = OnDatagrams{}};

}  // namespace wirelaw::roce
