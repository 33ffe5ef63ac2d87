// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: Sends of no octets, and Sends that invalidate.
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/5.3-send/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

Response expect_cannot_invalidate(Probe& peer, std::string_view why) {
  return expect_refusal(peer, rule<"RDMAP-5.3-12">,
                        {terminates(error::kProtectionCannotInvalidate), terminates(error::kOperationCannotInvalidate),
                         noted(terminates(error::kInvalidStag)), noted(terminates(error::kStagNotAssociated))},
                        why);
}

// An STag that several streams share may not be invalidated (RFC 5040, 8.1.1, 7): then the Send itself is refused.
void expect_invalidated(Probe& peer) {
  expect_refusal(
      peer, rule<"RDMAP-5.3-11">,
      {terminates(error::kDdpInvalidStag), terminates(error::kDdpStagNotAssociated),
       noted(terminates(error::kProtectionCannotInvalidate)), noted(terminates(error::kOperationCannotInvalidate))},
      "a Write to an invalidated STag");
}

const CaseRow kRows[] = {
    {"rdmap/responder-delivers-empty-sends",
     {&rule<"RDMAP-5.3-8">},
     "The IUT delivers a Send of no octets between two others, and counts it.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.expect_echo(rule<"RDMAP-5.3-8">, sample_octets(10));
       responder.expect_echo(rule<"RDMAP-5.3-8">, {}, "a Send of no octets");
       responder.expect_echo(rule<"RDMAP-5.3-8">, sample_octets(20), "after a Send of no octets");
     }),
     Service::echo},
    {"rdmap/initiator-takes-empty-echoes",
     {&rule<"RDMAP-5.3-8">},
     "The initiator accepts the echoes of Sends of no octets, and continues to the last.",
     {.initiator =
          [](CaseRun& run) {
            constexpr unsigned kCount = 3;
            ServedInitiator initiator(run, {.octets = 0, .count = kCount});
            const Response end = initiator.serve();
            initiator.require(rule<"RDMAP-5.3-8">, initiator.echoed() == kCount,
                              fmt::format("{} Sends of no octets", kCount),
                              fmt::format("{}, then {}", initiator.echoed(), to_text(end)));
          }}},
    {"rdmap/{}-invalidates",
     {&rule<"RDMAP-5.3-11">},
     "The IUT refuses a Write to an STag after a Send with Invalidate of it.",
     with_each([](auto& peer) {
       const auto buffer = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
       if (!buffer) return;
       peer.send(peer.good_data(), Opcode::send_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
       peer.write(sample_octets(8), buffer->stag, buffer->to);
       expect_invalidated(peer);
     })},
    {"rdmap/{}-invalidates-when-solicited",
     {&rule<"RDMAP-5.3-11">},
     "The IUT refuses a Write to an STag after a Send with Solicited Event and Invalidate of it.",
     with_each([](auto& peer) {
       const auto buffer = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
       if (!buffer) return;
       peer.send(peer.good_data(), Opcode::send_se_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
       peer.write(sample_octets(8), buffer->stag, buffer->to);
       expect_invalidated(peer);
     })},
    {"rdmap/{}-refuses-to-invalidate-unknown-stags",
     {&rule<"RDMAP-5.3-12">},
     "The IUT refuses a Send with Invalidate of an STag that was not advertised.",
     with_each([](auto& peer) {
       peer.send(peer.good_data(), Opcode::send_invalidate, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       expect_cannot_invalidate(peer, "an STag that was not advertised");
     })},
    {"rdmap/responder-refuses-to-invalidate-stags-of-other-streams",
     {&rule<"RDMAP-5.3-12">},
     "The IUT refuses a Send with Invalidate of an STag that was advertised on another connection.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto first =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be written");
       if (!first) return;
       responder.connect_again();
       const auto second = targets_of(responder.run(), responder.advertisement()).read_write;
       if (second && second->stag == first->stag)
         return responder.skip("the same STag is advertised on every connection");
       responder.send(responder.good_data(), Opcode::send_invalidate,
                      [&](ddp::Header& h) { h.rsvd_ulp_rest = first->stag; });
       expect_cannot_invalidate(responder, "an STag of another connection");
     })},
};

}  // namespace

std::vector<Case> send_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
