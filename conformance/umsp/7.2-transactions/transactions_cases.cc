// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.2: transactions.
#include "conformance/umsp/7.2-transactions/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/chain_probe.h"

namespace wirelaw::umsp {
namespace {

using Chain = ChainProbe::Chain;
using Change = ChainProbe::Change;
using std::chrono::seconds;

constexpr TransactionTerms kAtOnce{};
constexpr TransactionTerms kLater{.after_sending = false};

// A transaction that was granted a buffer, was sent whole, and waits for EXEC_TR. `asked` is its REQ_ID; 0 if it has
// none.
struct Later {
  Change change;
  Chain chain;
  std::uint32_t asked = 0;
};

Later send_later(ChainProbe& peer, const TransactionTerms& terms, bool asks = true) {
  Later later{.change = peer.change(), .chain = {}};
  later.chain = peer.transaction(terms, {later.change.draft, draft_of(Opcode::nop)});
  if (asks) later.asked = peer.ask(later.chain);
  if (peer.grant(later.chain)) peer.send_all(later.chain);
  return later;
}

// Sends EXEC_TR, and returns the response.
std::optional<Received> execute(ChainProbe& peer, const Later& later) {
  const Draft exec = peer.control(Opcode::exec_tr, later.chain);
  peer.send(exec);
  return peer.answer(*exec.req_id);
}

void all_or_none(ChainProbe& peer) {
  const Draft refused = peer.refused_write();
  const auto a = peer.change(), b = peer.change();
  for (const bool whole : {true, false}) {
    const auto c = peer.again(a), d = peer.again(b);
    Chain chain =
        peer.transaction(kAtOnce, whole ? std::vector{a.draft, b.draft} : std::vector{c.draft, refused, d.draft});
    const std::uint32_t asked = peer.ask(chain);
    peer.send_all(chain);
    const auto answer = peer.answer(asked);
    if (whole) {
      peer.expect_done(rule<"UMSP-7.2-1">, answer, "A transaction is executed.");
      peer.expect_changed(rule<"UMSP-7.2-1">, a, "The whole transaction is executed.");
      peer.expect_changed(rule<"UMSP-7.2-1">, b, "The whole transaction is executed.");
      continue;
    }
    peer.expect_refused(rule<"UMSP-7.2-1">, answer, "One of the instructions cannot be executed.");
    peer.expect_unchanged(rule<"UMSP-7.2-1">, c, "So no instruction is.");
    peer.expect_unchanged(rule<"UMSP-7.2-1">, d, "So no instruction is.");
  }
}

void executed_by_exec(ChainProbe& peer) {
  const Later later = send_later(peer, kLater);
  peer.expect_unchanged(rule<"UMSP-7.2.1-14">, later.change, "TRR is 0: it waits for EXEC_TR.");
  const auto answer = execute(peer, later);
  peer.require(rule<"UMSP-7.2.2-4">, answer.has_value(), "a response to EXEC_TR", to_text(answer),
               "EXEC_TR has a REQ_ID of its own.");
  peer.expect_done(rule<"UMSP-7.2-2">, answer, "The transaction is confirmed.");
  peer.expect_changed(rule<"UMSP-7.2.2-2">, later.change, "It is executed at EXEC_TR.");
}

void cancelled_before(ChainProbe& peer) {
  const Later kept = send_later(peer, kLater);
  execute(peer, kept);
  peer.expect_changed(rule<"UMSP-7.2-2">, kept.change, "A transaction that is not cancelled is executed.");
  const Later later = send_later(peer, kLater);
  peer.send(peer.control(Opcode::cancel_tr, later.chain));
  peer.expect_unchanged(rule<"UMSP-7.2-2">, later.change, "It is cancelled before its execution.");
  peer.expect_refused(rule<"UMSP-7.2.3-9">, execute(peer, later), "It was cancelled, and does not come back.");
  peer.expect_unchanged(rule<"UMSP-7.2.3-9">, later.change, "It was cancelled, and does not come back.");
}

void not_cancelled_after(ChainProbe& peer) {
  const Later later = send_later(peer, kLater);
  if (!ExecutorProbe::says_done(execute(peer, later))) return peer.inconclusive("a transaction was not executed");
  peer.round_trip();
  peer.send(peer.control(Opcode::cancel_tr, later.chain));
  peer.expect_silence(rule<"UMSP-7.2-3">, {Opcode::rsp, Opcode::rsp_p}, "It was executed and confirmed: that remains.");
  peer.expect_changed(rule<"UMSP-7.2-3">, later.change, "It was executed before CANCEL_TR.");
}

void at_once(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change();
  Chain chain = peer.transaction(kAtOnce, {a.draft, b.draft});
  const std::uint32_t asked = peer.ask(chain);
  peer.send(chain[0]);
  peer.expect_unchanged(rule<"UMSP-7.2.1-12">, a, "The transaction is not complete.");
  peer.send(chain[1]);
  peer.expect_done(rule<"UMSP-7.2.1-11">, peer.answer(asked), "TRR is 1, and the transaction is complete.");
  peer.expect_changed(rule<"UMSP-7.2.1-11">, a, "It is executed.");
  peer.expect_changed(rule<"UMSP-7.2.1-11">, b, "It is executed.");
}

// TIME_TR 2 means 4 s: the transaction still waits after 3 s, and is over after 6 s.
void obligatory_when_over(ChainProbe& peer) {
  const Later later = send_later(peer, {.obligatory = true, .after_sending = false, .time = 2});
  peer.wait(seconds(3));
  peer.expect_unchanged(rule<"UMSP-7.2.1-18">, later.change,
                        "TIME_TR is 2, which means 4 seconds, of which 3 have passed.");
  peer.wait(seconds(3));
  peer.expect_changed(rule<"UMSP-7.2.1-6">, later.change, "TRE is 1, and its time has passed.");
}

void cancelled_when_over(ChainProbe& peer) {
  const TransactionTerms terms{.after_sending = false, .time = 1};
  const Later kept = send_later(peer, terms, false);
  execute(peer, kept);
  peer.expect_changed(rule<"UMSP-7.2.1-8">, kept.change, "It is executed at EXEC_TR before its time has passed.");
  const Later later = send_later(peer, terms);
  peer.expect_refused(rule<"UMSP-7.2.1-9">, peer.answer_within(later.asked, seconds(4)),
                      "TRE is 0, its time has passed, and its first instruction has ASK 1.");
  execute(peer, later);
  peer.expect_unchanged(rule<"UMSP-7.2.1-8">, later.change, "It was cancelled when its time had passed.");
}

// TRE is 0 and nothing has ASK 1, so the IUT sends no response (UMSP/B23), and EXEC_TR names no transaction.
void cancelled_without_answer(ChainProbe& peer) {
  const Later later = send_later(peer, {.after_sending = false, .time = 1}, false);
  peer.wait(seconds(4));
  peer.expect_unchanged(rule<"UMSP-7.2.1-8">, later.change, "Its time has passed.");
  peer.expect_refused(rule<"UMSP-7.2.1-8">, execute(peer, later), "It was cancelled when its time had passed.");
}

void time_begins_at_the_end(ChainProbe& peer) {
  const auto a = peer.change();
  const Chain chain =
      peer.transaction({.obligatory = true, .after_sending = false, .time = 2}, {a.draft, draft_of(Opcode::nop)});
  if (!peer.grant(chain)) return;
  peer.send(chain[0]);
  peer.wait(seconds(3));
  peer.send(chain[1]);
  peer.wait(seconds(2));
  peer.expect_unchanged(rule<"UMSP-7.2.1-19">, a, "Its 4 seconds began when it was complete, 2 seconds ago.");
  peer.wait(seconds(4));
  peer.expect_changed(rule<"UMSP-7.2.1-19">, a, "The 4 seconds have passed.");
}

void zero_is_unlimited(ChainProbe& peer) {
  const Later later = send_later(peer, kLater);
  peer.wait(seconds(6));
  peer.expect_done(rule<"UMSP-7.2.1-20">, execute(peer, later), "TIME_TR 0 does not limit its lifetime.");
  peer.expect_changed(rule<"UMSP-7.2.1-20">, later.change, "It is executed.");
}

// Ends the session by SESSION_ABEND and opens the job again. Data written outside the transaction shows that the task's
// memory still exists.
void at_emergency_end(ChainProbe& peer, bool obligatory) {
  const auto marked = peer.change();
  const Later later = send_later(peer, {.obligatory = obligatory, .after_sending = false});
  peer.round_trip();
  peer.abend(peer.session());
  peer.reopen();
  const auto there = peer.read(peer.session(), marked.address, static_cast<std::uint32_t>(marked.before.size()));
  if (there != marked.before) return peer.inconclusive("the task's memory does not outlive the session");
  if (obligatory)
    peer.expect_changed(rule<"UMSP-7.2.1-7">, later.change,
                        "TRE is 1: it is executed when the session ends by SESSION_ABEND.");
  else
    peer.expect_unchanged(rule<"UMSP-7.2.1-10">, later.change,
                          "TRE is 0: it is cancelled when the session ends by SESSION_ABEND.");
}

// Tries EXEC_TR with each header, and then without headers.
void exec_with_headers(ChainProbe& peer) {
  for (const OwnedExtension& header : harmless_headers()) {
    const Later later = send_later(peer, kLater);
    Draft exec = peer.control(Opcode::exec_tr, later.chain);
    exec.extensions.push_back(header);
    peer.send(exec);
    peer.expect_done(rule<"UMSP-7.2.2-7">, peer.answer(*exec.req_id), "EXEC_TR has an extension header with HOB 0.");
    peer.expect_changed(rule<"UMSP-7.2.2-7">, later.change, "It is executed.");
  }
  const Later later = send_later(peer, kLater);
  peer.expect_done(rule<"UMSP-7.2.2-7">, execute(peer, later), "EXEC_TR has no extension header.");
}

void cancel_with_headers(ChainProbe& peer) {
  for (const OwnedExtension& header : harmless_headers()) {
    const Later later = send_later(peer, kLater);
    Draft cancel = peer.control(Opcode::cancel_tr, later.chain);
    cancel.extensions.push_back(header);
    peer.send(cancel);
    execute(peer, later);
    peer.expect_unchanged(rule<"UMSP-7.2.3-5">, later.change, "CANCEL_TR has an extension header with HOB 0.");
  }
  const Later later = send_later(peer, kLater);
  execute(peer, later);
  if (!peer.is_changed(later.change)) peer.inconclusive("a transaction that is not cancelled was not executed");
}

const CaseRow kRows[] = {
    {"transaction/all-or-none",
     {&rule<"UMSP-7.2-1">},
     "The IUT does not execute a transaction with a refused instruction.",
     with<all_or_none>()},
    {"transaction/executed-by-exec",
     {&rule<"UMSP-7.2-2">, &rule<"UMSP-7.2.1-14">, &rule<"UMSP-7.2.2-2">, &rule<"UMSP-7.2.2-4">},
     "The IUT executes a transaction with TRR 0 at EXEC_TR, and answers that.",
     with<executed_by_exec>()},
    {"transaction/cancelled-before",
     {&rule<"UMSP-7.2-2">, &rule<"UMSP-7.2.3-9">},
     "The IUT cancels a transaction that it has not executed at CANCEL_TR.",
     with<cancelled_before>()},
    {"transaction/not-cancelled-after",
     {&rule<"UMSP-7.2-3">},
     "The IUT changes nothing at CANCEL_TR after the execution.",
     with<not_cancelled_after>()},
    {"transaction/executed-at-its-end",
     {&rule<"UMSP-7.2.1-11">, &rule<"UMSP-7.2.1-12">},
     "The IUT executes a transaction with TRR 1 once it is complete, and not before.",
     with<at_once>()},
    {"transaction/obligatory-when-time-is-over",
     {&rule<"UMSP-7.2.1-6">, &rule<"UMSP-7.2.1-18">},
     "The IUT executes a transaction with TRE 1 when its time has passed.",
     with<obligatory_when_over>()},
    {"transaction/refused-when-time-is-over",
     {&rule<"UMSP-7.2.1-8">, &rule<"UMSP-7.2.1-9">},
     "The IUT cancels and refuses a transaction with TRE 0 when its time has passed.",
     with<cancelled_when_over>()},
    {"transaction/cancelled-when-time-is-over",
     {&rule<"UMSP-7.2.1-8">},
     "The IUT cancels a transaction with TRE 0 and ASK 0 when its time has passed.",
     with<cancelled_without_answer>()},
    {"transaction/time-begins-at-its-end",
     {&rule<"UMSP-7.2.1-19">},
     "The IUT counts TIME_TR from when a transaction is complete.",
     with<time_begins_at_the_end>()},
    {"transaction/time-zero-is-unlimited",
     {&rule<"UMSP-7.2.1-20">},
     "The IUT holds a transaction with TIME_TR 0 until EXEC_TR.",
     with<zero_is_unlimited>()},
    {"transaction/obligatory-at-emergency-end",
     {&rule<"UMSP-7.2.1-7">},
     "The IUT executes a transaction with TRE 1 at SESSION_ABEND.",
     with<ChainProbe>([](ChainProbe& peer) { at_emergency_end(peer, true); })},
    {"transaction/cancelled-at-emergency-end",
     {&rule<"UMSP-7.2.1-10">},
     "The IUT cancels a transaction with TRE 0 at SESSION_ABEND.",
     with<ChainProbe>([](ChainProbe& peer) { at_emergency_end(peer, false); })},
    {"transaction/exec-with-extension-headers",
     {&rule<"UMSP-7.2.2-7">},
     "The IUT accepts EXEC_TR with and without extension headers.",
     with<exec_with_headers>()},
    {"transaction/cancel-with-extension-headers",
     {&rule<"UMSP-7.2.3-5">},
     "The IUT accepts CANCEL_TR with extension headers.",
     with<cancel_with_headers>()},
};

}  // namespace

std::vector<Case> transactions_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
