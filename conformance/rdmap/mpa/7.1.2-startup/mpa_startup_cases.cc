// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.2: how MPA is started, and started in vain.
#include "conformance/case_rows.h"
#include "conformance/rdmap/ece/10-interoperability/rules.h"
#include "conformance/rdmap/ece/6-frames/rules.h"
#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/4.4-crc/rules.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/7.2-teardown/rules.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {
namespace {

using mpa::FrameKind;
using mpa::StartFrame;

// Longer than a peer of good will waits for a start frame.
constexpr std::chrono::seconds kReasonable{25};

// --- a responder under test

// `rules`: rules for the other contents of the request. A refusal because of them is no refusal of its revision.
void accepts_a_request(ResponderProbe& responder, const StartOptions& options,
                       std::initializer_list<const Rule*> rules) {
  responder.judge(rules, responder.try_start(options), {accepts()});
  if (responder.run().application() != Service::none) responder.expect_echo(rule<"MPA-7.1.2-5">, sample_octets(100));
}

void asks_for_crcs(ResponderProbe& responder) {
  const mpa::StartFrame reply = responder.start({.crc = false});
  responder.advise(rule<"MPA-4.4-2">, reply.crc, "C=1", "C=0",
                   "correct only if an administrator has configured it (RDMAP/A-29)");
}

void takes_a_request_in_pieces(ResponderProbe& responder) {
  bool first = true;
  for (const std::size_t piece : {1u, 3u, 16u, 19u}) {
    if (!std::exchange(first, false)) responder.reconnect();
    const StartFrame request = frame_of(FrameKind::request, {});
    responder.send_in_pieces(Probe::start_frame(request, sample_octets(40)), piece);
    responder.expect_one_of(rule<"MPA-7.1.2-5">, {accepts()}, "a request that arrives in pieces");
  }
}

// The initiator gives up at each stage of the start; the responder continues to serve.
void survives(ResponderProbe& responder, Ending ending, std::size_t octets) {
  const OctetBuffer request = Probe::start_frame(frame_of(FrameKind::request, {}), sample_octets(8));
  for (int i = 0; i < 4; ++i) {
    responder.send_octets(Octets(request).first(std::min(octets, request.size())));
    responder.end(ending);
    responder.reconnect();
  }
  responder.judge(rule<"MPA-7.1.2-5">, responder.try_start(), {accepts()}, "after abandoned connections");
}
void survives_octets_and_the_end(ResponderProbe& responder) {
  constexpr std::size_t kWhole = 28;
  for (const Ending ending : {Ending::reset, Ending::closed})
    for (const std::size_t octets : {kWhole, kWhole - 1, mpa::layout::kStartFrame, std::size_t{10}, std::size_t{0}}) {
      survives(responder, ending, octets);
      responder.reconnect();
    }
}
void survives_bad_frames_and_the_end(ResponderProbe& responder) {
  using Edit = void (*)(StartFrame & frame);
  constexpr Edit kEdits[] = {
      [](StartFrame& frame) { frame.key.fill('x'); },
      [](StartFrame& frame) { frame.revision = 3; },
      [](StartFrame& frame) { frame.private_data_length = 513; },
      [](StartFrame& frame) { frame.private_data_length = 0xffff; },
      [](StartFrame& frame) { frame.revision = 2, frame.enhanced = true, frame.private_data_length = 2; },
  };
  for (const Ending ending : {Ending::reset, Ending::closed})
    for (const Edit edit : kEdits) {
      StartFrame frame = frame_of(FrameKind::request, {});
      edit(frame);
      responder.send_start(frame, sample_octets(2));
      responder.end(ending);
      responder.reconnect();
    }
  responder.judge(rule<"MPA-7.1.2-5">, responder.try_start(), {accepts()},
                  "after invalid requests on connections that were abandoned at once");
}

void waits_for_the_request(ResponderProbe& responder) {
  responder.judge(rule<"MPA-7.1.2-2">, responder.next(responder.in(responder.run().silence_time())), {says_nothing()},
                  "no request was sent yet");
  accepts_a_request(responder, {}, {&rule<"MPA-7.1.2-5">});
}

void waits_for_the_initiator(ResponderProbe& responder) {
  responder.start();
  const Response early = responder.next(responder.in(responder.run().silence_time()));
  responder.judge(rule<"MPA-7.1.2-12">, early, {says_nothing()}, "the initiator has sent no FPDU yet");
  if (responder.run().application() != Service::none) responder.expect_echo(rule<"MPA-7.1.2-5">, sample_octets(64));
}

void expect_gives_up(Probe& probe, const Rule& rule, std::string_view what) {
  if (!probe.ok()) return;
  const Response answer = probe.next(probe.in(kReasonable));
  probe.advise(rule, answer.ended(), "the end of the connection after a reasonable time", to_text(answer), what);
}

// --- an initiator under test

void sends_a_request(InitiatorProbe& initiator) {
  if (!initiator.run().trigger({})) return;
  const Outcome request{"an MPA Request", [](const Response& answer) {
                          const auto frame = answer.frame();
                          return frame && frame->kind() == FrameKind::request;
                        }};
  initiator.expect_one_of(rule<"MPA-7.1.2-1">, {request});
}

// Ends a successful conversation.
void responder_ends_in_order(ResponderProbe& responder) {
  responder.start();
  if (responder.run().application() != Service::none) responder.expect_echo(rule<"MPA-7.1.2-5">, sample_octets(1000));
  responder.end(Ending::closed);
  // The other direction may go on (RFC 5041, 6.2.1).
  responder.expect_one_of(rule<"MPA-4.1-1">, {closes(), noted(says_nothing())},
                          "the initiator has closed its direction");
}
void initiator_ends_in_order(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send({.octets = 1000});
  initiator.echo(sent);
  initiator.await(initiator.in(initiator.run().answer_time()), [](const Response&) { return false; });
}

void enters_full_operation(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send({.octets = 100, .count = 2});
  if (!initiator.ok()) return;
  initiator.require(rule<"MPA-7.1.2-11">, true, "an FPDU", "an FPDU");
  initiator.echo(sent);
  initiator.expect_taken(rule<"MPA-7.1.2-11">, "its echo has arrived");
}

void takes_a_reply_in_pieces(InitiatorProbe& initiator) {
  initiator.await_request();
  const StartOptions options = initiator.good_reply();
  const StartFrame reply = frame_of(FrameKind::reply, options);
  initiator.operate(reply, initiator.request());
  initiator.send_in_pieces(Probe::start_frame(reply, private_data_of(options)), 1);
  const bool sends = initiator.next_send().has_value();
  initiator.require(rule<"MPA-7.1.2-11">, sends, "a Send", to_text(initiator.last()),
                    "a reply that arrives octet by octet");
}

void leaves_mpa_when_rejected(InitiatorProbe& initiator) {
  initiator.await_request();
  const StartOptions options = initiator.good_reply();
  StartFrame reply = frame_of(FrameKind::reply, options);
  reply.rejected = true;
  initiator.operate(reply, initiator.request());
  initiator.send_start(reply, private_data_of(options));
  initiator.expect_one_of(rule<"MPA-7.1.2-9">, {closes(), says_nothing()}, "the connection was rejected");
}

void initiator_survives_the_end(InitiatorProbe& initiator) {
  initiator.await_request();
  initiator.end(Ending::reset);
  initiator.expect_alive(rule<"MPA-7.1.2-11">, "after a reset in place of a reply");
}

const CaseRow kRows[] = {
    {"mpa/responder-accepts-a-request",
     {&rule<"MPA-7.1.2-5">, &rule<"ECE-6-2">, &rule<"ECE-10-4">, &rule<"ECE-10-2">, &rule<"MPA-7.1.1-3">,
      &rule<"MPA-7.1.2-2">, &rule<"MPA-7.1.2-8">, &rule<"MPA-7.1.1-10">, &rule<"MPA-7.1.1-8">, &rule<"MPA-7.1.1-14">},
     "The responder sends a plain reply to a plain request of revision 1.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       accepts_a_request(responder, {}, {&rule<"MPA-7.1.2-5">, &rule<"ECE-6-2">, &rule<"ECE-10-4">});
     })},
    {"mpa/responder-accepts-private-data",
     {&rule<"MPA-7.1.2-5">, &rule<"MPA-7.1.1-14">},
     "The responder accepts a request with 512 octets of private data.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       // A buffer that is too small makes a Request one that is not properly formatted (rule 9; RDMAP/A-64).
       responder.judge(rule<"MPA-7.1.2-5">, responder.try_start({.private_data = sample_octets(mpa::kMaxPrivateData)}),
                       {accepts(), noted(rejects()), noted(closes())}, "the longest private data that is allowed");
     })},
    {"mpa/responder-asks-for-crcs",
     {&rule<"MPA-4.4-2">},
     "The responder requests CRCs, even if the initiator does not.",
     with<asks_for_crcs>()},
    {"mpa/responder-takes-a-request-in-pieces",
     {&rule<"MPA-7.1.2-5">},
     "The responder accepts a request that arrives octet by octet, or split at awkward places.",
     with<takes_a_request_in_pieces>()},
    {"mpa/responder-survives-initiators-that-give-up",
     {&rule<"MPA-7.1.2-5">},
     "The responder keeps working after whole and partial requests with a reset or a close right after them.",
     with<survives_octets_and_the_end>()},
    {"mpa/responder-survives-bad-requests-that-are-given-up",
     {&rule<"MPA-7.1.2-5">},
     "The responder keeps working after invalid requests with a reset or a close right after them.",
     with<survives_bad_frames_and_the_end>()},
    {"mpa/responder-waits-for-the-request",
     {&rule<"MPA-7.1.2-2">},
     "The responder sends nothing before the request.",
     with<waits_for_the_request>()},
    {"mpa/responder-waits-for-the-first-fpdu",
     {&rule<"MPA-7.1.2-12">},
     "The responder sends no FPDU before the initiator's first.",
     with<waits_for_the_initiator>()},
    {"mpa/responder-gives-up-without-a-request",
     {&rule<"MPA-7.1.2-13">},
     "The responder closes a connection without a request after a reasonable time.",
     with<ResponderProbe>(
         [](ResponderProbe& responder) { expect_gives_up(responder, rule<"MPA-7.1.2-13">, "no request came"); })},
    {"mpa/responder-gives-up-on-half-a-request",
     {&rule<"MPA-7.1.2-14">},
     "The responder closes a connection with half a request after a reasonable time.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.send_octets(Octets(Probe::start_frame(frame_of(FrameKind::request, {}))).first(10));
       expect_gives_up(responder, rule<"MPA-7.1.2-14">, "half a request came");
     })},

    {"mpa/responder-ends-in-order",
     {&rule<"MPA-4.1-1">, &rule<"MPA-7.2-1">},
     "The responder closes its direction after a whole FPDU when the peer closes.",
     with<responder_ends_in_order>()},

    {"mpa/initiator-ends-in-order",
     {&rule<"MPA-4.1-1">, &rule<"MPA-7.2-1">},
     "The initiator closes its direction after a whole FPDU when it has nothing more to do.",
     with<initiator_ends_in_order>(),
     Service::echo},
    {"mpa/initiator-sends-a-request",
     {&rule<"MPA-7.1.2-1">, &rule<"MPA-7.1.1-1">, &rule<"MPA-7.1.1-13">, &rule<"MPA-7.1.1-14">},
     "The initiator begins with a whole request and waits for the reply.",
     with<sends_a_request>()},
    {"mpa/initiator-enters-full-operation",
     {&rule<"MPA-7.1.2-11">, &rule<"MPA-7.1.1-1">, &rule<"MPA-7.1.2-6">, &rule<"MPA-7.1.1-13">, &rule<"MPA-7.1.1-7">,
      &rule<"MPA-7.1.1-8">, &rule<"MPA-7.1.1-10">, &rule<"MPA-7.1.1-14">},
     "The initiator sends, accepts an echo and continues once it is accepted.",
     with<enters_full_operation>()},
    {"mpa/initiator-asks-for-crcs",
     {&rule<"MPA-4.4-2">},
     "The initiator requests CRCs.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) {
       const mpa::StartFrame request = initiator.await_request();
       initiator.advise(rule<"MPA-4.4-2">, request.crc, "C=1", "C=0",
                        "correct only if an administrator has configured it (RDMAP/A-29)");
     })},
    {"mpa/initiator-takes-a-reply-in-pieces",
     {&rule<"MPA-7.1.2-11">},
     "The initiator accepts a reply that arrives octet by octet.",
     with<takes_a_reply_in_pieces>()},
    {"mpa/initiator-leaves-mpa-when-rejected",
     {&rule<"MPA-7.1.2-9">},
     "The initiator sends no FPDU after a rejection.",
     with<leaves_mpa_when_rejected>()},
    {"mpa/initiator-survives-a-reset",
     {&rule<"MPA-7.1.2-11">},
     "The initiator keeps working after a reset in place of the reply.",
     with<initiator_survives_the_end>()},
    {"mpa/initiator-gives-up-without-a-reply",
     {&rule<"MPA-7.1.2-14">},
     "The initiator abandons a request without a reply after a reasonable time.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) {
       initiator.await_request();
       expect_gives_up(initiator, rule<"MPA-7.1.2-14">, "no reply came");
     })},
    {"mpa/initiator-gives-up-on-half-a-reply",
     {&rule<"MPA-7.1.2-14">},
     "The initiator abandons a connection with half a reply after a reasonable time.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) {
       initiator.await_request();
       initiator.send_octets(Octets(Probe::start_frame(frame_of(FrameKind::reply, {}))).first(19));
       expect_gives_up(initiator, rule<"MPA-7.1.2-14">, "half a reply came");
     })},
};

}  // namespace

std::vector<Case> mpa_startup_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
