// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.1: start frames that are not as they should be, and those that only look so.
#include <fmt/format.h>

#include "conformance/case_rows.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {
namespace {

using mpa::FrameKind;
using mpa::StartFrame;
using Edit = void (*)(StartFrame& frame);

StartFrame edited(FrameKind kind, Edit edit, const StartOptions& options = {}) {
  StartFrame frame = frame_of(kind, options);
  edit(frame);
  return frame;
}

constexpr std::uint8_t kAllReserved = 0x0f;
constexpr std::string_view kMalformed =
    "the IUT must close the connection without an answer to an improperly formatted start frame";

// --- a responder under test

// Sends each on a separate connection. The responder must close it and serve the next one.
void expect_refused(ResponderProbe& responder, std::initializer_list<const Rule*> rules, Octets octets) {
  responder.send_octets(octets);
  responder.judge(rules, responder.next(), {closes()}, kMalformed);
}

void refuses_keys(ResponderProbe& responder) {
  constexpr Edit kKeys[] = {
      [](StartFrame& frame) { frame.key.back() ^= 1; },
      [](StartFrame& frame) { frame.key.front() = 'm'; },
      [](StartFrame& frame) { frame.key[11] = 0; },
      [](StartFrame& frame) { frame.key.fill(0); },
      [](StartFrame& frame) { frame.key = mpa::key_of(FrameKind::reply); },
  };
  bool first = true;
  for (const Edit edit : kKeys) {
    if (!std::exchange(first, false)) responder.reconnect();
    expect_refused(responder, {&rule<"MPA-7.1.1-2">, &rule<"MPA-7.1.2-3">, &rule<"MPA-8-4">},
                   Probe::start_frame(edited(FrameKind::request, edit)));
  }
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after requests with wrong keys");
}

void refuses_lengths(ResponderProbe& responder) {
  bool first = true;
  constexpr std::uint16_t kLengths[] = {513, 1024, 0x8000, 0xffff};
  for (const std::uint16_t length : kLengths) {
    if (!std::exchange(first, false)) responder.reconnect();
    StartFrame frame = frame_of(FrameKind::request, {});
    frame.private_data_length = length;
    expect_refused(responder, {&rule<"MPA-7.1.1-15">, &rule<"MPA-7.1.2-3">},
                   Probe::start_frame(frame, sample_octets(600)));
  }
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after requests with too much private data");
}

void refuses_cut_private_data(ResponderProbe& responder) {
  StartFrame frame = frame_of(FrameKind::request, {});
  frame.private_data_length = 16;
  responder.send_start(frame, sample_octets(8));
  responder.end(Ending::closed);
  // The specification names no time limit, so a slow responder gets a warning.
  responder.expect_one_of(rule<"MPA-7.1.1-16">, {closes(), noted(says_nothing())},
                          "the stream ends eight octets before the end that PD_Length declares");
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after an incomplete request");
}

void octets_behind_the_request(ResponderProbe& responder) {
  const StartFrame request = frame_of(FrameKind::request, {});
  responder.operate(request, request);
  OctetBuffer octets = Probe::start_frame(request);
  const OctetBuffer fpdu = responder.fpdu_of(responder.untagged(Opcode::send), sample_octets(20));
  octets.insert(octets.end(), fpdu.begin(), fpdu.end());
  responder.send_octets(octets);
  // The octets may be private data beyond PD_Length, or an FPDU that comes too early.
  responder.expect_one_of(rule<"MPA-7.1.1-16">, {closes(), noted(accepts()), noted(rejects())},
                          "an FPDU follows the request in the same segment");
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after octets that follow a request");
}

void accepted_all_the_same(ResponderProbe& responder, const Rule& rule, Edit edit) {
  const StartFrame request = edited(FrameKind::request, edit);
  responder.send_start(request);
  const Response answer = responder.expect_one_of(rule, {accepts()}, "the bits are not checked on reception");
  const auto reply = answer.frame();
  if (reply) responder.operate(request, *reply);
  if (responder.run().application() != Service::none) responder.expect_echo(rule, sample_octets(100));
}

// S is a reserved bit in revision 1.
void passes_over_s_in_revision_1(ResponderProbe& responder) {
  StartFrame request = edited(FrameKind::request, [](StartFrame& frame) { frame.enhanced = true; });
  responder.send_start(request, OctetBuffer{0, 4, 0, 4});
  const Outcome enhanced{"an enhanced Reply", [](const Response& answer) {
                           const auto frame = answer.frame();
                           return frame && frame->enhanced;
                         }};
  responder.expect_one_of(rule<"MPA-7.1.1-9">, {noted(enhanced), accepts(), noted(closes())},
                          "S is set in a request of revision 1 (RDMAP/A-30)");
}

void refuses_revisions(ResponderProbe& responder) {
  bool first = true;
  constexpr std::uint8_t kRevisions[] = {0, 3, 255};
  for (const std::uint8_t revision : kRevisions) {
    if (!std::exchange(first, false)) responder.reconnect();
    StartFrame frame = frame_of(FrameKind::request, {});
    frame.revision = revision;
    responder.send_start(frame);
    responder.expect_one_of(rule<"MPA-7.1.1-11">, {closes(), noted(accepts()), noted(rejects())},
                            fmt::format("a request of revision {}", revision));
  }
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after requests of other revisions");
}

// --- an initiator under test

const Outcome& goes_on() {
  static const Outcome kGoesOn{"an FPDU", [](const Response& answer) { return answer.is(Response::Kind::segment); }};
  return kGoesOn;
}

// Sends the Reply of a correct responder with this change.
void reply_with(InitiatorProbe& initiator, Edit edit) {
  initiator.await_request();
  const StartOptions options = initiator.good_reply();
  StartFrame reply = edited(FrameKind::reply, edit, options);
  OctetBuffer data = private_data_of(options);
  // From here on, the framing agreed in the start frames applies.
  initiator.operate(reply, initiator.request());
  initiator.pass_over_crcs();
  if (reply.private_data_length > data.size()) data.resize(reply.private_data_length);
  initiator.send_start(reply, data);
}

void expect_reply_refused(InitiatorProbe& initiator, std::initializer_list<const Rule*> rules, Edit edit) {
  reply_with(initiator, edit);
  initiator.judge(rules, initiator.next(), {closes(), noted(terminates(error::kMpaStartFrame))}, kMalformed);
}

void initiator_refuses_keys(InitiatorProbe& initiator) {
  expect_reply_refused(initiator, {&rule<"MPA-7.1.1-4">, &rule<"MPA-7.1.2-7">, &rule<"MPA-8-4">},
                       [](StartFrame& frame) { frame.key.back() ^= 1; });
  initiator.expect_alive(rule<"MPA-7.1.2-11">, "after a reply with a wrong key");
}

void initiator_refuses_requests(InitiatorProbe& initiator) {
  expect_reply_refused(initiator, {&rule<"MPA-7.1.2-10">, &rule<"MPA-7.1.1-4">},
                       [](StartFrame& frame) { frame.key = mpa::key_of(FrameKind::request); });
  initiator.expect_alive(rule<"MPA-7.1.2-11">, "after a request in place of a reply");
}

void initiator_refuses_lengths(InitiatorProbe& initiator) {
  expect_reply_refused(initiator, {&rule<"MPA-7.1.1-15">, &rule<"MPA-7.1.2-7">},
                       [](StartFrame& frame) { frame.private_data_length = 513; });
}

void initiator_refuses_cut_private_data(InitiatorProbe& initiator) {
  initiator.await_request();
  const StartOptions options = initiator.good_reply();
  StartFrame reply = frame_of(FrameKind::reply, options);
  const OctetBuffer data = private_data_of(options);
  reply.private_data_length = static_cast<std::uint16_t>(data.size() + 16);
  initiator.operate(reply, initiator.request());
  initiator.pass_over_crcs();
  initiator.send_start(reply, data);
  initiator.end(Ending::closed);
  initiator.expect_one_of(rule<"MPA-7.1.1-16">,
                          {closes(), noted(terminates(error::kMpaStartFrame)), noted(says_nothing())},
                          "the stream ends 16 octets before the end that PD_Length declares");
}

void initiator_accepts_reserved_bits(InitiatorProbe& initiator) {
  reply_with(initiator, [](StartFrame& frame) { frame.reserved = kAllReserved; });
  initiator.expect_one_of(rule<"MPA-7.1.1-9">, {goes_on()}, "the bits are not checked on reception");
}

void initiator_refuses_revisions(InitiatorProbe& initiator) {
  reply_with(initiator, [](StartFrame& frame) { frame.revision = 0; });
  initiator.expect_one_of(rule<"MPA-7.1.1-11">, {closes(), noted(terminates(error::kMpaStartFrame)), noted(goes_on())},
                          "a reply of revision 0");
}

void initiator_refuses_revision_3(InitiatorProbe& initiator) {
  reply_with(initiator, [](StartFrame& frame) { frame.revision = 3; });
  initiator.expect_one_of(rule<"MPA-7.1.1-11">, {closes(), noted(terminates(error::kMpaStartFrame)), noted(goes_on())},
                          "a reply of revision 3");
}

const CaseRow kRows[] = {
    {"mpa/responder-refuses-wrong-keys",
     {&rule<"MPA-7.1.1-2">, &rule<"MPA-7.1.2-3">, &rule<"MPA-8-4">, &rule<"MPA-7.1.2-5">},
     "The responder closes five connections whose requests have wrong keys, and serves the next connection.",
     with<refuses_keys>()},
    {"mpa/responder-refuses-too-much-private-data",
     {&rule<"MPA-7.1.1-15">, &rule<"MPA-7.1.2-3">, &rule<"MPA-7.1.2-5">},
     "The responder closes the connection after a PD_Length of 513 to 65535.",
     with<refuses_lengths>()},
    {"mpa/responder-refuses-cut-private-data",
     {&rule<"MPA-7.1.1-16">, &rule<"MPA-7.1.2-5">},
     "The responder closes without a reply if the stream ends inside the private data.",
     with<refuses_cut_private_data>()},
    {"mpa/responder-and-octets-behind-the-request",
     {&rule<"MPA-7.1.1-16">, &rule<"MPA-7.1.2-5">},
     "The responder keeps working after an FPDU in the same segment as the request.",
     with<octets_behind_the_request>()},
    {"mpa/responder-does-not-check-r",
     {&rule<"MPA-7.1.1-6">},
     "The responder accepts a request with R set.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       accepted_all_the_same(responder, rule<"MPA-7.1.1-6">, [](StartFrame& frame) { frame.rejected = true; });
     })},
    {"mpa/responder-does-not-check-reserved-bits",
     {&rule<"MPA-7.1.1-9">, &rule<"MPA-7.1.1-8">},
     "The responder accepts a request with all reserved bits set, and does not copy them to its reply.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       accepted_all_the_same(responder, rule<"MPA-7.1.1-9">, [](StartFrame& frame) { frame.reserved = kAllReserved; });
     })},
    {"mpa/responder-passes-over-s-in-revision-1",
     {&rule<"MPA-7.1.1-9">},
     "The responder treats S as a reserved bit in revision 1.",
     with<passes_over_s_in_revision_1>()},
    {"mpa/responder-refuses-revisions",
     {&rule<"MPA-7.1.1-11">, &rule<"MPA-7.1.2-5">},
     "The responder closes the connection after requests of revision 0, 3 and 255.",
     with<refuses_revisions>()},

    {"mpa/initiator-refuses-a-wrong-key",
     {&rule<"MPA-7.1.1-4">, &rule<"MPA-7.1.2-7">, &rule<"MPA-8-4">, &rule<"MPA-7.1.1-1">},
     "The initiator closes the connection after a reply with a wrong key.",
     with<initiator_refuses_keys>()},
    {"mpa/initiator-refuses-a-request",
     {&rule<"MPA-7.1.2-10">, &rule<"MPA-7.1.1-4">},
     "The initiator closes the connection if a request arrives in place of the reply.",
     with<initiator_refuses_requests>()},
    {"mpa/initiator-refuses-too-much-private-data",
     {&rule<"MPA-7.1.1-15">, &rule<"MPA-7.1.2-7">},
     "The initiator closes the connection after a reply with 513 octets of private data.",
     with<initiator_refuses_lengths>()},
    {"mpa/initiator-refuses-cut-private-data",
     {&rule<"MPA-7.1.1-16">},
     "The initiator closes the connection if the stream ends inside the private data of the reply.",
     with<initiator_refuses_cut_private_data>()},
    {"mpa/initiator-does-not-check-reserved-bits",
     {&rule<"MPA-7.1.1-9">, &rule<"MPA-7.1.1-8">, &rule<"MPA-7.1.1-7">},
     "The initiator accepts a reply with all reserved bits set.",
     with<initiator_accepts_reserved_bits>()},
    {"mpa/initiator-refuses-revision-0",
     {&rule<"MPA-7.1.1-11">, &rule<"MPA-7.1.1-10">},
     "The initiator closes the connection after a reply of revision 0.",
     with<initiator_refuses_revisions>()},
    {"mpa/initiator-refuses-revision-3",
     {&rule<"MPA-7.1.1-11">, &rule<"MPA-7.1.1-10">},
     "The initiator closes the connection after a reply of revision 3.",
     with<initiator_refuses_revision_3>()},
};

}  // namespace

std::vector<Case> mpa_start_frame_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
