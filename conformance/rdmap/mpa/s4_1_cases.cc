// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 4.1, 4.4, 5, 6 and 8: FPDUs that are cut, packed, wrong, or only look so.
#include <fmt/format.h>

#include "conformance/rdmap/case_file.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/mpa/mpa_rule.h"

namespace wirelaw::rdmap {
namespace {

using namespace mpa_rule;

// A Send of so many octets brings each length of pad in turn.
constexpr std::size_t kPads = 8;

void append(OctetBuffer& octets, const OctetBuffer& more) {
  octets.insert(octets.end(), more.begin(), more.end());
}

// The FPDU of the probe's next Send, which counts as sent.
OctetBuffer next_send_fpdu(Probe& probe, Octets data, const Probe::Faults& faults = {}) {
  const OctetBuffer fpdu = probe.fpdu_of(probe.untagged(Opcode::send), data, faults);
  probe.message_sent(kSendQueue);
  return fpdu;
}

// A CRC that does not hold: dropped in silence, or told; but nothing comes of what it covers.
void judge_crc_error(Probe& probe, const Response& answer) {
  constexpr std::string_view kWhy = "the CRC of an FPDU does not hold";
  const ErrorCode elsewhere{error::kMpaCrc.layer, 3, error::kMpaCrc.code};
  if (!probe.judge(kBadCrcInvalid, answer, {closes(), says_nothing(), terminates()}, kWhy)) return;
  probe.judge(kCrcErrorDetected, answer,
              {terminates(error::kMpaCrc), closes(), says_nothing(), noted(terminates(elsewhere))}, kWhy);
}

// --- a responder under test

void echoes_every_length(InitiatorProbe& probe) {
  probe.start();
  for (std::size_t octets = 1; octets <= 2 * kPads && probe.ok(); ++octets)
    probe.expect_echo(kBoundariesByLength, data_of(octets));
  probe.expect_echo(kBoundariesByLength, data_of(3000));
}

void takes_fpdus_in_pieces(InitiatorProbe& probe) {
  probe.start();
  for (const std::size_t piece : {1, 2, 3, 7, 19}) {
    const OctetBuffer data = data_of(50 + piece);
    probe.send_in_pieces(next_send_fpdu(probe, data), piece);
    probe.await_echo(kUnalignedTaken, data, "an FPDU that comes in pieces");
  }
}

void takes_packed_fpdus(InitiatorProbe& probe) {
  probe.start();
  constexpr unsigned kTogether = 8;
  OctetBuffer octets;
  for (unsigned i = 0; i < kTogether; ++i) append(octets, next_send_fpdu(probe, data_of(10 + i, i)));
  probe.send_octets(octets);
  for (unsigned i = 0; i < kTogether; ++i)
    probe.await_echo(kBoundariesByLength, data_of(10 + i, i), "eight FPDUs at once");
}

// FPDUs that end and begin in the middle of what is sent together.
void takes_unaligned_fpdus(InitiatorProbe& probe) {
  probe.start();
  constexpr unsigned kCount = 6;
  OctetBuffer octets;
  for (unsigned i = 0; i < kCount; ++i) append(octets, next_send_fpdu(probe, data_of(100, i)));
  probe.send_in_pieces(octets, 190);
  for (unsigned i = 0; i < kCount; ++i)
    probe.await_echo(kUnalignedTaken, data_of(100, i), "FPDUs that lie across what was sent together");
}

void waits_for_the_whole_fpdu(InitiatorProbe& probe) {
  probe.start();
  const OctetBuffer data = data_of(77);
  const OctetBuffer fpdu = next_send_fpdu(probe, data);
  for (const std::size_t missing : {std::size_t{1}, mpa::kCrcOctets, fpdu.size() - 1}) {
    if (missing != 1) probe.reconnect(), probe.start();
    probe.send_octets(Octets(fpdu).first(fpdu.size() - missing));
    probe.judge(kWholeFirst, probe.next(probe.in(probe.run().silence_time())), {says_nothing()},
                "octets of the FPDU are missing");
    probe.send_octets(Octets(fpdu).last(missing));
    probe.await_echo(kWholeFirst, data, "the rest of the FPDU has come");
  }
}

// ULPDUs that cannot hold their headers: the next octets are not theirs.
void ends_ulpdus_where_they_end(InitiatorProbe& probe, bool tagged, std::size_t shortest, std::size_t whole) {
  ddp::Header header = tagged ? Probe::tagged(Opcode::write, 0, 0) : probe.untagged(Opcode::send);
  if (whole > ddp::layout::kUntagged) header = probe.untagged(Opcode::read_request);
  const OctetBuffer ulpdu = Probe::ulpdu_of(header, OctetBuffer(whole - header.octets()));
  for (std::size_t length = shortest; length < whole && probe.ok(); ++length) {
    if (length != shortest) probe.reconnect();
    probe.start();
    probe.send_fpdu(Octets(ulpdu).first(length));
    // Octets to take for the rest of the header, by whoever is so minded.
    probe.send(data_of(64));
    probe.expect_one_of(kWholeFirst, {terminates(), closes()},
                        fmt::format("a ULPDU of {} octets, whose header takes {}", length, whole));
  }
  probe.expect_alive(kAcceptableAccepted, "after ULPDUs that are too short");
}

void takes_any_pad(InitiatorProbe& probe) {
  probe.start();
  for (std::size_t octets = 1; octets <= kPads; ++octets) {
    const OctetBuffer data = data_of(octets);
    probe.send_octets(next_send_fpdu(probe, data, {.pad_fill = 0xff}));
    probe.await_echo(kPadIgnored, data, "the pad octets are 0xff, and the CRC covers them");
  }
}

void refuses_a_wrong_crc(InitiatorProbe& probe) {
  bool first = true;
  for (const std::uint32_t wrong : {0x00000001u, 0x80000000u, 0xffffffffu}) {
    if (!std::exchange(first, false)) probe.reconnect();
    probe.start();
    probe.expect_echo(kBoundariesByLength, data_of(60));  // before it a responder may not send, not even a Terminate
    probe.send_octets(next_send_fpdu(probe, data_of(60), {.crc_xor = wrong}));
    judge_crc_error(probe, probe.next(probe.in(probe.run().silence_time())));
  }
}

void takes_nothing_after_a_wrong_crc(InitiatorProbe& probe) {
  probe.start();
  probe.expect_echo(kBoundariesByLength, data_of(60));
  probe.send_octets(next_send_fpdu(probe, data_of(60), {.crc_xor = 1}));
  if (const Response answer = probe.next(probe.in(probe.run().silence_time())); answer.ended())
    return static_cast<void>(probe.judge(kNothingAfterError, answer, {closes()}));
  // With the number that was spent, and with the number that is due if the first FPDU is as if it had never come.
  probe.send(data_of(61), Opcode::send);
  probe.send(data_of(62), Opcode::send, [](ddp::Header& header) { header.msn = ddp::kFirstMsn + 1; });
  const Response answer = probe.await(probe.in(probe.run().silence_time()), [](const Response& one) {
    return one.is(Response::Kind::segment) && !one.terminate();
  });
  probe.judge(kNothingAfterError, answer, {says_nothing(), closes(), terminates()}, "an error came before it");
}

void does_not_check_unasked_crcs(InitiatorProbe& probe) {
  const mpa::StartFrame reply = probe.start({.crc = false});
  if (reply.crc) return probe.skip("the responder asks for CRCs itself");
  for (const std::uint32_t field : {0u, 0x12345678u, 0xffffffffu}) {
    const OctetBuffer data = data_of(40);
    probe.send_octets(next_send_fpdu(probe, data, {.crc_xor = field}));
    probe.await_echo(kCrcNotChecked, data, "neither side has asked for CRCs");
  }
}

void survives_a_bad_first_fpdu(InitiatorProbe& probe) {
  using Edit = void (*)(ddp::Header & header);
  constexpr Edit kEdits[] = {
      [](ddp::Header& header) { header.rsvd_ulp |= 0x0f; }, [](ddp::Header& header) { header.version = 0; },
      [](ddp::Header& header) { header.rsvd_ulp &= 0x3f; }, [](ddp::Header& header) { header.qn = 7; },
      [](ddp::Header& header) { header.rsvd_ulp &= 0xf0; },  // a Write without T
  };
  for (const bool cut : {false, true})
    for (const Edit edit : kEdits) {
      probe.start();
      ddp::Header header = probe.untagged(Opcode::send);
      edit(header);
      const OctetBuffer fpdu = probe.fpdu_of(header, data_of(30));
      probe.send_in_pieces(fpdu, cut ? 9 : fpdu.size());
      probe.expect_one_of(kWholeFirst, {terminates(), closes()}, "the first FPDU is bad in its header");
      probe.reconnect();
    }
  probe.judge(kAcceptableAccepted, probe.try_start(), {accepts()}, "after first FPDUs that were bad");
}

// --- an initiator under test

constexpr TriggerRequest kRounds{.octets = 61, .count = 3};

void initiator_takes_pieces(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send(kRounds);
  probe.send_in_pieces(next_send_fpdu(probe, sent), 1);
  probe.expect_taken(kUnalignedTaken, "an echo that comes octet by octet");
}

void initiator_waits_for_the_whole_fpdu(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send(kRounds);
  const OctetBuffer fpdu = next_send_fpdu(probe, sent);
  probe.send_octets(Octets(fpdu).first(fpdu.size() - 1));
  probe.judge(kWholeFirst, probe.next(probe.in(probe.run().silence_time())), {says_nothing()},
              "an octet of the FPDU is missing");
  probe.send_octets(Octets(fpdu).last(1));
  probe.expect_taken(kWholeFirst, "the last octet of the FPDU has come");
}

void initiator_takes_any_pad(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send({.octets = 63, .count = 3});
  probe.echo(sent, {}, {.pad_fill = 0xff});
  probe.expect_taken(kPadIgnored, "the pad octets of an echo are 0xff");
}

void initiator_refuses_a_wrong_crc(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send(kRounds);
  probe.echo(sent, {}, {.crc_xor = 1});
  judge_crc_error(probe, probe.next(probe.in(probe.run().silence_time())));
}

void initiator_ends_ulpdus(ResponderProbe& probe) {
  const OctetBuffer sent = probe.first_send(kRounds);
  const OctetBuffer ulpdu = Probe::ulpdu_of(probe.untagged(Opcode::send), {});
  probe.send_fpdu(Octets(ulpdu).first(10));
  probe.echo(sent);
  probe.expect_one_of(kWholeFirst, {terminates(), closes()}, "a ULPDU of 10 octets, whose header takes 18");
}

void initiator_does_not_check_unasked_crcs(ResponderProbe& probe) {
  const mpa::StartFrame request = probe.await_request(kRounds);
  if (request.crc) return probe.skip("the initiator asks for CRCs itself");
  StartOptions options = probe.good_reply();
  options.crc = false;
  probe.accept(options);
  const OctetBuffer sent = probe.await_send();
  probe.echo(sent, {}, {.crc_xor = 0x12345678});
  probe.expect_taken(kCrcNotChecked, "neither side has asked for CRCs");
}

}  // namespace

std::span<const Case> mpa_framing_cases() {
  static const Case kCases[] = {
      {.id = "mpa/responder-frames-every-length",
       .iut = Role::responder,
       .rules = {&kBoundariesByLength, &kPadZero, &kPadCount, &kUlpduLengthCounts, &kCrc32c, &kOctetOrder, &kGoesOn,
                 &kOneUlpdu, &kWithoutMarkers, &kNoMarkersUnasked},
       .purpose = "Echoes of 1 to 16 octets, and of 3000, are framed as they should be.",
       .needs = Service::echo,
       .run = responder_case<echoes_every_length>},
      {.id = "mpa/responder-takes-fpdus-in-pieces",
       .iut = Role::responder,
       .rules = {&kUnalignedTaken},
       .purpose = "FPDUs that come octet by octet, or cut at awkward places, are taken.",
       .needs = Service::echo,
       .run = responder_case<takes_fpdus_in_pieces>},
      {.id = "mpa/responder-takes-packed-fpdus",
       .iut = Role::responder,
       .rules = {&kBoundariesByLength, &kUlpduLengthCounts},
       .purpose = "Eight FPDUs that come together are all taken.",
       .needs = Service::echo,
       .run = responder_case<takes_packed_fpdus>},
      {.id = "mpa/responder-takes-unaligned-fpdus",
       .iut = Role::responder,
       .rules = {&kUnalignedTaken},
       .purpose = "FPDUs that begin in the middle of a segment are taken.",
       .needs = Service::echo,
       .run = responder_case<takes_unaligned_fpdus>},
      {.id = "mpa/responder-waits-for-the-whole-fpdu",
       .iut = Role::responder,
       .rules = {&kWholeFirst},
       .purpose = "An FPDU of which octets are missing brings no answer until they have come.",
       .needs = Service::echo,
       .run = responder_case<waits_for_the_whole_fpdu>},
      {.id = "mpa/responder-and-short-tagged-ulpdus",
       .iut = Role::responder,
       .rules = {&kWholeFirst, &kAcceptableAccepted},
       .purpose = "ULPDUs of 1 to 13 octets with T set are errors, and take nothing of what follows them.",
       .run = on_responder(
           [](InitiatorProbe& probe) { ends_ulpdus_where_they_end(probe, /*tagged=*/true, 1, ddp::layout::kTagged); })},
      {.id = "mpa/responder-and-short-untagged-ulpdus",
       .iut = Role::responder,
       .rules = {&kWholeFirst, &kAcceptableAccepted},
       .purpose = "ULPDUs of 1 to 17 octets without T are errors, and take nothing of what follows them.",
       .run = on_responder([](InitiatorProbe& probe) {
         ends_ulpdus_where_they_end(probe, /*tagged=*/false, 1, ddp::layout::kUntagged);
       })},
      {.id = "mpa/responder-and-short-read-requests",
       .iut = Role::responder,
       .rules = {&kWholeFirst, &kAcceptableAccepted},
       .purpose = "Read Requests of 18 to 45 octets are errors, and take nothing of what follows them.",
       .run = on_responder([](InitiatorProbe& probe) {
         ends_ulpdus_where_they_end(probe, /*tagged=*/false, ddp::layout::kUntagged,
                                    ddp::layout::kUntagged + layout::kReadRequest);
       })},
      {.id = "mpa/responder-ignores-the-pad",
       .iut = Role::responder,
       .rules = {&kPadIgnored},
       .purpose = "Pad octets that are not zero are passed over.",
       .needs = Service::echo,
       .run = responder_case<takes_any_pad>},
      {.id = "mpa/responder-refuses-a-wrong-crc",
       .iut = Role::responder,
       .rules = {&kBadCrcInvalid, &kCrcErrorDetected},
       .purpose = "An FPDU whose CRC does not hold is not delivered, and the peer is told so or nothing.",
       .needs = Service::echo,
       .run = responder_case<refuses_a_wrong_crc>},
      {.id = "mpa/responder-takes-nothing-after-a-wrong-crc",
       .iut = Role::responder,
       .rules = {&kNothingAfterError},
       .purpose = "After an FPDU whose CRC does not hold no other one is delivered.",
       .needs = Service::echo,
       .run = responder_case<takes_nothing_after_a_wrong_crc>},
      {.id = "mpa/responder-does-not-check-unasked-crcs",
       .iut = Role::responder,
       .rules = {&kCrcNotChecked},
       .purpose = "Where neither side asks for CRCs the field may hold anything.",
       .needs = Service::echo,
       .run = responder_case<does_not_check_unasked_crcs>},
      {.id = "mpa/responder-survives-a-bad-first-fpdu",
       .iut = Role::responder,
       .rules = {&kWholeFirst, &kAcceptableAccepted},
       .purpose = "A first FPDU with a bad header, whole or in pieces, ends that connection and no other.",
       .run = responder_case<survives_a_bad_first_fpdu>},

      {.id = "mpa/initiator-takes-fpdus-in-pieces",
       .iut = Role::initiator,
       .rules = {&kUnalignedTaken, &kPadZero, &kPadCount, &kUlpduLengthCounts, &kCrc32c, &kOctetOrder, &kGoesOn,
                 &kOneUlpdu, &kWithoutMarkers, &kNoMarkersUnasked},
       .purpose = "An echo that comes octet by octet is taken.",
       .needs = Service::echo,
       .run = initiator_case<initiator_takes_pieces>},
      {.id = "mpa/initiator-waits-for-the-whole-fpdu",
       .iut = Role::initiator,
       .rules = {&kWholeFirst},
       .purpose = "An echo without its last octet brings nothing until that has come.",
       .needs = Service::echo,
       .run = initiator_case<initiator_waits_for_the_whole_fpdu>},
      {.id = "mpa/initiator-ignores-the-pad",
       .iut = Role::initiator,
       .rules = {&kPadIgnored},
       .purpose = "Pad octets that are not zero are passed over.",
       .needs = Service::echo,
       .run = initiator_case<initiator_takes_any_pad>},
      {.id = "mpa/initiator-refuses-a-wrong-crc",
       .iut = Role::initiator,
       .rules = {&kBadCrcInvalid, &kCrcErrorDetected},
       .purpose = "An echo whose CRC does not hold is not delivered, and the peer is told so or nothing.",
       .needs = Service::echo,
       .run = initiator_case<initiator_refuses_a_wrong_crc>},
      {.id = "mpa/initiator-and-a-short-ulpdu",
       .iut = Role::initiator,
       .rules = {&kWholeFirst},
       .purpose = "A ULPDU that cannot hold its header is an error, and takes nothing of what follows it.",
       .run = initiator_case<initiator_ends_ulpdus>},
      {.id = "mpa/initiator-does-not-check-unasked-crcs",
       .iut = Role::initiator,
       .rules = {&kCrcNotChecked},
       .purpose = "Where neither side asks for CRCs the field may hold anything.",
       .needs = Service::echo,
       .run = initiator_case<initiator_does_not_check_unasked_crcs>},
  };
  return kCases;
}

}  // namespace wirelaw::rdmap
