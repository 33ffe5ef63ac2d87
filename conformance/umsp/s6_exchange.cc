// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: instructions between VMs, and the match of a response with its request.
#include <array>

#include "conformance/section.h"
#include "conformance/umsp/exchange_checks.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/requests.h"
#include "conformance/umsp/rules.h"
#include "conformance/umsp/sessions.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
constexpr std::string_view kA21TheTestBedKnows =
    "UMSP/A21: the test bed knows how long the addresses of a node are, its instructions do not say it";

constexpr Section kExchange{"RFC 3018 6"};
constinit const Rule kExchangeCodes =
    kExchange.by(none).must("UMSP-6-1", "Instructions of exchange between VMs have an OPCODE from 128 to 223.",
                            "what the table of codes says: UMSP-3.1-4");
constinit const Rule kLengthSelectsFormat =
    kExchange.by(stimulus).must("UMSP-6-2", "Of one OPCODE with several formats OPR_LENGTH selects the format.");
constinit const Rule kFormatDefined =
    kExchange.by(none).must("UMSP-6-3", "OPCODE and OPR_LENGTH together name a format that is defined.",
                            "the rules of each instruction say which lengths it has");
constinit const Rule kReqIdWithAsk =
    kExchange.by(none).must("UMSP-6-4", "An instruction of exchange has REQ_ID exactly if ASK is 1.",
                            "the form itself: octets that break it read as another header");
constinit const Rule kReqIdOfVm = kExchange.by(api).must(
    "UMSP-6-5", "REQ_ID of an instruction of exchange is chosen by the VM.", "who chose a number is not on the wire");
constinit const Rule kResponseOfVm = kExchange.by(api).must("UMSP-6-6", "A response between VMs is formed by the VM.",
                                                            "who formed a response is not on the wire");
constinit const Rule kResponseNotChecked = kExchange.by(stimulus).must_not(
    "UMSP-6-7",
    "The protocol layer checks neither a response between VMs nor the REQ_ID of an instruction of exchange.");
constinit const Rule kResponseIsOneOfSix =
    kExchange.by(none).must("UMSP-6-8", "A response between VMs is RSP, DATA, RETURN, ADDRESS, OBJECT or PROC_NUM.",
                            "a definition: what else is sent answers nothing");
constinit const Rule kResponseHasRequest = kExchange.by(none).must(
    "UMSP-6-9", "A DATA, RETURN, ADDRESS, OBJECT or PROC_NUM answers an instruction that was received.",
    "UMSP-6-11 says it of its REQ_ID");
constinit const Rule kResponseAsk =
    kExchange.must("UMSP-6-10", "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have ASK 1.", "of RSP: UMSP-4.1-3");
constinit const Rule kResponseReqId =
    kExchange.resting_on(Evidence::absence)
        .must("UMSP-6-11",
              "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have the REQ_ID of the request that they answer.",
              "of RSP: UMSP-4.1-9; another one warns, as another connection may have the request");
constinit const Rule kResponseUnanswered =
    kExchange.by(stimulus).must_not("UMSP-6-12", "A response between VMs gets no response.");
constinit const Rule kDatagramUnasked = kExchange.must(
    "UMSP-6-13", "An instruction of exchange that goes over UDP has ASK 0, save OBJ_SEEK and OBJECT without a session.",
    "UMSP/B2");
constinit const Rule kDatagramWhole =
    kExchange.must("UMSP-6-14", "An instruction between VMs that goes over UDP is whole in its datagram.");
constinit const Rule kNotRepeated =
    kExchange.by(stimulus).must_not("UMSP-6-15", "The UMSP layer does not repeat an instruction of exchange.",
                                    "a VM may send the same again, so that a trace does not show who repeated");
constinit const Rule kNoTimeout =
    kExchange.by(stimulus).must_not("UMSP-6-16", "The UMSP layer has no timeout for an instruction of exchange.");
constinit const Rule kTimeoutOfVm =
    kExchange.by(api).must("UMSP-6-17", "The VM decides about timeouts of instructions of exchange.",
                           "what a VM waits for is not on the wire");
constinit const Rule kTransportTimeout =
    kExchange.by(none).must("UMSP-6-18", "The transport has timeouts of its own.", "TCP has them; they are not UMSP's");
constinit const Rule kAddressSpacesApart = kExchange.by(stimulus).must(
    "UMSP-6-19", "Jobs in different address spaces do not see each other's memory at the same address.");
constinit const Rule kSessionSelectsVm =
    kExchange.by(stimulus).must("UMSP-6-20", "The SESSION_ID selects VM and job for a received instruction.");
constinit const Rule kAddressLengths =
    kExchange.by(none).must("UMSP-6-21", "A local memory address takes 2, 4 or 8 octets.",
                            "the form itself: each instruction has its own lengths");
constinit const Rule kAddress24Last =
    kExchange.by(stimulus).must("UMSP-6-22", "A 24-bit address is in the last 3 of 4 octets.", kA21TheTestBedKnows);
constinit const Rule kAddress24Zero =
    kExchange.by(stimulus).must("UMSP-6-23", "The octet before a 24-bit address is 0.", kA21TheTestBedKnows);
constinit const Rule kAddress16Last = kExchange.by(stimulus).must(
    "UMSP-6-24", "A 2-octet address where the format has at least 4 is in the last 2 of 4 octets.",
    kA21TheTestBedKnows);
constinit const Rule kAddress16Zero =
    kExchange.by(stimulus).must("UMSP-6-25", "The 2 octets before such a 2-octet address are 0.", kA21TheTestBedKnows);
constinit const Rule kShortIsDisplacement = kExchange.by(stimulus).must(
    "UMSP-6-26", "In a chain an address shorter than the node's is a displacement from the chain's memory base.");
constinit const Rule kDisplacementHasBase = kExchange.by(none).must(
    "UMSP-6-27", "In a chain an address shorter than the node's is used only after a memory base was set.",
    "UMSP-7.6-2 says so of chains");
constinit const Rule kWithoutBaseNotExecuted = kExchange.by(stimulus).must_not(
    "UMSP-6-28", "An instruction of a chain with a short address and without a base is not executed: it is wrong.");
constinit const Rule kShortIsFilledUp = kExchange.by(stimulus).must(
    "UMSP-6-29", "Outside of chains an address shorter than the node's is filled up with zero octets in front.");
constinit const Rule kLongerNotExecuted = kExchange.by(stimulus).must_not(
    "UMSP-6-30",
    "An address longer than the node's, other than one of 16 octets, is wrong: the instruction is not executed.",
    "UMSP/B27");
constinit const Rule kCompleteIsSixteen =
    kExchange.by(none).must("UMSP-6-31", "A complete 128-bit address takes 16 octets of the operands.",
                            "the form itself: each instruction has its own lengths");
constinit const Rule kLocalWhereFreeIsZero =
    kExchange.should("UMSP-6-32", "An address whose FREE is zero is sent as a local one, not in 16 octets.",
                     "A format of address that has no room for FREE is not judged.");
constinit const Rule kWholeWords =
    kExchange.by(none).must("UMSP-6-33", "Operands of instructions of exchange take whole 32-bit words.",
                            "OPR_LENGTH counts words: nothing else can be sent");
constinit const Rule kPaddedWithZeros =
    kExchange.by(none).must("UMSP-6-34", "What fills the last word of the operands is zero octets at the end.",
                            "UMSP-3.3-3 says so of all operands");
constinit const Rule kHeaderAsInThree = kExchange.by(none).must(
    "UMSP-6-35", "Header fields that the format of an instruction does not name follow section 3.", "the rules of 3.1");
constinit const Rule kParametersOfSender = kExchange.by(stimulus).must(
    "UMSP-6-36",
    "JUMP, CALL, CALL_BNUM and CALL_BNAME with VM type and version of the sender: parameters are in that VM's format.");
constinit const Rule kParametersOfAddressee = kExchange.by(api).must(
    "UMSP-6-37", "Without VM type and version of the sender, parameters are in the format of the addressee's VM.",
    "what parameters mean is known to the VM");
constinit const Rule kCodeOfVm =
    kExchange.by(api).must("UMSP-6-38", "Code always belongs to a specific VM.", "what code means is known to the VM");
constinit const Rule kDataUnchanged =
    kExchange.by(stimulus).must("UMSP-6-39", "Data are binary: nothing is converted between the nodes.");

bool is_exchange(const Seen& seen) {
  return class_of(seen.instruction.opcode()) == OpcodeClass::exchange;
}

bool is_sessionless(const Seen& seen) {
  return seen.header().pck == Pck::no_session || seen.membership.session_id == kZeroSession;
}

// RSP has a rule of its own (4.1).
void judge_ask_of_response(Judge& judge, const Seen& seen) {
  if (!seen.layout->response || seen.is(Opcode::rsp)) return;
  judge.require(kResponseAsk, seen.header().ask, seen.field(HeaderField::ask), expected(1), actual(seen.header().ask));
}

// OBJ_SEEK goes to all nodes that it reaches (6.6.5.1), and one of them answers (UMSP/B2).
void judge_datagram(Judge& judge, const Seen& seen) {
  const bool seeks = (seen.is(Opcode::obj_seek) || seen.is(Opcode::object)) && is_sessionless(seen);
  judge.require(kDatagramUnasked, !seen.header().ask || seeks, seen.field(HeaderField::ask), expected(0),
                actual(seen.header().ask), "what needs a response goes over TCP");
}

// Addresses of sixteen octets that say no more than local ones do.
void judge_complete_addresses(Judge& judge, const Seen& seen) {
  for (const Located& located : seen.operands.operands) {
    if (located.row->operand != Operand::memory_address || located.length != kAddressOctets) continue;
    const auto address = decode_address(octets_of(located, seen.instruction.operands));
    if (!address || flaw_of(address->format()) || address->format().free_octets() == 0) continue;
    judge.require(kLocalWhereFreeIsZero, address->uses_free(), seen.at(located), expected("a local address"),
                  actual([&] { return to_string(*address); }));
  }
}

// ---------------------------------------------------------------------------------------------- requests and answers

template <class Rules>
using ByCode = std::array<const Rules*, 256>;

const ExchangeAnswerRules* answers_to(std::uint8_t request) {
  static const auto kByCode = [] {
    ByCode<ExchangeAnswerRules> all{};
    for (const UmspSection& section : sections())
      for (const ExchangeAnswerRules& one : section.answers)
        for (unsigned code = static_cast<unsigned>(one.first); code <= static_cast<unsigned>(one.last); ++code)
          all[code] = &one;
    return all;
  }();
  return kByCode[request];
}

const Rule* rule_of_response(std::uint8_t response) {
  static const auto kByCode = [] {
    std::array<const Rule*, 256> all{};
    for (const UmspSection& section : sections())
      for (const ExchangeResponseRules& one : section.responses)
        all[static_cast<std::uint8_t>(one.response)] = one.request;
    return all;
  }();
  return kByCode[response];
}

void judge_answer(Judge& judge, const Seen& seen, const Asked& asked) {
  const ExchangeAnswerRules* const rules = answers_to(asked.opcode);
  const Layout* const request = find_layout(asked.opcode);
  if (rules == nullptr || request == nullptr) return;
  const bool is_rsp = seen.is(Opcode::rsp), fits = is_rsp || seen.is(rules->answer);
  const auto wanted = expected([&] {
    if (rules->answer == Opcode::rsp) return fmt::format("RSP in answer to {}", request->name);
    return fmt::format("{} or a negative RSP in answer to {}", describe(rules->answer).name, request->name);
  });
  const auto there = actual([&] { return fmt::format("{}{}", is_rsp ? "a positive " : "", seen.layout->name); });
  const auto why = [&] {
    return asked.is_elsewhere ? fmt::format("message {} of another connection asked", asked.index + 1)
                              : fmt::format("message {} asked", asked.index + 1);
  };
  const OctetRange where = octets(0, 1);
  const Rule* const of_response = rule_of_response(seen.instruction.opcode());
  if (rules->kind && !judge.require(*rules->kind, fits, where, wanted, there, why)) return;
  if (of_response && !judge.require(*of_response, fits, where, wanted, there, why)) return;
  if (rules->no_rsp && !judge.require(*rules->no_rsp, !is_rsp || !says_yes(seen), where, wanted, there, why)) return;
  if (seen.is(rules->answer) && rules->judge) rules->judge(judge, seen, asked);
}

// What the requester calls the session, and the response to it names; nothing: not known.
std::optional<std::uint32_t> own_name(const Seen& seen) {
  if (is_sessionless(seen)) return kZeroSession;
  if (seen.session == nullptr) return std::nullopt;
  return seen.session->half(seen.message.sender).id;
}

void take_request(const Seen& seen) {
  const auto session = own_name(seen);
  if (!session) return;  // a guess, which is noted where responses are judged
  std::optional<Asked> asked;
  if (!seen.header().chn && !seen.operands.flaw) {
    asked = Asked{.opcode = seen.instruction.opcode(),
                  .index = seen.message.index,
                  .length = seen.value(Operand::length),
                  .object = static_cast<std::uint32_t>(seen.value(Operand::object_number).value_or(0))};
  }
  Connection& connection = seen.connection;
  if (!connection.exchanges.ask(seen.message.sender, *session, seen.header().req_id, asked) &&
      connection.partial.empty())
    connection.partial = "more requests wait than are looked after";
}

// A request that the response answers would be known, if it came on this connection.
bool knows_exchanges(const Seen& seen) {
  return knows_requests(seen) && seen.session != nullptr && seen.session->from_start &&
         seen.connection.exchanges.is_complete(other(seen.message.sender));
}

// Of this connection, or another one of the two nodes.
Answered take_answered(const Seen& seen, std::uint32_t session) {
  const Side asker = other(seen.message.sender);
  Answered answered = seen.connection.exchanges.answer(asker, session, seen.header().req_id);
  if (answered.waited) return answered;
  const bool is_elsewhere = look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    answered = there.exchanges.answer(turned(asker, is_turned), session, seen.header().req_id);
    return answered.waited;
  });
  if (is_elsewhere && answered.asked) answered.asked->is_elsewhere = true;
  return answered;
}

void match(Judge& judge, const Seen& seen) {
  if (!seen.header().ask) return;
  if (!seen.layout->response) return take_request(seen);
  const std::optional<std::uint32_t> session = is_sessionless(seen) ? kZeroSession : seen.membership.session_id;
  if (!session) return;
  const Answered answered = take_answered(seen, *session);
  if (!is_exchange(seen) || was_guessed(seen)) return;
  if (!seen.is(Opcode::rsp) && (answered.waited || knows_exchanges(seen)))
    require_anywhere(judge, seen, kResponseReqId, answered.waited, seen.field(HeaderField::req_id),
                     expected("the REQ_ID of a request that waits"), actual(hex(seen.header().req_id)),
                     "no request of the two nodes waits for it");
  if (answered.asked) judge_answer(judge, seen, *answered.asked);
}

// The identifier that an instruction of the handshake gives to its sender's end may have been that of another session.
// While that is there, what waits in it may still be answered.
void begin_anew(const Seen& seen) {
  const bool gives = (seen.is(Opcode::session_open) || seen.is(Opcode::session_accept)) && seen.header().ask;
  if (!gives || seen.header().req_id == kZeroSession) return;
  const auto known = seen.connection.find_session_number(seen.message.sender, seen.header().req_id);
  if (!known || seen.connection.sessions.at(*known).stage == SessionStage::over)
    seen.connection.exchanges.forget(seen.message.sender, seen.header().req_id);
}

}  // namespace

UmspSection exchange_rules() {
  static constexpr const Rule* kRules[] = {&kExchangeCodes,
                                           &kLengthSelectsFormat,
                                           &kFormatDefined,
                                           &kReqIdWithAsk,
                                           &kReqIdOfVm,
                                           &kResponseOfVm,
                                           &kResponseNotChecked,
                                           &kResponseIsOneOfSix,
                                           &kResponseHasRequest,
                                           &kResponseAsk,
                                           &kResponseReqId,
                                           &kResponseUnanswered,
                                           &kDatagramUnasked,
                                           &kDatagramWhole,
                                           &kNotRepeated,
                                           &kNoTimeout,
                                           &kTimeoutOfVm,
                                           &kTransportTimeout,
                                           &kAddressSpacesApart,
                                           &kSessionSelectsVm,
                                           &kAddressLengths,
                                           &kAddress24Last,
                                           &kAddress24Zero,
                                           &kAddress16Last,
                                           &kAddress16Zero,
                                           &kShortIsDisplacement,
                                           &kDisplacementHasBase,
                                           &kWithoutBaseNotExecuted,
                                           &kShortIsFilledUp,
                                           &kLongerNotExecuted,
                                           &kCompleteIsSixteen,
                                           &kLocalWhereFreeIsZero,
                                           &kWholeWords,
                                           &kPaddedWithZeros,
                                           &kHeaderAsInThree,
                                           &kParametersOfSender,
                                           &kParametersOfAddressee,
                                           &kCodeOfVm,
                                           &kDataUnchanged};
  return {.rules = {.rules = kRules}};
}

void judge_exchange(Judge& judge, const Seen& seen) {
  const bool exchange = is_exchange(seen);
  if (seen.layout == nullptr) {
    if (exchange && seen.header().ask) take_request(seen);  // it may be answered, by whatever
    return;
  }
  begin_anew(seen);
  if (exchange && seen.connection.datagrams) judge_datagram(judge, seen);
  if (exchange) judge_ask_of_response(judge, seen);
  if (exchange) judge_complete_addresses(judge, seen);
  if (exchange || seen.is(Opcode::rsp_p)) match(judge, seen);
}

void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left) {
  const Octets octets = judge.message().octets;
  if (octets.empty() || class_of(octets[0]) != OpcodeClass::exchange) return;
  judge.require(kDatagramWhole, whole, wirelaw::octets(0, octets.size()), expected("an instruction that is all there"),
                actual([&] { return fmt::format("{} octets of one", octets_left); }));
}

}  // namespace wirelaw::umsp
