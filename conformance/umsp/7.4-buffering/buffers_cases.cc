// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 4.2, 7.3 to 7.5 and 8.5: fragmented instructions and their lifetimes, and the buffers,
// acknowledgement and cancellation of chains.
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/7.3-fragments/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/8-common-extension-headers/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/chain_probe.h"

namespace wirelaw::umsp {
namespace {

using Chain = ChainProbe::Chain;
using std::chrono::milliseconds;
using std::chrono::seconds;

Draft nop() {
  return draft_of(Opcode::nop);
}

// ----------------------------------------------------------------------------------------------------- fragments (7.3)

void puts_fragments_together(ChainProbe& peer) {
  const auto a = peer.change();
  Draft whole = a.draft;
  whole.req_id = peer.new_request();
  const Chain chain = peer.fragments(whole, 2);
  peer.send(chain[0]);
  peer.expect_unchanged(rule<"UMSP-7.5-8">, a, "Not all fragments have come.");
  peer.send_all(std::span(chain).subspan(1));
  peer.expect_done(rule<"UMSP-7.3-14">, peer.answer(*whole.req_id), "All fragments have come.");
  peer.expect_changed(rule<"UMSP-7.3-14">, a, "The instruction is executed as if it had come whole.");
}

// ----------------------------------------------------------------------------------------------------- lifetimes (8.5)

OwnedExtension life_time(std::uint16_t units) {
  return {HeadCode::life_time, {static_cast<Octet>(units >> 8), static_cast<Octet>(units)}};
}
constexpr std::uint16_t kShort = 1;     // 1.024 ms
constexpr std::uint16_t kSecond = 977;  // 1.0004 s
constexpr std::uint16_t kMinute = 58'594;

// Sends fragments with a lifetime in the first NOP. The other fragments follow after `pause`.
Chain send_slowly(ChainProbe& peer, const ChainProbe::Change& change, bool asks, std::uint16_t units,
                  std::chrono::nanoseconds pause) {
  Draft whole = change.draft;
  if (asks) whole.req_id = peer.new_request();
  Chain chain = peer.fragments(whole);
  chain[0].extensions.push_back(life_time(units));
  peer.send(chain[0]);
  peer.wait(pause);
  peer.send_all(std::span(chain).subspan(1));
  return chain;
}

void ignores_life_of_whole(ChainProbe& peer) {
  const auto a = peer.change();
  Draft draft = a.draft;
  draft.extensions.push_back(life_time(kShort));
  const auto response = peer.request(peer.session(), draft);
  peer.expect_done(rule<"UMSP-8.5-7">, response, "An instruction that came whole has a short lifetime.");
  peer.expect_changed(rule<"UMSP-8.5-7">, a, "It is executed.");
  const auto b = peer.change(), c = peer.change();
  Chain chain = peer.sequence({b.draft, c.draft});
  chain[1].extensions.push_back(life_time(kShort));
  const std::uint32_t asked = peer.ask(chain);
  peer.send_all(chain);
  peer.expect_done(rule<"UMSP-8.5-9">, peer.answer(asked), "An instruction of a sequence has a short lifetime.");
  peer.expect_changed(rule<"UMSP-8.5-9">, c, "It is executed.");
}

void takes_assembly_off(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change();
  const Chain in_time = send_slowly(peer, a, true, kMinute, seconds(3));
  peer.expect_done(rule<"UMSP-8.5-8">, peer.answer(*in_time[0].req_id), "The lifetime is longer than the assembly.");
  peer.expect_changed(rule<"UMSP-8.5-8">, a, "It is executed.");
  send_slowly(peer, b, false, kSecond, seconds(3));
  peer.expect_unchanged(rule<"UMSP-8.5-8">, b, "The assembly has taken longer than the lifetime.");
}

void refuses_what_is_over(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change();
  const Chain in_time = send_slowly(peer, a, true, kMinute, seconds(0));
  if (!ExecutorProbe::says_done(peer.answer(*in_time[0].req_id)))
    return peer.inconclusive("a fragmented instruction with a lifetime was not executed");
  Draft whole = b.draft;
  whole.req_id = peer.new_request();
  Chain over = peer.fragments(whole);
  over[0].extensions.push_back(life_time(kSecond));
  peer.send(over[0]);
  // The refusal may arrive when the lifetime ends, or after the other fragments.
  auto answer = peer.answer_within(*whole.req_id, seconds(3));
  peer.send_all(std::span(over).subspan(1));
  if (!answer) answer = peer.answer(*whole.req_id);
  peer.expect_unchanged(rule<"UMSP-8.5-20">, b, "The lifetime has passed.");
  peer.expect_refused(rule<"UMSP-8.5-21">, answer, "The lifetime has passed, and ASK is 1.");
}

void does_not_answer_what_is_over(ChainProbe& peer) {
  const auto a = peer.change(), b = peer.change();
  send_slowly(peer, a, false, kMinute, seconds(0));
  if (!peer.is_changed(a)) return peer.inconclusive("a fragmented instruction with a lifetime was not executed");
  Chain over = peer.fragments(b.draft);
  over[0].extensions.push_back(life_time(kSecond));
  peer.send(over[0]);
  const Instant until = peer.now() + seconds(3);
  bool answered = false;
  while (const auto one = peer.next(until)) answered = answered || one->is_one_of({Opcode::rsp, Opcode::rsp_p});
  peer.require(rule<"UMSP-8.5-22">, !answered, "no response", "one", "The lifetime has passed, and ASK is 0.");
  peer.send_all(std::span(over).subspan(1));
  peer.expect_silence(rule<"UMSP-8.5-22">, {Opcode::rsp, Opcode::rsp_p}, "The lifetime has passed, and ASK is 0.");
}

// --------------------------------------------------------------------------------------------------- the window (7.4)

// A chain in several segments for certain, and without REQ_BUF.
void takes_what_fits(ChainProbe& peer) {
  if (!peer.window()) return;
  const auto a = peer.change();
  Chain chain = peer.transaction({}, {a.draft, nop()});
  const std::uint32_t asked = peer.ask(chain);
  peer.send_apart(chain);
  peer.expect_done(rule<"UMSP-7.4-33">, peer.answer(asked), "A transaction that fits the window needs no REQ_BUF.");
  peer.expect_changed(rule<"UMSP-7.4-33">, a, "It is executed.");
}

void takes_fragments_that_fit(ChainProbe& peer) {
  if (!peer.window()) return;
  const auto b = peer.change();
  Draft whole = b.draft;
  whole.req_id = peer.new_request();
  peer.send_apart(peer.fragments(whole));
  peer.expect_done(rule<"UMSP-7.4-8">, peer.answer(*whole.req_id), "Fragments that fit the window need no REQ_BUF.");
  peer.expect_changed(rule<"UMSP-7.4-8">, b, "The instruction is executed.");
}

constexpr std::size_t kPiece = 1000;
constexpr std::uint64_t kMostWindow = std::uint64_t{4} << 20;

// The length of the window in octets. Skips the case if it is too long to be filled.
std::optional<std::uint64_t> short_window(ChainProbe& peer) {
  const auto window = peer.window();
  if (window && *window > kMostWindow) peer.skip("needs an IUT whose window is not longer than 4 MiB");
  return peer.ok() ? window : std::nullopt;
}

// Sends the beginning of a transaction with TRR 1, in more than one segment, that takes `octets` of the window.
void fill_window(ChainProbe& peer, std::uint64_t octets) {
  std::vector<Draft> drafts(static_cast<std::size_t>(octets / kPiece) + 2, ChainProbe::filler(kPiece));
  Chain chain = peer.transaction({}, drafts);
  std::uint64_t sent = 0;
  std::size_t count = 0;
  for (Draft& draft : chain) {
    const std::uint64_t left = octets - sent;
    const std::uint64_t own = ChainProbe::octets_of({draft});
    const std::uint64_t head = own - draft.operands.size();
    if (left < head) break;
    if (own > left) draft.operands.resize(static_cast<std::size_t>((left - head) / 4 * 4));
    peer.send(draft);
    if (count++ == 0) peer.round_trip();
    sent += ChainProbe::octets_of({draft});
  }
}

void breaks_off_above_window(ChainProbe& peer) {
  const auto window = short_window(peer);
  if (!window) return;
  fill_window(peer, *window - kPiece);
  peer.round_trip();
  // A chain in one segment takes no room in the window, and we do not control how TCP cuts the stream.
  std::vector<Draft> all(5, ChainProbe::filler(kPiece));
  all.front() = nop();
  peer.send_apart(peer.transaction({}, std::move(all)), 4);
  peer.require(rule<"UMSP-7.4-11">, peer.is_broken_off(), "SESSION_ABEND, or the end of the connection", "neither",
               "The octets do not fit in the window that the IUT has announced.");
}

// Sends a transaction that does not fit the rest of the window over UDP, which lets us control the segments. A WRITE
// outside chains in the same datagram shows that it arrived.
void takes_one_segment(ChainProbe& peer) {
  const auto window = short_window(peer);
  if (!window) return;
  Line datagrams(peer.run(), {.datagrams = true});
  if (!datagrams.ok()) return peer.skip("needs datagrams in addition to the stream");
  fill_window(peer, *window);
  peer.round_trip();
  const auto a = peer.change(), b = peer.change();
  bool has_come = false;
  for (unsigned tried = 0; tried < kDatagramTries && peer.ok() && !has_come; ++tried) {
    const Chain chain = peer.transaction({}, {b.draft, nop()});
    datagrams.send_together({chain[0], chain[1], a.draft});
    const bool abends = !datagrams.is_silent({Opcode::session_abend}) || !peer.is_silent({Opcode::session_abend});
    if (!peer.require(rule<"UMSP-7.4-32">, !abends && !peer.has_ended(), "no end of the session", "SESSION_ABEND",
                      "A transaction in one datagram uses none of the window, which is full."))
      return;
    has_come = peer.is_changed(a);
  }
  if (!has_come) return peer.inconclusive("no instruction of the session was accepted over UDP");
  peer.expect_changed(rule<"UMSP-7.4-32">, b, "It is executed, like a WRITE in the same datagram.");
}

void clears_the_window(ChainProbe& peer) {
  constexpr int kTimes = 3;
  const auto window = short_window(peer);
  if (!window) return;
  for (int i = 0; i < kTimes; ++i) {
    const auto a = peer.change();
    std::vector<Draft> drafts(static_cast<std::size_t>(*window * 2 / 3 / kPiece), ChainProbe::filler(kPiece - 100));
    drafts.push_back(a.draft);
    Chain chain = peer.transaction({}, drafts);
    const std::uint32_t asked = peer.ask(chain);
    peer.send_apart(chain, chain.size() - 1);
    peer.expect_done(rule<"UMSP-7.5-14">, peer.answer(asked),
                     "The earlier octets in the window were executed and acknowledged.");
    peer.expect_changed(rule<"UMSP-7.5-14">, a, "It is executed.");
  }
}

void collects_whole(ChainProbe& peer) {
  if (!peer.window()) return;
  const auto a = peer.change(), b = peer.change();
  const Chain chain = peer.transaction({}, {a.draft, nop(), b.draft});
  peer.send(chain[0]);
  peer.round_trip();
  peer.send(chain[1]);
  peer.expect_unchanged(rule<"UMSP-7.5-12">, a, "The last instruction has not come.");
  peer.send(chain[2]);
  peer.expect_changed(rule<"UMSP-7.5-12">, a, "All of it has come.");
  peer.expect_changed(rule<"UMSP-7.5-12">, b, "All of it has come.");
}

// ------------------------------------------------------------------------------------------------------ REQ_BUF (7.4)

void grants_for_short(ChainProbe& peer) {
  const auto window = short_window(peer);
  if (!window) return;
  const auto a = peer.change(), b = peer.change();
  std::vector<Draft> drafts(static_cast<std::size_t>(*window / kPiece) + 2, ChainProbe::filler(kPiece));
  drafts.push_back(a.draft);
  Chain longer = peer.transaction({}, drafts);
  const std::uint32_t asked = peer.ask(longer);
  if (!peer.grant(longer)) return;
  peer.send_all(longer);
  if (!ExecutorProbe::says_done(peer.answer(asked))) return peer.inconclusive("a granted transaction was not executed");
  Chain chain = peer.transaction({}, {b.draft, nop()});
  const std::uint32_t also = peer.ask(chain);
  peer.expect_done(rule<"UMSP-7.4-25">, peer.request_buffer(chain),
                   "REQ_BUF for a chain longer than the window was granted, and this chain is short.");
  peer.send_all(chain);
  peer.expect_done(rule<"UMSP-7.4-25">, peer.answer(also), "Its chain is executed.");
}

void request_with_headers(ChainProbe& peer) {
  const auto shown = peer.change();
  const Chain plain = peer.transaction({.after_sending = false}, {shown.draft, nop()});
  if (!peer.grant(plain)) return;
  peer.send_all(plain);
  for (const OwnedExtension& header : harmless_headers()) {
    const auto a = peer.change();
    Chain chain = peer.transaction({.after_sending = false}, {a.draft, nop()});
    peer.expect_done(rule<"UMSP-7.4-17">, peer.request_buffer(chain, {header}),
                     "REQ_BUF has an extension header with HOB 0; REQ_BUF without it is granted.");
    peer.send_all(chain);
    const Draft exec = peer.control(Opcode::exec_tr, chain);
    peer.send(exec);
    peer.expect_done(rule<"UMSP-7.4-17">, peer.answer(*exec.req_id), "Its transaction is executed.");
  }
}

// Fragments of an instruction in a transaction are longer than the window, and use the transaction's buffer.
void subordinated_in_parents(ChainProbe& peer) {
  const auto window = short_window(peer);
  if (!window) return;
  const auto a = peer.change(), b = peer.change();
  Chain parent = peer.transaction({}, {a.draft, nop(), b.draft});
  const std::uint32_t asked = peer.ask(parent);
  const Chain inner = peer.fragments(ChainProbe::filler(static_cast<std::size_t>(*window) + kPiece),
                                     static_cast<std::size_t>(*window / kPiece), parent[1].chain);
  Chain all{parent[0]};
  all.insert(all.end(), inner.begin(), inner.end());
  all.push_back(parent[2]);
  if (!peer.grant(all)) return;
  peer.send_all(all);
  peer.expect_done(rule<"UMSP-7.4-27">, peer.answer(asked),
                   "A subordinate chain that is longer than the window is in the buffer of its parent chain.");
  peer.expect_changed(rule<"UMSP-7.4-27">, b, "The transaction is executed.");
}

// ----------------------------------------------------------------------------------------------- acknowledgement (7.5)

void acknowledged_by_layer(ChainProbe& peer) {
  if (!peer.window()) return;
  const auto a = peer.change();
  Chain chain = peer.transaction({}, {a.draft, nop()});
  const std::uint32_t asked = peer.ask(chain);
  peer.send_apart(chain);
  const auto answer = peer.answer(asked);
  if (!ExecutorProbe::says_done(answer)) return peer.inconclusive("a transaction was not executed");
  peer.require(rule<"UMSP-7.5-15">, answer->is(Opcode::rsp_p), "RSP_P", to_text(answer),
               "There was no REQ_BUF, and the chain came in two segments.");
}

void acknowledged_by_vm(ChainProbe& peer) {
  const auto a = peer.change();
  Chain chain = peer.transaction({}, {a.draft, nop()});
  const std::uint32_t asked = peer.ask(chain);
  if (!peer.grant(chain)) return;
  peer.send_all(chain);
  const auto answer = peer.answer(asked);
  if (!ExecutorProbe::says_done(answer)) return peer.inconclusive("a transaction was not executed");
  peer.require(rule<"UMSP-7.5-16">, answer->is(Opcode::rsp), "RSP", to_text(answer),
               "The chain was in a buffer that REQ_BUF had requested.");
}

// ---------------------------------------------------------------------------------------------------- SND_CANCEL (4.2)

// Sends a transaction except its last instruction, then SND_CANCEL, and then the last instruction.
void cancel(ChainProbe& peer, const Rule& rule, std::vector<OwnedExtension> headers) {
  const auto a = peer.change(), b = peer.change();
  const Chain chain = peer.transaction({}, {a.draft, b.draft});
  peer.send(chain[0]);
  Draft cancels = peer.control(Opcode::snd_cancel, chain);
  cancels.extensions = std::move(headers);
  peer.send(cancels);
  peer.send(chain[1]);
  peer.expect_unchanged(rule, a, "The sending of the transaction was cancelled.");
  peer.expect_unchanged(rule, b, "The sending of the transaction was cancelled.");
}

void show_not_cancelled(ChainProbe& peer) {
  const auto a = peer.change();
  peer.send_all(peer.transaction({}, {a.draft, nop()}));
  if (!peer.is_changed(a)) peer.inconclusive("a transaction that is not cancelled was not executed");
}

void drops_what_is_cancelled(ChainProbe& peer) {
  show_not_cancelled(peer);
  cancel(peer, rule<"UMSP-4.2-13">, {});
  const auto a = peer.change();
  const Chain chain = peer.fragments(a.draft);
  peer.send(chain[0]);
  peer.send(peer.control(Opcode::snd_cancel, chain));
  peer.send_all(std::span(chain).subspan(1));
  peer.expect_unchanged(rule<"UMSP-4.2-13">, a, "The sending of the fragments was cancelled.");
}

void cancel_with_headers(ChainProbe& peer) {
  show_not_cancelled(peer);
  cancel(peer, rule<"UMSP-4.2-10">, {harmless_headers().front()});
}

void cancel_with_another_header(ChainProbe& peer) {
  show_not_cancelled(peer);
  cancel(peer, rule<"UMSP-4.2-3">, {harmless_headers().back()});
}

const CaseRow kRows[] = {
    {"fragments/executed-as-one",
     {&rule<"UMSP-7.3-14">, &rule<"UMSP-7.5-8">},
     "The IUT reassembles fragments, and then executes the instruction.",
     with<puts_fragments_together>()},
    {"life-time/of-whole-instructions-is-ignored",
     {&rule<"UMSP-8.5-7">, &rule<"UMSP-8.5-9">},
     "The IUT executes an instruction that arrives whole, however short its lifetime.",
     with<ignores_life_of_whole>()},
    {"life-time/assembly-counts",
     {&rule<"UMSP-8.5-8">},
     "The IUT subtracts the time of reassembly from the lifetime.",
     with<takes_assembly_off>()},
    {"life-time/over-is-refused",
     {&rule<"UMSP-8.5-20">, &rule<"UMSP-8.5-21">},
     "The IUT refuses fragments with ASK 1 whose lifetime has passed.",
     with<refuses_what_is_over>()},
    {"life-time/over-without-answer",
     {&rule<"UMSP-8.5-22">},
     "The IUT does not answer fragments with ASK 0 whose lifetime has passed.",
     with<does_not_answer_what_is_over>()},
    {"window/takes-what-fits",
     {&rule<"UMSP-7.4-33">},
     "The IUT accepts a transaction that fits the window without REQ_BUF.",
     with<takes_what_fits>()},
    {"window/takes-fragments-that-fit",
     {&rule<"UMSP-7.4-8">},
     "The IUT accepts fragments that fit the window without REQ_BUF.",
     with<takes_fragments_that_fit>()},
    {"window/exceeded-breaks-off",
     {&rule<"UMSP-7.4-11">},
     "The IUT ends the connection if more octets arrive than fit the window.",
     with<breaks_off_above_window>()},
    {"window/not-for-one-segment",
     {&rule<"UMSP-7.4-32">},
     "The IUT executes a transaction in one datagram while the window is full.",
     with<takes_one_segment>()},
    {"window/cleared-behind-executions",
     {&rule<"UMSP-7.5-14">},
     "The IUT reuses the window after each execution.",
     with<clears_the_window>()},
    {"window/collects-chains-whole",
     {&rule<"UMSP-7.5-12">},
     "The IUT executes a transaction in the window once it is complete.",
     with<collects_whole>()},
    {"buffer/for-short-chains-too",
     {&rule<"UMSP-7.4-25">},
     "The IUT accepts REQ_BUF for a chain that fits the window.",
     with<grants_for_short>()},
    {"buffer/asked-with-extension-headers",
     {&rule<"UMSP-7.4-17">},
     "The IUT accepts REQ_BUF with and without extension headers.",
     with<request_with_headers>()},
    {"buffer/of-subordinated-chains",
     {&rule<"UMSP-7.4-27">},
     "The IUT keeps a subordinate chain in the buffer of its parent chain.",
     with<subordinated_in_parents>()},
    {"chain/of-the-window-answered-by-rsp-p",
     {&rule<"UMSP-7.5-15">},
     "The IUT acknowledges a chain in the window by RSP_P.",
     with<acknowledged_by_layer>()},
    {"chain/of-a-buffer-answered-by-rsp",
     {&rule<"UMSP-7.5-16">},
     "The IUT acknowledges a chain for which it granted REQ_BUF by RSP.",
     with<acknowledged_by_vm>()},
    {"sending/cancelled-is-dropped",
     {&rule<"UMSP-4.2-13">},
     "The IUT executes nothing of a chain whose sending was cancelled.",
     with<drops_what_is_cancelled>()},
    {"sending/cancelled-with-extension-headers",
     {&rule<"UMSP-4.2-10">},
     "The IUT accepts SND_CANCEL with _MSG.",
     with<cancel_with_headers>()},
    {"sending/cancelled-with-another-extension-header",
     {&rule<"UMSP-4.2-3">},
     "The IUT accepts SND_CANCEL with an extension header.",
     with<cancel_with_another_header>()},
};

}  // namespace

std::vector<Case> buffers_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
