// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.1: what a receiver passes over.
#include "conformance/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 4.1";

constinit const Rule kReservedIsIgnored = stimulus_rule(
    "RDMAP-4.1-6", Level::must, kSection, "The reserved bits of the control field are ignored on receipt.");
constinit const Rule kIgnoredInReadRequest = stimulus_rule(
    "RDMAP-4.1-32", Level::must, kSection, "The Invalidate STag field of an RDMA Read Request is ignored.");
constinit const Rule kIgnoredInSend =
    stimulus_rule("RDMAP-4.1-34", Level::must, kSection, "The Invalidate STag field of a Send is ignored.");
constinit const Rule kIgnoredInSendSe = stimulus_rule(
    "RDMAP-4.1-36", Level::must, kSection, "The Invalidate STag field of a Send with Solicited Event is ignored.");
constinit const Rule kIgnoredInTerminate{
    "RDMAP-4.1-38",
    Level::must,
    Role::any,
    kSection,
    Observable::api,
    "The Invalidate STag field of a Terminate is ignored.",
    "who receives a Terminate answers nothing: only its ULP knows what it made of it"};

constexpr const Rule* kRules[] = {&kReservedIsIgnored, &kIgnoredInReadRequest, &kIgnoredInSend, &kIgnoredInSendSe,
                                  &kIgnoredInTerminate};

void set_invalidate_stag(ddp::Header& header) {
  header.rsvd_ulp_rest = kNobodysStag;
}

}  // namespace

SectionCases control_field_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases, {"rdmap/responder-ignores-reserved-bits", "rdmap/initiator-ignores-reserved-bits"},
             {&kReservedIsIgnored},
             "A Write of no octets with both reserved bits of the control field set does no harm.", Service::echo,
             [](auto& peer) {
               peer.write({}, 0, 0, [](ddp::Header& h) { h.rsvd_ulp |= 0x30; });
               peer.expect_goes_on(kReservedIsIgnored, "after a message with reserved bits");
             });
    cases.push_back({.id = "rdmap/responder-ignores-the-invalidate-stag-of-a-send",
                     .iut = Role::responder,
                     .rules = {&kIgnoredInSend},
                     .purpose = "A Send with something in the Invalidate STag field is delivered like any other.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       peer.send(data_of(30), Opcode::send, set_invalidate_stag);
                       peer.await_echo(kIgnoredInSend, data_of(30), "a Send with an Invalidate STag");
                     })});
    cases.push_back({.id = "rdmap/responder-ignores-the-invalidate-stag-of-a-solicited-send",
                     .iut = Role::responder,
                     .rules = {&kIgnoredInSendSe},
                     .purpose = "A Send with Solicited Event with something in the Invalidate STag field is delivered.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       peer.send(data_of(30), Opcode::send_se, set_invalidate_stag);
                       peer.await_echo(kIgnoredInSendSe, data_of(30), "a Send with SE with an Invalidate STag");
                     })});
    cases.push_back({.id = "rdmap/initiator-ignores-the-invalidate-stag-of-a-send",
                     .iut = Role::initiator,
                     .rules = {&kIgnoredInSend},
                     .purpose = "A Send with something in the Invalidate STag field is delivered like any other.",
                     .needs = Service::echo,
                     .run = with<ReadyInitiator>([](ReadyInitiator& peer) {
                       peer.echo(peer.good_data(), set_invalidate_stag);
                       peer.expect_taken(kIgnoredInSend, "a Send with an Invalidate STag");
                     })});
    add_both(cases,
             {"rdmap/responder-ignores-the-invalidate-stag-of-a-read-request",
              "rdmap/initiator-ignores-the-invalidate-stag-of-a-read-request"},
             {&kIgnoredInReadRequest}, "A Read Request with something in the Invalidate STag field is answered.",
             Service::none, [](auto& peer) {
               peer.read_request({.sink_stag = kOurSinkStag, .sink_to = kOurSinkTo}, set_invalidate_stag);
               const auto response = next_response(peer);
               peer.require(kIgnoredInReadRequest, response.has_value(), "a Read Response",
                            octets_text(response, peer.last()), "a Read Request with an Invalidate STag");
             });
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
