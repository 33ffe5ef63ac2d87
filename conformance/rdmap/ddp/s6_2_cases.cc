// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 6.2.2: a header with an invalid field is a fatal error. The version is the field that no other rule
// has (4.1); its error numbers stand in 7.2.
#include "conformance/rdmap/ddp/cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kInvalidFieldIsFatal = stimulus_rule(
    "DDP-6.2.2-3", Level::must, "RFC 5041 6.2.2",
    "A segment of another DDP version is a fatal error: 1/1/04 where it is tagged, 1/2/06 where not.", "A-08, A-11");

constexpr const Rule* kRules[] = {&kInvalidFieldIsFatal};

}  // namespace

SectionCases ddp_version_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases, {"ddp/responder-refuses-version-0", "ddp/initiator-refuses-version-0"}, {&kInvalidFieldIsFatal},
             "A Send of DDP version 0 is refused.", Service::none, [](auto& peer) {
               peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.version = 0; });
               expect_refusal(peer, kInvalidFieldIsFatal, {terminates(error::kDdpUntaggedVersion)}, "DV is 0");
             });
    add_both(cases, {"ddp/responder-refuses-version-2", "ddp/initiator-refuses-version-2"}, {&kInvalidFieldIsFatal},
             "A Send of DDP version 2 is refused.", Service::none, [](auto& peer) {
               peer.send(data_of(8), Opcode::send, [](ddp::Header& h) { h.version = 2; });
               expect_refusal(peer, kInvalidFieldIsFatal, {terminates(error::kDdpUntaggedVersion)}, "DV is 2");
             });
    add_both(cases, {"ddp/responder-refuses-tagged-version-3", "ddp/initiator-refuses-tagged-version-3"},
             {&kInvalidFieldIsFatal}, "A Write of no octets of DDP version 3 is refused.", Service::none,
             [](auto& peer) {
               peer.write({}, 0, 0, [](ddp::Header& h) { h.version = 3; });
               expect_refusal(peer, kInvalidFieldIsFatal, {terminates(error::kDdpTaggedVersion)}, "DV is 3");
             });
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
