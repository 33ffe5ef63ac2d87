// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 7.1: an error is answered by a Terminate, with the headers of the message at fault.
#include <utility>

#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 7.1";

constinit const Rule kOnIncoming = stimulus_rule(
    "RDMAP-7.1-4", Level::must, kSection, "An error on an incoming Write, Send or Read Response sends a Terminate.");
constinit const Rule kIncomingContents =
    stimulus_rule("RDMAP-7.1-5", Level::must, kSection,
                  "The Terminate for such a message has type, code, segment length and terminated DDP header, no RDMA "
                  "header.",
                  "A-05, A-06, A-08, A-21");
constinit const Rule kOnReadRequest =
    stimulus_rule("RDMAP-7.1-6", Level::must, kSection, "An error on an incoming Read Request sends a Terminate.");
constinit const Rule kReadRequestContents = stimulus_rule(
    "RDMAP-7.1-7", Level::must, kSection,
    "The Terminate for a Read Request has type, code, segment length and both terminated headers.", "A-06, A-07, A-08");
constinit const Rule kEarliest =
    stimulus_rule("RDMAP-7.1-8", Level::should, kSection,
                  "The Terminate goes out at the earliest opportunity, before messages that have not begun.");
constinit const Rule kFirstError = stimulus_rule(
    "RDMAP-7.1-9", Level::must, kSection, "Of several messages that are at fault, the Terminate captures the first.");

constexpr const Rule* kRules[] = {&kOnIncoming,          &kIncomingContents, &kOnReadRequest,
                                  &kReadRequestContents, &kEarliest,         &kFirstError};

// An error of the LLP is the matter of 6.2.1.
template <std::size_t I>
void terminate_and_contents(Probe& peer) {
  const Fault& one = faults()[I];
  const bool read = one.carries == Fault::Carries::read_request;
  const OctetBuffer ulpdu = one.send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(read ? kOnReadRequest : kOnIncoming, answer, {terminates()}, one.text)) return;
  judge_carried(peer, read ? kReadRequestContents : kIncomingContents, answer, ulpdu, one.carries);
}

template <class Peer, std::size_t I>
void run_fault(CaseRun& run) {
  Peer peer(run);
  terminate_and_contents<I>(peer);
}

constexpr std::size_t kFaultsOfMessages = 11;  // the last one is MPA's

template <std::size_t... I>
void add_faults(std::vector<Case>& cases, std::index_sequence<I...>) {
  const auto add = [&](std::size_t i, void (*responder)(CaseRun&), void (*initiator)(CaseRun&)) {
    const Fault& one = faults()[i];
    const bool read = one.carries == Fault::Carries::read_request;
    const std::vector<const Rule*> rules = read ? std::vector<const Rule*>{&kOnReadRequest, &kReadRequestContents}
                                                : std::vector<const Rule*>{&kOnIncoming, &kIncomingContents};
    const std::string_view purpose =
        kept(fmt::format("{} is answered by a Terminate that carries its header.", one.text));
    cases.push_back({.id = kept(fmt::format("rdmap/responder-says-what-was-wrong-of-{}", one.name)),
                     .iut = wirelaw::Role::responder,
                     .rules = rules,
                     .purpose = purpose,
                     .run = responder});
    cases.push_back({.id = kept(fmt::format("rdmap/initiator-says-what-was-wrong-of-{}", one.name)),
                     .iut = wirelaw::Role::initiator,
                     .rules = rules,
                     .purpose = purpose,
                     .run = initiator});
  };
  (add(I, run_fault<ReadyResponder, I>, run_fault<ReadyInitiator, I>), ...);
}

// Two FPDUs, each at fault, in one piece.
void two_faults(Probe& peer, std::string_view first, std::string_view second, bool read) {
  const OctetBuffer blamed = fault(first).send(peer);
  fault(second).send(peer);
  const Response answer = await_terminate(peer);
  if (!peer.judge(kFirstError, answer, {terminates()}, "two messages are at fault")) return;
  judge_carried(peer, kFirstError, answer, blamed, read ? Fault::Carries::read_request : Fault::Carries::ddp_header);
}

}  // namespace

SectionCases error_surfacing_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_faults(cases, std::make_index_sequence<kFaultsOfMessages>());
    add_both(cases, {"rdmap/responder-blames-the-first-of-two", "rdmap/initiator-blames-the-first-of-two"},
             {&kFirstError},
             "A Send of opcode 12, then one of RDMAP version 2: the Terminate has the header of the first.",
             Service::none, [](auto& peer) { two_faults(peer, "a-reserved-opcode", "an-rdmap-version", false); });
    add_both(cases,
             {"rdmap/responder-blames-the-read-before-the-send", "rdmap/initiator-blames-the-read-before-the-send"},
             {&kFirstError},
             "A Read of an STag that nobody has offered, then a Send on queue 9: the Terminate is for the Read.",
             Service::none, [](auto& peer) { two_faults(peer, "a-read", "a-queue", true); });
    cases.push_back(
        {.id = "rdmap/responder-terminates-before-it-echoes",
         .iut = wirelaw::Role::responder,
         .rules = {&kEarliest},
         .purpose = "What is answered first to a message at fault, with good ones behind it, is the Terminate.",
         .needs = Service::echo,
         .run = with<ReadyResponder>([](auto& peer) {
           fault("a-reserved-opcode").send(peer);
           for (unsigned i = 0; i < 3; ++i) peer.send(data_of(40, i));
           peer.expect_one_of(kEarliest, {terminates(), noted(closes())}, "three good Sends stand behind it");
         })});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
