// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 3 and 3.1: the forms of headers, and the values that PCK inherits.
#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kChain = 0x0107;

void takes_both_forms(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::short_headers, "needs an IUT that offers short headers (S7)") ||
      !offers(peer, peer.session(), ProfileFlag::extended_headers, kNeedsExtended))
    return;
  for (const bool extended : {false, true, false}) {
    WriteAttempt attempt(peer);
    attempt.draft.style.extended = extended;
    peer.send(attempt.draft);
    expect_executed(
        peer, {&rule<"UMSP-3-3">, &rule<"UMSP-3.1-58">}, attempt,
        extended ? "The WRITE has its length in OPR_LENGTH_EXT." : "The WRITE has its length in OPR_LENGTH.");
  }
}

void takes_no_operands_in_both_forms(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::extended_headers, kNeedsExtended)) return;
  if (!ExecutorProbe::says_done(peer.request(peer.session(), draft_of(Opcode::nop))))
    return peer.inconclusive("a NOP without operands was not answered positively");
  Draft nop = draft_of(Opcode::nop);
  nop.style.extended = true;
  peer.expect_done(rule<"UMSP-3.1-41">, peer.request(peer.session(), nop), "A NOP has OPR_LENGTH_EXT 0.");
  peer.expect_served(rule<"UMSP-3.1-41">, peer.session(), "The next instruction follows OPR_LENGTH_EXT 0.");
}

// Tries operands in the extended form that are not seven words long.
void takes_any_length_behind_seven(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::extended_headers, kNeedsExtended)) return;
  for (unsigned count = 0; count < 2 && peer.ok(); ++count) {
    WriteAttempt attempt(peer);
    attempt.draft.style.extended = true;
    peer.send(attempt.draft);
    expect_executed(peer, {&rule<"UMSP-3.1-39">}, attempt, "OPR_LENGTH is 7, and OPR_LENGTH_EXT is not.");
  }
}

void takes_longest_header(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::extended_headers, kNeedsExtended) ||
      !offers(peer, peer.session(), ProfileFlag::sequences, kNeedsSequences))
    return;
  WriteAttempt attempt(peer);
  attempt.draft = in_sequence(attempt.draft, kChain, 0);
  attempt.draft.style.extended = true;
  peer.send(attempt.draft);
  peer.send(end_of_sequence(peer.session(), kChain, 1));
  expect_executed(peer, {&rule<"UMSP-3.1-62">}, attempt,
                  "The WRITE has every field that a header can have: 16 octets.");
}

// -------------------------------------------------------------------------------------------------------------- PCK

// Opens a session of another job. The case is inconclusive if it does not open.
std::optional<OpenSession> second_session(ServedSession& peer) {
  auto second = peer.open_session();
  if (second) peer.show_served(*second);
  return second;
}

void takes_session_of_the_one_before(ServedSession& peer) {
  const auto second = second_session(peer);
  if (!second) return;
  WriteAttempt attempt(peer);
  Draft other = peer.asking(*second, peer.read_draft(peer.address(), 4));
  Draft attempted = attempt.draft, mine = peer.asking(peer.session(), peer.read_draft(peer.address(), 4));
  attempted.style.inherits = true;
  peer.send_together({other, mine, attempted});
  expect_executed(
      peer, {&rule<"UMSP-3.1-21">}, attempt,
      "PCK is 01: the WRITE has the session of the preceding REQ_DATA, not that of an earlier instruction.");
}

void takes_number_behind_the_one_before(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::sequences, kNeedsSequences)) return;
  WriteAttempt attempt(peer);
  const OctetBuffer before = peer.fresh(attempt.octets.size());
  Draft first = in_sequence(peer.asking(peer.session(), peer.write_draft(peer.address(), before)), kChain, 0);
  Draft second = in_sequence(peer.in(peer.session(), peer.write_draft(peer.address(), attempt.octets)), kChain, 1);
  Draft end = end_of_sequence(peer.session(), kChain, 2);
  second.style.inherits = end.style.inherits = true;
  attempt.draft = first;
  peer.send_together({first, second, end});
  expect_executed(peer, {&rule<"UMSP-3.1-26">}, attempt, "The second WRITE and the end of the sequence have PCK 10.");
}

void takes_session_of_the_header(ServedSession& peer) {
  const auto second = peer.open_session();
  if (!second) return;
  for (unsigned count = 0; count < 2 && peer.ok(); ++count) {
    WriteAttempt attempt(peer);
    const Draft other = peer.asking(*second, peer.read_draft(peer.address(), 4));
    peer.send_together({attempt.draft, other});
    const auto done = peer.answer_to(peer.session(), *attempt.draft.req_id);
    peer.expect_done(rule<"UMSP-3.1-28">, done, "PCK is 11, with the first session.");
    const auto read = peer.answer_to(*second, *other.req_id);
    peer.expect_done(rule<"UMSP-3.1-28">, read,
                     "PCK is 11, with the second session, right after an instruction of the first.");
  }
}

// --------------------------------------------------------------------------------------------------------- SESSION_ID

void executes_nothing_of_unknown_session(ServedSession& peer) {
  const std::size_t octets = short_write(peer);
  const auto before = peer.read(peer.session(), peer.address(), static_cast<std::uint32_t>(octets));
  if (!before) return peer.inconclusive("the memory could not be read");
  for (const std::uint32_t unknown : {peer.session().theirs ^ 0x4000'0000, kReservedSessionId}) {
    const WriteAttempt attempt(peer);
    Draft draft = attempt.draft;
    draft.session_id = unknown;
    peer.send(draft);
    const Draft mine = peer.asking(peer.session(), peer.read_draft(peer.address(), static_cast<std::uint32_t>(octets)));
    peer.send(mine);
    const auto there = peer.answer_to(peer.session(), *mine.req_id);
    if (!there) return peer.inconclusive("the memory could not be read after an unknown session");
    const Octets now = there->instruction.operands;
    peer.require(rule<"UMSP-3.1-50">, now.size() >= octets && std::ranges::equal(now.first(octets), *before),
                 "the original octets", "changed octets", "The WRITE has a SESSION_ID that the IUT has not assigned.");
  }
}

// --------------------------------------------------------------------------------------------------------------- ASK

void answers_what_asks(ServedSession& peer) {
  const auto octets = static_cast<std::uint32_t>(short_write(peer));
  const OctetBuffer data = peer.fresh(octets);
  const Draft asked[] = {peer.write_draft(peer.address(), data), peer.read_draft(peer.address(), octets),
                         peer.compare_draft(peer.address(), data), draft_of(Opcode::nop)};
  for (const Draft& draft : asked) {
    const auto response = peer.request(peer.session(), draft);
    peer.require(rule<"UMSP-3.1-12">, response.has_value(), "a response", to_text(response), "ASK is 1.");
  }
}

void answers_nothing_unasked(ServedSession& peer) {
  const OctetBuffer octets = peer.fresh(short_write(peer));
  peer.send(ExecutorProbe::in(peer.session(), peer.write_draft(peer.address(), octets)));
  peer.send(ExecutorProbe::in(peer.session(), draft_of(Opcode::nop)));
  peer.expect_silence(rule<"UMSP-3.1-10">, {Opcode::rsp, Opcode::rsp_p, Opcode::data},
                      "ASK is 0 in a WRITE and in a NOP.");
  const auto there = peer.read(peer.session(), peer.address(), static_cast<std::uint32_t>(octets.size()));
  if (there != octets) peer.inconclusive("a WRITE with ASK 0 was not executed");
}

const CaseRow kRows[] = {
    {"header/short-and-extended-form-are-alike",
     {&rule<"UMSP-3-3">, &rule<"UMSP-3.1-58">},
     "The IUT reads the length of a WRITE from OPR_LENGTH or from OPR_LENGTH_EXT.",
     with<takes_both_forms>()},
    {"header/extended-length-0-is-no-operands",
     {&rule<"UMSP-3.1-41">},
     "The IUT accepts OPR_LENGTH_EXT 0 in a NOP without operands.",
     with<takes_no_operands_in_both_forms>()},
    {"header/opr-length-7-is-no-length",
     {&rule<"UMSP-3.1-39">},
     "The IUT reads the length from OPR_LENGTH_EXT if OPR_LENGTH is 7.",
     with<takes_any_length_behind_seven>()},
    {"header/sixteen-octets-are-taken",
     {&rule<"UMSP-3.1-62">},
     "The IUT accepts a header with every field.",
     with<takes_longest_header>()},
    {"header/pck-01-is-of-the-session-before",
     {&rule<"UMSP-3.1-21">},
     "The IUT executes an instruction with PCK 01 in the session of the preceding instruction on the connection.",
     with<takes_session_of_the_one_before>()},
    {"header/pck-10-is-the-next-number",
     {&rule<"UMSP-3.1-26">},
     "The IUT reads PCK 10 as the INSTR_NUMBER after that of the preceding instruction.",
     with<takes_number_behind_the_one_before>()},
    {"header/pck-11-names-its-session",
     {&rule<"UMSP-3.1-28">},
     "The IUT executes an instruction with PCK 11 in its own session, whatever the preceding session.",
     with<takes_session_of_the_header>()},
    {"header/unknown-session-executes-nothing",
     {&rule<"UMSP-3.1-50">},
     "The IUT changes no memory for a WRITE of an unknown session.",
     with<executes_nothing_of_unknown_session>()},
    {"header/ask-1-is-answered",
     {&rule<"UMSP-3.1-12">},
     "The IUT answers instructions between VMs with ASK 1.",
     with<answers_what_asks>()},
    {"header/ask-0-is-not-answered",
     {&rule<"UMSP-3.1-10">},
     "The IUT executes instructions between VMs with ASK 0, and does not answer them.",
     with<answers_nothing_unasked>()},
};

}  // namespace

std::vector<Case> header_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
