// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.2: how MPA is started, and started in vain.
#include "conformance/rdmap/case_file.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/mpa/mpa_rule.h"

namespace wirelaw::rdmap {
namespace {

using namespace mpa_rule;
using mpa::FrameKind;
using mpa::StartFrame;

// Longer than a peer of good will waits for a start frame.
constexpr std::chrono::seconds kReasonable{25};

// --- a responder under test

// `rules`: who refuses what else a request holds has not refused its revision.
void accepts_a_request(InitiatorProbe& probe, const StartOptions& options, std::initializer_list<const Rule*> rules) {
  probe.judge(rules, probe.try_start(options), {accepts()});
  if (probe.run().application() != Service::none) probe.expect_echo(kAcceptableAccepted, data_of(100));
}

void asks_for_crcs(InitiatorProbe& probe) {
  const mpa::StartFrame reply = probe.start({.crc = false});
  probe.advise(kCrcByDefault, reply.crc, "C=1", "C=0", "right only if an administrator has said so (A-29)");
}

void takes_a_request_in_pieces(InitiatorProbe& probe) {
  bool first = true;
  for (const std::size_t piece : {1, 3, 16, 19}) {
    if (!std::exchange(first, false)) probe.reconnect();
    const StartFrame request = frame_of(FrameKind::request, {});
    probe.send_in_pieces(Probe::start_frame(request, data_of(40)), piece);
    probe.expect_one_of(kAcceptableAccepted, {accepts()}, "a request that comes in pieces");
  }
}

// The initiator gives up at each stage of the start; the responder goes on serving.
void survives(InitiatorProbe& probe, Ending ending, std::size_t octets) {
  const OctetBuffer request = Probe::start_frame(frame_of(FrameKind::request, {}), data_of(8));
  for (int i = 0; i < 4; ++i) {
    probe.send_octets(Octets(request).first(std::min(octets, request.size())));
    probe.end(ending);
    probe.reconnect();
  }
  probe.judge(kAcceptableAccepted, probe.try_start(), {accepts()}, "after connections that were given up");
}
void survives_octets_and_the_end(InitiatorProbe& probe) {
  constexpr std::size_t kWhole = 28;
  for (const Ending ending : {Ending::reset, Ending::closed})
    for (const std::size_t octets : {kWhole, kWhole - 1, mpa::layout::kStartFrame, std::size_t{10}, std::size_t{0}}) {
      survives(probe, ending, octets);
      probe.reconnect();
    }
}
void survives_bad_frames_and_the_end(InitiatorProbe& probe) {
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
      probe.send_start(frame, data_of(2));
      probe.end(ending);
      probe.reconnect();
    }
  probe.judge(kAcceptableAccepted, probe.try_start(), {accepts()}, "after bad requests that were given up at once");
}

void waits_for_the_request(InitiatorProbe& probe) {
  probe.judge(kReplyAfterRequest, probe.next(probe.in(probe.run().silence_time())), {says_nothing()},
              "no request has been sent yet");
  accepts_a_request(probe, {}, {&kAcceptableAccepted});
}

void waits_for_the_initiator(InitiatorProbe& probe) {
  probe.start();
  const Response early = probe.next(probe.in(probe.run().silence_time()));
  probe.judge(kResponderWaits, early, {says_nothing()}, "the initiator has sent no FPDU yet");
  if (probe.run().application() != Service::none) probe.expect_echo(kAcceptableAccepted, data_of(64));
}

void expect_gives_up(Probe& probe, const Rule& rule, std::string_view what) {
  if (!probe.ok()) return;
  const Response answer = probe.next(probe.in(kReasonable));
  probe.advise(rule, answer.ended(), "the end of the connection after a reasonable time", to_text(answer), what);
}

// --- an initiator under test

void sends_a_request(ResponderProbe& probe) {
  if (!probe.run().trigger({})) return;
  const Outcome request{"an MPA Request", [](const Response& answer) {
                          const auto frame = answer.frame();
                          return frame && frame->kind() == FrameKind::request;
                        }};
  probe.expect_one_of(kRequestSent, {request});
}

// Ends a conversation that has gone well.
void responder_ends_in_order(InitiatorProbe& probe) {
  probe.start();
  if (probe.run().application() != Service::none) probe.expect_echo(kAcceptableAccepted, data_of(1000));
  probe.end(Ending::closed);
  probe.expect_one_of(kWholeFpdus, {closes()}, "the initiator has closed its direction");
}
void initiator_ends_in_order(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send({.octets = 1000});
  probe.echo(sent);
  probe.await(probe.in(probe.run().answer_time()), [](const Response&) { return false; });
}

void enters_full_operation(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send({.octets = 100, .count = 2});
  if (!probe.ok()) return;
  probe.require(kEntersFullOperation, true, "an FPDU", "an FPDU");
  probe.echo(sent);
  probe.expect_taken(kEntersFullOperation, "its echo has come");
}

void takes_a_reply_in_pieces(ResponderProbe& probe) {
  probe.await_request();
  const StartOptions options = probe.good_reply();
  const StartFrame reply = frame_of(FrameKind::reply, options);
  probe.operate(reply, probe.request());
  probe.send_in_pieces(Probe::start_frame(reply, private_data_of(options)), 1);
  const bool sends = probe.next_send().has_value();
  probe.require(kEntersFullOperation, sends, "a Send", to_text(probe.last()), "a reply that comes octet by octet");
}

void leaves_mpa_when_rejected(ResponderProbe& probe) {
  probe.await_request();
  const StartOptions options = probe.good_reply();
  StartFrame reply = frame_of(FrameKind::reply, options);
  reply.rejected = true;
  probe.operate(reply, probe.request());
  probe.send_start(reply, private_data_of(options));
  probe.expect_one_of(kNoFpduWhenRejected, {closes(), says_nothing()}, "the connection has been rejected");
}

void initiator_survives_the_end(ResponderProbe& probe) {
  probe.await_request();
  probe.end(Ending::reset);
  probe.expect_alive(kEntersFullOperation, "after a reset in place of a reply");
}

}  // namespace

std::span<const Case> mpa_startup_cases() {
  static const Case kCases[] = {
      {.id = "mpa/responder-accepts-a-request",
       .iut = Role::responder,
       .rules = {&kAcceptableAccepted, &kRevision1Accepted, &kUnenhancedAccepted, &kUnenhancedAnswered, &kReplyKey,
                 &kReplyAfterRequest, &kNoFpduAfterRejecting, &kRevisionKnown, &kReservedZero, &kAtMost512},
       .purpose = "A plain request of revision 1 is accepted by a plain reply.",
       .run = on_responder([](InitiatorProbe& probe) {
         accepts_a_request(probe, {}, {&kAcceptableAccepted, &kRevision1Accepted, &kUnenhancedAccepted});
       })},
      {.id = "mpa/responder-accepts-private-data",
       .iut = Role::responder,
       .rules = {&kAcceptableAccepted, &kAtMost512},
       .purpose = "A request with 512 octets of private data is accepted.",
       .run = on_responder([](InitiatorProbe& probe) {
         accepts_a_request(probe, {.private_data = data_of(mpa::kMaxPrivateData)}, {&kAcceptableAccepted});
       })},
      {.id = "mpa/responder-asks-for-crcs",
       .iut = Role::responder,
       .rules = {&kCrcByDefault},
       .purpose = "A responder asks for CRCs, even of an initiator that does not.",
       .run = responder_case<asks_for_crcs>},
      {.id = "mpa/responder-takes-a-request-in-pieces",
       .iut = Role::responder,
       .rules = {&kAcceptableAccepted},
       .purpose = "A request that comes octet by octet, or cut at awkward places, is accepted.",
       .run = responder_case<takes_a_request_in_pieces>},
      {.id = "mpa/responder-survives-initiators-that-give-up",
       .iut = Role::responder,
       .rules = {&kAcceptableAccepted},
       .purpose = "Requests, whole and cut, that a reset or a close follows at once do the responder no harm.",
       .run = responder_case<survives_octets_and_the_end>},
      {.id = "mpa/responder-survives-bad-requests-that-are-given-up",
       .iut = Role::responder,
       .rules = {&kAcceptableAccepted},
       .purpose = "Bad requests that a reset or a close follows at once do the responder no harm.",
       .run = responder_case<survives_bad_frames_and_the_end>},
      {.id = "mpa/responder-waits-for-the-request",
       .iut = Role::responder,
       .rules = {&kReplyAfterRequest},
       .purpose = "The responder sends nothing before the request.",
       .run = responder_case<waits_for_the_request>},
      {.id = "mpa/responder-waits-for-the-first-fpdu",
       .iut = Role::responder,
       .rules = {&kResponderWaits},
       .purpose = "The responder sends nothing before the initiator's first FPDU.",
       .run = responder_case<waits_for_the_initiator>},
      {.id = "mpa/responder-gives-up-without-a-request",
       .iut = Role::responder,
       .rules = {&kRequestTimeout},
       .purpose = "A connection without a request is closed after a reasonable time.",
       .run = on_responder([](InitiatorProbe& probe) { expect_gives_up(probe, kRequestTimeout, "no request came"); })},
      {.id = "mpa/responder-gives-up-on-half-a-request",
       .iut = Role::responder,
       .rules = {&kStartupTimeout},
       .purpose = "A connection with half a request is closed after a reasonable time.",
       .run = on_responder([](InitiatorProbe& probe) {
         probe.send_octets(Octets(Probe::start_frame(frame_of(FrameKind::request, {}))).first(10));
         expect_gives_up(probe, kStartupTimeout, "half a request came");
       })},

      {.id = "mpa/responder-ends-in-order",
       .iut = Role::responder,
       .rules = {&kWholeFpdus, &kEndsWithTcp},
       .purpose = "A responder whose peer closes ends its own direction behind a whole FPDU.",
       .run = responder_case<responder_ends_in_order>},

      {.id = "mpa/initiator-ends-in-order",
       .iut = Role::initiator,
       .rules = {&kWholeFpdus, &kEndsWithTcp},
       .purpose = "An initiator that has nothing more to do ends its direction behind a whole FPDU.",
       .needs = Service::echo,
       .run = initiator_case<initiator_ends_in_order>},
      {.id = "mpa/initiator-sends-a-request",
       .iut = Role::initiator,
       .rules = {&kRequestSent, &kRequestKey, &kPrivateDataThere, &kAtMost512},
       .purpose = "An initiator begins with a whole request, and waits for the reply.",
       .run = initiator_case<sends_a_request>},
      {.id = "mpa/initiator-enters-full-operation",
       .iut = Role::initiator,
       .rules = {&kEntersFullOperation, &kRequestKey, &kInitiatorWaits, &kPrivateDataThere, &kRejectZero,
                 &kReservedZero, &kRevisionKnown, &kAtMost512},
       .purpose = "An initiator that is accepted sends, takes an echo, and goes on.",
       .run = initiator_case<enters_full_operation>},
      {.id = "mpa/initiator-asks-for-crcs",
       .iut = Role::initiator,
       .rules = {&kCrcByDefault},
       .purpose = "An initiator asks for CRCs.",
       .run = on_initiator([](ResponderProbe& probe) {
         const mpa::StartFrame request = probe.await_request();
         probe.advise(kCrcByDefault, request.crc, "C=1", "C=0", "right only if an administrator has said so (A-29)");
       })},
      {.id = "mpa/initiator-takes-a-reply-in-pieces",
       .iut = Role::initiator,
       .rules = {&kEntersFullOperation},
       .purpose = "A reply that comes octet by octet is taken.",
       .run = initiator_case<takes_a_reply_in_pieces>},
      {.id = "mpa/initiator-leaves-mpa-when-rejected",
       .iut = Role::initiator,
       .rules = {&kNoFpduWhenRejected},
       .purpose = "No FPDU follows a rejection.",
       .run = initiator_case<leaves_mpa_when_rejected>},
      {.id = "mpa/initiator-survives-a-reset",
       .iut = Role::initiator,
       .rules = {&kEntersFullOperation},
       .purpose = "A reset in place of the reply does the initiator no harm.",
       .run = initiator_case<initiator_survives_the_end>},
      {.id = "mpa/initiator-gives-up-without-a-reply",
       .iut = Role::initiator,
       .rules = {&kStartupTimeout},
       .purpose = "A request that nobody answers is given up after a reasonable time.",
       .run = on_initiator([](ResponderProbe& probe) {
         probe.await_request();
         expect_gives_up(probe, kStartupTimeout, "no reply came");
       })},
      {.id = "mpa/initiator-gives-up-on-half-a-reply",
       .iut = Role::initiator,
       .rules = {&kStartupTimeout},
       .purpose = "Half a reply is given up after a reasonable time.",
       .run = on_initiator([](ResponderProbe& probe) {
         probe.await_request();
         probe.send_octets(Octets(Probe::start_frame(frame_of(FrameKind::reply, {}))).first(19));
         expect_gives_up(probe, kStartupTimeout, "half a reply came");
       })},
  };
  return kCases;
}

}  // namespace wirelaw::rdmap
