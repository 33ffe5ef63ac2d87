// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 4 to 4.2: responses, and SND_CANCEL.
//
// A session may use several TCP connections (3.4, 5.3), of which a trace may show some. What is found on none of them
// may have been on another one, and warns; what is found and contradicts fails where the source is complete.
#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/requests.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";
constexpr std::string_view kEachResponse = "the table of each response says so: 4.1, 5, 6";
constexpr std::string_view kMeaning = "what the sender means is not on the wire";

// ---------------------------------------------------------------------------------------------------------------- 4
constexpr Section kSection{"RFC 3018 4"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kInside = kSection.by(Observable::api);
constexpr Section kForm = kSection.by(Observable::none);

constinit const Rule kManagementCodes =
    kForm.must("UMSP-4-1", "Instructions of the protocol layer have OPCODE 1 to 112.", "a definition; 3.1 judges them");
constinit const Rule kExchangeCodes =
    kForm.must("UMSP-4-2", "Instructions between VMs have OPCODE 128 to 223.", "a definition; 3.1 judges them");
constinit const Rule kLayerChooses =
    kInside.must("UMSP-4-3", "REQ_ID of a management instruction is chosen by the protocol layer.", kAboveTheWire);
constinit const Rule kVmChooses =
    kInside.must("UMSP-4-4", "REQ_ID of an instruction between VMs is chosen by the VM.", kAboveTheWire);
constinit const Rule kMatchesRequest = kReceiver.must(
    "UMSP-4-5", "A management response goes to the request of its REQ_ID; one that answers nothing changes nothing.");
constinit const Rule kVmMatches =
    kReceiver.must_not("UMSP-4-6", "The protocol layer does not look at REQ_ID of a response between VMs.");
constinit const Rule kPassedToVm =
    kReceiver.resting_on(Evidence::absence).must("UMSP-4-7", "A response between VMs is passed to the VM.");
constinit const Rule kResponseAsk = kForm.must("UMSP-4-8", "A response has ASK 1.", kEachResponse);
constinit const Rule kResponseReqId =
    kForm.must("UMSP-4-9", "A response has a REQ_ID.", "ASK 1 means that it is there: UMSP-3.1-11");
constinit const Rule kRepeatsReqId = kForm.must("UMSP-4-10", "A response has the REQ_ID of its request.",
                                                "demanded of each response again: UMSP-4.1-9, and its own section");
constinit const Rule kResponseUnanswered =
    kReceiver.must_not("UMSP-4-11", "A response gets no response, though it has ASK 1.",
                       "in a trace it could answer a request of another connection");
constinit const Rule kSessionsApart =
    kReceiver.must("UMSP-4-12", "The same REQ_ID in two sessions means two requests.");
constinit const Rule kIdentifiedByBoth =
    kReceiver.must("UMSP-4-13", "SESSION_ID and REQ_ID together identify what is answered.");
constinit const Rule kSessionSelectsVm =
    kInside.must("UMSP-4-14", "SESSION_ID says which VM an instruction is for.",
                 "VMs of one node give the same responses, as far as is known of them from outside");

// -------------------------------------------------------------------------------------------------------------- 4.1
constexpr Section kRsp{"RFC 3018 4.1"};
constexpr Section kRspReceiver = kRsp.by(Observable::stimulus);
constexpr Section kRspInside = kRsp.by(Observable::api);
constexpr Section kRspForm = kRsp.by(Observable::none);

constinit const Rule kRspPIsLayers = kRsp.resting_on(Evidence::absence)
                                         .must_not("UMSP-4.1-1",
                                                   "RSP_P does not answer an instruction between VMs that is in no "
                                                   "chain.",
                                                   "UMSP/B21");
constinit const Rule kRspIsVms =
    kRsp.resting_on(Evidence::absence)
        .must("UMSP-4.1-2", "RSP answers instructions between VMs; what the protocol layer asks gets RSP_P.");
constinit const Rule kRspAsk = kRsp.must("UMSP-4.1-3", "RSP and RSP_P have ASK 1.");
constinit const Rule kRspPck =
    kRsp.must("UMSP-4.1-4", "RSP and RSP_P have PCK 01 or 11.",
              "UMSP/A15: PCK 00 is tolerated in answer to a request with it, and warns where none was seen");
constinit const Rule kRspExtTaken =
    kRspReceiver.must("UMSP-4.1-5", "A receiver takes RSP and RSP_P with and without extension headers.");
constinit const Rule kRspChn = kRsp.must("UMSP-4.1-6", "RSP and RSP_P have CHN 0.");
constinit const Rule kRspLength = kRsp.must("UMSP-4.1-7", "RSP and RSP_P have 0 or 1 word of operands.");
}  // namespace
constinit const Rule kRspSession = kRsp.resting_on(Evidence::absence)
                                       .must("UMSP-4.1-8",
                                             "SESSION_ID of RSP and RSP_P is what the requester has given to the "
                                             "session of the request.",
                                             "UMSP/A12; a copy of the request's SESSION_ID warns");
namespace {
constinit const Rule kRspReqId =
    kRsp.resting_on(Evidence::absence)
        .must("UMSP-4.1-9", "REQ_ID of RSP and RSP_P is that of the instruction which it confirms.",
              "UMSP/A13: any in answer to SESSION_CLOSE. "
              "UMSP/B31: a warning where another connection of the two nodes could have it");
constinit const Rule kRspOperands =
    kRspForm.must("UMSP-4.1-10", "Operands of RSP and RSP_P are the basic and the additional return code.",
                  "one word is always both");
constinit const Rule kMsgDescribes =
    kRspReceiver.must("UMSP-4.1-11", "_MSG at a response describes an error and changes nothing of it.");
constinit const Rule kEmptyIsPositive =
    kRspReceiver.must("UMSP-4.1-12", "A response without operands is taken for a positive one.");
constinit const Rule kEmptyIsZero =
    kRspReceiver.must("UMSP-4.1-13", "A response without operands is taken as one with both codes 0.");
constinit const Rule kPositiveIsZero =
    kRspForm.must("UMSP-4.1-14", "A positive response has basic return code 0.", kMeaning);
constinit const Rule kZeroIsPositive = kRspReceiver.must(
    "UMSP-4.1-15", "Basic return code 0 is taken for a positive response, whatever the additional code.");
constinit const Rule kNegativeIsNotZero =
    kRspForm.must("UMSP-4.1-16", "A negative response has another basic return code than 0.", kMeaning);
constinit const Rule kNegativeHasOperands =
    kRspForm.must("UMSP-4.1-17", "A negative response has operands.", "without them it is a positive one");
constinit const Rule kRspByVm = kRspInside.must("UMSP-4.1-18", "RSP is formed when the VM asks for it.", kAboveTheWire);
constinit const Rule kCodesByVm =
    kRspInside.must("UMSP-4.1-19", "The return codes of RSP come from the VM.", kAboveTheWire);
constinit const Rule kUndeliverableRefused =
    kRspReceiver.resting_on(Evidence::absence)
        .must("UMSP-4.1-20",
              "An instruction with ASK 1 that cannot be delivered to a VM gets a negative RSP from the protocol layer.",
              "UMSP/B26: of an OPCODE that is not assigned another answer, or none, is a warning");
constinit const Rule kRspPByLayer =
    kRspInside.must("UMSP-4.1-21", "RSP_P is formed by the protocol layer.", kAboveTheWire);
constinit const Rule kStrayRspPIgnored =
    kRspReceiver.must_not("UMSP-4.1-22", "An RSP_P that answers nothing makes its receiver do nothing.");

// -------------------------------------------------------------------------------------------------------------- 4.2
constexpr Section kCancel{"RFC 3018 4.2"};
constexpr Section kCancelShown = kCancel.resting_on(Evidence::absence);
constexpr Section kCancelReceiver = kCancel.by(Observable::stimulus);
constexpr Section kCancelForm = kCancel.by(Observable::none);

constinit const Rule kCancelAsk = kCancel.must("UMSP-4.2-1", "SND_CANCEL has ASK 0.");
constinit const Rule kCancelPck = kCancel.must("UMSP-4.2-2", "SND_CANCEL has PCK 01, 10 or 11.");
constinit const Rule kCancelExtTaken =
    kCancelReceiver.must("UMSP-4.2-3", "A receiver takes SND_CANCEL with and without extension headers.");
constinit const Rule kCancelChn = kCancel.must("UMSP-4.2-4", "SND_CANCEL has CHN 1.");
constinit const Rule kCancelLength = kCancel.must("UMSP-4.2-5", "SND_CANCEL has 1 word of operands.");
constinit const Rule kCancelSession =
    kCancelForm.must("UMSP-4.2-6", "SESSION_ID of SND_CANCEL is that of the cancelled chain.",
                     "chains are numbered within a session: another session's is another chain");
constinit const Rule kCancelsChain =
    kCancelShown.must("UMSP-4.2-7", "CHAIN_NUMBER of SND_CANCEL is that of a chain that is being sent.",
                      "UMSP/B31: a warning where another connection of the two nodes could have it");
constinit const Rule kCancelNumber =
    kCancel.must("UMSP-4.2-8", "INSTR_NUMBER of SND_CANCEL, where it has one, is 0.", "UMSP/A8");
constinit const Rule kCancelOperands = kCancelForm.must(
    "UMSP-4.2-9", "Operands of SND_CANCEL are the basic and the additional return code.", "one word is always both");
constinit const Rule kCancelMsg =
    kCancelReceiver.must("UMSP-4.2-10", "_MSG at SND_CANCEL describes the reason and changes nothing of it.");
constinit const Rule kNotSequence =
    kCancelShown.must("UMSP-4.2-11", "SND_CANCEL cancels a transaction or fragments, not a sequence.");
constinit const Rule kNotComplete =
    kCancelShown.must("UMSP-4.2-12", "SND_CANCEL comes before all of the chain was sent.");
constinit const Rule kCancelledDropped =
    kCancelReceiver.must("UMSP-4.2-13", "A receiver executes nothing of a chain that was cancelled.");
constinit const Rule kNothingAfterCancel =
    kCancelShown.must_not("UMSP-4.2-14", "Behind SND_CANCEL nothing more of the chain is sent.");

// ------------------------------------------------------------------------------------------------------- requests
// None or several answers may come, from several VMs or nodes (6.6.5.1, 9.1): when it is over cannot be seen.
bool is_search(const Seen& seen) {
  return seen.is(Opcode::vm_req) || seen.is(Opcode::obj_seek);
}

// CONTROL_REQ, TASK_REG and TASK_CHK have a rule of their own for it (5.1.1, 5.2.1, 5.2.4).
bool has_rule_of_its_own(const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  return opcode >= static_cast<std::uint8_t>(Opcode::control_req) &&
         opcode <= static_cast<std::uint8_t>(Opcode::task_chk);
}

// REQ_ID of these is what they give to the session (5.3), or is repeated in a notice that is no request (9.2).
bool has_no_request(const Seen& seen) {
  return seen.is(Opcode::session_open) || seen.is(Opcode::vm_notif);
}

// What waits for a response, whether or not the OPCODE is one of the document's.
bool is_request(const Seen& seen) {
  return seen.header().has_req_id() && !has_no_request(seen);
}

// What the other side could have answered it has.
bool knows_answers(const Seen& seen) {
  return !seen.connection.datagrams && !seen.message.order_unknown && seen.to().seen && seen.to().unbroken &&
         seen.from().unbroken && seen.from().requests_known;
}

void keep_request(Judge& judge, const Seen& seen) {
  const auto session = session_of(seen, other(seen.message.sender));
  if (!session) return note_guess(seen);
  Direction& from = seen.from();
  const RequestKey key{is_management(seen), *session, seen.header().req_id};
  const auto waiting = from.requests.find(key);
  if (knows_answers(seen) && !is_search(seen) && !has_rule_of_its_own(seen) && !seen.header().chn)
    judge.advise(kRequestsDiffer, waiting == from.requests.end() || waiting->second.chained,
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
                        .has_search = before.has_search || seen.is(Opcode::obj_seek)};
}

// ------------------------------------------------------------------------------------------------------- responses
// RSP_P to SESSION_CLOSE, which has no REQ_ID to repeat (UMSP/A13).
bool answers_close(const Seen& seen) {
  return seen.is(Opcode::rsp_p) &&
         (seen.header().req_id == 0 || seen.session == nullptr || seen.session->stage == SessionStage::closing);
}

// Who takes the SESSION_ID from the request names the session by the identifier that it has given itself.
void judge_copied_session(Judge& judge, const Seen& seen) {
  const auto session = session_of(seen, seen.message.sender);
  if (!session || *session == kNoSession) return;
  const FoundRequest request = find_request(seen, seen.message.sender);
  if (!request) return;
  judge.advise(kRspSession, false, seen.field(HeaderField::session_id),
               expected("the identifier that the requester gave"), actual(hex(*seen.membership.session_id)),
               "it is copied from the request");
  request.answer();
}

std::string name_of(const ObservedRequest& request) {
  const Layout* const layout = find_layout(request.opcode);
  return layout != nullptr ? std::string(layout->name) : fmt::format("OPCODE {}", request.opcode);
}

// A VM knows no OPCODE that is not assigned. (RSP_P answers no VM's: UMSP-4.1-1.)
void judge_undeliverable(Judge& judge, const Seen& seen, const ObservedRequest& request) {
  const bool undeliverable =
      find_layout(request.opcode) == nullptr && class_of(request.opcode) == OpcodeClass::exchange && !request.chained;
  if (!undeliverable || seen.is(Opcode::rsp_p)) return;
  judge.advise(kUndeliverableRefused, seen.is(Opcode::rsp) && !says_yes(seen), octets(0, 1),
               expected([&] { return fmt::format("a negative RSP in answer to {}", name_of(request)); }),
               actual([&] { return seen.is(Opcode::rsp) ? "a positive RSP" : std::string(seen.layout->name); }));
}

void judge_answered(Judge& judge, const Seen& seen, const RequestKey& key, const ObservedRequest& request) {
  const OctetRange where = seen.field(HeaderField::req_id);
  if (key.session != kNoSession && seen.header().has_session_id())
    judge.advise(kRspSession, true, seen.field(HeaderField::session_id), expected(""), actual(""));
  require_anywhere(judge, seen, kRspReqId, true, where, expected(""), actual(""));
  if (class_of(request.opcode) == OpcodeClass::reserved) return;  // neither a VM's nor the protocol layer's
  const auto name = [&] { return fmt::format("the REQ_ID of {}", name_of(request)); };
  if (seen.is(Opcode::rsp_p))
    judge.require(kRspPIsLayers, key.management || request.chained, where,
                  expected("a request of the protocol layer, or a chain"), actual(name));
  else
    judge.require(kRspIsVms, !key.management, where, expected("a request of a VM"), actual(name));
}

void judge_answer(Judge& judge, const Seen& seen) {
  if (!seen.header().has_req_id() || seen.is(Opcode::session_accept)) return;
  if (is_rsp(seen) && !session_of(seen, other(seen.message.sender))) return judge_copied_session(judge, seen);
  const FoundRequest found = find_request(seen);
  const bool layers = found && (found.key().management || found.request().chained);
  if (!layers && answers_close(seen)) return;
  if (was_guessed(seen)) return;
  if (!found) {
    // With PCK 00 another rule has reported it.
    const bool judged = is_rsp(seen) && seen.header().pck != Pck::no_session;
    if (!judged || !knows_requests(seen)) return;
    require_anywhere(judge, seen, kRspReqId, false, seen.field(HeaderField::req_id),
                     expected("the REQ_ID of a request that waits"), actual(hex(seen.header().req_id)),
                     "no request of the two nodes waits for it");
    return;
  }
  if (found.request().is_certain) {
    if (is_rsp(seen)) judge_answered(judge, seen, found.key(), found.request());
    judge_undeliverable(judge, seen, found.request());
  }
  if (!found.request().has_search || seen.is(Opcode::rsp)) found.answer();
}

void judge_rsp(Judge& judge, const Seen& seen) {
  const Pck pck = seen.header().pck;
  if (pck != Pck::no_session) {
    judge.require(kRspPck, pck != Pck::same_chain, seen.field(HeaderField::pck), expected("PCK 01 or 11"),
                  actual("PCK 10"));
    return;
  }
  if (knows_requests(seen))
    judge.advise(kRspPck, static_cast<bool>(find_request(seen)), seen.field(HeaderField::pck), expected("PCK 01 or 11"),
                 actual("PCK 00"), "no request with PCK 00 waits for it");
}

// ------------------------------------------------------------------------------------------------------ SND_CANCEL
// The chain that the instruction is of, as it was before; nullptr where it is not known.
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
  if (judge.require(kNotSequence, chain.kind != ObservedChainKind::sequence, where,
                    expected("a transaction, or fragments"), actual("a sequence")))
    judge.require(kNotComplete, !chain.ended, where, expected("a chain that is not complete"),
                  actual("a chain with _END_CHAIN"));
}

void judge_cancel(Judge& judge, const Seen& seen) {
  if (!seen.membership.chain) return;
  if (seen.header().has_chain_fields() &&
      !judge.require(kCancelNumber, seen.header().instr_number == 0, seen.field(HeaderField::instr_number), expected(0),
                     actual(seen.header().instr_number)))
    return;
  if (!knows_chains(seen)) return;
  const std::uint16_t number = seen.membership.chain->chain_number;
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  const ObservedChain* const chain = find_chain(seen);
  const bool sent = chain != nullptr && !chain->cancelled;
  if (require_here(judge, seen, kCancelsChain, sent,
                   seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck),
                   expected("a chain that is being sent"), actual(seen.membership.chain->chain_number)))
    judge_cancelled_kind(judge, seen, *chain);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::rsp_p, .ask = &kRspAsk, .chn = &kRspChn, .opr_length = &kRspLength, .judge = judge_rsp},
    {.first = Opcode::snd_cancel,
     .ask = &kCancelAsk,
     .pck = &kCancelPck,
     .chn = &kCancelChn,
     .opr_length = &kCancelLength,
     .judge = judge_cancel},
    {.first = Opcode::rsp, .ask = &kRspAsk, .chn = &kRspChn, .opr_length = &kRspLength, .judge = judge_rsp},
};

}  // namespace

UmspSection response_rules() {
  static constexpr const Rule* kRules[] = {&kManagementCodes,
                                           &kExchangeCodes,
                                           &kLayerChooses,
                                           &kVmChooses,
                                           &kMatchesRequest,
                                           &kVmMatches,
                                           &kPassedToVm,
                                           &kResponseAsk,
                                           &kResponseReqId,
                                           &kRepeatsReqId,
                                           &kResponseUnanswered,
                                           &kSessionsApart,
                                           &kIdentifiedByBoth,
                                           &kSessionSelectsVm,
                                           &kRspPIsLayers,
                                           &kRspIsVms,
                                           &kRspAsk,
                                           &kRspPck,
                                           &kRspExtTaken,
                                           &kRspChn,
                                           &kRspLength,
                                           &kRspSession,
                                           &kRspReqId,
                                           &kRspOperands,
                                           &kMsgDescribes,
                                           &kEmptyIsPositive,
                                           &kEmptyIsZero,
                                           &kPositiveIsZero,
                                           &kZeroIsPositive,
                                           &kNegativeIsNotZero,
                                           &kNegativeHasOperands,
                                           &kRspByVm,
                                           &kCodesByVm,
                                           &kUndeliverableRefused,
                                           &kRspPByLayer,
                                           &kStrayRspPIgnored,
                                           &kCancelAsk,
                                           &kCancelPck,
                                           &kCancelExtTaken,
                                           &kCancelChn,
                                           &kCancelLength,
                                           &kCancelSession,
                                           &kCancelsChain,
                                           &kCancelNumber,
                                           &kCancelOperands,
                                           &kCancelMsg,
                                           &kNotSequence,
                                           &kNotComplete,
                                           &kCancelledDropped,
                                           &kNothingAfterCancel};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

void judge_response(Judge& judge, const Seen& seen) {
  if (seen.layout != nullptr && seen.layout->response) return judge_answer(judge, seen);
  if (is_request(seen)) keep_request(judge, seen);
}

const ObservedRequest* find_answered(const Seen& seen) {
  const FoundRequest found = find_request(seen);
  return found ? &found.request() : nullptr;
}

bool knows_requests(const Seen& seen) {
  const Direction& to = seen.to();
  return !seen.connection.datagrams && !seen.message.order_unknown && to.seen && to.unbroken && to.requests_known &&
         seen.from().unbroken;
}

void judge_cancelled_chain(Judge& judge, const Seen& seen) {
  if (controls_chain(seen.instruction.opcode())) return;
  const ObservedChain* const chain = find_chain(seen);
  if (chain == nullptr) return;
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, seen.membership.chain->chain_number))
    return;
  const bool begins = seen.membership.chain->instr_number == 0;  // the number is in use again
  judge.require(kNothingAfterCancel, begins || !chain->cancelled, octets(0, seen.header().octets()),
                expected("no instruction of a chain that was cancelled"),
                actual([&] { return fmt::format("INSTR_NUMBER {}", seen.membership.chain->instr_number); }));
}

}  // namespace wirelaw::umsp
