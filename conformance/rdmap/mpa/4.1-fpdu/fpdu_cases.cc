// SPDX-License-Identifier: Apache-2.0
// RFC 5044, sections 4.1, 4.4, 5, 6 and 8: FPDUs that are cut, packed, wrong, or only look so.
#include <fmt/format.h>

#include "conformance/case_rows.h"
#include "conformance/rdmap/mpa/3-ddp/rules.h"
#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/4.4-crc/rules.h"
#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/mpa/5-tcp/rules.h"
#include "conformance/rdmap/mpa/6-identification/rules.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {
namespace {

// Sends of increasing length need each length of pad in turn.
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

// Judges the reaction to a wrong CRC: the FPDU may be dropped silently or reported, but its payload must have no
// effect.
void judge_crc_error(Probe& probe, const Response& answer) {
  constexpr std::string_view kWhy = "the CRC of an FPDU is wrong";
  const ErrorCode elsewhere{error::kMpaCrc.layer, 3, error::kMpaCrc.code};  // RDMAP/A-01
  if (!probe.judge(rule<"MPA-4.4-11">, answer, {closes(), says_nothing(), terminates()}, kWhy)) return;
  probe.judge(rule<"MPA-8-2">, answer,
              {terminates(error::kMpaCrc), closes(), says_nothing(), noted(terminates(elsewhere))}, kWhy);
}

// --- a responder under test

void echoes_every_length(ResponderProbe& responder) {
  responder.start();
  for (std::size_t octets = 1; octets <= 2 * kPads && responder.ok(); ++octets)
    responder.expect_echo(rule<"MPA-5.2-1">, sample_octets(octets));
  responder.expect_echo(rule<"MPA-5.2-1">, sample_octets(3000));
}

void takes_fpdus_in_pieces(ResponderProbe& responder) {
  responder.start();
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 19u}) {
    const OctetBuffer data = sample_octets(50 + piece);
    responder.send_in_pieces(next_send_fpdu(responder, data), piece);
    responder.await_echo(rule<"MPA-5.1-4">, data, "an FPDU that arrives in pieces");
  }
}

void takes_packed_fpdus(ResponderProbe& responder) {
  responder.start();
  constexpr unsigned kTogether = 8;
  OctetBuffer octets;
  for (unsigned i = 0; i < kTogether; ++i) append(octets, next_send_fpdu(responder, sample_octets(10 + i, i)));
  responder.send_octets(octets);
  for (unsigned i = 0; i < kTogether; ++i)
    responder.await_echo(rule<"MPA-5.2-1">, sample_octets(10 + i, i), "eight FPDUs in one segment");
}

// Sends FPDUs that end and begin within the pieces sent.
void takes_unaligned_fpdus(ResponderProbe& responder) {
  responder.start();
  constexpr unsigned kCount = 6;
  OctetBuffer octets;
  for (unsigned i = 0; i < kCount; ++i) append(octets, next_send_fpdu(responder, sample_octets(100, i)));
  responder.send_in_pieces(octets, 190);
  for (unsigned i = 0; i < kCount; ++i)
    responder.await_echo(rule<"MPA-5.1-4">, sample_octets(100, i), "FPDUs that cross the boundaries of segments");
}

void waits_for_the_whole_fpdu(ResponderProbe& responder) {
  responder.start();
  const OctetBuffer data = sample_octets(77);
  const OctetBuffer fpdu = next_send_fpdu(responder, data);
  for (const std::size_t missing : {std::size_t{1}, mpa::kCrcOctets, fpdu.size() - 1}) {
    if (missing != 1) responder.reconnect(), responder.start();
    responder.send_octets(Octets(fpdu).first(fpdu.size() - missing));
    responder.judge(rule<"MPA-6-3">, responder.next(responder.in(responder.run().silence_time())), {says_nothing()},
                    "octets of the FPDU are missing");
    responder.send_octets(Octets(fpdu).last(missing));
    responder.await_echo(rule<"MPA-6-3">, data, "the rest of the FPDU has arrived");
  }
}

// ULPDUs that cannot hold their headers: the next octets are not theirs.
void ends_ulpdus_where_they_end(ResponderProbe& responder, bool tagged, std::size_t shortest, std::size_t whole) {
  ddp::Header header = tagged ? Probe::tagged(Opcode::write, 0, 0) : responder.untagged(Opcode::send);
  if (whole > ddp::layout::kUntagged) header = responder.untagged(Opcode::read_request);
  const OctetBuffer ulpdu = Probe::ulpdu_of(header, OctetBuffer(whole - header.octets()));
  for (std::size_t length = shortest; length < whole && responder.ok(); ++length) {
    if (length != shortest) responder.reconnect();
    responder.start();
    responder.send_fpdu(Octets(ulpdu).first(length));
    // Octets that a faulty receiver might treat as the rest of the header.
    responder.send(sample_octets(64));
    responder.expect_one_of(rule<"MPA-6-3">, {terminates(), closes()},
                            fmt::format("a ULPDU of {} octets, whose header needs {}", length, whole));
  }
  responder.expect_alive(rule<"MPA-7.1.2-5">, "after ULPDUs that are too short");
}

void takes_any_pad(ResponderProbe& responder) {
  responder.start();
  for (std::size_t octets = 1; octets <= kPads; ++octets) {
    const OctetBuffer data = sample_octets(octets);
    responder.send_octets(next_send_fpdu(responder, data, {.pad_fill = 0xff}));
    responder.await_echo(rule<"MPA-4.1-5">, data, "the pad octets are 0xff, and the CRC covers them");
  }
}

void refuses_a_wrong_crc(ResponderProbe& responder) {
  bool first = true;
  for (const std::uint32_t wrong : {0x00000001u, 0x80000000u, 0xffffffffu}) {
    if (!std::exchange(first, false)) responder.reconnect();
    responder.start();
    responder.expect_echo(rule<"MPA-5.2-1">,
                          sample_octets(60));  // before it a responder may not send, not even a Terminate
    responder.send_octets(next_send_fpdu(responder, sample_octets(60), {.crc_xor = wrong}));
    judge_crc_error(responder, responder.next(responder.in(responder.run().silence_time())));
  }
}

void takes_nothing_after_a_wrong_crc(ResponderProbe& responder) {
  responder.start();
  responder.expect_echo(rule<"MPA-5.2-1">, sample_octets(60));
  responder.send_octets(next_send_fpdu(responder, sample_octets(60), {.crc_xor = 1}));
  if (const Response answer = responder.next(responder.in(responder.run().silence_time())); answer.ended())
    return static_cast<void>(responder.judge(rule<"MPA-8-5">, answer, {closes()}));
  // One Send repeats the MSN of the bad FPDU, in case the IUT ignored that FPDU. The other has the next MSN.
  responder.send(sample_octets(61), Opcode::send);
  responder.send(sample_octets(62), Opcode::send, [](ddp::Header& header) { header.msn = ddp::kFirstMsn + 1; });
  const Response answer = responder.await(responder.in(responder.run().silence_time()), [](const Response& one) {
    return one.is(Response::Kind::segment) && !one.terminate();
  });
  responder.judge(rule<"MPA-8-5">, answer, {says_nothing(), closes(), terminates()}, "an error came before it");
}

void does_not_check_unasked_crcs(ResponderProbe& responder) {
  const mpa::StartFrame reply = responder.start({.crc = false});
  if (reply.crc) return responder.skip("the responder requests CRCs itself");
  for (const std::uint32_t field : {0u, 0x12345678u, 0xffffffffu}) {
    const OctetBuffer data = sample_octets(40);
    responder.send_octets(next_send_fpdu(responder, data, {.crc_xor = field}));
    responder.await_echo(rule<"MPA-4.1-6">, data, "neither side requests CRCs");
  }
}

void survives_a_bad_first_fpdu(ResponderProbe& responder) {
  using Edit = void (*)(ddp::Header & header);
  constexpr Edit kEdits[] = {
      [](ddp::Header& header) { header.rsvd_ulp |= 0x0f; }, [](ddp::Header& header) { header.version = 0; },
      [](ddp::Header& header) { header.rsvd_ulp &= 0x3f; }, [](ddp::Header& header) { header.qn = 7; },
      [](ddp::Header& header) { header.rsvd_ulp &= 0xf0; },  // a Write without T
  };
  for (const bool cut : {false, true})
    for (const Edit edit : kEdits) {
      responder.start();
      ddp::Header header = responder.untagged(Opcode::send);
      edit(header);
      const OctetBuffer fpdu = responder.fpdu_of(header, sample_octets(30));
      responder.send_in_pieces(fpdu, cut ? 9 : fpdu.size());
      // RV 00b is the RDMA Consortium's, which a receiver may take (RDMAP/A-11).
      const bool consortium = decode_control(header.rsvd_ulp).version == 0;
      constexpr std::string_view kWhy = "the first FPDU has an invalid header";
      if (consortium)
        responder.expect_one_of(rule<"MPA-6-3">, {terminates(), closes(), noted(sends()), noted(says_nothing())}, kWhy);
      else
        responder.expect_one_of(rule<"MPA-6-3">, {terminates(), closes()}, kWhy);
      responder.reconnect();
    }
  responder.judge(rule<"MPA-7.1.2-5">, responder.try_start(), {accepts()}, "after first FPDUs that were invalid");
}

// --- an initiator under test

constexpr TriggerRequest kRounds{.octets = 61, .count = 3};

void initiator_takes_pieces(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send(kRounds);
  initiator.send_in_pieces(next_send_fpdu(initiator, sent), 1);
  initiator.expect_taken(rule<"MPA-5.1-4">, "an echo that arrives octet by octet");
}

void initiator_waits_for_the_whole_fpdu(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send(kRounds);
  const OctetBuffer fpdu = next_send_fpdu(initiator, sent);
  initiator.send_octets(Octets(fpdu).first(fpdu.size() - 1));
  initiator.judge(rule<"MPA-6-3">, initiator.next(initiator.in(initiator.run().silence_time())), {says_nothing()},
                  "an octet of the FPDU is missing");
  initiator.send_octets(Octets(fpdu).last(1));
  initiator.expect_taken(rule<"MPA-6-3">, "the last octet of the FPDU has arrived");
}

void initiator_takes_any_pad(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send({.octets = 63, .count = 3});
  initiator.echo(sent, {}, {.pad_fill = 0xff});
  initiator.expect_taken(rule<"MPA-4.1-5">, "the pad octets of an echo are 0xff");
}

void initiator_refuses_a_wrong_crc(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send(kRounds);
  initiator.echo(sent, {}, {.crc_xor = 1});
  judge_crc_error(initiator, initiator.next(initiator.in(initiator.run().silence_time())));
}

void initiator_ends_ulpdus(InitiatorProbe& initiator) {
  const OctetBuffer sent = initiator.first_send(kRounds);
  const OctetBuffer ulpdu = Probe::ulpdu_of(initiator.untagged(Opcode::send), {});
  initiator.send_fpdu(Octets(ulpdu).first(10));
  initiator.echo(sent);
  initiator.expect_one_of(rule<"MPA-6-3">, {terminates(), closes()}, "a ULPDU of 10 octets, whose header needs 18");
}

void initiator_does_not_check_unasked_crcs(InitiatorProbe& initiator) {
  const mpa::StartFrame request = initiator.await_request(kRounds);
  if (request.crc) return initiator.skip("the initiator requests CRCs itself");
  StartOptions options = initiator.good_reply();
  options.crc = false;
  initiator.accept(options);
  const OctetBuffer sent = initiator.await_send();
  initiator.echo(sent, {}, {.crc_xor = 0x12345678});
  initiator.expect_taken(rule<"MPA-4.1-6">, "neither side requests CRCs");
}

const CaseRow kRows[] = {
    {"mpa/responder-frames-every-length",
     {&rule<"MPA-5.2-1">, &rule<"MPA-4.1-3">, &rule<"MPA-4.1-4">, &rule<"MPA-4.1-2">, &rule<"MPA-4.4-6">,
      &rule<"MPA-4.4-7">, &rule<"MPA-4.4-5">, &rule<"MPA-3-1">, &rule<"MPA-4.5-2">, &rule<"MPA-7.1.1-5">},
     "The responder frames echoes of 1 to 16 octets, and of 3000, correctly.",
     with<echoes_every_length>(),
     Service::echo},
    {"mpa/responder-takes-fpdus-in-pieces",
     {&rule<"MPA-5.1-4">},
     "The responder accepts FPDUs that arrive octet by octet, or split at awkward places.",
     with<takes_fpdus_in_pieces>(),
     Service::echo},
    {"mpa/responder-takes-packed-fpdus",
     {&rule<"MPA-5.2-1">, &rule<"MPA-4.1-2">},
     "The responder accepts eight FPDUs that arrive together.",
     with<takes_packed_fpdus>(),
     Service::echo},
    {"mpa/responder-takes-unaligned-fpdus",
     {&rule<"MPA-5.1-4">},
     "The responder accepts FPDUs that begin in the middle of a TCP segment.",
     with<takes_unaligned_fpdus>(),
     Service::echo},
    {"mpa/responder-waits-for-the-whole-fpdu",
     {&rule<"MPA-6-3">},
     "The responder does not answer an incomplete FPDU until the missing octets arrive.",
     with<waits_for_the_whole_fpdu>(),
     Service::echo},
    {"mpa/responder-and-short-tagged-ulpdus",
     {&rule<"MPA-6-3">, &rule<"MPA-7.1.2-5">},
     "The responder reports ULPDUs of 1 to 13 octets with T set as errors, and does not read the following octets as "
     "their header.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ends_ulpdus_where_they_end(responder, /*tagged=*/true, 1, ddp::layout::kTagged);
     })},
    {"mpa/responder-and-short-untagged-ulpdus",
     {&rule<"MPA-6-3">, &rule<"MPA-7.1.2-5">},
     "The responder reports ULPDUs of 1 to 17 octets without T as errors, and does not read the following octets as "
     "their header.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ends_ulpdus_where_they_end(responder, /*tagged=*/false, 1, ddp::layout::kUntagged);
     })},
    {"mpa/responder-and-short-read-requests",
     {&rule<"MPA-6-3">, &rule<"MPA-7.1.2-5">},
     "The responder reports Read Requests of 18 to 45 octets as errors, and does not read the following octets as "
     "their header.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       ends_ulpdus_where_they_end(responder, /*tagged=*/false, ddp::layout::kUntagged,
                                  ddp::layout::kUntagged + layout::kReadRequest);
     })},
    {"mpa/responder-ignores-the-pad",
     {&rule<"MPA-4.1-5">},
     "The responder ignores nonzero pad octets.",
     with<takes_any_pad>(),
     Service::echo},
    {"mpa/responder-refuses-a-wrong-crc",
     {&rule<"MPA-4.4-11">, &rule<"MPA-8-2">},
     "The responder does not deliver an FPDU with a wrong CRC, and sends the peer either a report of it or nothing.",
     with<refuses_a_wrong_crc>(),
     Service::echo},
    {"mpa/responder-takes-nothing-after-a-wrong-crc",
     {&rule<"MPA-8-5">},
     "The responder delivers no FPDU after one with a wrong CRC.",
     with<takes_nothing_after_a_wrong_crc>(),
     Service::echo},
    {"mpa/responder-does-not-check-unasked-crcs",
     {&rule<"MPA-4.1-6">},
     "The responder ignores the CRC field if neither side requests CRCs.",
     with<does_not_check_unasked_crcs>(),
     Service::echo},
    {"mpa/responder-survives-a-bad-first-fpdu",
     {&rule<"MPA-6-3">, &rule<"MPA-7.1.2-5">},
     "The responder ends only the connection whose first FPDU has an invalid header, whole or in pieces.",
     with<survives_a_bad_first_fpdu>()},

    {"mpa/initiator-takes-fpdus-in-pieces",
     {&rule<"MPA-5.1-4">, &rule<"MPA-4.1-3">, &rule<"MPA-4.1-4">, &rule<"MPA-4.1-2">, &rule<"MPA-4.4-6">,
      &rule<"MPA-4.4-7">, &rule<"MPA-4.4-5">, &rule<"MPA-3-1">, &rule<"MPA-4.5-2">, &rule<"MPA-7.1.1-5">},
     "The initiator accepts an echo that arrives octet by octet.",
     with<initiator_takes_pieces>(),
     Service::echo},
    {"mpa/initiator-waits-for-the-whole-fpdu",
     {&rule<"MPA-6-3">},
     "The initiator does nothing after an echo without its last octet until that octet arrives.",
     with<initiator_waits_for_the_whole_fpdu>(),
     Service::echo},
    {"mpa/initiator-ignores-the-pad",
     {&rule<"MPA-4.1-5">},
     "The initiator ignores nonzero pad octets.",
     with<initiator_takes_any_pad>(),
     Service::echo},
    {"mpa/initiator-refuses-a-wrong-crc",
     {&rule<"MPA-4.4-11">, &rule<"MPA-8-2">},
     "The initiator does not deliver an echo with a wrong CRC, and sends the peer either a report of it or nothing.",
     with<initiator_refuses_a_wrong_crc>(),
     Service::echo},
    {"mpa/initiator-and-a-short-ulpdu",
     {&rule<"MPA-6-3">},
     "The initiator reports a ULPDU that cannot hold its header as an error, and does not read the following octets as "
     "its header.",
     with<initiator_ends_ulpdus>()},
    {"mpa/initiator-does-not-check-unasked-crcs",
     {&rule<"MPA-4.1-6">},
     "The initiator ignores the CRC field if neither side requests CRCs.",
     with<initiator_does_not_check_unasked_crcs>(),
     Service::echo},
};

}  // namespace

std::vector<Case> mpa_framing_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
