// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.6: RDMA-Write based data transfer. Nothing of it is seen in packets.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

namespace {

constexpr Section kSection{"EFA RDM v4 4.6", kRequester, Observable::api};
constexpr Section kSectionStimulusOfResponder = kSection.by(Observable::stimulus).of(kResponder);

}  // namespace

constinit const Rule kDirectWriteHasNoPackets =
    kSection.must("EFA-4.6-1", "A direct write is made of RDMA writes alone, without a packet.",
                  "RDMA writes are no packets of this protocol; the device shows them");
constinit const Rule kDirectWriteIsAnnounced =
    kSection.must("EFA-4.6-2", "Memory is written directly only where the peer has announced RDMA write.",
                  "RDMA writes are no packets of this protocol; the device shows them");
constinit const Rule kDirectWriteCqData = kSectionStimulusOfResponder.must(
    "EFA-4.6-3",
    "The responder drives its progress, so that a direct write with CQ data gives its application a completion.",
    "An application that echoes answers such a write by a message (conformance/case.h)");

constexpr Breach kBreaches[] = {
    {Deviation::extras_not_announced, kDirectWriteIsAnnounced},
    {Deviation::remote_write_untold, kDirectWriteCqData},
};

SectionRules s4_6_rules() {
  static constexpr const Rule* kRules[] = {&kDirectWriteHasNoPackets, &kDirectWriteIsAnnounced, &kDirectWriteCqData};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::efa
