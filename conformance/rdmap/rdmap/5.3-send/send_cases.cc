// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: Sends of no octets, and Sends that invalidate.
#include "conformance/rdmap/probes/served_initiator.h"
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 5.3"}.by(Observable::none);
constexpr Section kStimuli = kSection.by(Observable::stimulus);

constinit const Rule kConsumesOne = kSection.must("RDMAP-5.3-2", "A Send of any type consumes one untagged buffer.",
                                                  "seen in the MSNs that are taken: DDP-7.1-5 and RDMAP-5.3-8");
constinit const Rule kTooLong =
    kSection.must("RDMAP-5.3-3", "A Send that is longer than its buffer is an error.", "judged by DDP-7.1-4");
constinit const Rule kInOrder =
    kSection.must("RDMAP-5.3-4", "Sends are delivered in the order in which they were sent.", "judged by DDP-5.3-4");
constinit const Rule kInvalidIsSurfaced = kSection.must(
    "RDMAP-5.3-5", "An invalid Send that is delivered to RDMAP surfaces an error.", "RDMAP/A-15; judged by RDMAP-7.2");
constinit const Rule kZeroLengthConsumes =
    kStimuli.must("RDMAP-5.3-8", "A Send of no octets consumes an untagged buffer, and is delivered like any other.");
constinit const Rule kVerifies =
    kSection.must("RDMAP-5.3-10", "It is verified that the STag to be invalidated is associated with the stream.",
                  "RDMAP/A-16; judged by RDMAP-5.3-12");
constinit const Rule kInvalidates = kStimuli.must(
    "RDMAP-5.3-11",
    "A Send with Invalidate that is delivered invalidates its STag, where that is associated with the stream.",
    "RDMAP/A-67: one that is refused, as an STag that several streams share has to be, is warned of.");
constinit const Rule kCannotInvalidate = kStimuli.must(
    "RDMAP-5.3-12",
    "A Send with Invalidate whose STag is not associated with the stream is refused: STag cannot be Invalidated.",
    "RDMAP/A-02");

constexpr const Rule* kRules[] = {&kConsumesOne,        &kTooLong,  &kInOrder,     &kInvalidIsSurfaced,
                                  &kZeroLengthConsumes, &kVerifies, &kInvalidates, &kCannotInvalidate};

Response expect_cannot_invalidate(Probe& peer, std::string_view why) {
  return expect_refusal(peer, kCannotInvalidate,
                        {terminates(error::kProtectionCannotInvalidate), terminates(error::kOperationCannotInvalidate),
                         noted(terminates(error::kInvalidStag)), noted(terminates(error::kStagNotAssociated))},
                        why);
}

// An STag that several streams share may not be invalidated (RFC 5040, 8.1.1, 7): then the Send itself is refused.
void expect_invalidated(Probe& peer) {
  expect_refusal(
      peer, kInvalidates,
      {terminates(error::kDdpInvalidStag), terminates(error::kDdpStagNotAssociated),
       noted(terminates(error::kProtectionCannotInvalidate)), noted(terminates(error::kOperationCannotInvalidate))},
      "a Write to an STag that has been invalidated");
}

constexpr CaseRow kRows[] = {
    {"rdmap/responder-delivers-empty-sends",
     {&kZeroLengthConsumes},
     "A Send of no octets between two others is delivered, and its number counts.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       responder.expect_echo(kZeroLengthConsumes, data_of(10));
       responder.expect_echo(kZeroLengthConsumes, {}, "a Send of no octets");
       responder.expect_echo(kZeroLengthConsumes, data_of(20), "after a Send of no octets");
     }),
     Service::echo},
    {"rdmap/initiator-takes-empty-echoes",
     {&kZeroLengthConsumes},
     "The echoes of Sends of no octets are delivered: the initiator goes on to the last.",
     {.initiator =
          [](CaseRun& run) {
            constexpr unsigned kCount = 3;
            ServedInitiator initiator(run, {.octets = 0, .count = kCount});
            const Response end = initiator.serve();
            initiator.require(kZeroLengthConsumes, initiator.echoed() == kCount,
                              fmt::format("{} Sends of no octets", kCount),
                              fmt::format("{}, then {}", initiator.echoed(), to_text(end)));
          }}},
    {"rdmap/{}-invalidates",
     {&kInvalidates},
     "After a Send with Invalidate, a Write to the STag is refused.",
     with_each([](auto& peer) {
       const auto buffer = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
       if (!buffer) return;
       peer.send(peer.good_data(), Opcode::send_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
       peer.write(data_of(8), buffer->stag, buffer->to);
       expect_invalidated(peer);
     })},
    {"rdmap/{}-invalidates-when-solicited",
     {&kInvalidates},
     "After a Send with Solicited Event and Invalidate, a Write to the STag is refused.",
     with_each([](auto& peer) {
       const auto buffer = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
       if (!buffer) return;
       peer.send(peer.good_data(), Opcode::send_se_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
       peer.write(data_of(8), buffer->stag, buffer->to);
       expect_invalidated(peer);
     })},
    {"rdmap/{}-refuses-to-invalidate-unknown-stags",
     {&kCannotInvalidate},
     "A Send with Invalidate of an STag that nobody has advertised is refused.",
     with_each([](auto& peer) {
       peer.send(peer.good_data(), Opcode::send_invalidate, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
       expect_cannot_invalidate(peer, "nobody's STag");
     })},
    {"rdmap/responder-refuses-to-invalidate-stags-of-other-streams",
     {&kCannotInvalidate},
     "A Send with Invalidate of an STag that was advertised on another connection is refused.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const auto first =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be written");
       if (!first) return;
       responder.connect_again();
       const auto second = targets_of(responder.run(), responder.advertisement()).read_write;
       if (second && second->stag == first->stag)
         return responder.skip("the same STag is advertised on each connection, as one for all of them");
       responder.send(responder.good_data(), Opcode::send_invalidate,
                      [&](ddp::Header& h) { h.rsvd_ulp_rest = first->stag; });
       expect_cannot_invalidate(responder, "an STag of another connection");
     })},
};

constexpr Breach kBreaches[] = {
    {Deviation::zero_length_send_not_counted, kZeroLengthConsumes},
    {Deviation::invalidation_ignored, kInvalidates, {.given = "pair"}},
    {Deviation::accepts_invalidation, kCannotInvalidate},
};

}  // namespace

SectionCases send_cases() {
  static const std::vector<Case> kCases = cases_of(kRows);
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
