// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 4 to 4.2: responses, and SND_CANCEL.
//
// A session may use several TCP connections (3.4, 5.3), of which a trace may show only some. If something is on none of
// them, it may have been on another one: that is a warning. A contradiction is a violation if the source is complete.
#include "conformance/umsp/4-responses/responses.h"

#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/9-search/search.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {

namespace {

// ------------------------------------------------------------------------------------------------------- requests
// Several VMs or nodes may answer, or none (6.6.5.1, 9.1), so the end of the search cannot be seen.
bool is_search(const Seen& seen) {
  return seen.is(Opcode::vm_req) || seen.is(Opcode::obj_seek);
}

// True for CONTROL_REQ, TASK_REG and TASK_CHK, which have their own rule for the answer (5.1.1, 5.2.1, 5.2.4).
bool has_rule_of_its_own(const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  return opcode >= static_cast<std::uint8_t>(Opcode::control_req) &&
         opcode <= static_cast<std::uint8_t>(Opcode::task_chk);
}

// True if REQ_ID is an identifier for the session (5.3), or is repeated in a notice that is no request (9.2).
bool has_no_request(const Seen& seen) {
  return seen.is(Opcode::session_open) || seen.is(Opcode::vm_notif);
}

// True if the instruction waits for a response, even if the document does not define its OPCODE.
bool is_request(const Seen& seen) {
  return seen.header().has_req_id() && !has_no_request(seen);
}

// True if everything that the other side could have answered was seen.
bool knows_answers(const Seen& seen) {
  return !seen.connection.datagrams && !seen.message.order_unknown && seen.to().seen && seen.to().unbroken &&
         seen.from().unbroken && seen.from().requests_known;
}

void keep_request(Judge& judge, const Seen& seen) {
  const auto session = session_of(seen, other(seen.message.sender));
  if (!session) return note_guess(seen);
  // The answer will name the session by an identifier that the requester has not assigned yet.
  if (seen.session != nullptr && !seen.session->half(seen.message.sender).id) note_guess(seen);
  Direction& from = seen.from();
  const RequestKey key{seen.is_of(OpcodeClass::management), *session, seen.header().req_id};
  const auto waiting = from.requests.find(key);
  if (knows_answers(seen) && !is_search(seen) && !has_rule_of_its_own(seen) && !seen.header().chn)
    judge.advise(rule<"UMSP-3.1-57">, waiting == from.requests.end() || waiting->second.chained,
                 seen.field(HeaderField::req_id), expected("a REQ_ID of its own"), actual(hex(key.req_id)),
                 "a request with this REQ_ID waits for its response");
  if (waiting == from.requests.end() && from.requests.size() >= kMostRequests) {
    from.requests_known = false;
    if (seen.connection.partial.empty()) seen.connection.partial = "more unanswered requests than are looked after";
    return;
  }
  const ObservedRequest before = waiting == from.requests.end() ? ObservedRequest{.count = 0} : waiting->second;
  from.requests[key] = {.opcode = seen.instruction.opcode(),
                        .chained = seen.header().chn,
                        .count = before.count + 1,
                        .is_certain = before.count == 0,
                        .has_search = before.has_search || seen.is(Opcode::obj_seek),
                        .seen_ns = before.count == 0 ? seen.message.time_ns : before.seen_ns,
                        .vm_types = vm_types_asked(seen)};
  if (!seen.membership.chain) return;
  from.requests[key].chain_index = seen.message.index;
  from.requests[key].chain_number = seen.membership.chain->chain_number;
}

// ------------------------------------------------------------------------------------------------------- responses
// True if all SESSION_CLOSEs of the session that wait for an answer are known, and each was answered.
bool has_no_close(const Seen& seen) {
  const ObservedSession* const session = seen.session;
  return session != nullptr && session->from_start && !session->is_several &&
         session->half(other(seen.message.sender)).closes == 0;
}

// True for RSP_P to SESSION_CLOSE, which has no REQ_ID to repeat (UMSP/A13).
bool answers_close(const Seen& seen) {
  if (!seen.is(Opcode::rsp_p)) return false;
  if (seen.session == nullptr || seen.session->stage == SessionStage::closing) return true;
  return seen.header().req_id == 0 && !has_no_close(seen);
}

void note_close_answered(const Seen& seen) {
  if (seen.session == nullptr) return;
  unsigned& closes = seen.session->half(other(seen.message.sender)).closes;
  if (closes > 0) --closes;
}

// A node that copies the SESSION_ID from the request names the session by the identifier that it assigned itself.
void judge_copied_session(Judge& judge, const Seen& seen) {
  const auto session = session_of(seen, seen.message.sender);
  if (!session || *session == kNoSession) return;
  const FoundRequest request = find_request(seen, seen.message.sender);
  if (!request) return;
  judge.advise(rule<"UMSP-4.1-8">, false, seen.field(HeaderField::session_id),
               expected("the identifier that the requester gave"), actual(hex(*seen.membership.session_id)),
               "it is copied from the request");
  request.answer();
}

// The request may be on its way: its sender may have sent it before it read this answer.
void note_early_answer(const Seen& seen) {
  if (seen.session == nullptr || !seen.is(Opcode::rsp_p)) return;
  SessionHalf& asker = seen.session->half(other(seen.message.sender));
  if (asker.early_answers.size() < kMostBuffers)
    asker.early_answers.insert(seen.header().req_id);
  else
    asker.buffers_forgotten = true;
}

std::string name_of(const ObservedRequest& request) {
  const Layout* const layout = find_layout(request.opcode);
  return layout != nullptr ? std::string(layout->name) : fmt::format("OPCODE {}", request.opcode);
}

// The chain that a request of this connection has begun, if all of it so far was seen; otherwise nullptr.
const ObservedChain* find_chain_of(const Seen& seen, const ObservedRequest& request) {
  if (!request.chain_index || seen.session == nullptr || seen.session->is_several) return nullptr;
  const auto& chains = seen.session->half(other(seen.message.sender)).chains;
  const auto found = chains.find(request.chain_number);
  if (found == chains.end()) return nullptr;
  const ObservedChain& chain = found->second;
  const bool is_whole = chain.from_start && chain.complete && !chain.in_fragments && !chain.cancelled;
  return is_whole && chain.index == *request.chain_index ? &chain : nullptr;
}

// A receiver executes nothing of a transaction or of fragments before it has all of it, so a positive answer waits for
// the end. A refusal may come at any time. The first instruction of a sequence is executed at once. In a live run, the
// case judges that itself.
void judge_answered_chain(Judge& judge, const Seen& seen, const ObservedRequest& request) {
  const ObservedChain* const chain = find_chain_of(seen, request);
  if (chain == nullptr || seen.message.order_unknown || (is_rsp(seen) && !seen.says_yes())) return;
  if (chain->kind == ObservedChainKind::sequence || chain->subordinate || seen.connection.pair == nullptr) return;
  const OctetRange where = seen.field(HeaderField::req_id);
  const auto due = expected("_END_CHAIN before the answer");
  const auto found = actual("a chain without its end");
  if (is_all_here(seen.connection, *seen.session))
    judge.require(rule<"UMSP-7.5-8">, chain->ended, where, due, found, "nothing of it can have been executed",
                  Evidence::order);
  else
    judge.advise(rule<"UMSP-7.5-8">, chain->ended, where, due, found);
}

// No VM knows an OPCODE that is not assigned. (RSP_P answers no VM: UMSP-4.1-1.)
void judge_undeliverable(Judge& judge, const Seen& seen, const ObservedRequest& request) {
  const bool undeliverable =
      find_layout(request.opcode) == nullptr && class_of(request.opcode) == OpcodeClass::exchange && !request.chained;
  if (!undeliverable || seen.is(Opcode::rsp_p)) return;
  judge.advise(rule<"UMSP-4.1-20">, seen.is(Opcode::rsp) && !seen.says_yes(), octets(0, 1),
               expected([&] { return fmt::format("a negative RSP in answer to {}", name_of(request)); }),
               actual([&] { return seen.is(Opcode::rsp) ? "a positive RSP" : std::string(seen.layout->name); }));
}

void judge_answered(Judge& judge, const Seen& seen, const RequestKey& key, const ObservedRequest& request) {
  const OctetRange where = seen.field(HeaderField::req_id);
  if (key.session != kNoSession && seen.header().has_session_id())
    judge.advise(rule<"UMSP-4.1-8">, true, seen.field(HeaderField::session_id), expected(""), actual(""));
  require_anywhere(judge, seen, rule<"UMSP-4.1-9">, true, where, expected(""), actual(""));
  if (class_of(request.opcode) == OpcodeClass::reserved) return;  // belongs neither to a VM nor to the protocol layer
  const auto name = [&] { return fmt::format("the REQ_ID of {}", name_of(request)); };
  if (seen.is(Opcode::rsp_p))
    judge.require(rule<"UMSP-4.1-1">, key.management || request.chained, where,
                  expected("a request of the protocol layer, or a chain"), actual(name));
  else
    judge.require(rule<"UMSP-4.1-2">, !key.management, where, expected("a request of a VM"), actual(name));
}

void judge_answer(Judge& judge, const Seen& seen) {
  if (!seen.header().has_req_id() || seen.is(Opcode::session_accept)) return;
  if (is_rsp(seen) && !session_of(seen, other(seen.message.sender))) return judge_copied_session(judge, seen);
  const FoundRequest found = find_request(seen);
  const bool layers = found && (found.key().management || found.request().chained);
  if (!layers && answers_close(seen)) return note_close_answered(seen);
  if (!found) note_early_answer(seen);
  if (was_guessed(seen)) return;
  if (!found) {
    // With PCK 00, another rule has already reported it.
    const bool judged = is_rsp(seen) && seen.header().pck != Pck::no_session;
    if (!judged || !knows_requests(seen)) return;
    require_anywhere(judge, seen, rule<"UMSP-4.1-9">, false, seen.field(HeaderField::req_id),
                     expected("the REQ_ID of a request that waits"), actual(hex(seen.header().req_id)),
                     "no request of the two nodes waits for it");
    return;
  }
  if (found.request().is_certain) {
    if (is_rsp(seen)) judge_answered(judge, seen, found.key(), found.request());
    judge_answered_chain(judge, seen, found.request());
    judge_undeliverable(judge, seen, found.request());
  }
  if (!found.request().has_search || seen.is(Opcode::rsp)) found.answer();
}

void judge_rsp(Judge& judge, const Seen& seen) {
  const Pck pck = seen.header().pck;
  if (pck != Pck::no_session) {
    judge.require(rule<"UMSP-4.1-4">, pck != Pck::same_chain, seen.field(HeaderField::pck), expected("PCK 01 or 11"),
                  actual("PCK 10"));
    return;
  }
  if (knows_requests(seen))
    judge.advise(rule<"UMSP-4.1-4">, static_cast<bool>(find_request(seen)), seen.field(HeaderField::pck),
                 expected("PCK 01 or 11"), actual("PCK 00"), "no request with PCK 00 waits for it");
}

// ------------------------------------------------------------------------------------------------------ SND_CANCEL
// The chain of the instruction, as it was before; nullptr if it is not known.
const ObservedChain* find_chain(const Seen& seen) {
  if (seen.session == nullptr || !seen.membership.chain) return nullptr;
  const auto& chains = seen.session->half(seen.message.sender).chains;
  const auto found = chains.find(seen.membership.chain->chain_number);
  return found == chains.end() ? nullptr : &found->second;
}

bool knows_chains(const Seen& seen) {
  return seen.session != nullptr && seen.session->from_start && seen.from().unbroken &&
         !seen.session->half(seen.message.sender).chains_forgotten;
}

void judge_cancelled_kind(Judge& judge, const Seen& seen, const ObservedChain& chain) {
  const OctetRange where = seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  if (chain.kind == ObservedChainKind::unknown) return;
  if (require_of_chain(judge, seen, rule<"UMSP-4.2-11">, chain.kind != ObservedChainKind::sequence, where,
                       expected("a transaction, or fragments"), actual("a sequence")))
    require_of_chain(judge, seen, rule<"UMSP-4.2-12">, !chain.ended, where, expected("a chain that is not complete"),
                     actual("a chain with _END_CHAIN"));
}

void judge_cancel(Judge& judge, const Seen& seen) {
  if (!seen.membership.chain) return;
  if (seen.header().has_chain_fields() &&
      !judge.require(rule<"UMSP-4.2-8">, seen.header().instr_number == 0, seen.field(HeaderField::instr_number),
                     expected(0), actual(seen.header().instr_number)))
    return;
  if (!knows_chains(seen)) return;
  const std::uint16_t number = seen.membership.chain->chain_number;
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  const ObservedChain* const chain = find_chain(seen);
  const bool sent = chain != nullptr && !chain->cancelled;
  if (require_of_chain_here(judge, seen, rule<"UMSP-4.2-7">, sent,
                            seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck),
                            expected("a chain that is being sent"), actual(seen.membership.chain->chain_number)))
    judge_cancelled_kind(judge, seen, *chain);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::rsp_p,
     .ask = &rule<"UMSP-4.1-3">,
     .chn = &rule<"UMSP-4.1-6">,
     .opr_length = &rule<"UMSP-4.1-7">,
     .judge = judge_rsp},
    {.first = Opcode::snd_cancel,
     .ask = &rule<"UMSP-4.2-1">,
     .pck = &rule<"UMSP-4.2-2">,
     .chn = &rule<"UMSP-4.2-4">,
     .opr_length = &rule<"UMSP-4.2-5">,
     .judge = judge_cancel},
    {.first = Opcode::rsp,
     .ask = &rule<"UMSP-4.1-3">,
     .chn = &rule<"UMSP-4.1-6">,
     .opr_length = &rule<"UMSP-4.1-7">,
     .judge = judge_rsp},
};

}  // namespace

SectionTables response_tables() {
  return {.instructions = kInstructions};
}

void judge_response(Judge& judge, const Seen& seen) {
  if (seen.layout != nullptr && seen.layout->response) return judge_answer(judge, seen);
  if (is_request(seen)) keep_request(judge, seen);
  // The receiver may already have assigned this identifier to the session, and then answers.
  if (seen.is(Opcode::session_close) && seen.session == nullptr) note_guess(seen);
}

void judge_cancelled_chain(Judge& judge, const Seen& seen) {
  if (controls_chain(seen.instruction.opcode())) return;
  const ObservedChain* const chain = find_chain(seen);
  if (chain == nullptr) return;
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, seen.membership.chain->chain_number))
    return;
  // The number is in use again, or no instruction of the chain was seen here.
  const bool begins = seen.membership.chain->instr_number == 0 || chain->is_unbegun();
  require_of_chain(judge, seen, rule<"UMSP-4.2-14">, begins || !chain->cancelled, octets(0, seen.header().octets()),
                   expected("no instruction of a chain that was cancelled"),
                   actual([&] { return fmt::format("INSTR_NUMBER {}", seen.membership.chain->instr_number); }));
}

}  // namespace wirelaw::umsp
