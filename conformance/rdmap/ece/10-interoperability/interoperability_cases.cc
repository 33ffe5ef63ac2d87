// SPDX-License-Identifier: Apache-2.0
// RFC 6581: enhanced connection establishment, as an implementation under test answers it.
#include <fmt/format.h>

#include "conformance/case_rows.h"
#include "conformance/rdmap/ece/10-interoperability/rules.h"
#include "conformance/rdmap/ece/5-ready-to-receive/rules.h"
#include "conformance/rdmap/ece/6-frames/rules.h"
#include "conformance/rdmap/ece/9.1-ird-and-ord/rules.h"
#include "conformance/rdmap/ece/9.2-peer-to-peer/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {
namespace {

using mpa::EnhancedData;
using mpa::FrameKind;
using mpa::StartFrame;

StartOptions enhanced(const EnhancedData& data) {
  return {.enhanced = data};
}
constexpr EnhancedData kAllKinds{
    .peer_to_peer = true, .rtr_send = true, .ird = 4, .rtr_write = true, .rtr_read = true, .ord = 4};

// --- a responder under test

// The enhanced data of an accepting reply. Empty if the responder does not support it (RDMAP/A-30), in which case the
// test case is skipped, or if its ULP needs a higher IRD (9.1) and it rejects.
std::optional<EnhancedData> start(ResponderProbe& responder, const EnhancedData& data) {
  const Response answer = responder.try_start(enhanced(data));
  const Outcome rejected = data.ird == 0 ? rejects() : noted(rejects());
  responder.judge(rule<"ECE-10-5">, answer, {accepts(), closes(), rejected}, "an enhanced request");
  if (rejected.fits(answer)) {
    responder.next(responder.in(responder.run().silence_time()));
    return std::nullopt;
  }
  if (answer.ended()) responder.skip("the responder does not know enhanced requests");
  const auto reply = responder.reply().enhanced_data();
  if (responder.ok() && !reply) responder.inconclusive("the reply is not enhanced");
  return responder.ok() ? reply : std::nullopt;
}

// An empty message of a kind that the reply offers.
void send_indication(ResponderProbe& responder, const EnhancedData& reply) {
  if (reply.rtr_write)
    responder.write({}, 0, 0);
  else if (reply.rtr_send)
    responder.send({});
  else if (reply.rtr_read)
    responder.read_request({});
}

void take_indication(ResponderProbe& responder, const EnhancedData& reply) {
  send_indication(responder, reply);
  const bool read = !reply.rtr_write && !reply.rtr_send && reply.rtr_read;
  if (read) {
    const Outcome response{"a zero-length Read Response",
                           [](const Response& answer) { return answer.is(Opcode::read_response); }};
    responder.expect_one_of(rule<"ECE-9.2-7">, {response}, "the ready-to-receive indication was a zero-length Read");
  } else {
    responder.judge(rule<"ECE-9.2-7">, responder.next(responder.in(responder.run().silence_time())), {says_nothing()},
                    "the ready-to-receive indication is valid whatever its STag");
  }
}

void offers_a_kind(ResponderProbe& responder, const EnhancedData& asked) {
  const auto reply = start(responder, asked);
  if (!reply) return;
  take_indication(responder, *reply);
  if (responder.run().application() == Service::none) return;
  // A zero-length Send used a receive, and perhaps caused a reply. Later messages work as usual.
  responder.expect_echo(rule<"ECE-9.2-7">, sample_octets(50), "after the ready-to-receive indication");
}

void offers_kinds(ResponderProbe& responder) {
  constexpr EnhancedData kEach[] = {
      kAllKinds,
      {.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4},
      {.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4},
      {.peer_to_peer = true, .ird = 4, .rtr_read = true, .ord = 4},
  };
  bool first = true;
  for (const EnhancedData& asked : kEach) {
    if (!std::exchange(first, false)) responder.reconnect();
    offers_a_kind(responder, asked);
  }
}

void answers_depths(ResponderProbe& responder) {
  constexpr std::uint16_t kNone = mpa::kNoNegotiation;
  struct Depths {
    std::uint16_t ird, ord;
  };
  constexpr Depths kDepths[] = {{0, 0},     {1, 1},     {0, 4},     {4, 0},          {kNone, kNone},
                                {kNone, 4}, {4, kNone}, {128, 128}, {0x3ffe, 0x3ffe}};
  bool first = true;
  for (const Depths& asked : kDepths) {
    if (!std::exchange(first, false)) responder.reconnect();
    // No further check: the observer judges the reply.
    const bool started = start(responder, {.ird = asked.ird, .ord = asked.ord}).has_value();
    if (!responder.ok()) return;
    if (started && responder.run().application() != Service::none)
      responder.expect_echo(rule<"ECE-10-1">, sample_octets(20),
                            fmt::format("an IRD of {} and an ORD of {}", asked.ird, asked.ord));
  }
}

void ignores_flags(ResponderProbe& responder) {
  const auto reply = start(responder, {.rtr_send = true, .ird = 4, .rtr_write = true, .rtr_read = true, .ord = 4});
  if (!reply) return;
  responder.require(rule<"ECE-9.2-11">, !reply->peer_to_peer, "A=0", "A=1", "the request sets B, C and D but not A");
  if (responder.run().application() != Service::none) responder.expect_echo(rule<"ECE-9.2-11">, sample_octets(20));
}

void refuses_short_data(ResponderProbe& responder) {
  bool first = true;
  for (std::size_t octets = 0; octets < mpa::layout::kEnhanced; ++octets) {
    if (!std::exchange(first, false)) responder.reconnect();
    responder.send_start(frame_of(FrameKind::request, enhanced({})), sample_octets(octets));
    // A peer that refuses has checked the field.
    responder.expect_one_of(rule<"ECE-12-1">, {closes(), rejects()},
                            fmt::format("S is set, and {} octets follow", octets));
  }
  responder.expect_alive(rule<"ECE-10-4">, "after enhanced requests without their data");
}

void answers_revision_2_without_s(ResponderProbe& responder) {
  responder.judge(rule<"ECE-10-4">, responder.try_start({.revision = mpa::kRevision2}), {accepts(), closes()},
                  "a request of revision 2 with S clear");
}

// --- an initiator under test

// Its request must be enhanced; else the case skips.
std::optional<EnhancedData> await_enhanced(InitiatorProbe& initiator) {
  const StartFrame request = initiator.await_request({.octets = 64, .count = 2});
  const auto data = request.enhanced_data();
  if (initiator.ok() && !data) initiator.skip("the initiator requests no enhanced connection");
  return initiator.ok() ? data : std::nullopt;
}
std::optional<EnhancedData> await_peer_to_peer(InitiatorProbe& initiator) {
  const auto data = await_enhanced(initiator);
  if (data && !data->peer_to_peer) initiator.skip("the initiator does not request the peer-to-peer model");
  return initiator.ok() ? data : std::nullopt;
}

void indicates(InitiatorProbe& initiator, bool EnhancedData::*kind) {
  const auto asked = await_peer_to_peer(initiator);
  if (!asked) return;
  StartOptions options = initiator.good_reply();
  EnhancedData& offered = *options.enhanced;
  offered.rtr_send = offered.rtr_write = offered.rtr_read = false;
  offered.*kind = true;
  initiator.accept(options);
  const Response first = initiator.next();
  const auto segment = [](const Response& answer) { return answer.is(Response::Kind::segment) && !answer.terminate(); };
  const Outcome message{"an indication of that kind", segment};
  // The observer judges the kind used. An initiator that did not offer this kind may be unable to send it.
  if ((*asked).*kind)
    initiator.judge(rule<"ECE-9.2-9">, first, {message}, "the reply offers only one kind, which the request names");
  else
    initiator.judge(rule<"ECE-9.2-10">, first, {terminates(error::kMpaNoMatchingRtr), message},
                    "the reply offers only one kind, which the request does not name");
}

void terminates_without_a_kind(InitiatorProbe& initiator) {
  const auto asked = await_peer_to_peer(initiator);
  if (!asked) return;
  StartOptions options = initiator.good_reply();
  EnhancedData& offered = *options.enhanced;
  offered.rtr_send = offered.rtr_write = offered.rtr_read = false;
  initiator.accept(options);
  initiator.expect_one_of(rule<"ECE-9.2-10">, {terminates(error::kMpaNoMatchingRtr)}, "the reply offers no kind");
  initiator.judge(rule<"ECE-9.2-10">, initiator.next(), {closes()}, "after the Terminate");
}

void terminates_without_resources(InitiatorProbe& initiator) {
  const auto asked = await_enhanced(initiator);
  if (!asked) return;
  if (asked->ird == mpa::kNoNegotiation) return initiator.skip("the initiator leaves its IRD to the ULP");
  StartOptions options = initiator.good_reply();
  options.enhanced->ord = mpa::kNoNegotiation - 1;
  initiator.accept(options);
  const Outcome goes_on{"an FPDU that is not a Terminate", [](const Response& answer) {
                          return answer.is(Response::Kind::segment) && !answer.terminate();
                        }};
  initiator.expect_one_of(rule<"ECE-9.1-5">, {terminates(error::kMpaInsufficientIrd), noted(goes_on)},
                          "the responder's ORD is 16382");
}

const CaseRow kRows[] = {
    {"mpa/responder-answers-enhanced-requests",
     {&rule<"ECE-10-1">, &rule<"ECE-10-5">, &rule<"ECE-9.2-4">, &rule<"ECE-9.2-7">, &rule<"ECE-6-1">, &rule<"ECE-6-3">},
     "The responder answers each kind of ready-to-receive indication in the peer-to-peer model, and accepts one that "
     "it offers.",
     with<offers_kinds>()},
    {"mpa/responder-answers-depths",
     {&rule<"ECE-10-1">, &rule<"ECE-9.1-2">, &rule<"ECE-9.1-3">, &rule<"ECE-9.1-8">, &rule<"ECE-9.1-9">,
      &rule<"ECE-9.2-5">, &rule<"ECE-9.2-2">, &rule<"MPA-7.1.2-8">},
     "The responder answers IRD and ORD of 0, of a few, of 16382, and of 0x3fff in either, as RFC 6581 requires.",
     with<answers_depths>()},
    {"mpa/responder-ignores-flags-without-a",
     {&rule<"ECE-9.2-11">, &rule<"ECE-9.2-5">, &rule<"ECE-9.2-2">},
     "The responder ignores B, C and D if A is clear.",
     with<ignores_flags>()},
    {"mpa/responder-refuses-short-enhanced-data",
     {&rule<"ECE-12-1">, &rule<"ECE-10-4">},
     "The responder closes or rejects a connection whose request has S set and less than four octets of private data.",
     with<refuses_short_data>()},
    {"mpa/responder-answers-revision-2-without-s",
     {&rule<"ECE-10-4">, &rule<"ECE-10-2">},
     "The responder sends an unenhanced reply to a request of revision 2 with S clear.",
     with<answers_revision_2_without_s>()},

    {"mpa/initiator-indicates-by-a-send",
     {&rule<"ECE-5-1">, &rule<"ECE-9.2-9">, &rule<"ECE-9.2-10">, &rule<"ECE-9.2-3">, &rule<"ECE-9.2-1">},
     "The initiator sends a zero-length Send first if the reply offers only a Send.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) { indicates(initiator, &EnhancedData::rtr_send); })},
    {"mpa/initiator-indicates-by-a-write",
     {&rule<"ECE-5-1">, &rule<"ECE-9.2-9">, &rule<"ECE-9.2-10">, &rule<"ECE-9.2-3">, &rule<"ECE-9.2-1">},
     "The initiator sends a zero-length Write first if the reply offers only a Write.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) { indicates(initiator, &EnhancedData::rtr_write); })},
    {"mpa/initiator-indicates-by-a-read",
     {&rule<"ECE-5-1">, &rule<"ECE-9.2-9">, &rule<"ECE-9.2-10">, &rule<"ECE-9.2-3">, &rule<"ECE-9.2-1">},
     "The initiator sends a zero-length Read first if the reply offers only a Read.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) { indicates(initiator, &EnhancedData::rtr_read); })},
    {"mpa/initiator-terminates-without-a-kind",
     {&rule<"ECE-9.2-10">},
     "The initiator sends a Terminate 2/0/07 and ends the connection if the reply offers no indication.",
     with<terminates_without_a_kind>()},
    {"mpa/initiator-and-an-ord-beyond-its-ird",
     {&rule<"ECE-9.1-5">},
     "The initiator sends a Terminate 2/0/06 if the responder's ORD exceeds its resources.",
     with<terminates_without_resources>()},
};

}  // namespace

std::vector<Case> mpa_enhanced_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
