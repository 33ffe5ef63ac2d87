// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 4.2 and 4.3: markers that are demanded of an implementation under test, and those that it demands.
#include "conformance/case_rows.h"
#include "conformance/rdmap/mpa/4.2-marker-format/rules.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/4.4-crc/rules.h"
#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {
namespace {

constexpr StartOptions with_markers() {
  return {.markers = true};
}

// Sizes of echoes that bring markers to every place: between FPDUs, inside, several inside, before the CRC.
constexpr std::size_t kOverhead = mpa::kLengthOctets + ddp::layout::kUntagged + mpa::kCrcOctets;
constexpr std::size_t kFpdus[] = {508, 512, 100, 1200, 496, 504, 516, 40, 44, 300, 1400};

// --- a responder under test

bool start_with_markers(ResponderProbe& responder) {
  const Response answer = responder.try_start(with_markers());
  return responder.judge(rule<"MPA-4.3-1">, answer, {accepts()}, "the request asks for markers (RDMAP/A-28)");
}

void sends_markers(ResponderProbe& responder) {
  if (!start_with_markers(responder)) return;
  for (const std::size_t octets : kFpdus) responder.expect_echo(rule<"MPA-4.3-1">, sample_octets(octets - kOverhead));
}

// For a responder that requests markers itself.
void takes_markers(ResponderProbe& responder, const Rule& rule, const Probe::Faults& faults, std::string_view why) {
  const mpa::StartFrame reply = responder.start();
  if (responder.ok() && !reply.markers) return responder.skip("the responder requests no markers");
  for (const std::size_t octets : kFpdus) {
    const OctetBuffer data = sample_octets(octets - kOverhead);
    responder.send(data, Opcode::send, {}, faults);
    responder.await_echo(rule, data, why);
  }
}

void judge_marker_error(Probe& probe, Octets wrong) {
  const Outcome unharmed{"the echo", [wrong](const Response& answer) {
                           return answer.is_send() && std::ranges::equal(answer.segment()->payload, wrong);
                         }};
  const ErrorCode elsewhere{error::kMpaMarker.layer, 3, error::kMpaMarker.code};  // RDMAP/A-01
  probe.expect_one_of(rule<"MPA-8-3">,
                      {terminates(error::kMpaMarker), closes(), says_nothing(), unharmed, noted(terminates(elsewhere))},
                      "a marker points elsewhere (RDMAP/A-33)");
}

void responder_and_a_wrong_marker(ResponderProbe& responder) {
  const mpa::StartFrame reply = responder.start();
  if (responder.ok() && !reply.markers) return responder.skip("the responder requests no markers");
  const OctetBuffer data = sample_octets(700);
  responder.send(data, Opcode::send, {}, {.marker_pointer_xor = 0x20});
  judge_marker_error(responder, data);
}

// --- an initiator under test

void initiator_sends_markers(InitiatorProbe& initiator) {
  initiator.await_request({.octets = 1300, .count = 4});
  StartOptions options = initiator.good_reply();
  options.markers = true;
  initiator.accept(options);
  OctetBuffer sent;
  for (int i = 0; i < 3 && initiator.ok(); ++i) {
    const auto message = initiator.next_send();
    if (!initiator.require(rule<"MPA-4.3-1">, message.has_value(), "a Send with markers", to_text(initiator.last()),
                           "the reply asks for markers (RDMAP/A-28)"))
      return;
    if (message->empty()) continue;  // a ready-to-receive indication
    initiator.echo(*message);
  }
}

void initiator_takes_markers(InitiatorProbe& initiator, const Rule& rule, const Probe::Faults& faults,
                             std::string_view why) {
  const mpa::StartFrame request = initiator.await_request({.octets = 900, .count = 3});
  if (initiator.ok() && !request.markers) return initiator.skip("the initiator requests no markers");
  initiator.accept();
  const OctetBuffer sent = initiator.await_send();
  initiator.echo(sent, {}, faults);
  initiator.expect_taken(rule, why);
}

constexpr std::string_view kReserved = "the reserved bits of markers are set";
constexpr std::string_view kLowBits = "the two low bits of FPDUPTR are set";

const CaseRow kRows[] = {
    {"mpa/responder-sends-markers",
     {&rule<"MPA-4.3-1">, &rule<"MPA-4.3-2">, &rule<"MPA-4.3-6">, &rule<"MPA-4.3-5">, &rule<"MPA-4.3-3">,
      &rule<"MPA-4.3-7">, &rule<"MPA-4.2-1">, &rule<"MPA-4.2-3">, &rule<"MPA-4.4-8">, &rule<"MPA-4.4-10">,
      &rule<"MPA-4.4-9">, &rule<"MPA-4.5-1">},
     "The responder sends markers at every required place when the initiator requests them.",
     with<sends_markers>(),
     Service::echo},
    {"mpa/responder-ignores-reserved-bits-of-markers",
     {&rule<"MPA-4.2-2">},
     "The IUT accepts markers with reserved bits set.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       takes_markers(responder, rule<"MPA-4.2-2">, {.marker_reserved = 0xffff}, kReserved);
     }),
     Service::echo},
    {"mpa/responder-ignores-low-bits-of-fpduptr",
     {&rule<"MPA-4.2-4">},
     "The IUT ignores the two low bits of FPDUPTR.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       takes_markers(responder, rule<"MPA-4.2-4">, {.marker_pointer_xor = 3}, kLowBits);
     }),
     Service::echo},
    {"mpa/responder-and-a-wrong-marker",
     {&rule<"MPA-8-3">},
     "The IUT reports a marker that points elsewhere as an error, or ignores markers.",
     with<responder_and_a_wrong_marker>(),
     Service::echo},

    {"mpa/initiator-sends-markers",
     {&rule<"MPA-4.3-1">, &rule<"MPA-4.3-2">, &rule<"MPA-4.3-6">, &rule<"MPA-4.3-3">, &rule<"MPA-4.3-7">,
      &rule<"MPA-4.2-1">, &rule<"MPA-4.2-3">, &rule<"MPA-4.4-8">, &rule<"MPA-4.4-10">, &rule<"MPA-4.5-1">},
     "The initiator sends markers when the responder requests them.",
     with<initiator_sends_markers>(),
     Service::echo},
    {"mpa/initiator-ignores-reserved-bits-of-markers",
     {&rule<"MPA-4.2-2">},
     "The IUT accepts markers with reserved bits set.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) {
       initiator_takes_markers(initiator, rule<"MPA-4.2-2">, {.marker_reserved = 0xffff}, kReserved);
     }),
     Service::echo},
    {"mpa/initiator-ignores-low-bits-of-fpduptr",
     {&rule<"MPA-4.2-4">},
     "The IUT ignores the two low bits of FPDUPTR.",
     with<InitiatorProbe>([](InitiatorProbe& initiator) {
       initiator_takes_markers(initiator, rule<"MPA-4.2-4">, {.marker_pointer_xor = 3}, kLowBits);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> mpa_marker_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
