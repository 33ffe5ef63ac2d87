// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 4.2 and 4.3: markers that are demanded of an implementation under test, and those that it demands.
#include "conformance/rdmap/case_file.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/mpa/mpa_rule.h"

namespace wirelaw::rdmap {
namespace {

using namespace mpa_rule;

constexpr StartOptions with_markers() {
  return {.markers = true};
}

// Sizes of echoes that bring markers to every place: between FPDUs, inside, several inside, before the CRC.
constexpr std::size_t kOverhead = mpa::kLengthOctets + ddp::layout::kUntagged + mpa::kCrcOctets;
constexpr std::size_t kFpdus[] = {508, 512, 100, 1200, 496, 504, 516, 40, 44, 300, 1400};

// --- a responder under test

bool start_with_markers(InitiatorProbe& probe) {
  const Response answer = probe.try_start(with_markers());
  return probe.judge(kMarkersWhenAsked, answer, {accepts()}, "the request asks for markers (A-28)");
}

void sends_markers(InitiatorProbe& probe) {
  if (!start_with_markers(probe)) return;
  for (const std::size_t octets : kFpdus) probe.expect_echo(kMarkersWhenAsked, data_of(octets - kOverhead));
}

// Of a responder that asks for markers itself.
void takes_markers(InitiatorProbe& probe, const Rule& rule, const Probe::Faults& faults, std::string_view why) {
  const mpa::StartFrame reply = probe.start();
  if (probe.ok() && !reply.markers) return probe.skip("the responder asks for no markers");
  for (const std::size_t octets : kFpdus) {
    const OctetBuffer data = data_of(octets - kOverhead);
    probe.send(data, Opcode::send, {}, faults);
    probe.await_echo(rule, data, why);
  }
}

void judge_marker_error(Probe& probe, Octets wrong) {
  const Outcome unharmed{"the echo", [wrong](const Response& answer) {
                           return answer.is_send() && std::ranges::equal(answer.segment()->payload, wrong);
                         }};
  const ErrorCode elsewhere{error::kMpaMarker.layer, 3, error::kMpaMarker.code};
  probe.expect_one_of(kMarkerErrorDetected,
                      {terminates(error::kMpaMarker), closes(), says_nothing(), unharmed, noted(terminates(elsewhere))},
                      "a marker points elsewhere (A-33)");
}

void responder_and_a_wrong_marker(InitiatorProbe& probe) {
  const mpa::StartFrame reply = probe.start();
  if (probe.ok() && !reply.markers) return probe.skip("the responder asks for no markers");
  const OctetBuffer data = data_of(700);
  probe.send(data, Opcode::send, {}, {.marker_pointer_xor = 0x20});
  judge_marker_error(probe, data);
}

// --- an initiator under test

void initiator_sends_markers(ResponderProbe& probe) {
  probe.await_request({.octets = 1300, .count = 4});
  StartOptions options = probe.good_reply();
  options.markers = true;
  probe.accept(options);
  OctetBuffer sent;
  for (int i = 0; i < 3 && probe.ok(); ++i) {
    const auto message = probe.next_send();
    if (!probe.require(kMarkersWhenAsked, message.has_value(), "a Send among markers", to_text(probe.last()),
                       "the reply asks for markers (A-28)"))
      return;
    if (message->empty()) continue;  // a ready-to-receive indication
    probe.echo(*message);
  }
}

void initiator_takes_markers(ResponderProbe& probe, const Rule& rule, const Probe::Faults& faults,
                             std::string_view why) {
  const mpa::StartFrame request = probe.await_request({.octets = 900, .count = 3});
  if (probe.ok() && !request.markers) return probe.skip("the initiator asks for no markers");
  probe.accept();
  const OctetBuffer sent = probe.await_send();
  probe.echo(sent, {}, faults);
  probe.expect_taken(rule, why);
}

}  // namespace

std::span<const Case> mpa_marker_cases() {
  static constexpr std::string_view kReserved = "the reserved bits of markers are set";
  static constexpr std::string_view kLowBits = "the two low bits of FPDUPTR are set";
  static const Case kCases[] = {
      {.id = "mpa/responder-sends-markers",
       .iut = Role::responder,
       .rules = {&kMarkersWhenAsked, &kMarkerInterval, &kFirstMarker, &kZeroBetween, &kMarkerPointer, &kSamePoint,
                 &kMarkerReservedZero, &kMarkerLowBitsZero, &kCoversMarkers, &kCoversMarkerBefore, &kCoversMarkerBehind,
                 &kWithMarkers},
       .purpose = "A responder that is asked for markers sends them, at every place where one can stand.",
       .needs = Service::echo,
       .run = responder_case<sends_markers>},
      {.id = "mpa/responder-ignores-reserved-bits-of-markers",
       .iut = Role::responder,
       .rules = {&kMarkerReservedIgnored},
       .purpose = "Markers with reserved bits set are taken.",
       .needs = Service::echo,
       .run = on_responder([](InitiatorProbe& probe) {
         takes_markers(probe, kMarkerReservedIgnored, {.marker_reserved = 0xffff}, kReserved);
       })},
      {.id = "mpa/responder-ignores-low-bits-of-fpduptr",
       .iut = Role::responder,
       .rules = {&kMarkerLowBitsIgnored},
       .purpose = "FPDUPTRs with their two low bits set are taken as if they were not.",
       .needs = Service::echo,
       .run = on_responder([](InitiatorProbe& probe) {
         takes_markers(probe, kMarkerLowBitsIgnored, {.marker_pointer_xor = 3}, kLowBits);
       })},
      {.id = "mpa/responder-and-a-wrong-marker",
       .iut = Role::responder,
       .rules = {&kMarkerErrorDetected},
       .purpose = "A marker that points elsewhere is an error, or is not looked at.",
       .needs = Service::echo,
       .run = responder_case<responder_and_a_wrong_marker>},

      {.id = "mpa/initiator-sends-markers",
       .iut = Role::initiator,
       .rules = {&kMarkersWhenAsked, &kMarkerInterval, &kFirstMarker, &kMarkerPointer, &kSamePoint,
                 &kMarkerReservedZero, &kMarkerLowBitsZero, &kCoversMarkers, &kCoversMarkerBefore, &kWithMarkers},
       .purpose = "An initiator that is asked for markers sends them.",
       .needs = Service::echo,
       .run = initiator_case<initiator_sends_markers>},
      {.id = "mpa/initiator-ignores-reserved-bits-of-markers",
       .iut = Role::initiator,
       .rules = {&kMarkerReservedIgnored},
       .purpose = "Markers with reserved bits set are taken.",
       .needs = Service::echo,
       .run = on_initiator([](ResponderProbe& probe) {
         initiator_takes_markers(probe, kMarkerReservedIgnored, {.marker_reserved = 0xffff}, kReserved);
       })},
      {.id = "mpa/initiator-ignores-low-bits-of-fpduptr",
       .iut = Role::initiator,
       .rules = {&kMarkerLowBitsIgnored},
       .purpose = "FPDUPTRs with their two low bits set are taken as if they were not.",
       .needs = Service::echo,
       .run = on_initiator([](ResponderProbe& probe) {
         initiator_takes_markers(probe, kMarkerLowBitsIgnored, {.marker_pointer_xor = 3}, kLowBits);
       })},
  };
  return kCases;
}

}  // namespace wirelaw::rdmap
