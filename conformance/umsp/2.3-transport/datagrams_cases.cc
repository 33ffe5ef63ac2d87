// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.3, 3.4, 5, 5.8 and 6: instructions by UDP, and those that must have no effect there.
#include <utility>

#include "conformance/umsp/2.3-transport/rules.h"
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.8-zero-session/rules.h"
#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/datagram_session.h"
#include "conformance/umsp/probes/ordered_silence.h"

namespace wirelaw::umsp {
namespace {

constexpr OpenSession kZero{};
constexpr std::uint16_t kChain = 0x0417;

void all_of_a_datagram(DatagramSession& peer) {
  if (!peer.ready()) return;
  const Written first = peer.written(0), last = peer.written(1);
  const bool arrived = peer.arrives(
      [&] {
        peer.datagrams().send_together({first.draft, last.draft});
      },
      [&] { return peer.has(first) || peer.has(last); });
  const bool both = arrived && peer.has(first) && peer.has(last);
  if (arrived && peer.ok())
    peer.require(rule<"UMSP-2.3-21">, both, "both were executed", "only one of them",
                 "Two WRITE with ASK 0 come in one datagram.");
}

void sequence_in_a_datagram(DatagramSession& peer) {
  if (!peer.ready() || !offers(peer, peer.session(), ProfileFlag::sequences, kNeedsSequences)) return;
  const Written control = peer.written(2), first = peer.written(0), last = peer.written(1);
  std::uint16_t chain = kChain;
  const bool arrived = peer.arrives(
      [&] {
        peer.datagrams().send_together({control.draft, in_sequence(first.draft, chain, 0),
                                        in_sequence(last.draft, chain, 1), end_of_sequence(peer.session(), chain, 2)});
        ++chain;
      },
      [&] { return peer.has(control); });
  const bool both = arrived && peer.has(first) && peer.has(last);
  if (arrived && peer.ok())
    peer.require(rule<"UMSP-7.1-1">, both, "both instructions of the sequence were executed", "they were not",
                 "A whole sequence comes in one datagram (7).");
}

void zero_session_by_datagram(DatagramSession& peer) {
  if (!peer.ready()) return;
  const Written before = peer.written(1, &kZero), judged = peer.written(1, &kZero), control = peer.written(0);
  Draft asked = before.draft;
  const bool works = ExecutorProbe::says_done(peer.request(kZero, std::move(asked))) && peer.has(before, &kZero);
  if (!works && peer.ok()) return peer.skip("the IUT did not write its memory without a session");
  const bool arrived = peer.arrives(
      [&] {
        peer.datagrams().send_together({judged.draft, control.draft});
      },
      [&] { return peer.has(control); });
  const bool there = arrived && peer.has(judged, &kZero);
  if (arrived && peer.ok())
    peer.require(rule<"UMSP-5.8-4">, there, "the written octets", "other octets",
                 "A WRITE with ASK 0 and no session comes by UDP, and a later one with a session was executed.");
}

// An instruction that needs a response must not use UDP (6), nor may a response. The IUT may execute it or not.
void no_response_by_datagram(DatagramSession& peer) {
  if (!peer.ready()) return;
  const Written control = peer.written();
  bool is_answered = false;
  const bool arrived = peer.arrives(
      [&] {
        const Draft asked = peer.asking(peer.session(), peer.read_draft(peer.address(), 2));
        peer.datagrams().send_together({control.draft, asked});
        is_answered = is_answered || !peer.datagrams().is_silent({Opcode::rsp, Opcode::data, Opcode::rsp_p});
      },
      [&] { return is_answered || peer.has(control); });
  if (arrived)
    peer.require(rule<"UMSP-6-13">, !is_answered, "no response by UDP", "one",
                 "A REQ_DATA with ASK 1 comes by UDP, which allows no response.");
}

// The session continues after a datagram with SESSION_ABEND has arrived.
void abend_by_datagram(DatagramSession& peer) {
  if (!peer.ready() || !peer.takes_datagrams()) return;
  const Draft end = ExecutorProbe::in(peer.session(), codes_draft(Opcode::session_abend, {}));
  const Written control = peer.written();
  const auto other = peer.open_session();
  if (!other) return;
  bool served = true;
  const auto look = [&] {
    const Draft draft = peer.read_draft(peer.address(), 2);
    served = ExecutorProbe::says_done(answer_in_order(peer, peer.session(), draft, *other));
    return peer.ok() && (!served || peer.has(control));
  };
  const bool arrived = peer.arrives([&] { peer.datagrams().send_together({control.draft, end}); }, look);
  if (arrived && peer.ok())
    peer.require(rule<"UMSP-5-4">, served, "the session continues", "REQ_DATA by TCP was ignored",
                 "SESSION_ABEND came by UDP, after a WRITE.");
}

// The IUT does not agree to the closing, either by UDP or by TCP.
void close_by_datagram(DatagramSession& peer) {
  if (!peer.ready()) return;
  const Written control = peer.written();
  const Draft close = ExecutorProbe::in(peer.session(), codes_draft(Opcode::session_close, {}));
  bool is_answered = false;
  const bool arrived = peer.arrives(
      [&] {
        peer.datagrams().send_together({control.draft, close});
        is_answered = is_answered || !peer.is_silent({Opcode::rsp_p}) || !peer.datagrams().is_silent({Opcode::rsp_p});
      },
      [&] { return is_answered || peer.has(control); });
  if (arrived)
    peer.require(rule<"UMSP-5-4">, !is_answered, "no RSP_P", "one", "SESSION_CLOSE came by UDP, after a WRITE.");
}

void opened_by_datagram(DatagramSession& peer) {
  if (!peer.ready()) return;
  const Written control = peer.written();
  const Draft open = peer.first_open(peer.good_open(), peer.new_session());
  const std::initializer_list<Opcode> answers = {Opcode::session_open, Opcode::session_accept};
  bool is_answered = false;
  const bool arrived = peer.arrives(
      [&] {
        peer.datagrams().send_together({control.draft, open});
        is_answered = is_answered || !peer.is_silent(answers) || !peer.datagrams().is_silent(answers);
      },
      [&] { return is_answered || peer.has(control); });
  if (arrived)
    peer.require(rule<"UMSP-5-4">, !is_answered, "no answer", "one", "SESSION_OPEN came by UDP, after a WRITE.");
}

const CaseRow kRows[] = {
    {"datagram/opens-no-session",
     {&rule<"UMSP-5-4">},
     "The IUT does not answer SESSION_OPEN that arrives by UDP.",
     with<opened_by_datagram>()},
    {"datagram/all-of-it-is-executed",
     {&rule<"UMSP-2.3-21">},
     "The IUT executes two WRITE with ASK 0 that arrive in one datagram.",
     with<all_of_a_datagram>()},
    {"datagram/sequence-is-executed",
     {&rule<"UMSP-7.1-1">},
     "The IUT executes a whole sequence that arrives in one datagram.",
     with<sequence_in_a_datagram>()},
    {"datagram/works-without-a-session",
     {&rule<"UMSP-5.8-4">},
     "The IUT executes a WRITE with no session that arrives by UDP like one with a session.",
     with<zero_session_by_datagram>()},
    {"datagram/no-response-goes-by-it",
     {&rule<"UMSP-6-13">},
     "The IUT sends no response by UDP to REQ_DATA that arrives by UDP.",
     with<no_response_by_datagram>()},
    {"datagram/ends-no-session",
     {&rule<"UMSP-5-4">},
     "The IUT does not end a session after SESSION_ABEND that arrives by UDP.",
     with<abend_by_datagram>()},
    {"datagram/closes-no-session",
     {&rule<"UMSP-5-4">},
     "The IUT does not agree to a SESSION_CLOSE that arrives by UDP.",
     with<close_by_datagram>()},
};

}  // namespace

std::vector<Case> datagrams_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
