// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: the fields that a receiver ignores.
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

void set_invalidate_stag(ddp::Header& header) {
  header.rsvd_ulp_rest = kNobodysStag;
}

const CaseRow kRows[] = {
    {"rdmap/{}-ignores-reserved-bits",
     {&rule<"RDMAP-4.1-6">},
     "The IUT keeps working after a Write of no octets with both reserved bits of the control field set.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp |= 0x30; });
       peer.expect_goes_on(rule<"RDMAP-4.1-6">, "after a message with reserved bits");
     }),
     Service::echo},
    {"rdmap/responder-ignores-the-invalidate-stag-of-a-send",
     {&rule<"RDMAP-4.1-34">},
     "The IUT delivers a Send whose Invalidate STag field is not zero.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.send(sample_octets(30), Opcode::send, set_invalidate_stag);
       responder.await_echo(rule<"RDMAP-4.1-34">, sample_octets(30), "a Send with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/responder-ignores-the-invalidate-stag-of-a-solicited-send",
     {&rule<"RDMAP-4.1-36">},
     "The IUT delivers a Send with Solicited Event whose Invalidate STag field is not zero.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.send(sample_octets(30), Opcode::send_se, set_invalidate_stag);
       responder.await_echo(rule<"RDMAP-4.1-36">, sample_octets(30), "a Send with SE with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/initiator-ignores-the-invalidate-stag-of-a-send",
     {&rule<"RDMAP-4.1-34">},
     "The IUT delivers a Send whose Invalidate STag field is not zero.",
     with<ReadyInitiator>([](ReadyInitiator& initiator) {
       initiator.echo(initiator.good_data(), set_invalidate_stag);
       initiator.expect_taken(rule<"RDMAP-4.1-34">, "a Send with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/{}-ignores-the-invalidate-stag-of-a-read-request",
     {&rule<"RDMAP-4.1-32">},
     "The IUT answers a Read Request whose Invalidate STag field is not zero.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag, .sink_to = kOurSinkTo}, set_invalidate_stag);
       const auto response = next_response(peer);
       peer.require(rule<"RDMAP-4.1-32">, response.has_value(), "a Read Response", octets_text(response, peer.last()),
                    "a Read Request with an Invalidate STag");
     })},
};

}  // namespace

std::vector<Case> control_field_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
