// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.6: RDMA-Write based data transfer. Nothing of it is seen in packets.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kDirectWriteHasNoPackets{"EFA-4.6-1",
                                              Level::must,
                                              Role::initiator,
                                              "EFA RDM v4 4.6",
                                              Observable::api,
                                              "A direct write is made of RDMA writes alone, without a packet.",
                                              "RDMA writes are no packets of this protocol; the device shows them"};
constinit const Rule kDirectWriteIsAnnounced{"EFA-4.6-2",
                                             Level::must,
                                             Role::initiator,
                                             "EFA RDM v4 4.6",
                                             Observable::api,
                                             "Memory is written directly only where the peer has announced RDMA write.",
                                             "RDMA writes are no packets of this protocol; the device shows them"};
constinit const Rule kDirectWriteCqData{
    "EFA-4.6-3",
    Level::must,
    Role::responder,
    "EFA RDM v4 4.6",
    Observable::stimulus,
    "The responder drives its progress, so that a direct write with CQ data gives its application a completion.",
    "An application that echoes answers such a write by a message (conformance/case.h)"};

RuleList s4_6_rules() {
  static constexpr const Rule* kRules[] = {&kDirectWriteHasNoPackets, &kDirectWriteIsAnnounced, &kDirectWriteCqData};
  return kRules;
}

}  // namespace wirelaw::efa
