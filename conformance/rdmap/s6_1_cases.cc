// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 6.1: more RDMA Reads than were negotiated.
#include "conformance/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kWithinInbound =
    stimulus_rule("RDMAP-6.1-7", Level::must_not, "RFC 5040 6.1",
                  "RDMAP takes no more inbound RDMA Reads at once than were negotiated.",
                  "A-19: the code for one too many is open, and serving more than was announced is warned of");

constexpr const Rule* kRules[] = {&kWithinInbound};

}  // namespace

SectionCases initialization_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    cases.push_back({.id = "rdmap/responder-and-too-many-reads",
                     .iut = Role::responder,
                     .rules = {&kWithinInbound},
                     .purpose = "Many more Read Requests than the reply's IRD allows, sent together, are refused.",
                     .run = on_responder([](InitiatorProbe& peer) {
                       peer.start({.enhanced = mpa::EnhancedData{.ird = 1, .ord = 2}});
                       if (!peer.ok()) return;
                       const auto depths = peer.reply().enhanced_data();
                       if (!depths || depths->ird == mpa::kNoNegotiation)
                         return peer.skip("the reply does not say how many Reads may be outstanding (RFC 6581)");
                       // Large reads where there is something to read, so that they are outstanding for a while.
                       const auto buffer = targets_of(peer.run(), peer.reply().ulp_data()).read_write;
                       OctetBuffer octets;
                       const unsigned count = depths->ird + 16u;
                       for (unsigned i = 0; i < count; ++i) {
                         OctetBuffer payload;
                         const auto size =
                             static_cast<std::uint32_t>(buffer ? std::min<std::uint64_t>(buffer->length, 65536) : 0);
                         encode(buffer ? read_of(*buffer, 0, size) : ReadRequest{.sink_stag = kOurSinkStag}, payload);
                         const OctetBuffer one = peer.fpdu_of(peer.untagged(Opcode::read_request), payload);
                         octets.insert(octets.end(), one.begin(), one.end());
                         peer.message_sent(kReadRequestQueue);
                       }
                       peer.send_octets(octets);
                       expect_refusal_or_note(peer, kWithinInbound,
                                              {terminates(error::kDdpNoBuffer), terminates(error::kCatastrophicStream),
                                               terminates(error::kDdpMsnRange)},
                                              "sixteen Reads more than were negotiated");
                     })});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
