// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: an error is answered by a Terminate, with the headers of the message at fault.
#include <utility>

#include "conformance/rdmap/rdmap/terminate_cases.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection = Section{"RFC 5040 7.1"}.by(Observable::stimulus);

constinit const Rule kOnIncoming =
    kSection.must("RDMAP-7.1-4", "An error on an incoming Write, Send or Read Response sends a Terminate.");
constinit const Rule kIncomingContents = kSection.must(
    "RDMAP-7.1-5",
    "The Terminate for such a message has type, code, segment length and terminated DDP header, no RDMA header.",
    "RDMAP/A-05, RDMAP/A-06, RDMAP/A-08, RDMAP/A-21");
constinit const Rule kOnReadRequest =
    kSection.must("RDMAP-7.1-6", "An error on an incoming Read Request sends a Terminate.");
constinit const Rule kReadRequestContents = kSection.must(
    "RDMAP-7.1-7", "The Terminate for a Read Request has type, code, segment length and both terminated headers.",
    "RDMAP/A-06, RDMAP/A-07, RDMAP/A-08");
constinit const Rule kEarliest = kSection.should(
    "RDMAP-7.1-8", "The Terminate goes out at the earliest opportunity, before messages that have not begun.");
constinit const Rule kFirstError = kSection.must(
    "RDMAP-7.1-9", "Of several messages that are at fault, the Terminate captures the first.", "RDMAP/A-68");

constexpr const Rule* kRules[] = {&kOnIncoming,          &kIncomingContents, &kOnReadRequest,
                                  &kReadRequestContents, &kEarliest,         &kFirstError};

// An error of the LLP is the matter of 6.2.1.
void terminate_and_contents(Probe& peer, const Fault& one) {
  const bool read = one.carries == Fault::Carries::read_request;
  const OctetBuffer ulpdu = one.send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(read ? kOnReadRequest : kOnIncoming, answer, {terminates()}, one.text)) return;
  judge_carried(peer, read ? kReadRequestContents : kIncomingContents, answer, ulpdu, one.carries);
}

void add_faults(std::vector<Case>& cases) {
  constexpr std::size_t kOfMessages = 11;  // the last one is MPA's
  using Rules = std::vector<const Rule*>;
  for (const Fault& one : faults().first(kOfMessages))
    add_both(cases,
             {.id = fmt::format("rdmap/{{}}-says-what-was-wrong-of-{}", one.name),
              .rules = one.carries == Fault::Carries::read_request ? Rules{&kOnReadRequest, &kReadRequestContents}
                                                                   : Rules{&kOnIncoming, &kIncomingContents},
              .purpose = fmt::format("{} is answered by a Terminate that carries its header.", one.text)},
             [&one](Probe& peer) { terminate_and_contents(peer, one); });
}

// Two FPDUs, each at fault, in one piece.
void two_faults(Probe& peer, std::string_view first, std::string_view second, bool read) {
  const OctetBuffer blamed = fault(first).send(peer);
  const OctetBuffer later = fault(second).send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(kFirstError, answer, {terminates()}, "two messages are at fault")) return;
  // The rule is about errors that have been detected (RDMAP/A-68).
  const auto terminate = answer.terminate();
  const auto segment = ddp::decode(later);
  if (terminate && segment &&
      std::ranges::equal(terminate->ddp_header, Octets(later).first(segment->header.octets()))) {
    peer.advise(kFirstError, false, "the header of the first", "that of the second",
                "the error of the first may not have been detected yet");
    return;
  }
  judge_carried(peer, kFirstError, answer, blamed, read ? Fault::Carries::read_request : Fault::Carries::ddp_header);
}

constexpr CaseRow kRows[] = {
    {"rdmap/{}-blames-the-first-of-two",
     {&kFirstError},
     "A Send of opcode 12, then one of RDMAP version 2: the Terminate has the header of the first.",
     with_each([](auto& peer) { two_faults(peer, "a-reserved-opcode", "an-rdmap-version", false); })},
    {"rdmap/{}-blames-the-read-before-the-send",
     {&kFirstError},
     "A Read of an STag that nobody has offered, then a Send on queue 9: the Terminate is for the Read.",
     with_each([](auto& peer) { two_faults(peer, "a-read", "a-queue", true); })},
    {"rdmap/responder-terminates-before-it-echoes",
     {&kEarliest},
     "What is answered first to a message at fault, with good ones behind it, is the Terminate.",
     with<ReadyResponder>([](auto& responder) {
       fault("a-reserved-opcode").send(responder);
       for (unsigned i = 0; i < 3; ++i) responder.send(data_of(40, i));
       responder.expect_one_of(kEarliest, {terminates(), noted(closes())}, "three good Sends are behind it");
     }),
     Service::echo},
};

constexpr Breach kBreaches[] = {
    {Deviation::terminate_missing, kOnIncoming},
    {Deviation::terminate_missing_stays, kOnIncoming},
    {Deviation::reset_for_terminate, kOnIncoming},
    {Deviation::goes_silent, kOnIncoming},
    {Deviation::dies_of_bad_opcode, kOnIncoming},
    {Deviation::terminate_no_headers, kIncomingContents, {.severity = Severity::warning}},
    {Deviation::terminate_d_clear, kIncomingContents},
    {Deviation::accepts_stag, kOnReadRequest},
    {Deviation::terminate_read_missing, kReadRequestContents},
    {Deviation::terminate_missing, kEarliest, {.who = wirelaw::Role::responder, .severity = Severity::warning}},
    {Deviation::terminate_read_missing, kFirstError},
};

}  // namespace

SectionCases error_surfacing_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_faults(cases);
    add_cases(cases, kRows);
    return cases;
  }();
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::rdmap
