// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/follow.h"
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

// The types of the VMs that a VM_REQ requests, if its answer has to name them. Empty if it has a name, or requests all
// VMs, the VM that works without sessions, or more than a few VMs.
std::vector<std::uint16_t> vm_types_asked(const Seen& seen) {
  constexpr std::size_t kMost = 8, kOctets = 4;
  constexpr std::uint64_t kReserved = 0xffff;
  const auto list = seen.octets_of(Operand::vm_type);
  if (!seen.is(Opcode::vm_req) || seen.operands.flaw || !seen.instruction.extensions.empty() || !list) return {};
  std::vector<std::uint16_t> types;
  for (std::size_t at = 0; at + kOctets <= list->size() && types.size() <= kMost; at += kOctets) {
    const std::uint64_t type = number_of(list->subspan(at, 2));
    if (type == 0 || type == kReserved) return {};
    types.push_back(static_cast<std::uint16_t>(type));
  }
  return types.size() <= kMost ? types : std::vector<std::uint16_t>{};
}

void keep_request(const Seen& seen, FactSink& facts) {
  const auto session = session_of(seen, other(seen.message.sender));
  if (!session) return note_guess(seen);
  // The answer will name the session by an identifier that the requester has not assigned yet.
  if (seen.session != nullptr && !seen.session->half(seen.message.sender).id) note_guess(seen);
  Direction& from = seen.from();
  const RequestKey key{seen.is_of(OpcodeClass::management), *session, seen.header().req_id};
  const auto waiting = from.requests.find(key);
  if (knows_answers(seen) && !is_search(seen) && !has_rule_of_its_own(seen) && !seen.header().chn)
    facts.state({Claim::has_new_req_id, waiting == from.requests.end() || waiting->second.chained,
                 seen.field(HeaderField::req_id), key.req_id, 0, kLikely});
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
                        .seen_index = seen.message.index,
                        .vm_types = vm_types_asked(seen)};
  if (!seen.membership.chain) return;
  from.requests[key].chain_index = seen.message.index;
  from.requests[key].chain_number = seen.membership.chain->chain_number;
}

// ------------------------------------------------------------------------------------------------------- responses
// True for RSP_P to SESSION_CLOSE, which has no REQ_ID to repeat (UMSP/A13).
bool answers_close(const Seen& seen) {
  const ObservedSession* const session = seen.session;
  if (!seen.is(Opcode::rsp_p)) return false;
  if (session == nullptr || session->stage == SessionStage::closing) return true;
  if (session->half(other(seen.message.sender)).closes > 0) return true;
  const bool knows_closes = session->from_start && !session->is_several;
  return seen.header().req_id == 0 && !knows_closes;
}

void note_close_answered(const Seen& seen) {
  if (seen.session == nullptr) return;
  unsigned& closes = seen.session->half(other(seen.message.sender)).closes;
  if (closes > 0) --closes;
}

// A node that copies the SESSION_ID from the request names the session by the identifier that it assigned itself.
void follow_copied_session(const Seen& seen, FactSink& facts) {
  const auto session = session_of(seen, seen.message.sender);
  if (!session || *session == kNoSession) return;
  const FoundRequest request = find_request(seen, seen.message.sender);
  if (!request) return;
  const OctetRange where = seen.field(HeaderField::session_id);
  facts.state({Claim::names_requesters_session, false, where, *seen.membership.session_id, 0, kLikely});
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

// The chain that a request of this connection has begun, if all of it so far was seen; otherwise nullptr.
const ObservedChain* find_chain_of(const Seen& seen, const ObservedRequest& request) {
  if (!request.chain_index || seen.session == nullptr || seen.session->is_several) return nullptr;
  const auto& chains = seen.session->half(other(seen.message.sender)).chains;
  const auto found = chains.find(request.chain_number);
  if (found == chains.end()) return nullptr;
  const ObservedChain& chain = found->second;
  const bool is_whole = chain.from_start && chain.complete && !chain.in_fragments;
  return is_whole && chain.index == *request.chain_index ? &chain : nullptr;
}

// A receiver executes nothing of a transaction or of fragments before it has all of it, so a positive answer waits for
// the end, which does not come after SND_CANCEL. With TRR 0, it waits for EXEC_TR, too. A refusal may come at any time.
// The first instruction of a sequence is executed at once. In a live run, the case judges that itself.
std::optional<Fact> compare_chain(const Seen& seen, const ObservedRequest& request) {
  const ObservedChain* const chain = find_chain_of(seen, request);
  if (chain == nullptr || seen.message.order_unknown || (is_rsp(seen) && !seen.says_yes())) return std::nullopt;
  if (chain->kind == ObservedChainKind::sequence || chain->subordinate || seen.connection.pair == nullptr)
    return std::nullopt;
  const OctetRange where = seen.field(HeaderField::req_id);
  if (chain->ended && chain->execute_later && !chain->executes_late)
    return Fact{Claim::answers_executed_transaction, chain->executed, where, 0, 0, kLikely};
  const bool is_certain = is_all_here(seen.connection, *seen.session);
  const Claim claim = is_certain ? Claim::answers_whole_chain : Claim::seems_to_answer_whole_chain;
  return Fact{claim, chain->ended, where, 0, 0, is_certain};
}

// The REQ_ID is that of a request that waits.
void state_awaited(const Seen& seen, FactSink& facts, bool holds) {
  const bool is_certain = seen.session != nullptr && is_all_seen(seen.connection, *seen.session);
  facts.state({Claim::answers_request, holds, seen.field(HeaderField::req_id), seen.header().req_id, 0, is_certain});
}

void state_answered(const Seen& seen, FactSink& facts, const FoundRequest& found) {
  const ObservedRequest& request = found.request();
  if (is_rsp(seen) && found.key().session != kNoSession && seen.header().has_session_id())
    facts.state({Claim::names_requesters_session, true, seen.field(HeaderField::session_id)});
  if (is_rsp(seen)) state_awaited(seen, facts, true);
  facts.state(AnsweredFact{request.opcode, found.key().management, request.chained, compare_chain(seen, request)});
}

void follow_answer(const Seen& seen, FactSink& facts) {
  if (!seen.header().has_req_id() || seen.is(Opcode::session_accept)) return;
  if (is_rsp(seen) && !session_of(seen, other(seen.message.sender))) return follow_copied_session(seen, facts);
  const FoundRequest found = find_request(seen);
  const bool layers = found && (found.key().management || found.request().chained);
  if (!layers && answers_close(seen)) return note_close_answered(seen);
  if (!found) note_early_answer(seen);
  if (was_guessed(seen)) return;
  if (!found) {
    // With PCK 00, another rule has already reported it.
    const bool is_compared = is_rsp(seen) && seen.header().pck != Pck::no_session;
    if (is_compared && knows_requests(seen)) state_awaited(seen, facts, false);
    return;
  }
  if (found.request().is_certain) state_answered(seen, facts, found);
  if (!found.request().has_search || seen.is(Opcode::rsp)) found.answer();
}

}  // namespace

void follow_response(const Seen& seen, FactSink& facts) {
  if (seen.layout != nullptr && seen.layout->response) return follow_answer(seen, facts);
  if (is_request(seen)) keep_request(seen, facts);
  // The receiver may already have assigned this identifier to the session, and then answers.
  if (seen.is(Opcode::session_close) && seen.session == nullptr) note_guess(seen);
}

}  // namespace wirelaw::umsp
