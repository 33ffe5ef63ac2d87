// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 7, 7.1 and 7.6: parallel chains, sequences, and the memory base of chains.
#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/7.6-base/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/chain_probe.h"

namespace wirelaw::umsp {
namespace {

using Chain = ChainProbe::Chain;

void takes_several_at_a_time(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change(), c = peer.change(), d = peer.change();
  Chain first = peer.sequence({a.draft, b.draft}), second = peer.sequence({c.draft, d.draft});
  const std::uint32_t asked = peer.ask(first), also = peer.ask(second);
  peer.send_all(std::vector{first[0], second[0], second[1], first[1]});
  const auto answers = {peer.answer(also), peer.answer(asked)};
  for (const auto& answer : answers)
    peer.expect_done(rule<"UMSP-7-2">, answer, "A sequence that begins while another is in progress is executed.");
  for (const auto* const each : {&a, &b, &c, &d})
    peer.expect_changed(rule<"UMSP-7-2">, *each, "Instructions of two sequences alternate, and all are executed.");
}

// Uses two connections, so that the second instruction can arrive last. Nothing else would show the order.
void executes_in_order(ChainProbe& peer) {
  if (!peer.window()) return;
  Line other(peer.run());
  const auto a = peer.change(), b = peer.change();
  const auto c = peer.again(b);
  const Chain shown = peer.sequence({a.draft, b.draft});
  peer.send_all(shown);
  peer.expect_changed(rule<"UMSP-7.1-1">, b, "A sequence is executed.");
  const auto d = peer.again(a);
  const Chain chain =
      peer.sequence({d.draft, ExecutorProbe::in(peer.session(), peer.write_draft(b.address, b.before)), c.draft});
  peer.send(chain[0]);
  peer.round_trip();
  other.send(chain[2]);
  if (!other.is_silent({Opcode::session_abend})) return peer.inconclusive("the session ended");
  peer.expect_unchanged(rule<"UMSP-7.1-1">, c, "The last instruction has come, and the second has not.");
  peer.send(chain[1]);
  peer.expect_changed(rule<"UMSP-7.4-30">, c, "An instruction that has overtaken others waits for them in the window.");
}

void drops_the_rest(ChainProbe& peer) {
  const Draft refused = peer.refused_write();
  const auto a = peer.change(), b = peer.change();
  Chain chain = peer.sequence({a.draft, refused, b.draft});
  const std::uint32_t asked = peer.ask(chain);
  peer.send_all(chain);
  peer.expect_refused(rule<"UMSP-7.1-2">, peer.answer(asked), "An instruction of the sequence is refused.");
  peer.expect_changed(rule<"UMSP-7.1-2">, a, "The instructions before the refused one are executed.");
  peer.expect_unchanged(rule<"UMSP-7.1-2">, b, "The instructions after the refused one are dropped.");
}

void takes_any_length(ChainProbe& peer) {
  constexpr std::size_t kLong = 40;
  for (const std::size_t length : {std::size_t{1}, kLong}) {
    const auto last = peer.change();
    std::vector<Draft> drafts(length - 1, ChainProbe::filler(0));
    drafts.push_back(last.draft);
    Chain chain = peer.sequence(drafts);
    const std::uint32_t asked = peer.ask(chain);
    peer.send_all(chain);
    peer.expect_done(rule<"UMSP-7.1-12">, peer.answer(asked), "A sequence may have any length.");
    peer.expect_changed(rule<"UMSP-7.1-12">, last, "Its last instruction is executed.");
  }
}

void nop_ends(ChainProbe& peer) {
  const auto a = peer.change();
  Chain chain = peer.sequence({a.draft, draft_of(Opcode::nop)});
  const std::uint32_t asked = peer.ask(chain);
  peer.send_all(chain);
  peer.expect_done(rule<"UMSP-7.1-13">, peer.answer(asked),
                   "NOP with _END_CHAIN ends the sequence, which is answered.");
  peer.expect_changed(rule<"UMSP-7.1-13">, a, "The instructions before NOP are executed.");
}

void needs_no_buffer(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change();
  Chain chain = peer.sequence({a.draft, b.draft});
  const std::uint32_t asked = peer.ask(chain);
  peer.send_all(chain);
  peer.expect_done(rule<"UMSP-7.4-28">, peer.answer(asked), "A sequence needs no REQ_BUF.");
  peer.expect_changed(rule<"UMSP-7.4-28">, b, "It is executed.");
}

// The sequence is longer than the window, and uses one connection and several segments.
void takes_no_room(ChainProbe& peer) {
  constexpr std::uint64_t kMost = std::uint64_t{4} << 20;
  constexpr std::size_t kPiece = 1000;
  const auto window = peer.window();
  if (!window) return;
  if (*window > kMost) return peer.skip("needs an IUT whose window is not longer than 4 MiB");
  const auto last = peer.change();
  std::vector<Draft> drafts(static_cast<std::size_t>(*window / kPiece) + 2, ChainProbe::filler(kPiece));
  drafts.push_back(last.draft);
  Chain chain = peer.sequence(drafts);
  const std::uint32_t asked = peer.ask(chain);
  peer.send_apart(chain, chain.size() - 1);
  peer.expect_done(rule<"UMSP-7.4-29">, peer.answer(asked), "It is longer than the window, and uses none of it.");
  peer.expect_changed(rule<"UMSP-7.4-29">, last, "Its last instruction is executed.");
}

void answers_once(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change(), c = peer.change();
  for (const bool transaction : {false, true}) {
    const std::vector<Draft> drafts{a.draft, b.draft, c.draft};
    Chain chain = transaction ? peer.transaction({}, drafts) : peer.sequence(drafts);
    const std::uint32_t asked = peer.ask(chain);
    peer.send_all(chain);
    peer.expect_done(rule<"UMSP-7.5-2">, peer.answer(asked), "The chain is answered.");
    peer.expect_silence(rule<"UMSP-7.5-2">, {Opcode::rsp, Opcode::rsp_p}, "One answer covers the whole chain.");
  }
}

void executes_at_once(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change(), c = peer.change();
  const Chain chain = peer.sequence({a.draft, b.draft, c.draft});
  for (std::size_t i = 0; i < chain.size(); ++i) {
    peer.send(chain[i]);
    const auto& change = i == 0 ? a : i == 1 ? b : c;
    peer.expect_changed(rule<"UMSP-7.5-7">, change, "It is executed before the rest of the sequence comes.");
  }
}

void is_delivered_at_once(ExecutorProbe& peer) {
  const auto memory = peer.memory();
  const auto session = memory ? peer.open_session() : std::nullopt;
  if (!session) return;
  const OctetBuffer octets = peer.fresh(peer.address_octets() == 2 ? 2 : 4);
  peer.expect_done(rule<"UMSP-7.4-1">, peer.request(*session, peer.write_draft(memory->address, octets)),
                   "An instruction outside chains waits for no other one.");
}

// A chain calls a procedure, and another chain follows directly.
void takes_chains_beside_threads(ChainProbe& peer) {
  const auto procedure = peer.number("procedure");
  if (!procedure) return;
  const auto a = peer.change();
  const MemoryAddress address = peer.at(*procedure);
  Chain calling = peer.sequence({ExecutorProbe::in(peer.session(), call_to(address, OctetBuffer(4)))});
  Chain chain = peer.sequence({a.draft});
  const std::uint32_t called = peer.ask(calling), asked = peer.ask(chain);
  peer.send_together({calling[0], chain[0]});
  bool returned = false, done = false;
  const Instant deadline = peer.now() + peer.run().answer_time();
  for (std::optional<Received> one; !(returned && done) && (one = peer.next(deadline));) {
    if (!one->instruction.header.ask) continue;
    returned = returned || (one->req_id() == called && !one->is_negative());
    done = done || (one->req_id() == asked && one->is_positive());
  }
  if (!returned) return peer.inconclusive("the procedure does not return");
  peer.require(rule<"UMSP-7.4-4">, done, "a response that reports its execution", "none",
               "A chain is executed while the thread of another one may be running.");
  peer.expect_changed(rule<"UMSP-7.4-4">, a, "It is executed.");
}

// --------------------------------------------------------------------------------------------------- memory base (7.6)

// DATA of _SET_MBASE for a local address (7.6): a 3-octet address takes the last 3 of 4 octets.
OwnedExtension base_of(const ChainProbe& peer, std::uint64_t address) {
  OwnedExtension base{HeadCode::set_mbase, {}};
  put(base.data, {address, static_cast<std::uint8_t>(peer.memory_octets() == 8 ? 8 : 4)});
  return base;
}

// Writes the first two octets of the word, addressed by a 2-octet displacement from `base`.
Draft by_displacement(const ChainProbe::Change& change, std::uint64_t base) {
  return write_data(MemoryAddress{change.address - base, 2}, Octets(change.after).first(2));
}

bool has_bases(ChainProbe& peer) {
  if (peer.memory_octets() == 2) peer.skip("needs an IUT whose addresses are longer than 2 octets");
  return peer.ok();
}

// True if only the first two octets of the word were written.
bool is_half_changed(ChainProbe& peer, const ChainProbe::Change& change) {
  const auto there = peer.read(peer.session(), change.address, static_cast<std::uint32_t>(change.after.size()));
  return there && std::ranges::equal(Octets(*there).first(2), Octets(change.after).first(2));
}
void expect_half_changed(ChainProbe& peer, const Rule& rule, const ChainProbe::Change& change,
                         std::string_view explanation) {
  peer.require(rule, is_half_changed(peer, change), "the written octets", "other octets", explanation);
}

void base_is_of_one_chain(ChainProbe& peer) {
  if (!has_bases(peer)) return;
  const auto a = peer.change(), b = peer.change(), c = peer.change();
  Chain chain = peer.sequence({by_displacement(a, a.address), by_displacement(b, a.address)});
  chain[0].extensions.push_back(base_of(peer, a.address));
  peer.send_all(chain);
  const Rule& shown = peer.memory_octets() == 3 ? rule<"UMSP-7.6-8"> : rule<"UMSP-7.6-1">;
  expect_half_changed(peer, shown, a, "A base is set, and the instruction that sets it has a displacement.");
  expect_half_changed(peer, shown, b, "The base applies to the whole chain.");
  peer.send_all(peer.sequence({by_displacement(c, a.address)}));
  peer.expect_unchanged(rule<"UMSP-7.6-1">, c, "Another chain does not have that base.");
}

void base_may_change(ChainProbe& peer) {
  if (!has_bases(peer)) return;
  const auto a = peer.change(), b = peer.change();
  Chain chain = peer.sequence({by_displacement(a, a.address), by_displacement(b, b.address)});
  chain[0].extensions.push_back(base_of(peer, a.address));
  chain[1].extensions.push_back(base_of(peer, b.address));
  peer.send_all(chain);
  expect_half_changed(peer, rule<"UMSP-7.6-10">, a, "A base is set.");
  expect_half_changed(peer, rule<"UMSP-7.6-10">, b, "The base of a sequence is the last one that was set.");
}

void base_is_set_once(ChainProbe& peer) {
  if (!has_bases(peer)) return;
  for (const bool twice : {false, true}) {
    const auto a = peer.change(), b = peer.change();
    Chain chain =
        peer.transaction({}, {by_displacement(a, a.address), by_displacement(b, twice ? b.address : a.address)});
    chain[0].extensions.push_back(base_of(peer, a.address));
    if (twice) chain[1].extensions.push_back(base_of(peer, b.address));
    const std::uint32_t asked = peer.ask(chain);
    peer.send_all(chain);
    const auto answer = peer.answer(asked);
    if (!twice && !ExecutorProbe::says_done(answer)) return peer.inconclusive("a transaction with a base was refused");
    if (!twice) continue;
    peer.expect_refused(rule<"UMSP-7.6-12">, answer, "The base of a transaction is set twice.");
    peer.expect_unchanged(rule<"UMSP-7.6-12">, a, "The transaction is not executed.");
    peer.expect_unchanged(rule<"UMSP-7.6-12">, b, "The transaction is not executed.");
  }
}

const CaseRow kRows[] = {
    {"chain/several-go-on-at-a-time",
     {&rule<"UMSP-7-2">},
     "The IUT executes two chains of a session whose instructions alternate.",
     with<takes_several_at_a_time>()},
    {"chain/one-answer-for-all",
     {&rule<"UMSP-7.5-2">},
     "The IUT answers a chain whose first instruction has ASK 1 once.",
     with<answers_once>()},
    {"chain/alone-is-delivered-at-once",
     {&rule<"UMSP-7.4-1">},
     "The IUT executes an instruction outside chains as it arrives.",
     with<is_delivered_at_once>()},
    {"chain/taken-beside-threads",
     {&rule<"UMSP-7.4-4">},
     "The IUT executes a chain right after one that transfers control.",
     with<takes_chains_beside_threads>()},
    {"sequence/in-order",
     {&rule<"UMSP-7.1-1">, &rule<"UMSP-7.4-30">},
     "The IUT holds instructions of a sequence that arrive early on another connection.",
     with<executes_in_order>()},
    {"sequence/rest-is-dropped",
     {&rule<"UMSP-7.1-2">},
     "The IUT executes nothing of a sequence after a refused instruction.",
     with<drops_the_rest>()},
    {"sequence/any-length",
     {&rule<"UMSP-7.1-12">},
     "The IUT executes sequences of one and of forty instructions.",
     with<takes_any_length>()},
    {"sequence/nop-ends", {&rule<"UMSP-7.1-13">}, "The IUT ends a sequence at NOP with _END_CHAIN.", with<nop_ends>()},
    {"sequence/needs-no-buffer",
     {&rule<"UMSP-7.4-28">},
     "The IUT accepts a sequence without REQ_BUF.",
     with<needs_no_buffer>()},
    {"sequence/takes-no-room",
     {&rule<"UMSP-7.4-29">},
     "The IUT executes a sequence that is longer than the window.",
     with<takes_no_room>()},
    {"sequence/executed-at-once",
     {&rule<"UMSP-7.5-7">},
     "The IUT executes each instruction of a sequence as it arrives.",
     with<executes_at_once>()},
    {"base/of-one-chain",
     {&rule<"UMSP-7.6-1">, &rule<"UMSP-7.6-8">},
     "The IUT applies a base to the instructions of its chain.",
     with<base_is_of_one_chain>()},
    {"base/of-a-sequence-changes",
     {&rule<"UMSP-7.6-10">},
     "The IUT accepts a second base in a sequence.",
     with<base_may_change>()},
    {"base/of-a-transaction-is-set-once",
     {&rule<"UMSP-7.6-12">},
     "The IUT does not execute a transaction that sets its base twice.",
     with<base_is_set_once>()},
};

}  // namespace

std::vector<Case> sequences_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
