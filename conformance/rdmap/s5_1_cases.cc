// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Writes that are valid, and what the ULP sees of them: nothing.
#include "conformance/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 5.1";

constinit const Rule kNotDelivered = stimulus_rule("RDMAP-5.1-2", Level::must_not, kSection,
                                                   "A valid RDMA Write is not delivered to the Data Sink's ULP.");
constinit const Rule kInvalidIsSurfaced{"RDMAP-5.1-3",
                                        Level::must,
                                        Role::any,
                                        kSection,
                                        Observable::none,
                                        "An invalid RDMA Write that is delivered to RDMAP surfaces an error.",
                                        "judged by DDP-7.1 and RDMAP-7.2"};

constexpr const Rule* kRules[] = {&kNotDelivered, &kInvalidIsSurfaced};

}  // namespace

SectionCases write_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    cases.push_back({.id = "rdmap/responder-does-not-deliver-writes",
                     .iut = Role::responder,
                     .rules = {&kNotDelivered},
                     .purpose = "A Write and a Send behind it: the application answers the Send, and nothing else.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       const auto buffer =
                           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
                       if (!buffer) return;
                       peer.write(data_of(50, 1), buffer->stag, buffer->to);
                       peer.expect_goes_on(kNotDelivered, "a Write, and a Send behind it");
                       const Response answer = peer.await(peer.in(peer.run().silence_time()),
                                                          [](const Response& one) { return one.is_send(); });
                       peer.require(kNotDelivered, !answer.is_send(), "one Send, the echo", to_text(answer));
                     })});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
