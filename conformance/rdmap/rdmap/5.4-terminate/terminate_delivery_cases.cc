// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: a Terminate arrives completely, and always finds a buffer.
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"rdmap/{}-delivers-its-terminate",
     {&rule<"RDMAP-5.4-5">},
     "The IUT sends a whole Terminate although more octets are on their way to it when it refuses a message.",
     with_each([](auto& peer) {
       fault("a-queue").send(peer);
       // If a connection is closed with unread octets, TCP resets it.
       for (unsigned i = 0; i < 8; ++i) peer.send(sample_octets(1000, i));
       const Response answer = await_terminate(peer);
       peer.require(rule<"RDMAP-5.4-5">, !answer.ended() || peer.pending() == 0, "a whole Terminate",
                    fmt::format("{} octets of one, and {}", peer.pending(), to_text(answer)));
       peer.judge(rule<"RDMAP-5.4-5">, answer, {terminates()}, "eight more Sends came after the invalid message");
     })},
};

}  // namespace

std::vector<Case> terminate_message_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
