// SPDX-License-Identifier: Apache-2.0
// RFC 5040, sections 6.2 and 6.2.1: streams that end in the middle of something.
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kLlpAbort = stimulus_rule(
    "RDMAP-6.2-4", Level::must, "RFC 5040 6.2",
    "An LLP error in the middle of something tears down its stream, and no other.",
    "The text leaves it to the ULP to reckon with it; a connection that never ends, or a peer that is gone "
    "afterwards, does not");
constinit const Rule kTerminateOnLlpError =
    stimulus_rule("RDMAP-6.2.1-2", Level::should, "RFC 5040 6.2.1",
                  "An error that the LLP surfaces to RDMAP makes it send a Terminate.",
                  "A-01. MPA may also drop a segment whose CRC does not hold");
constinit const Rule kImmediately =
    stimulus_rule("RDMAP-6.2.1-4", Level::may, "RFC 5040 6.2.1",
                  "A peer may tear down the LLP Stream as soon as it has sent or received a Terminate.",
                  "Any close is taken; that there is one is RDMAP-7-4");
constexpr const Rule* kRules[] = {&kLlpAbort, &kTerminateOnLlpError, &kImmediately};

// --- what the tester leaves undone
void half_an_fpdu(Probe& peer) {
  const OctetBuffer whole = peer.fpdu_of(peer.untagged(Opcode::send), data_of(64));
  peer.send_octets(Octets(whole).first(whole.size() / 2));
}
void half_a_message(Probe& peer) {
  ddp::Header header = peer.untagged(Opcode::send);
  header.last = false;
  peer.send_segment(header, data_of(64));
}
void one_octet(Probe& peer) {
  peer.send_octets(OctetBuffer{0});
}
void nothing_undone(Probe&) {}
void nothing_left_undone(Probe& peer) {
  peer.write({}, 0, 0);
}

struct Undone {
  std::string_view name, text;
  void (*send)(Probe& probe);
};
constexpr Undone kUndone[] = {{"half-an-fpdu", "in the middle of an FPDU", half_an_fpdu},
                              {"half-a-message", "in the middle of a Send", half_a_message},
                              {"half-a-length", "in the middle of a ULPDU_Length", one_octet},
                              {"nothing-undone", "before the first message", nothing_undone},
                              {"an-empty-write", "between messages", nothing_left_undone}};

template <class Peer, std::size_t I, Ending ending>
void run_undone(CaseRun& run) {
  Peer peer(run);
  kUndone[I].send(peer);
  peer.end(ending);
  if (ending == Ending::closed) {
    const Response answer = peer.await(peer.in(run.answer_time()), [](const Response&) { return false; });
    peer.judge(kLlpAbort, answer, {closes()}, "the other side has closed");
    if (kUndone[I].send == nothing_left_undone)
      peer.advise(kLlpAbort, !answer.is(Response::Kind::reset), "the end in order", to_text(answer),
                  "nothing was under way: a reset throws away what has not arrived");
  }
  peer.expect_alive(kLlpAbort, "another connection has ended in the middle");
}

template <std::size_t... I>
void add_undone(std::vector<Case>& cases, std::index_sequence<I...>) {
  const auto add = [&](std::size_t i, std::string_view by, std::string_view how, void (*responder)(CaseRun&),
                       void (*initiator)(CaseRun&)) {
    const std::string_view purpose =
        kept(fmt::format("{} {}: the connection ends, and a new one is served.", how, kUndone[i].text));
    cases.push_back({.id = kept(fmt::format("rdmap/responder-and-{}-after-{}", by, kUndone[i].name)),
                     .iut = wirelaw::Role::responder,
                     .rules = {&kLlpAbort},
                     .purpose = purpose,
                     .run = responder});
    cases.push_back({.id = kept(fmt::format("rdmap/initiator-and-{}-after-{}", by, kUndone[i].name)),
                     .iut = wirelaw::Role::initiator,
                     .rules = {&kLlpAbort},
                     .purpose = purpose,
                     .run = initiator});
  };
  (add(I, "a-close", "The tester closes", run_undone<ReadyResponder, I, Ending::closed>,
       run_undone<ReadyInitiator, I, Ending::closed>),
   ...);
  (add(I, "a-reset", "The tester resets", run_undone<ReadyResponder, I, Ending::reset>,
       run_undone<ReadyInitiator, I, Ending::reset>),
   ...);
}

}  // namespace

SectionCases teardown_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases, {"rdmap/responder-terminates-for-a-crc", "rdmap/initiator-terminates-for-a-crc"},
             {&kTerminateOnLlpError, &kImmediately},
             "A Send with a bad CRC is answered by a Terminate, without headers.", Service::none, [](auto& peer) {
               const Fault& one = fault("a-crc");
               // A responder may send its Terminate only when a valid FPDU has come (RFC 5044, 7.1.2, rule 4).
               peer.send_fpdu(Probe::ulpdu_of(Probe::tagged(Opcode::write, 0, 0), {}));
               const OctetBuffer ulpdu = one.send(peer);
               const Response answer = await_terminate(peer);
               if (answer.is(Response::Kind::nothing))
                 return static_cast<void>(peer.advise(kTerminateOnLlpError, false, "a Terminate", "nothing",
                                                      "MPA may drop what came, and wait for it to come again"));
               if (!peer.judge(kTerminateOnLlpError, answer,
                               {terminates(error::kMpaCrc), noted(terminates({2, 3, 2})), noted(closes())}, one.text))
                 return;
               judge_carried(peer, kTerminateOnLlpError, answer, ulpdu, one.carries);
               if (!answer.ended()) expect_end(peer, kImmediately, "a Terminate was sent");
             });
    add_undone(cases, std::make_index_sequence<std::size(kUndone)>());
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap
