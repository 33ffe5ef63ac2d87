// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: an error is answered by a Terminate, with the headers of the faulty message.
#include <utility>

#include "conformance/rdmap/rdmap/7.1-error-surfacing/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

// An error of the LLP is the matter of 6.2.1.
void terminate_and_contents(Probe& peer, const Fault& one) {
  const bool read = one.carries == Fault::Carries::read_request;
  const OctetBuffer ulpdu = one.send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(read ? rule<"RDMAP-7.1-6"> : rule<"RDMAP-7.1-4">, answer, {terminates()}, one.text)) return;
  judge_carried(peer, read ? rule<"RDMAP-7.1-7"> : rule<"RDMAP-7.1-5">, answer, ulpdu, one.carries);
}

void add_faults(std::vector<Case>& cases) {
  constexpr std::size_t kOfMessages = 11;  // the last one is MPA's
  using Rules = std::vector<const Rule*>;
  for (const Fault& one : faults().first(kOfMessages))
    add_case(cases, {kept(fmt::format("rdmap/{{}}-says-what-was-wrong-of-{}", one.name)),
                     one.carries == Fault::Carries::read_request ? Rules{&rule<"RDMAP-7.1-6">, &rule<"RDMAP-7.1-7">}
                                                                 : Rules{&rule<"RDMAP-7.1-4">, &rule<"RDMAP-7.1-5">},
                     kept(fmt::format("The IUT answers {} with a Terminate that carries its header.", one.text)),
                     with_each([&one](Probe& peer) { terminate_and_contents(peer, one); })});
}

// Sends two faulty FPDUs in one piece.
void two_faults(Probe& peer, std::string_view first, std::string_view second, bool read) {
  const OctetBuffer blamed = fault(first).send(peer);
  const OctetBuffer later = fault(second).send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(rule<"RDMAP-7.1-9">, answer, {terminates()}, "two messages are invalid")) return;
  // The rule is about errors that have been detected (RDMAP/A-68).
  const auto terminate = answer.terminate();
  const auto segment = ddp::decode(later);
  if (terminate && segment &&
      std::ranges::equal(terminate->ddp_header, Octets(later).first(segment->header.octets()))) {
    peer.advise(rule<"RDMAP-7.1-9">, false, "the header of the first", "the header of the second",
                "the error of the first may not have been detected yet");
    return;
  }
  judge_carried(peer, rule<"RDMAP-7.1-9">, answer, blamed,
                read ? Fault::Carries::read_request : Fault::Carries::ddp_header);
}

const CaseRow kRows[] = {
    {"rdmap/{}-blames-the-first-of-two",
     {&rule<"RDMAP-7.1-9">},
     "The IUT sends a Terminate with the header of the first message after a Send with opcode 12 and one of RDMAP "
     "version 2.",
     with_each([](auto& peer) { two_faults(peer, "a-reserved-opcode", "an-rdmap-version", false); })},
    {"rdmap/{}-blames-the-read-before-the-send",
     {&rule<"RDMAP-7.1-9">},
     "The IUT sends a Terminate for the Read after a Read of an STag that was not advertised and a Send on queue 9.",
     with_each([](auto& peer) { two_faults(peer, "a-read", "a-queue", true); })},
    {"rdmap/responder-terminates-before-it-echoes",
     {&rule<"RDMAP-7.1-8">},
     "The IUT sends a Terminate first after an invalid message that is followed by valid ones.",
     with<ReadyResponder>([](auto& responder) {
       fault("a-reserved-opcode").send(responder);
       for (unsigned i = 0; i < 3; ++i) responder.send(sample_octets(40, i));
       responder.expect_one_of(rule<"RDMAP-7.1-8">, {terminates(), noted(closes())}, "three valid Sends follow it");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> error_surfacing_cases() {
  std::vector<Case> cases;
  add_faults(cases);
  add_cases(cases, kRows);
  return cases;
}

}  // namespace wirelaw::rdmap
