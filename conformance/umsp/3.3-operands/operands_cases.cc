// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 3, 3.1, 3.3, 4.1 and 5.3.4: unknown instructions, and the limits that profiles set.
#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/3.3-operands/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/5.3.4-profile/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {
namespace {

// Unassigned codes: reserved ones, and one each from the ranges of management and of VMs.
constexpr Octet kUnknownCodes[] = {0, 100, 113, 127, 223, 224, 255};

Draft unknown(const OpenSession& session, Octet code, std::size_t octets) {
  return ExecutorProbe::in(session, {.opcode = code, .operands = OctetBuffer(octets, 0xa5)});
}

void goes_on_behind_unknown(ServedSession& peer) {
  for (const Octet code : kUnknownCodes) {
    const WriteAttempt attempt(peer);
    peer.send_together({unknown(peer.session(), code, 0), attempt.draft});
    expect_executed(peer, {&rule<"UMSP-3.1-9">}, attempt, "The WRITE comes right after an unknown OPCODE.");
  }
}

void measures_unknown(ServedSession& peer) {
  for (const std::size_t octets : {std::size_t{0}, std::size_t{4}, std::size_t{24}, std::size_t{28}}) {
    const WriteAttempt attempt(peer);
    Draft strange = unknown(peer.session(), kUnknownCodes[2], octets);
    if (has(peer.session().profile, ProfileFlag::short_data)) with_message(strange);
    peer.send_together({strange, attempt.draft});
    expect_executed(peer, {&rule<"UMSP-3-2">}, attempt,
                    "The WRITE comes right after the operands of an unknown OPCODE.");
  }
}

// No VM has the code, so the protocol layer refuses the instruction. It is not certain that it has to (UMSP/B26).
void refuses_unknown(ServedSession& peer) {
  for (const Octet code : {Octet{157}, Octet{190}, Octet{223}}) {
    const auto response = peer.request(peer.session(), {.opcode = code});
    if (!peer.advise(rule<"UMSP-4.1-20">, response && response->is(Opcode::rsp) && response->is_negative(),
                     "a negative RSP", to_text(response),
                     "The instruction has an unassigned OPCODE of instructions between VMs, and ASK 1."))
      return;
  }
  peer.expect_served(rule<"UMSP-4.1-20">, peer.session(), "The WRITE follows OPCODEs that are not assigned.");
}

// ----------------------------------------------------------------------------------------------------------- operands

// A WRITE_EXT with these octets, whose count is too large by `more`.
Draft miscounted(const ServedSession& peer, Octets octets, std::size_t more) {
  Draft draft = write_ext(peer.at(peer.address()), octets);
  draft.operands[3] = static_cast<Octet>(octets.size() + more);  // the count is in the first four octets
  return draft;
}

void executes_no_short_operands(ServedSession& peer) {
  constexpr std::size_t kOctets = 12;
  if (peer.octets() < 2 * kOctets) return peer.skip("needs 24 octets of memory");
  const OctetBuffer whole = peer.fresh(kOctets);
  if (!ExecutorProbe::says_done(peer.request(peer.session(), miscounted(peer, whole, 0))))
    return peer.inconclusive("a WRITE_EXT was not executed");
  for (const std::size_t more : {4u, 8u, 12u}) {
    const auto response = peer.request(peer.session(), miscounted(peer, peer.fresh(kOctets), more));
    peer.require(rule<"UMSP-3.3-8">, !ExecutorProbe::says_done(response), "no positive response", to_text(response),
                 "The count of WRITE_EXT exceeds its operands.");
    peer.expect_unwritten(rule<"UMSP-3.3-8">, peer.session(), peer.address(), whole,
                          "The count of WRITE_EXT exceeds its operands.");
  }
}

void goes_on_behind_nonsense(ServedSession& peer) {
  const OctetBuffer octets = peer.fresh(12);
  Draft empty = draft_of(Opcode::write_ext), short_one = miscounted(peer, octets, 8);
  Draft long_one = draft_of(Opcode::free);
  long_one.operands.assign(40, 0xff);
  for (const Draft& nonsense : {empty, short_one, long_one}) {
    const WriteAttempt attempt(peer);
    peer.send_together({ExecutorProbe::in(peer.session(), nonsense), attempt.draft});
    expect_executed(peer, {&rule<"UMSP-3.3-9">}, attempt, "The WRITE comes right after invalid operands.");
  }
}

// ----------------------------------------------------------------------------------------------------------- profiles

void provides_what_it_offers(ServedSession& peer) {
  const auto octets = static_cast<std::uint32_t>(short_write(peer));
  const OctetBuffer data = peer.fresh(octets);
  const Address complete =
      address_of(identifier_of(NodeFormat{{4, 0,
                                           static_cast<std::uint8_t>(peer.address_octets() == 2  ? 0
                                                                     : peer.memory_octets() == 3 ? 1
                                                                                                 : 2)}},
                               peer.iut(), peer.address()));
  struct Offer {
    ProfileFlag flag;
    Draft draft;
    std::string_view text;
  };
  const Offer kOffers[] = {
      {ProfileFlag::writing, peer.write_draft(peer.address(), data), "S25: a WRITE."},
      {ProfileFlag::reading, peer.read_draft(peer.address(), octets), "S24: a REQ_DATA."},
      {ProfileFlag::reading, peer.compare_draft(peer.address(), data), "S24: a CMP."},
      {ProfileFlag::long_addresses, write_data(complete, peer.fresh(4)), "S6: a WRITE to an address of 16 octets."},
  };
  for (const Offer& offer : kOffers) {
    if (!has(peer.session().profile, offer.flag)) continue;
    peer.expect_done(rule<"UMSP-5.3.4-2">, peer.request(peer.session(), offer.draft), offer.text);
  }
}

// The session required no writing from the IUT.
void executes_no_more_than_offered(ServedSession& peer) {
  const auto before = peer.read(peer.session(), peer.address(), 4);
  SessionOpen open = peer.good_open();
  open.required_profile &= ~bit_of(ProfileFlag::writing);
  const auto session = peer.open_session(open);
  if (!before || !session) return;
  if (has(session->profile, ProfileFlag::writing))
    return peer.skip("needs an IUT that offers no more than the peer requests");
  const auto there = peer.read(*session, peer.address(), static_cast<std::uint32_t>(short_write(peer)));
  if (!there) return peer.inconclusive("the memory could not be read in a session without writing");
  const auto response = peer.request(*session, peer.write_draft(peer.address(), peer.fresh(short_write(peer))));
  peer.require(rule<"UMSP-5.3.4-3">, !ExecutorProbe::says_done(response), "a refusal, or no response",
               to_text(response), "A WRITE comes in a session whose profile lacks S25.");
  peer.expect_unwritten(rule<"UMSP-5.3.4-3">, *session, peer.address(), *there,
                        "A WRITE came in a session without S25.");
}

void takes_long_data(ServedSession& peer) {
  constexpr std::size_t kMore = 256;  // octets, more than any limit below "any" allows
  if (profile_field(peer.session().profile, kDataLengthFirst, kDataLengthBits) != kDataLengthAny)
    return peer.skip("needs an IUT that sets no limit to data (S11 to S15)");
  if (peer.octets() < kMore) return peer.skip("needs 256 octets of memory");
  const OctetBuffer octets = peer.fresh(kMore);
  const auto response = peer.request(peer.session(), write_ext(peer.at(peer.address()), octets));
  peer.expect_done(rule<"UMSP-5.3.4-17">, response, "A WRITE_EXT has 256 octets.");
  peer.expect_written(rule<"UMSP-5.3.4-17">, peer.session(), peer.address(), octets, "A WRITE_EXT has 256 octets.");
}

void answers_executions_by_rsp(ServedSession& peer) {
  if (!offers(peer, peer.session(), ProfileFlag::rsp, "needs an IUT that offers RSP (S23)")) return;
  const WriteAttempt attempt(peer);
  peer.send(attempt.draft);
  const auto response = peer.answer_to(peer.session(), *attempt.draft.req_id);
  peer.require(rule<"UMSP-5.3.4-26">, response && response->is(Opcode::rsp), "RSP", to_text(response),
               "A WRITE has ASK 1.");
}

const CaseRow kRows[] = {
    {"operands/unknown-opcode-costs-nothing",
     {&rule<"UMSP-3.1-9">},
     "The IUT executes the instruction after an unknown OPCODE.",
     with<goes_on_behind_unknown>()},
    {"operands/unknown-opcode-has-a-length",
     {&rule<"UMSP-3-2">},
     "The IUT skips the operands and extension headers of an unknown OPCODE.",
     with<measures_unknown>()},
    {"operands/unknown-opcode-is-refused",
     {&rule<"UMSP-4.1-20">},
     "The IUT sends a negative RSP for an unknown OPCODE of instructions between VMs.",
     with<refuses_unknown>()},
    {"operands/too-short-is-not-executed",
     {&rule<"UMSP-3.3-8">},
     "The IUT changes no memory for a WRITE_EXT whose operands end too early.",
     with<executes_no_short_operands>()},
    {"operands/nonsense-costs-nothing",
     {&rule<"UMSP-3.3-9">},
     "The IUT executes the instruction after invalid operands.",
     with<goes_on_behind_nonsense>()},
    {"profile/offers-what-it-provides",
     {&rule<"UMSP-5.3.4-2">},
     "The IUT executes what its profile offers.",
     with<provides_what_it_offers>()},
    {"profile/executes-no-more-than-it-offers",
     {&rule<"UMSP-5.3.4-3">},
     "The IUT does not execute a WRITE if the profile has no writing.",
     with<executes_no_more_than_offered>()},
    {"profile/no-limit-of-data",
     {&rule<"UMSP-5.3.4-17">},
     "The IUT accepts data longer than the field can express if S11 to S15 are all ones.",
     with<takes_long_data>()},
    {"profile/executions-are-answered-by-rsp",
     {&rule<"UMSP-5.3.4-26">},
     "The IUT answers a WRITE with RSP if it offers S23.",
     with<answers_executions_by_rsp>()},
};

}  // namespace

std::vector<Case> operands_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
