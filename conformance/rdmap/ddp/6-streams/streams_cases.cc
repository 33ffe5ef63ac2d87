// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 6.2.1: the remaining functions of a half-closed stream. Section 6.2.2: a header with an invalid
// field is a fatal error. Only the version has no rule of its own (4.1); its error numbers are in 7.2.
#include "conformance/rdmap/ddp/6-streams/rules.h"
#include "conformance/rdmap/ddp/cases.h"

namespace wirelaw::rdmap {
namespace {

void answers_behind_the_end(Probe& peer) {
  peer.read_request({.sink_stag = kOurSinkStag, .sink_to = kOurSinkTo});
  peer.end(Ending::closed);
  const auto is_response = [](const Response& one) { return one.is(Opcode::read_response); };
  const Response answer = peer.await(peer.in(peer.run().answer_time()), is_response);
  peer.advise(rule<"DDP-6.2.1-4">, is_response(answer), "the Read Response", to_text(answer),
              "a FIN comes right after the Read Request");
}

const CaseRow kRows[] = {
    {"ddp/{}-answers-behind-the-end",
     {&rule<"DDP-6.2.1-4">},
     "The IUT answers a Read Request of no octets with a FIN right after it.",
     with_each([](Probe& peer) { answers_behind_the_end(peer); })},
    {"ddp/{}-refuses-version-0",
     {&rule<"DDP-6.2.2-3">},
     "The IUT refuses a Send of DDP version 0.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.version = 0; });
       expect_refusal(peer, rule<"DDP-6.2.2-3">, {terminates(error::kDdpUntaggedVersion)}, "DV is 0");
     })},
    {"ddp/{}-refuses-version-2",
     {&rule<"DDP-6.2.2-3">},
     "The IUT refuses a Send of DDP version 2.",
     with_each([](auto& peer) {
       peer.send(sample_octets(8), Opcode::send, [](ddp::Header& h) { h.version = 2; });
       expect_refusal(peer, rule<"DDP-6.2.2-3">, {terminates(error::kDdpUntaggedVersion)}, "DV is 2");
     })},
    {"ddp/{}-refuses-tagged-version-3",
     {&rule<"DDP-6.2.2-3">},
     "The IUT refuses a Write of no octets of DDP version 3.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.version = 3; });
       expect_refusal(peer, rule<"DDP-6.2.2-3">, {terminates(error::kDdpTaggedVersion)}, "DV is 3");
     })},
};

}  // namespace

std::vector<Case> ddp_version_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
