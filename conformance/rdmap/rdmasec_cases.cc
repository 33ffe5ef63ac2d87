// SPDX-License-Identifier: Apache-2.0
// RFC 5042, section 6: what a peer must not be able to do with an STag.
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kForeignStag =
    stimulus_rule("RDMASEC-6.1.1-2", Level::must, "RFC 5042 6.1.1",
                  "A stream that uses an STag which is another stream's is refused, and ends.",
                  "A-02; an STag that is good for the whole protection domain may be taken: warned");
constexpr const Rule* kRules[] = {&kForeignStag};

}  // namespace

SectionCases security_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    cases.push_back({.id = "rdmap/responder-refuses-stags-of-another-connection",
                     .iut = wirelaw::Role::responder,
                     .rules = {&kForeignStag},
                     .purpose = "An STag that was offered on one connection is refused on another.",
                     .run = with<ReadyResponder>([](auto& peer) {
                       const auto first =
                           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read");
                       if (!first) return;
                       peer.connect_again();
                       if (!peer.ok()) return;
                       const auto second = targets_of(peer.run(), peer.advertisement()).read_write;
                       if (second && second->stag == first->stag)
                         return peer.skip("both connections are offered the same STag");
                       peer.read_request(read_of(*first, 0, 64));
                       expect_refusal_or_note(peer, kForeignStag,
                                              {terminates(error::kInvalidStag), terminates(error::kStagNotAssociated),
                                               terminates(error::kAccessRights), noted(terminates())},
                                              "the STag was offered on another connection");
                     })});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
