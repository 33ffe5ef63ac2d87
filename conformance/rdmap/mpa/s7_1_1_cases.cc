// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.1: start frames that are not as they should be, and those that only look so.
#include <fmt/format.h>

#include "conformance/rdmap/case_file.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/mpa/mpa_rule.h"

namespace wirelaw::rdmap {
namespace {

using namespace mpa_rule;
using mpa::FrameKind;
using mpa::StartFrame;
using Edit = void (*)(StartFrame& frame);

StartFrame edited(FrameKind kind, Edit edit, const StartOptions& options = {}) {
  StartFrame frame = frame_of(kind, options);
  edit(frame);
  return frame;
}

constexpr std::uint8_t kAllReserved = 0x0f;
constexpr std::string_view kMalformed = "a start frame that is not properly formatted is answered by the close alone";

// --- a responder under test

// Each on a connection of its own; the responder closes it, and serves the next.
void expect_refused(InitiatorProbe& probe, std::initializer_list<const Rule*> rules, Octets octets) {
  probe.send_octets(octets);
  probe.judge(rules, probe.next(), {closes()}, kMalformed);
}

void refuses_keys(InitiatorProbe& probe) {
  constexpr Edit kKeys[] = {
      [](StartFrame& frame) { frame.key.back() ^= 1; },
      [](StartFrame& frame) { frame.key.front() = 'm'; },
      [](StartFrame& frame) { frame.key[11] = 0; },
      [](StartFrame& frame) { frame.key.fill(0); },
      [](StartFrame& frame) { frame.key = mpa::key_of(FrameKind::reply); },
  };
  bool first = true;
  for (const Edit edit : kKeys) {
    if (!std::exchange(first, false)) probe.reconnect();
    expect_refused(probe, {&kRequestKeyChecked, &kBadRequestCloses, &kBadStartFrameCloses},
                   Probe::start_frame(edited(FrameKind::request, edit)));
  }
  probe.expect_alive(kAcceptableAccepted, "after requests with wrong keys");
}

void refuses_lengths(InitiatorProbe& probe) {
  bool first = true;
  constexpr std::uint16_t kLengths[] = {513, 1024, 0x8000, 0xffff};
  for (const std::uint16_t length : kLengths) {
    if (!std::exchange(first, false)) probe.reconnect();
    StartFrame frame = frame_of(FrameKind::request, {});
    frame.private_data_length = length;
    expect_refused(probe, {&kTooLongRefused, &kBadRequestCloses}, Probe::start_frame(frame, data_of(600)));
  }
  probe.expect_alive(kAcceptableAccepted, "after requests with too much private data");
}

void refuses_cut_private_data(InitiatorProbe& probe) {
  StartFrame frame = frame_of(FrameKind::request, {});
  frame.private_data_length = 16;
  probe.send_start(frame, data_of(8));
  probe.end(Ending::closed);
  probe.expect_one_of(kMismatchRefused, {closes()}, "the stream ends eight octets before PD_Length says");
  probe.expect_alive(kAcceptableAccepted, "after a request that was cut");
}

void octets_behind_the_request(InitiatorProbe& probe) {
  const StartFrame request = frame_of(FrameKind::request, {});
  probe.operate(request, request);
  OctetBuffer octets = Probe::start_frame(request);
  const OctetBuffer fpdu = probe.fpdu_of(probe.untagged(Opcode::send), data_of(20));
  octets.insert(octets.end(), fpdu.begin(), fpdu.end());
  probe.send_octets(octets);
  // Whether they are private data that PD_Length does not count, or an FPDU that comes too early, no octet tells.
  probe.expect_one_of(kMismatchRefused, {closes(), noted(accepts()), noted(rejects())},
                      "an FPDU follows the request in the same octets");
  probe.expect_alive(kAcceptableAccepted, "after octets behind a request");
}

void accepted_all_the_same(InitiatorProbe& probe, const Rule& rule, Edit edit) {
  const StartFrame request = edited(FrameKind::request, edit);
  probe.send_start(request);
  const Response answer = probe.expect_one_of(rule, {accepts()}, "the bits are not checked on reception");
  const auto reply = answer.frame();
  if (reply) probe.operate(request, *reply);
  if (probe.run().application() != Service::none) probe.expect_echo(rule, data_of(100));
}

// S is a reserved bit in revision 1.
void passes_over_s_in_revision_1(InitiatorProbe& probe) {
  StartFrame request = edited(FrameKind::request, [](StartFrame& frame) { frame.enhanced = true; });
  probe.send_start(request, OctetBuffer{0, 4, 0, 4});
  const Outcome enhanced{"an enhanced Reply", [](const Response& answer) {
                           const auto frame = answer.frame();
                           return frame && frame->enhanced;
                         }};
  probe.expect_one_of(kReservedNotChecked, {noted(enhanced), accepts(), noted(closes())},
                      "S is set in a request of revision 1 (A-30)");
}

void refuses_revisions(InitiatorProbe& probe) {
  bool first = true;
  constexpr std::uint8_t kRevisions[] = {0, 3, 255};
  for (const std::uint8_t revision : kRevisions) {
    if (!std::exchange(first, false)) probe.reconnect();
    StartFrame frame = frame_of(FrameKind::request, {});
    frame.revision = revision;
    probe.send_start(frame);
    probe.expect_one_of(kRevisionChecked, {closes(), noted(accepts()), noted(rejects())},
                        fmt::format("a request of revision {}", revision));
  }
  probe.expect_alive(kAcceptableAccepted, "after requests of other revisions");
}

// --- an initiator under test

const Outcome& goes_on() {
  static const Outcome kGoesOn{"an FPDU", [](const Response& answer) { return answer.is(Response::Kind::segment); }};
  return kGoesOn;
}

// The Reply that a good responder would give, but for this.
void reply_with(ResponderProbe& probe, Edit edit) {
  probe.await_request();
  const StartOptions options = probe.good_reply();
  StartFrame reply = edited(FrameKind::reply, edit, options);
  OctetBuffer data = private_data_of(options);
  // What it sends now is framed as the frames say.
  probe.operate(reply, probe.request());
  probe.pass_over_crcs();
  if (reply.private_data_length > data.size()) data.resize(reply.private_data_length);
  probe.send_start(reply, data);
}

void expect_reply_refused(ResponderProbe& probe, std::initializer_list<const Rule*> rules, Edit edit) {
  reply_with(probe, edit);
  probe.judge(rules, probe.next(), {closes(), noted(terminates(error::kMpaStartFrame))}, kMalformed);
}

void initiator_refuses_keys(ResponderProbe& probe) {
  expect_reply_refused(probe, {&kReplyKeyChecked, &kBadReplyCloses, &kBadStartFrameCloses},
                       [](StartFrame& frame) { frame.key.back() ^= 1; });
  probe.expect_alive(kEntersFullOperation, "after a reply with a wrong key");
}

void initiator_refuses_requests(ResponderProbe& probe) {
  expect_reply_refused(probe, {&kInitiatorsDetected, &kReplyKeyChecked},
                       [](StartFrame& frame) { frame.key = mpa::key_of(FrameKind::request); });
  probe.expect_alive(kEntersFullOperation, "after a request in place of a reply");
}

void initiator_refuses_lengths(ResponderProbe& probe) {
  expect_reply_refused(probe, {&kTooLongRefused, &kBadReplyCloses},
                       [](StartFrame& frame) { frame.private_data_length = 513; });
}

void initiator_refuses_cut_private_data(ResponderProbe& probe) {
  probe.await_request();
  const StartOptions options = probe.good_reply();
  StartFrame reply = frame_of(FrameKind::reply, options);
  const OctetBuffer data = private_data_of(options);
  reply.private_data_length = static_cast<std::uint16_t>(data.size() + 16);
  probe.operate(reply, probe.request());
  probe.pass_over_crcs();
  probe.send_start(reply, data);
  probe.end(Ending::closed);
  probe.expect_one_of(kMismatchRefused, {closes(), noted(terminates(error::kMpaStartFrame))},
                      "the stream ends 16 octets before PD_Length says");
}

void initiator_accepts_reserved_bits(ResponderProbe& probe) {
  reply_with(probe, [](StartFrame& frame) { frame.reserved = kAllReserved; });
  probe.expect_one_of(kReservedNotChecked, {goes_on()}, "the bits are not checked on reception");
}

void initiator_refuses_revisions(ResponderProbe& probe) {
  reply_with(probe, [](StartFrame& frame) { frame.revision = 0; });
  probe.expect_one_of(kRevisionChecked, {closes(), noted(terminates(error::kMpaStartFrame)), noted(goes_on())},
                      "a reply of revision 0");
}

void initiator_refuses_revision_3(ResponderProbe& probe) {
  reply_with(probe, [](StartFrame& frame) { frame.revision = 3; });
  probe.expect_one_of(kRevisionChecked, {closes(), noted(terminates(error::kMpaStartFrame)), noted(goes_on())},
                      "a reply of revision 3");
}

}  // namespace

std::span<const Case> mpa_start_frame_cases() {
  static const Case kCases[] = {
      {.id = "mpa/responder-refuses-wrong-keys",
       .iut = Role::responder,
       .rules = {&kRequestKeyChecked, &kBadRequestCloses, &kBadStartFrameCloses, &kAcceptableAccepted},
       .purpose = "Requests with five wrong keys are each answered by the close, and the next connection is served.",
       .run = responder_case<refuses_keys>},
      {.id = "mpa/responder-refuses-too-much-private-data",
       .iut = Role::responder,
       .rules = {&kTooLongRefused, &kBadRequestCloses, &kAcceptableAccepted},
       .purpose = "A PD_Length of 513 to 65535 is answered by the close.",
       .run = responder_case<refuses_lengths>},
      {.id = "mpa/responder-refuses-cut-private-data",
       .iut = Role::responder,
       .rules = {&kMismatchRefused, &kAcceptableAccepted},
       .purpose = "A stream that ends inside the private data is closed without a reply.",
       .run = responder_case<refuses_cut_private_data>},
      {.id = "mpa/responder-and-octets-behind-the-request",
       .iut = Role::responder,
       .rules = {&kMismatchRefused, &kAcceptableAccepted},
       .purpose = "An FPDU in the same octets as the request does no harm.",
       .run = responder_case<octets_behind_the_request>},
      {.id = "mpa/responder-does-not-check-r",
       .iut = Role::responder,
       .rules = {&kRejectNotChecked},
       .purpose = "A request with R set is accepted.",
       .run = on_responder([](InitiatorProbe& probe) {
         accepted_all_the_same(probe, kRejectNotChecked, [](StartFrame& frame) { frame.rejected = true; });
       })},
      {.id = "mpa/responder-does-not-check-reserved-bits",
       .iut = Role::responder,
       .rules = {&kReservedNotChecked, &kReservedZero},
       .purpose = "A request with all reserved bits set is accepted, and they are not echoed.",
       .run = on_responder([](InitiatorProbe& probe) {
         accepted_all_the_same(probe, kReservedNotChecked, [](StartFrame& frame) { frame.reserved = kAllReserved; });
       })},
      {.id = "mpa/responder-passes-over-s-in-revision-1",
       .iut = Role::responder,
       .rules = {&kReservedNotChecked},
       .purpose = "In revision 1, S is a reserved bit.",
       .run = responder_case<passes_over_s_in_revision_1>},
      {.id = "mpa/responder-refuses-revisions",
       .iut = Role::responder,
       .rules = {&kRevisionChecked, &kAcceptableAccepted},
       .purpose = "Requests of revision 0, 3 and 255 are closed upon.",
       .run = responder_case<refuses_revisions>},

      {.id = "mpa/initiator-refuses-a-wrong-key",
       .iut = Role::initiator,
       .rules = {&kReplyKeyChecked, &kBadReplyCloses, &kBadStartFrameCloses, &kRequestKey},
       .purpose = "A reply with a wrong key is answered by the close.",
       .run = initiator_case<initiator_refuses_keys>},
      {.id = "mpa/initiator-refuses-a-request",
       .iut = Role::initiator,
       .rules = {&kInitiatorsDetected, &kReplyKeyChecked},
       .purpose = "An initiator to which a request comes closes the connection.",
       .run = initiator_case<initiator_refuses_requests>},
      {.id = "mpa/initiator-refuses-too-much-private-data",
       .iut = Role::initiator,
       .rules = {&kTooLongRefused, &kBadReplyCloses},
       .purpose = "A reply with 513 octets of private data is answered by the close.",
       .run = initiator_case<initiator_refuses_lengths>},
      {.id = "mpa/initiator-refuses-cut-private-data",
       .iut = Role::initiator,
       .rules = {&kMismatchRefused},
       .purpose = "A stream that ends inside the private data of the reply is closed.",
       .run = initiator_case<initiator_refuses_cut_private_data>},
      {.id = "mpa/initiator-does-not-check-reserved-bits",
       .iut = Role::initiator,
       .rules = {&kReservedNotChecked, &kReservedZero, &kRejectZero},
       .purpose = "A reply with all reserved bits set is taken.",
       .run = initiator_case<initiator_accepts_reserved_bits>},
      {.id = "mpa/initiator-refuses-revision-0",
       .iut = Role::initiator,
       .rules = {&kRevisionChecked, &kRevisionKnown},
       .purpose = "A reply of revision 0 is closed upon.",
       .run = initiator_case<initiator_refuses_revisions>},
      {.id = "mpa/initiator-refuses-revision-3",
       .iut = Role::initiator,
       .rules = {&kRevisionChecked, &kRevisionKnown},
       .purpose = "A reply of revision 3 is closed upon.",
       .run = initiator_case<initiator_refuses_revision_3>},
  };
  return kCases;
}

}  // namespace wirelaw::rdmap
