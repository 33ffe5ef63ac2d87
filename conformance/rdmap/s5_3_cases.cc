// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.3: Sends of no octets, and Sends that invalidate.
#include "conformance/rdmap/section_cases.h"
#include "conformance/rdmap/serving_responder.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 5.3";

constinit const Rule kZeroLengthConsumes =
    stimulus_rule("RDMAP-5.3-8", Level::must, kSection,
                  "A Send of no octets consumes an untagged buffer, and is delivered like any other.");
constinit const Rule kInvalidates = stimulus_rule(
    "RDMAP-5.3-11", Level::must, kSection,
    "A Send with Invalidate that is delivered invalidates its STag, where that is associated with the stream.");
constinit const Rule kCannotInvalidate = stimulus_rule(
    "RDMAP-5.3-12", Level::must, kSection,
    "A Send with Invalidate whose STag is not associated with the stream is refused: STag cannot be Invalidated.",
    "A-02");

constexpr Rule elsewhere(std::string_view id, std::string_view summary, std::string_view note) {
  return {id, Level::must, Role::any, kSection, Observable::none, summary, note};
}
constinit const Rule kConsumesOne = elsewhere("RDMAP-5.3-2", "A Send of any type consumes one untagged buffer.",
                                              "seen in the MSNs that are taken: DDP-7.1-5 and RDMAP-5.3-8");
constinit const Rule kTooLong =
    elsewhere("RDMAP-5.3-3", "A Send that is longer than its buffer is an error.", "judged by DDP-7.1-4");
constinit const Rule kInOrder =
    elsewhere("RDMAP-5.3-4", "Sends are delivered in the order in which they were sent.", "judged by DDP-5.3-4");
constinit const Rule kInvalidIsSurfaced = elsewhere(
    "RDMAP-5.3-5", "An invalid Send that is delivered to RDMAP surfaces an error.", "A-15; judged by RDMAP-7.2");
constinit const Rule kVerifies =
    elsewhere("RDMAP-5.3-10", "It is verified that the STag to be invalidated is associated with the stream.",
              "A-16; judged by RDMAP-5.3-12");

constexpr const Rule* kRules[] = {&kConsumesOne,        &kTooLong,  &kInOrder,     &kInvalidIsSurfaced,
                                  &kZeroLengthConsumes, &kVerifies, &kInvalidates, &kCannotInvalidate};

Response expect_cannot_invalidate(Probe& peer, std::string_view why) {
  return expect_refusal(peer, kCannotInvalidate,
                        {terminates(error::kProtectionCannotInvalidate), terminates(error::kOperationCannotInvalidate),
                         noted(terminates(error::kInvalidStag)), noted(terminates(error::kStagNotAssociated))},
                        why);
}

}  // namespace

SectionCases send_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    cases.push_back({.id = "rdmap/responder-delivers-empty-sends",
                     .iut = Role::responder,
                     .rules = {&kZeroLengthConsumes},
                     .purpose = "A Send of no octets between two others is delivered, and its number counts.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       peer.expect_echo(kZeroLengthConsumes, data_of(10));
                       peer.expect_echo(kZeroLengthConsumes, {}, "a Send of no octets");
                       peer.expect_echo(kZeroLengthConsumes, data_of(20), "after a Send of no octets");
                     })});
    cases.push_back({.id = "rdmap/initiator-takes-empty-echoes",
                     .iut = Role::initiator,
                     .rules = {&kZeroLengthConsumes},
                     .purpose = "The echoes of Sends of no octets are delivered: the initiator goes on to the last.",
                     .run = [](CaseRun& run) {
                       constexpr unsigned kCount = 3;
                       ServingResponder peer(run, {.octets = 0, .count = kCount});
                       const Response end = peer.serve();
                       peer.require(kZeroLengthConsumes, peer.echoed() == kCount,
                                    fmt::format("{} Sends of no octets", kCount),
                                    fmt::format("{}, then {}", peer.echoed(), to_text(end)));
                     }});
    add_both(
        cases, {"rdmap/responder-invalidates", "rdmap/initiator-invalidates"}, {&kInvalidates},
        "After a Send with Invalidate, a Write to the STag is refused.", Service::none, [](auto& peer) {
          const auto buffer = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
          if (!buffer) return;
          peer.send(peer.good_data(), Opcode::send_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
          peer.write(data_of(8), buffer->stag, buffer->to);
          expect_refusal(peer, kInvalidates,
                         {terminates(error::kDdpInvalidStag), terminates(error::kDdpStagNotAssociated)},
                         "a Write to an STag that has been invalidated");
        });
    add_both(cases, {"rdmap/responder-invalidates-when-solicited", "rdmap/initiator-invalidates-when-solicited"},
             {&kInvalidates}, "After a Send with Solicited Event and Invalidate, a Write to the STag is refused.",
             Service::none, [](auto& peer) {
               const auto buffer =
                   need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
               if (!buffer) return;
               peer.send(peer.good_data(), Opcode::send_se_invalidate,
                         [&](ddp::Header& h) { h.rsvd_ulp_rest = buffer->stag; });
               peer.write(data_of(8), buffer->stag, buffer->to);
               expect_refusal(peer, kInvalidates,
                              {terminates(error::kDdpInvalidStag), terminates(error::kDdpStagNotAssociated)},
                              "a Write to an STag that has been invalidated");
             });
    add_both(
        cases,
        {"rdmap/responder-refuses-to-invalidate-unknown-stags", "rdmap/initiator-refuses-to-invalidate-unknown-stags"},
        {&kCannotInvalidate}, "A Send with Invalidate of an STag that nobody has advertised is refused.", Service::none,
        [](auto& peer) {
          peer.send(peer.good_data(), Opcode::send_invalidate, [](ddp::Header& h) { h.rsvd_ulp_rest = kNobodysStag; });
          expect_cannot_invalidate(peer, "nobody's STag");
        });
    cases.push_back(
        {.id = "rdmap/responder-refuses-to-invalidate-stags-of-other-streams",
         .iut = Role::responder,
         .rules = {&kCannotInvalidate},
         .purpose = "A Send with Invalidate of an STag that was advertised on another connection is refused.",
         .run = with<ReadyResponder>([](ReadyResponder& peer) {
           const auto first = need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be written");
           if (!first) return;
           peer.connect_again();
           const auto second = targets_of(peer.run(), peer.advertisement()).read_write;
           if (second && second->stag == first->stag)
             return peer.skip("the same STag is advertised on each connection, as one for all of them");
           peer.send(peer.good_data(), Opcode::send_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = first->stag; });
           expect_cannot_invalidate(peer, "an STag of another connection");
         })});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
