// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 7 and 7.1: chains and sequences. This file keeps the account of all chains.
#include "conformance/umsp/7-chains/chains.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/7-chains/shared_chains.h"
#include "conformance/umsp/7.2-transactions/transactions.h"
#include "conformance/umsp/7.3-fragments/fragments.h"
#include "conformance/umsp/7.4-buffering/buffering.h"
#include "conformance/umsp/7.5-acknowledgement/acknowledgement.h"
#include "conformance/umsp/7.6-base/base.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/bases.h"
#include "conformance/umsp/tracker/buffers.h"
#include "conformance/umsp/tracker/fragments.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/transactions.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------ headers of one instruction

// PCK 10 with CHN 0 is a fault of its own (UMSP-3.1-23).
bool can_be_chained(const Header& header) {
  return header.chn || header.pck == Pck::same_chain;
}

void judge_end_chain(Judge& judge, const Seen& seen, std::size_t index) {
  judge.require(rule<"UMSP-7-18">, is_without_more(seen, index), seen.extension_data(index), expected("no DATA"),
                actual("DATA"));
  judge.require(rule<"UMSP-7-20">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

void judge_begin_sq(Judge& judge, const Seen& seen, std::size_t index) {
  judge.require(rule<"UMSP-7.1-7">, is_without_more(seen, index), seen.extension_data(index), expected("no DATA"),
                actual("DATA"));
  judge.require(rule<"UMSP-7.1-9">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::begin_sq, .hob = &rule<"UMSP-7.1-8">, .data = &rule<"UMSP-7.1-7">, .judge = judge_begin_sq},
    {.head_code = HeadCode::end_chain,
     .hob = &rule<"UMSP-7-19">,
     .data = &rule<"UMSP-7-18">,
     .judge = judge_end_chain}};

std::optional<ObservedChainKind> kind_of(const ExtensionHeader& header) {
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_sq)) return ObservedChainKind::sequence;
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_tr)) return ObservedChainKind::transaction;
  if (header.head_code == static_cast<std::uint16_t>(HeadCode::begin_frg)) return ObservedChainKind::fragments;
  return std::nullopt;
}

// An instruction's place in its chain.
struct Link {
  ChainPlace place;
  std::size_t begins = 0;  // headers that begin a chain
  std::size_t begin = 0;   // index of the first of them
  ObservedChainKind kind = ObservedChainKind::unknown;
  bool ends = false;

  bool is_first() const { return place.instr_number == 0; }
};

Link link_of(const Seen& seen) {
  Link link{.place = *seen.membership.chain};
  const auto& extensions = seen.instruction.extensions;
  for (std::size_t index = 0; index < extensions.size(); ++index) {
    if (extensions[index].head_code == static_cast<std::uint16_t>(HeadCode::end_chain)) link.ends = true;
    const auto kind = kind_of(extensions[index]);
    if (!kind || link.begins++ > 0) continue;
    link.begin = index;
    link.kind = *kind;
  }
  return link;
}

// Judges the octets of the instruction. Returns true if the account can use it.
bool judge_beginning(Judge& judge, const Seen& seen, const Link& link) {
  const OctetRange number = seen.field(HeaderField::instr_number);
  if (link.begins > 0 && !judge.require(rule<"UMSP-7-13">, link.begins == 1, seen.extension(link.begin),
                                        expected("one header that begins a chain"), actual(link.begins)))
    return false;
  if (link.begins > 0 && !judge.require(rule<"UMSP-7-14">, link.is_first(), number, expected("INSTR_NUMBER 0"),
                                        actual(link.place.instr_number)))
    return false;
  if (link.is_first())
    judge.require(rule<"UMSP-7-12">, link.begins > 0, number, expected("_BEGIN_SQ, _BEGIN_TR or _BEGIN_FRG"),
                  actual("none"));
  return true;
}

// ------------------------------------------------------------------------------------------------------- the account

ObservedChain* begin_chain(Judge& judge, const Seen& seen, SessionHalf& half, const Link& link) {
  const auto before = half.chains.find(link.place.chain_number);
  // Its last instruction may have come in fragments, and so may later instructions of the chain that begins.
  const bool is_unknown = before == half.chains.end();
  const bool is_free = is_unknown || before->second.ended || before->second.cancelled || before->second.in_fragments;
  std::set<std::uint16_t> fragmented;
  if (!is_unknown && before->second.is_unbegun()) fragmented = std::move(before->second.fragmented);
  require_of_chain_here(judge, seen, rule<"UMSP-7-8">, is_free, seen.field(HeaderField::chain_number),
                        expected("a number of no chain, or of one that has ended"), actual(link.place.chain_number));
  ObservedChain* const chain = add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return nullptr;
  forget_parent(seen, link.place.chain_number);
  chain->kind = link.kind;
  chain->from_start = true;
  chain->asked = seen.header().ask;
  chain->index = seen.message.index;
  chain->begun_ns = seen.message.time_ns;
  chain->next = 1;
  if (fragmented.empty()) return chain;
  chain->complete = false;
  chain->in_fragments = true;
  chain->fragmented = std::move(fragmented);
  pass_fragmented(*chain);
  return chain;
}

std::uint64_t number_of_session(const Seen& seen) {
  return *seen.connection.find_session_number(other(seen.message.sender), *seen.membership.session_id);
}

// Earlier instructions of the chain are missing. Section 7 numbers the instructions of a chain, but only one connection
// keeps their order: a later connection may still carry them (UMSP/B45).
void note_orphan(Judge& judge, const Seen& seen, const Rule& broken, std::uint32_t due,
                 const std::set<std::uint16_t>& fragmented = {}) {
  const OctetRange where = seen.field(HeaderField::instr_number);
  const ChainPlace& place = *seen.membership.chain;
  const bool is_after_end = &broken == &rule<"UMSP-7-16">;
  if (!is_all_seen(seen.connection, *seen.session)) {
    judge.advise(broken, false, where, expected(due), actual(place.instr_number));
    return;
  }
  OrphanInstruction orphan{.rule = &broken,
                           .evidence = broken.evidence,
                           .due = due,
                           .expected = is_after_end ? "nothing after _END_CHAIN" : say(due),
                           .actual = say(place.instr_number),
                           .why = "no connection of the two nodes has the instruction before it"};
  for (std::uint32_t number = due; !is_after_end && number < place.instr_number; ++number)
    orphan.missing += fragmented.contains(static_cast<std::uint16_t>(number)) ? 0 : 1;
  keep_breach_of_chain(judge, seen, std::move(orphan), where);
}

// Adds a chain whose first instruction was not on this connection.
ObservedChain* join_chain(Judge& judge, const Seen& seen, SessionHalf& half, const Link& link) {
  // A case does not know all connections of the two nodes.
  const bool is_known = seen.connection.pair != nullptr && seen.connection.is_all_seen();
  const auto before = half.chains.find(link.place.chain_number);
  const bool in_fragments = before != half.chains.end();
  std::set<std::uint16_t> fragmented;
  if (in_fragments) fragmented = std::move(before->second.fragmented);
  if (is_known && seen.session->from_start && !half.chains_forgotten)
    note_orphan(judge, seen, rule<"UMSP-7-6">, 0, fragmented);
  ObservedChain* const chain = add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return nullptr;
  chain->complete = false;
  chain->in_fragments = in_fragments;
  if (in_fragments) forget_parent(seen, link.place.chain_number);
  chain->next = link.place.instr_number + 1u;
  chain->fragmented = std::move(fragmented);
  pass_fragmented(*chain);
  return chain;
}

ObservedChain* continue_chain(Judge& judge, const Seen& seen, SessionHalf& half, const Link& link) {
  const auto found = half.chains.find(link.place.chain_number);
  if (found == half.chains.end() || found->second.is_unbegun()) return join_chain(judge, seen, half, link);
  ObservedChain& chain = found->second;
  if (chain.cancelled) return nullptr;
  const OctetRange where = seen.field(HeaderField::instr_number);
  if (chain.ended) {
    note_orphan(judge, seen, rule<"UMSP-7-16">, 0);
    return nullptr;
  }
  judge.require(rule<"UMSP-7-16">, true, where, expected(""), actual(""));
  const std::uint32_t number = link.place.instr_number;
  // If all of the chain was on this connection, it is certainly one chain.
  const bool again = number + 1 == chain.next && chain.complete;
  if (!require_of_chain(judge, seen, rule<"UMSP-7-6">, !again, where, expected(chain.next), actual(number),
                        "the same number twice", Evidence::octets))
    return nullptr;
  if (number != chain.next) {
    note_orphan(judge, seen, rule<"UMSP-7-6">, chain.next, chain.fragmented);
    chain.complete = false;
  } else {
    judge.require(rule<"UMSP-7-6">, true, where, expected(""), actual(""));
  }
  chain.next = std::max(chain.next, number + 1);
  pass_fragmented(chain);
  return &chain;
}

// Another connection may have carried a part of the chain. TCP does not order the two, so only its presence on this
// connection is noted.
void note_shared_chain(const Seen& seen, SessionHalf& half, const Link& link) {
  const auto found = half.chains.find(link.place.chain_number);
  ObservedChain* const chain =
      found != half.chains.end() ? &found->second : add_chain(seen, half, link.place.chain_number);
  if (chain == nullptr) return;
  *chain = {.complete = false};
}

void judge_link(Judge& judge, const Seen& seen, ObservedSession& session, const Link& link) {
  SessionHalf& half = session.half(seen.message.sender);
  note_carried(judge, seen, half, link.is_first(), link.ends);
  if (has_chain_elsewhere(seen.connection, session, seen.message.sender, link.place.chain_number))
    return note_shared_chain(seen, half, link);
  ObservedChain* const chain =
      link.is_first() ? begin_chain(judge, seen, half, link) : continue_chain(judge, seen, half, link);
  if (chain == nullptr) return;
  chain->octets += seen.instruction.octets();
  if (link.is_first()) {
    note_transaction(seen, *chain);
    note_fragments(seen, *chain);
    if (const auto fact = follow_buffer_begin(seen, half, *chain)) check_grant(judge, seen, *fact);
  }
  check_base(judge, seen, follow_base(seen, *chain, link.ends));
  if (chain->kind == ObservedChainKind::fragments) {
    const FragmentFact fact = follow_fragment(seen, *chain, link.ends);
    check_fragment(judge, seen, fact);
    if (!fact.may_be_one) return;
  }
  if (const auto fact = follow_window(seen, *chain)) check_window(judge, *fact);
  if (!link.ends) return;
  chain->ended = true;
  chain->fragment_head = {};
  if (const auto fact = follow_buffer_end(seen, *chain)) check_buffer_size(judge, *fact);
  if (!waits_for_exec(*chain)) remember_finished(seen.connection, half, link.place.chain_number);
}

// ---------------------------------------------------------------------------------------------------------- datagrams

void follow_in_datagram(Judge& judge, const Seen& seen, const Link& link) {
  auto& chains = seen.connection.datagram_chains;
  const auto [found, added] =
      chains.try_emplace({seen.membership.session_id.value_or(kZeroSession), link.place.chain_number}, false);
  const bool began_elsewhere = added && !link.is_first();
  if (began_elsewhere)
    judge.require(rule<"UMSP-7-21">, false, seen.field(HeaderField::instr_number),
                  expected("the chain's beginning in front of it"), actual(link.place.instr_number));
  if (began_elsewhere || link.ends) found->second = true;
}

}  // namespace

void keep_breach_of_chain(Judge& judge, const Seen& seen, OrphanInstruction breach, const OctetRange& where) {
  if (seen.connection.orphans.size() >= kMostOrphans || !judge.judges(seen.message.sender)) return;
  constexpr std::size_t kMostShown = 64;
  const Octets head = seen.message.octets.first(std::min(seen.message.octets.size(), kMostShown));
  if (!breach.is_answer) breach.session = number_of_session(seen);
  breach.message = seen.message;
  breach.message.octets = {};
  breach.message.places = {};
  breach.octets.assign(head.begin(), head.end());
  if (breach.chain_number == 0 && seen.membership.chain) breach.chain_number = seen.membership.chain->chain_number;
  if (seen.membership.chain) breach.number = seen.membership.chain->instr_number;
  breach.offset = where.offset;
  breach.length = where.length;
  seen.connection.orphans.push_back(std::move(breach));
}

void settle_missing(const Seen& seen, std::uint16_t chain_number, std::uint16_t number) {
  const std::uint64_t session = number_of_session(seen);
  std::erase_if(seen.connection.orphans, [&](OrphanInstruction& one) {
    const bool waits = one.rule == &rule<"UMSP-7-6"> && one.session == session && one.chain_number == chain_number &&
                       one.message.sender == seen.message.sender && one.missing > 0 && one.due <= number &&
                       number < one.number;
    return waits && --one.missing == 0;
  });
}

void judge_chain(Judge& judge, const Seen& seen) {
  if (!seen.membership.chain || seen.membership.flaw) return;
  if (seen.layout != nullptr && !seen.layout->allows_chn(true)) return;  // CHN itself is the fault
  const bool in_use = seen.session != nullptr && seen.session->is_in_use();
  if (controls_chain(seen.instruction.opcode())) {
    if (!in_use) return;
    SessionHalf& half = seen.session->half(seen.message.sender);
    if (const auto fact = follow_chain_control(seen, half, seen.membership.chain->chain_number))
      check_chain_control(judge, seen, *fact);
    return;
  }
  const Link link = link_of(seen);
  if (seen.connection.datagrams) follow_in_datagram(judge, seen, link);
  if (!judge_beginning(judge, seen, link)) return;
  if (!link.is_first()) judge_chain_ask(judge, seen);
  if (link.is_first() && link.kind == ObservedChainKind::fragments && seen.session != nullptr)
    if (const auto fact = follow_parent(seen, seen.session->half(seen.message.sender)))
      check_parent(judge, seen, *fact);
  if (in_use) {
    judge_link(judge, seen, *seen.session, link);
  } else if (seen.session != nullptr) {
    // The session may have ended on another connection while this instruction was on its way (UMSP/B45).
    note_carried(judge, seen, seen.session->half(seen.message.sender), link.is_first(), link.ends);
    note_shared_chain(seen, seen.session->half(seen.message.sender), link);
  }
}

// True if the side has closed this connection while another one of the two nodes is open. TCP does not order
// instructions of the two (UMSP/B45).
static bool may_come_elsewhere(const Connection& connection, Side sender) {
  return connection.of(sender).ended && connection.pair != nullptr && connection.pair->has_another_open(connection);
}

// True if the missing instruction was certainly not sent, or the contradicting one was certainly sent earlier.
static bool is_certain(const Connection& connection, const ObservedSession* session, const OrphanInstruction& orphan) {
  if (orphan.missing > 0 && may_come_elsewhere(connection, orphan.message.sender)) return false;
  if (orphan.missing > 0 || orphan.rule == &rule<"UMSP-7-16">)
    return session != nullptr && is_all_seen(connection, *session);
  return connection.pair == nullptr || connection.pair->is_first() || is_all_seen(connection);
}

// True if the sender of fragments has certainly not sent their parental chain: it has sent all of the fragments and
// closed the last connection, and neither side had ended the session or cancelled the chain before.
static bool has_left_out(const Connection& connection, const ObservedSession& session,
                         const OrphanInstruction& orphan) {
  const Side sender = orphan.message.sender;
  const Direction &from = connection.of(sender), &to = connection.of(other(sender));
  const bool closed_it = from.ended && (!to.ended || from.ended_ns <= to.ended_ns);
  const bool ended_it = session.ended_by && *session.ended_by == other(sender);
  if (!orphan.fragments || !closed_it || ended_it || may_come_elsewhere(connection, sender)) return false;
  const auto& chains = session.half(sender).chains;
  const auto fragments = chains.find(*orphan.fragments), parent = chains.find(orphan.chain_number);
  if (fragments == chains.end() || parent == chains.end()) return false;  // forgotten
  const bool is_sent = fragments->second.ended && !fragments->second.cancelled;
  return is_sent && !parent->second.cancelled && is_all_seen(connection, session);
}

// True if the SESSION_OPEN that waits got no other answer, and none can come: then the answer that names no session was
// meant for it.
static bool is_left_unanswered(const Judge& judge, const Connection& connection, const ObservedSession& session,
                               const OrphanInstruction& answer) {
  constexpr std::int64_t kPatience = 30'000'000'000;  // ns
  const bool has_ended = connection.of(Side::a).ended && connection.of(Side::b).ended;
  const bool is_over = has_ended || judge.now_ns() - answer.message.time_ns >= kPatience;
  return is_over && session.stage == SessionStage::opening && session.latest_open != answer.message.sender &&
         is_all_seen(connection, session);
}

// True if the capture ends in the middle of an instruction, on another connection of the two nodes or, with `here`, on
// this one. It may be what seems to be missing.
static bool ends_inside_instruction(const Connection& connection, bool here) {
  const auto is_cut = [](const Connection& one) {
    return std::ranges::any_of(
        one.directions, [](const Direction& way) { return !way.ended && (!way.held.empty() || way.skipped > 0); });
  };
  if (here && is_cut(connection)) return true;
  return connection.pair != nullptr &&
         connection.pair->look(connection, [&](const Connection& there, bool) { return is_cut(there); });
}

void judge_orphans(Judge& judge, Connection& connection) {
  for (const OrphanInstruction& orphan : std::exchange(connection.orphans, {})) {
    const auto found = connection.sessions.find(orphan.session);
    const ObservedSession* const session = found == connection.sessions.end() ? nullptr : &found->second;
    const Side sender = orphan.message.sender;
    if (orphan.of_all) {
      if (session != nullptr && !may_come_elsewhere(connection, sender) && !ends_inside_instruction(connection, true))
        judge_carried(judge, connection, *session, orphan);
      continue;
    }
    if (session != nullptr && has_chain_elsewhere(connection, *session, sender, orphan.chain_number)) continue;
    const bool is_absent = orphan.missing > 0 || orphan.rule == &rule<"UMSP-7-16"> || orphan.may_follow;
    if (session == nullptr && (is_absent || orphan.is_answer)) continue;  // forgotten
    Message message = orphan.message;
    message.octets = orphan.octets;
    judge.at(message);
    const OctetRange where = octets(orphan.offset, orphan.length);
    const auto due = expected(std::string_view(orphan.expected));
    const auto seen = actual(std::string_view(orphan.actual));
    const bool is_breach = orphan.is_answer    ? is_left_unanswered(judge, connection, *session, orphan)
                           : orphan.may_follow ? has_left_out(connection, *session, orphan)
                                               : is_certain(connection, session, orphan);
    const bool is_due = is_absent || orphan.is_answer;
    const bool may_come = is_due && ends_inside_instruction(connection, orphan.may_follow || orphan.is_answer);
    if (is_breach && !may_come)
      judge.require(*orphan.rule, false, where, due, seen, orphan.why, orphan.evidence);
    else
      judge.advise(*orphan.rule, false, where, due, seen, orphan.why);
  }
}

void judge_datagram_chains(Judge& judge, Connection& connection) {
  if (connection.datagram_chains.empty()) return;
  const bool all_end = std::ranges::all_of(connection.datagram_chains, [](const auto& one) { return one.second; });
  judge.require(rule<"UMSP-7-21">, all_end, octets(0, 2), expected("_END_CHAIN in the same datagram"),
                actual("a chain without its end"));
  connection.datagram_chains.clear();
}

SectionTables chain_tables() {
  return {.extensions = kExtensions};
}

}  // namespace wirelaw::umsp
