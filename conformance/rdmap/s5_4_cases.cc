// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: a Terminate arrives whole, and always finds a buffer.
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kDelivered = stimulus_rule("RDMAP-5.4-5", Level::must, "RFC 5040 5.4",
                                                "A Terminate is delivered: it comes whole before the stream ends.");
constexpr const Rule* kRules[] = {&kDelivered};

}  // namespace

SectionCases terminate_message_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases, {"rdmap/responder-delivers-its-terminate", "rdmap/initiator-delivers-its-terminate"}, {&kDelivered},
             "Octets are on their way to the IUT when it refuses a message: its Terminate comes whole all the same.",
             Service::none, [](auto& peer) {
               fault("a-queue").send(peer);
               // What nobody reads any more makes TCP reset a connection that is closed.
               for (unsigned i = 0; i < 8; ++i) peer.send(data_of(1000, i));
               const Response answer = await_terminate(peer);
               peer.require(kDelivered, !answer.ended() || peer.pending() == 0, "a whole Terminate",
                            fmt::format("{} octets of one, and {}", peer.pending(), to_text(answer)));
               peer.judge(kDelivered, answer, {terminates()}, "eight more Sends came behind the message at fault");
             });
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
