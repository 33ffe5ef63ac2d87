// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: what a receiver passes over.
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 4.1"}.by(Observable::stimulus);
constexpr Section kAtVerbs = kSection.by(Observable::api);

constinit const Rule kReservedIsIgnored =
    kSection.must("RDMAP-4.1-6", "The reserved bits of the control field are ignored on receipt.");
constinit const Rule kIgnoredInReadRequest =
    kSection.must("RDMAP-4.1-32", "The Invalidate STag field of an RDMA Read Request is ignored.");
constinit const Rule kIgnoredInSend = kSection.must("RDMAP-4.1-34", "The Invalidate STag field of a Send is ignored.");
constinit const Rule kIgnoredInSendSe =
    kSection.must("RDMAP-4.1-36", "The Invalidate STag field of a Send with Solicited Event is ignored.");
constinit const Rule kIgnoredInTerminate =
    kAtVerbs.must("RDMAP-4.1-38", "The Invalidate STag field of a Terminate is ignored.",
                  "who receives a Terminate answers nothing: only its ULP knows what it made of it");

constexpr const Rule* kRules[] = {&kReservedIsIgnored, &kIgnoredInReadRequest, &kIgnoredInSend, &kIgnoredInSendSe,
                                  &kIgnoredInTerminate};

void set_invalidate_stag(ddp::Header& header) {
  header.rsvd_ulp_rest = kNobodysStag;
}

constexpr CaseRow kRows[] = {
    {"rdmap/{}-ignores-reserved-bits",
     {&kReservedIsIgnored},
     "A Write of no octets with both reserved bits of the control field set does no harm.",
     with_each([](auto& peer) {
       peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp |= 0x30; });
       peer.expect_goes_on(kReservedIsIgnored, "after a message with reserved bits");
     }),
     Service::echo},
    {"rdmap/responder-ignores-the-invalidate-stag-of-a-send",
     {&kIgnoredInSend},
     "A Send with something in the Invalidate STag field is delivered like any other.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.send(data_of(30), Opcode::send, set_invalidate_stag);
       responder.await_echo(kIgnoredInSend, data_of(30), "a Send with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/responder-ignores-the-invalidate-stag-of-a-solicited-send",
     {&kIgnoredInSendSe},
     "A Send with Solicited Event with something in the Invalidate STag field is delivered.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.send(data_of(30), Opcode::send_se, set_invalidate_stag);
       responder.await_echo(kIgnoredInSendSe, data_of(30), "a Send with SE with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/initiator-ignores-the-invalidate-stag-of-a-send",
     {&kIgnoredInSend},
     "A Send with something in the Invalidate STag field is delivered like any other.",
     with<ReadyInitiator>([](ReadyInitiator& initiator) {
       initiator.echo(initiator.good_data(), set_invalidate_stag);
       initiator.expect_taken(kIgnoredInSend, "a Send with an Invalidate STag");
     }),
     Service::echo},
    {"rdmap/{}-ignores-the-invalidate-stag-of-a-read-request",
     {&kIgnoredInReadRequest},
     "A Read Request with something in the Invalidate STag field is answered.",
     with_each([](auto& peer) {
       peer.read_request({.sink_stag = kOurSinkStag, .sink_to = kOurSinkTo}, set_invalidate_stag);
       const auto response = next_response(peer);
       peer.require(kIgnoredInReadRequest, response.has_value(), "a Read Response", octets_text(response, peer.last()),
                    "a Read Request with an Invalidate STag");
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::reserved_checked, kReservedIsIgnored},
    {Deviation::bare_invalidate_stag_checked, kIgnoredInReadRequest},
    {Deviation::bare_invalidate_stag_checked, kIgnoredInSend},
    {Deviation::bare_invalidate_stag_checked, kIgnoredInSendSe, {.who = wirelaw::Role::responder}},
    {Deviation::terminate_with_stag_ignored, kIgnoredInTerminate, {.given = "verbs"}},
};

}  // namespace

SectionCases control_field_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
