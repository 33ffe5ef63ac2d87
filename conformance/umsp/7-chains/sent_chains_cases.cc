// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 7, 7.1, 7.4 and 7.5: the chains that an IUT sends as initiator. It need not send any, so a case
// that sees no chain of its kind is inconclusive.
#include <map>

#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/probes/case_file.h"

namespace wirelaw::umsp {
namespace {

bool has(const Received& one, HeadCode code) {
  return one.instruction.find_extension(static_cast<std::uint16_t>(code)) != nullptr;
}

bool is_chained(const Received& one) {
  return one.membership.chain && !one.is_one_of({Opcode::snd_cancel, Opcode::exec_tr, Opcode::cancel_tr});
}

// A sender knows the length of a transaction or fragmented instruction before it sends it, so it does not stop before
// the end. A sequence has to end only before the session closes.
void marks_ends(InitiatorProbe& peer) {
  std::map<std::uint16_t, HeadCode> open;
  std::size_t begun = 0;
  const auto closed = peer.serve_until([&](const Received& one) {
    if (is_chained(one)) {
      const std::uint16_t number = one.membership.chain->chain_number;
      for (const HeadCode code : {HeadCode::begin_sq, HeadCode::begin_tr, HeadCode::begin_frg})
        if (has(one, code)) {
          ++begun;
          open[number] = code;
        }
      if (has(one, HeadCode::end_chain)) open.erase(number);
    } else if (one.is(Opcode::snd_cancel) && one.membership.chain) {
      open.erase(one.membership.chain->chain_number);
    }
    return one.is(Opcode::session_close);
  });
  if (begun == 0) return peer.inconclusive("the IUT sends no chain");
  if (!closed) std::erase_if(open, [](const auto& each) { return each.second == HeadCode::begin_sq; });
  peer.require(rule<"UMSP-7-15">, open.empty(), "_END_CHAIN in the last instruction of each chain",
               "chains without an end", "Each chain that begins must end.");
}

// Our node refuses the first instruction of a sequence and then waits, so that all instructions that were already sent
// arrive. Other requests of the IUT are answered afterwards.
void cancels_the_rest(InitiatorProbe& peer) {
  std::optional<Received> first;
  const auto is_first = [](const Received& one) {
    return is_chained(one) && has(one, HeadCode::begin_sq) && !has(one, HeadCode::end_chain) &&
           one.instruction.header.ask;
  };
  peer.before_taking([&](const Received& one) { return !is_first(one); });
  first = peer.serve_until(is_first);
  if (!first || peer.session() == nullptr) return peer.inconclusive("the IUT sends no sequence with ASK 1");
  const std::uint16_t number = first->membership.chain->chain_number;
  std::vector<OctetBuffer> held;
  bool ended = false;
  peer.before_taking([&](const Received& one) {
    const bool of_it = is_chained(one) && one.membership.chain->chain_number == number;
    ended = ended || (of_it && has(one, HeadCode::end_chain));
    if (!of_it) held.push_back(one.octets);
    return false;
  });
  Draft refusal = codes_draft(Opcode::rsp, {1, 0});
  refusal.req_id = first->req_id();
  peer.send_in(*peer.session(), refusal);
  peer.serve_for(peer.run().silence_time());
  if (ended) return peer.inconclusive("the IUT had sent the whole sequence before it was refused");
  peer.before_taking({});
  for (const OctetBuffer& octets : held) peer.take_late(octets);
  bool more = false;
  peer.serve_until([&](const Received& one) {
    const bool of_it = is_chained(one) && one.membership.chain->chain_number == number;
    more = more || (of_it && one.membership.chain->instr_number != 0 && !one.is(Opcode::nop));
    return more || one.is(Opcode::session_close);
  });
  peer.require(rule<"UMSP-7.1-3">, !more, "nothing more of the sequence", "an instruction of it",
               "Its first instruction was refused long before.");
}

// Our node announces a window of 4 KiB and sends no acknowledgements during the time of silence.
constexpr std::uint16_t kBlocks = 16;
constexpr std::uint64_t kWindow = kBlocks * 256u;

struct Window {
  std::uint64_t octets = 0;    // received in fragments
  std::size_t chains = 0;      // fragmented instructions that began
  bool asked = false;          // true if REQ_BUF was received
  std::vector<Draft> answers;  // acknowledgements not sent yet
};

void announce(Draft& session_open, std::uint16_t blocks) {
  const OctetBuffer octets = write(session_open);
  const auto instruction = decode(octets);
  auto open = instruction ? SessionOpen::read(*instruction) : std::nullopt;
  if (!open) return;
  open->window = blocks;
  session_open.operands = open->draft().operands;
}

void watch(InitiatorProbe& peer, Window& window, bool& holds) {
  peer.before_sending([&](Draft& draft) {
    if (draft.is(Opcode::session_open)) announce(draft, kBlocks);
    const bool held = holds && draft.is(Opcode::rsp_p) && window.chains > 0 && !window.asked;
    if (held) window.answers.push_back(draft);
    return !held;
  });
  peer.before_taking([&](const Received& one) {
    window.asked = window.asked || (window.chains > 0 && one.is(Opcode::req_buf));
    if (is_chained(one) && has(one, HeadCode::begin_frg)) ++window.chains;
    if (is_chained(one) && one.is(Opcode::nop) && window.chains > 0 && !window.asked)
      window.octets += one.octets.size();
    return true;
  });
}

void keeps_to_the_window(InitiatorProbe& peer, const Rule& rule, const Rule& free_again) {
  Window window;
  bool holds = true;
  watch(peer, window, holds);
  peer.serve_until([&](const Received&) { return window.chains > 0; });
  if (window.chains == 0) return peer.inconclusive("the IUT sends no fragments through the window");
  peer.serve_for(peer.run().silence_time());
  peer.require(rule, window.octets <= kWindow, "not more than the window holds", "more",
               "None of the octets in the window was acknowledged.");
  if (window.asked || window.answers.empty()) return;
  const std::size_t before = window.chains;
  holds = false;
  for (const Draft& answer : window.answers) peer.send(answer);
  const auto next = peer.serve_until(
      [&](const Received& one) { return window.chains > before || window.asked || one.is(Opcode::session_close); });
  peer.require(free_again, next && !window.asked, "the next chain", window.asked ? "REQ_BUF" : "nothing",
               "RSP_P has acknowledged the octets in the window.");
}

const CaseRow kRows[] = {
    {"chain/initiator-marks-ends", {&rule<"UMSP-7-15">}, "The IUT ends each chain that it sends.", with<marks_ends>()},
    {"sequence/initiator-cancels-the-rest",
     {&rule<"UMSP-7.1-3">},
     "The IUT sends nothing more of a refused sequence.",
     with<cancels_the_rest>()},
    {"window/initiator-waits-for-room",
     {&rule<"UMSP-7.4-36">, &rule<"UMSP-7.5-17">},
     "The IUT waits or asks when it has filled the tester's window, until the tester acknowledges.",
     with<InitiatorProbe>(
         [](InitiatorProbe& peer) { keeps_to_the_window(peer, rule<"UMSP-7.4-36">, rule<"UMSP-7.5-17">); })},
    {"window/initiator-counts-acknowledgements",
     {&rule<"UMSP-7.5-9">, &rule<"UMSP-7.5-17">},
     "The IUT reuses only acknowledged octets of the tester's window.",
     with<InitiatorProbe>(
         [](InitiatorProbe& peer) { keeps_to_the_window(peer, rule<"UMSP-7.5-9">, rule<"UMSP-7.5-17">); })},
};

}  // namespace

std::vector<Case> sent_chains_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
