// SPDX-License-Identifier: Apache-2.0
// RFC 6581: enhanced connection establishment, as an implementation under test answers it.
#include <fmt/format.h>

#include "conformance/rdmap/case_file.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/mpa/mpa_rule.h"

namespace wirelaw::rdmap {
namespace {

using namespace mpa_rule;
using mpa::EnhancedData;
using mpa::FrameKind;
using mpa::StartFrame;

StartOptions enhanced(const EnhancedData& data) {
  return {.enhanced = data};
}
constexpr EnhancedData kAllKinds{
    .peer_to_peer = true, .rtr_send = true, .ird = 4, .rtr_write = true, .rtr_read = true, .ord = 4};

// --- a responder under test

// The enhanced data of an accepting reply; nothing where the responder does not know it, and the case skips, or
// where its ULP needs a higher IRD (9.1), and it rejects and has no more to say.
std::optional<EnhancedData> start(InitiatorProbe& probe, const EnhancedData& data) {
  const Response answer = probe.try_start(enhanced(data));
  const Outcome rejected = data.ird == 0 ? rejects() : noted(rejects());
  probe.judge(kEnhancedRefused, answer, {accepts(), closes(), rejected}, "an enhanced request");
  if (rejected.fits(answer)) {
    probe.next(probe.in(probe.run().silence_time()));
    return std::nullopt;
  }
  if (answer.ended()) probe.skip("the responder does not know enhanced requests");
  const auto reply = probe.reply().enhanced_data();
  if (probe.ok() && !reply) probe.inconclusive("the reply is not enhanced");
  return probe.ok() ? reply : std::nullopt;
}

// An empty message of a kind that the reply offers.
void send_indication(InitiatorProbe& probe, const EnhancedData& reply) {
  if (reply.rtr_write)
    probe.write({}, 0, 0);
  else if (reply.rtr_send)
    probe.send({});
  else if (reply.rtr_read)
    probe.read_request({});
}

void take_indication(InitiatorProbe& probe, const EnhancedData& reply) {
  send_indication(probe, reply);
  const bool read = !reply.rtr_write && !reply.rtr_send && reply.rtr_read;
  if (read) {
    const Outcome response{"a zero-length Read Response",
                           [](const Response& answer) { return answer.is(Opcode::read_response); }};
    probe.expect_one_of(kReplyOffers, {response}, "the ready-to-receive indication was a zero-length Read");
  } else {
    probe.judge(kReplyOffers, probe.next(probe.in(probe.run().silence_time())), {says_nothing()},
                "the ready-to-receive indication is no error, whatever its STag");
  }
}

void offers_a_kind(InitiatorProbe& probe, const EnhancedData& asked) {
  const auto reply = start(probe, asked);
  if (!reply) return;
  take_indication(probe, *reply);
  if (probe.run().application() == Service::none) return;
  // A zero-length Send took a receive, and perhaps a reply; what follows it is as ever.
  probe.expect_echo(kReplyOffers, data_of(50), "after the ready-to-receive indication");
}

void offers_kinds(InitiatorProbe& probe) {
  constexpr EnhancedData kEach[] = {
      kAllKinds,
      {.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4},
      {.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4},
      {.peer_to_peer = true, .ird = 4, .rtr_read = true, .ord = 4},
  };
  bool first = true;
  for (const EnhancedData& asked : kEach) {
    if (!std::exchange(first, false)) probe.reconnect();
    offers_a_kind(probe, asked);
  }
}

void answers_depths(InitiatorProbe& probe) {
  constexpr std::uint16_t kNone = mpa::kNoNegotiation;
  struct Depths {
    std::uint16_t ird, ord;
  };
  constexpr Depths kDepths[] = {{0, 0},     {1, 1},     {0, 4},     {4, 0},          {kNone, kNone},
                                {kNone, 4}, {4, kNone}, {128, 128}, {0x3ffe, 0x3ffe}};
  bool first = true;
  for (const Depths& asked : kDepths) {
    if (!std::exchange(first, false)) probe.reconnect();
    // Nothing more than the reply: the observer judges it.
    const bool started = start(probe, {.ird = asked.ird, .ord = asked.ord}).has_value();
    if (!probe.ok()) return;
    if (started && probe.run().application() != Service::none)
      probe.expect_echo(kEnhancedAnswered, data_of(20),
                        fmt::format("an IRD of {} and an ORD of {}", asked.ird, asked.ord));
  }
}

void ignores_flags(InitiatorProbe& probe) {
  const auto reply = start(probe, {.rtr_send = true, .ird = 4, .rtr_write = true, .rtr_read = true, .ord = 4});
  if (!reply) return;
  probe.require(kFlagsIgnored, !reply->peer_to_peer, "A=0", "A=1", "the request has A=0, and B, C and D set");
  if (probe.run().application() != Service::none) probe.expect_echo(kFlagsIgnored, data_of(20));
}

void refuses_short_data(InitiatorProbe& probe) {
  bool first = true;
  for (std::size_t octets = 0; octets < mpa::layout::kEnhanced; ++octets) {
    if (!std::exchange(first, false)) probe.reconnect();
    probe.send_start(frame_of(FrameKind::request, enhanced({})), data_of(octets));
    probe.expect_one_of(kInputsChecked, {closes()}, fmt::format("S is set, and {} octets follow", octets));
  }
  probe.expect_alive(kUnenhancedAccepted, "after enhanced requests without their data");
}

void answers_revision_2_without_s(InitiatorProbe& probe) {
  probe.judge(kUnenhancedAccepted, probe.try_start({.revision = mpa::kRevision2}), {accepts(), closes()},
              "a request of revision 2 with S zero");
}

// --- an initiator under test

// Its request must be enhanced; else the case skips.
std::optional<EnhancedData> await_enhanced(ResponderProbe& probe) {
  const StartFrame request = probe.await_request({.octets = 64, .count = 2});
  const auto data = request.enhanced_data();
  if (probe.ok() && !data) probe.skip("the initiator asks for nothing enhanced");
  return probe.ok() ? data : std::nullopt;
}
std::optional<EnhancedData> await_peer_to_peer(ResponderProbe& probe) {
  const auto data = await_enhanced(probe);
  if (data && !data->peer_to_peer) probe.skip("the initiator does not ask for the peer-to-peer model");
  return probe.ok() ? data : std::nullopt;
}

void indicates(ResponderProbe& probe, bool EnhancedData::*kind) {
  const auto asked = await_peer_to_peer(probe);
  if (!asked) return;
  StartOptions options = probe.good_reply();
  EnhancedData& offered = *options.enhanced;
  offered.rtr_send = offered.rtr_write = offered.rtr_read = false;
  offered.*kind = true;
  probe.accept(options);
  const Response first = probe.next();
  const auto segment = [](const Response& answer) { return answer.is(Response::Kind::segment) && !answer.terminate(); };
  const Outcome message{"an indication of that kind", segment};
  // The observer judges what it is; an initiator that had not named the kind may be unable to send it.
  if ((*asked).*kind)
    probe.judge(kNegotiatedKind, first, {message}, "the reply offers just one kind, which the request has named");
  else
    probe.judge(kNoMatch, first, {terminates(error::kMpaNoMatchingRtr), message},
                "the reply offers just one kind, which the request has not named");
}

void terminates_without_a_kind(ResponderProbe& probe) {
  const auto asked = await_peer_to_peer(probe);
  if (!asked) return;
  StartOptions options = probe.good_reply();
  EnhancedData& offered = *options.enhanced;
  offered.rtr_send = offered.rtr_write = offered.rtr_read = false;
  probe.accept(options);
  probe.expect_one_of(kNoMatch, {terminates(error::kMpaNoMatchingRtr)}, "the reply offers no kind at all");
  probe.judge(kNoMatch, probe.next(), {closes()}, "after the Terminate");
}

void terminates_without_resources(ResponderProbe& probe) {
  const auto asked = await_enhanced(probe);
  if (!asked) return;
  if (asked->ird == mpa::kNoNegotiation) return probe.skip("the initiator leaves its IRD to the ULP");
  StartOptions options = probe.good_reply();
  options.enhanced->ord = mpa::kNoNegotiation - 1;
  probe.accept(options);
  const Outcome goes_on{"an FPDU that is no Terminate", [](const Response& answer) {
                          return answer.is(Response::Kind::segment) && !answer.terminate();
                        }};
  probe.expect_one_of(kInsufficientIrd, {terminates(error::kMpaInsufficientIrd), noted(goes_on)},
                      "the responder's ORD is 16382");
}

}  // namespace

std::span<const Case> mpa_enhanced_cases() {
  static const Case kCases[] = {
      {.id = "mpa/responder-answers-enhanced-requests",
       .iut = Role::responder,
       .rules = {&kEnhancedAnswered, &kEnhancedRefused, &kPeerToPeerKept, &kReplyOffers, &kRevision2, &kDataThere},
       .purpose = "Peer to peer, each kind of ready-to-receive indication is answered, and one that is offered works.",
       .run = responder_case<offers_kinds>},
      {.id = "mpa/responder-answers-depths",
       .iut = Role::responder,
       .rules = {&kEnhancedAnswered, &kResponderOrd, &kResponderIrd, &kRepliesNoIrd, &kRepliesNoOrd, &kClientServerKept,
                 &kReplyFlagsZero, &kNoFpduAfterRejecting},
       .purpose = "IRD and ORD of 0, of a few, of 16382, and 0x3fff in either are answered as they should be.",
       .run = responder_case<answers_depths>},
      {.id = "mpa/responder-ignores-flags-without-a",
       .iut = Role::responder,
       .rules = {&kFlagsIgnored, &kClientServerKept, &kReplyFlagsZero},
       .purpose = "B, C and D without A mean nothing.",
       .run = responder_case<ignores_flags>},
      {.id = "mpa/responder-refuses-short-enhanced-data",
       .iut = Role::responder,
       .rules = {&kInputsChecked, &kUnenhancedAccepted},
       .purpose = "S with less than four octets of private data is answered by the close.",
       .run = responder_case<refuses_short_data>},
      {.id = "mpa/responder-answers-revision-2-without-s",
       .iut = Role::responder,
       .rules = {&kUnenhancedAccepted, &kUnenhancedAnswered},
       .purpose = "A request of revision 2 with S zero is unenhanced, and so is its reply.",
       .run = responder_case<answers_revision_2_without_s>},

      {.id = "mpa/initiator-indicates-by-a-send",
       .iut = Role::initiator,
       .rules = {&kReadyFirst, &kNegotiatedKind, &kNoMatch, &kRequestOffers, &kRequestFlagsZero},
       .purpose = "Where the reply offers a Send alone, a zero-length Send comes first.",
       .run = on_initiator([](ResponderProbe& probe) { indicates(probe, &EnhancedData::rtr_send); })},
      {.id = "mpa/initiator-indicates-by-a-write",
       .iut = Role::initiator,
       .rules = {&kReadyFirst, &kNegotiatedKind, &kNoMatch, &kRequestOffers, &kRequestFlagsZero},
       .purpose = "Where the reply offers a Write alone, a zero-length Write comes first.",
       .run = on_initiator([](ResponderProbe& probe) { indicates(probe, &EnhancedData::rtr_write); })},
      {.id = "mpa/initiator-indicates-by-a-read",
       .iut = Role::initiator,
       .rules = {&kReadyFirst, &kNegotiatedKind, &kNoMatch, &kRequestOffers, &kRequestFlagsZero},
       .purpose = "Where the reply offers a Read alone, a zero-length Read comes first.",
       .run = on_initiator([](ResponderProbe& probe) { indicates(probe, &EnhancedData::rtr_read); })},
      {.id = "mpa/initiator-terminates-without-a-kind",
       .iut = Role::initiator,
       .rules = {&kNoMatch},
       .purpose = "Where the reply offers no indication, a Terminate 2/0/07 comes and the connection ends.",
       .run = initiator_case<terminates_without_a_kind>},
      {.id = "mpa/initiator-and-an-ord-beyond-its-ird",
       .iut = Role::initiator,
       .rules = {&kInsufficientIrd},
       .purpose = "Where the responder's ORD is beyond its resources, the initiator says so by a Terminate 2/0/06.",
       .run = initiator_case<terminates_without_resources>},
  };
  return kCases;
}

}  // namespace wirelaw::rdmap
