// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9.2: the flags A, B, C and D. The indication that they lead to: ready_to_receive.cc.
#include <fmt/format.h>

#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/mpa/mpa_rule.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace mpa_rule {

constexpr Section kSection = Section{"RFC 6581 9.2"}.by(Observable::stimulus);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator).by(Observable::trace);
constexpr Section kInitiatorStimuli = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorAtVerbs = kSection.of(wirelaw::Role::initiator).by(Observable::api);
constexpr Section kResponder = kSection.of(wirelaw::Role::responder).by(Observable::trace);
constexpr Section kResponderAtVerbs = kSection.of(wirelaw::Role::responder).by(Observable::api);
constexpr Section kResponderNotJudged = kSection.of(wirelaw::Role::responder).by(Observable::none);

constinit const Rule kRequestFlagsZero = kInitiator.must("ECE-9.2-1", "With A zero, B, C and D of a request are zero.");
constinit const Rule kReplyFlagsZero = kResponder.must("ECE-9.2-2", "With A zero, B, C and D of a reply are zero.");
constinit const Rule kRequestOffers = kInitiator.must(
    "ECE-9.2-3", "With A set, the initiator sets B, C and D for all that it supports: at least one of them.",
    "An initiator that supports none cannot do what it asks for: warned, as no sentence forbids it.");
constinit const Rule kPeerToPeerKept =
    kResponder.must("ECE-9.2-4", "The reply to a request with A set has A set.", "Of an accepting reply.");
constinit const Rule kClientServerKept =
    kResponder.must("ECE-9.2-5", "The reply to a request with A zero has A zero.", "Of an accepting reply.");
constinit const Rule kSupportsOne = kResponderNotJudged.must(
    "ECE-9.2-6", "A responder of enhanced connections supports at least one kind of ready-to-receive indication.",
    "Its reply names it: ECE-9.2-7.");
constinit const Rule kReplyOffers = kResponder.must(
    "ECE-9.2-7", "A reply with A set has at least one of B, C and D set, whether or not the initiator had named it.",
    "The text has a hole where just one kind is common to both (SHOULD); but with none set the initiator could never "
    "do what A asks of it.");
constinit const Rule kOffersAllCommon =
    kResponderAtVerbs.should("ECE-9.2-8", "The reply sets the flag of each kind that both support.",
                             "What the responder supports is known there alone; it is not required to name all.");
constinit const Rule kNoMatch = kInitiatorStimuli.must(
    "ECE-9.2-10",
    "An initiator that can give none of the reply's indications sends a Terminate 2/0/07 and ends the connection.");
constinit const Rule kFlagsIgnored = kSection.must("ECE-9.2-11", "With A zero, B, C and D are ignored when they come.");
constinit const Rule kModelChosen = kInitiatorAtVerbs.must(
    "ECE-9.2-12", "The initiator sets A for the peer-to-peer model, and leaves it zero for client and server.",
    "Which model is wanted is the ULP's to say.");

}  // namespace mpa_rule

using namespace mpa_rule;

namespace {

constexpr const Rule* kRules[] = {&kRequestFlagsZero, &kReplyFlagsZero, &kRequestOffers, &kPeerToPeerKept,
                                  &kClientServerKept, &kSupportsOne,    &kReplyOffers,   &kOffersAllCommon,
                                  &kNoMatch,          &kFlagsIgnored,   &kModelChosen};

bool any_kind(const mpa::EnhancedData& data) {
  return data.rtr_send || data.rtr_write || data.rtr_read;
}
auto kinds(const mpa::EnhancedData& data) {
  return actual([data] {
    return fmt::format("A={:d} B={:d} C={:d} D={:d}", data.peer_to_peer, data.rtr_send, data.rtr_write, data.rtr_read);
  });
}

constexpr Breach kBreaches[] = {
    {Deviation::enhanced_rtr_bits_without_a, kRequestFlagsZero},
    {Deviation::enhanced_rtr_bits_without_a, kReplyFlagsZero},
    {Deviation::enhanced_no_rtr_bits, kRequestOffers, {.severity = Severity::warning}},
    {Deviation::enhanced_a_not_echoed, kPeerToPeerKept},
    {Deviation::enhanced_little_endian, kPeerToPeerKept},
    {Deviation::enhanced_a_unasked, kClientServerKept},
    {Deviation::enhanced_no_rtr_bits, kReplyOffers},
    {Deviation::zero_length_read_unanswered, kReplyOffers},
    {Deviation::zero_length_write_checked, kReplyOffers},
    {Deviation::rtr_mismatch_ignored, kNoMatch},
    {Deviation::enhanced_a_unasked, kFlagsIgnored},
};

}  // namespace

SectionRules ece_9_2_rules() {
  return {kRules, kBreaches};
}

void judge_flags_without_peer_to_peer(Judge& judge, const mpa::StartFrame& frame) {
  const auto data = frame.enhanced_data();
  if (!data) return;
  const bool request = frame.kind() == mpa::FrameKind::request;
  if (!data->peer_to_peer)
    judge.require(request ? kRequestFlagsZero : kReplyFlagsZero, !any_kind(*data), field::kEnhanced,
                  expected("B=0 C=0 D=0"), kinds(*data));
  else if (request)
    judge.advise(kRequestOffers, any_kind(*data), field::kEnhanced, expected("one of B, C and D"), kinds(*data));
}

void judge_peer_to_peer(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  if (request.peer_to_peer) {
    if (judge.require(kPeerToPeerKept, reply.peer_to_peer, field::kEnhanced, expected("A=1"), kinds(reply)))
      judge.require(kReplyOffers, any_kind(reply), field::kEnhanced, expected("one of B, C and D"), kinds(reply));
  } else {
    judge.require(kClientServerKept, !reply.peer_to_peer, field::kEnhanced, expected("A=0"), kinds(reply));
  }
}

}  // namespace wirelaw::rdmap
