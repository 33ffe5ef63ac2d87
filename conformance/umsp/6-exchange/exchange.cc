// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: instructions between VMs, and how responses are matched with requests.
#include "conformance/umsp/6-exchange/exchange.h"

#include <array>

#include "conformance/umsp/4-responses/responses.h"
#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.6-objects/objects.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/9-search/search.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/requests.h"
#include "conformance/umsp/tracker/sessions.h"

namespace wirelaw::umsp {
namespace {

bool is_exchange(const Seen& seen) {
  return class_of(seen.instruction.opcode()) == OpcodeClass::exchange;
}

bool is_sessionless(const Seen& seen) {
  return seen.header().pck == Pck::no_session || seen.membership.session_id == kZeroSession;
}

// RSP has its own rule (4.1).
void judge_ask_of_response(Judge& judge, const Seen& seen) {
  if (!seen.layout->response || seen.is(Opcode::rsp)) return;
  judge.require(rule<"UMSP-6-10">, seen.header().ask, seen.field(HeaderField::ask), expected(1),
                actual(seen.header().ask));
}

// OBJ_SEEK is sent to all reachable nodes (6.6.5.1), and one of them answers (UMSP/B2).
void judge_datagram(Judge& judge, const Seen& seen) {
  const bool seeks = (seen.is(Opcode::obj_seek) || seen.is(Opcode::object)) && is_sessionless(seen);
  judge.require(rule<"UMSP-6-13">, !seen.header().ask || seeks, seen.field(HeaderField::ask), expected(0),
                actual(seen.header().ask), "what needs a response goes over TCP");
}

// Judges addresses of 16 octets that contain no more information than local ones.
void judge_complete_addresses(Judge& judge, const Seen& seen) {
  for (const Located& located : seen.operands.operands) {
    if (located.row->operand != Operand::memory_address || located.length != kAddressOctets) continue;
    const auto address = decode_address(octets_of(located, seen.instruction.operands));
    if (!address || flaw_of(address->format()) || address->format().free_octets() == 0) continue;
    judge.require(rule<"UMSP-6-32">, address->uses_free(), seen.at(located), expected("a local address"),
                  actual([&] { return to_string(*address); }));
  }
}

// ---------------------------------------------------------------------------------------------- requests and answers

template <class Rules>
using ByCode = std::array<const Rules*, 256>;

const ExchangeAnswerRules* answers_to(std::uint8_t request) {
  static const auto kByCode = [] {
    ByCode<ExchangeAnswerRules> all{};
    for (const SectionTables& section : section_tables())
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
    for (const SectionTables& section : section_tables())
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
  judge_reached(judge, seen, asked);
}

// The identifier that the requester has assigned to the session, which the response names; none if it is not known.
std::optional<std::uint32_t> own_name(const Seen& seen) {
  if (is_sessionless(seen)) return kZeroSession;
  if (seen.session == nullptr) return std::nullopt;
  return seen.session->half(seen.message.sender).id;
}

void take_request(const Seen& seen) {
  const auto session = own_name(seen);
  if (!session) return;  // a guess, which is noted with the responses
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

// True if the request of the response would be known, provided that it came on this connection.
bool knows_exchanges(const Seen& seen) {
  return knows_requests(seen) && seen.session != nullptr && seen.session->from_start &&
         seen.connection.exchanges.is_complete(other(seen.message.sender));
}

// Takes the answered request of this connection, or of another one of the two nodes.
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

// RSP_P answers requests of the protocol layer; of the VMs' requests it answers only chains (4.1, 7.5).
bool answers_layer(const Seen& seen) {
  if (!seen.is(Opcode::rsp_p)) return false;
  const ObservedRequest* const request = find_answered(seen);
  return request == nullptr || !request->chained || class_of(request->opcode) == OpcodeClass::management;
}

void match(Judge& judge, const Seen& seen) {
  if (!seen.header().ask) return;
  if (!seen.layout->response) return take_request(seen);
  if (answers_layer(seen)) return;
  const std::optional<std::uint32_t> session = is_sessionless(seen) ? kZeroSession : seen.membership.session_id;
  if (!session) return;
  const Answered answered = take_answered(seen, *session);
  if (!is_exchange(seen) || was_guessed(seen)) return;
  if (!seen.is(Opcode::rsp) && (answered.waited || knows_exchanges(seen)))
    require_anywhere(judge, seen, rule<"UMSP-6-11">, answered.waited, seen.field(HeaderField::req_id),
                     expected("the REQ_ID of a request that waits"), actual(hex(seen.header().req_id)),
                     "no request of the two nodes waits for it");
  if (answered.asked) judge_answer(judge, seen, *answered.asked);
}

// An instruction of the handshake may assign an identifier that its sender has given to another session before. As long
// as that session exists, its open requests may still be answered.
void begin_anew(const Seen& seen) {
  const bool gives = (seen.is(Opcode::session_open) || seen.is(Opcode::session_accept)) && seen.header().ask;
  if (!gives || seen.header().req_id == kZeroSession) return;
  const auto known = seen.connection.find_session_number(seen.message.sender, seen.header().req_id);
  // Another step in the handshake of this session.
  if (known && &seen.connection.sessions.at(*known) == seen.session) return;
  if (!known || seen.connection.sessions.at(*known).stage == SessionStage::over)
    seen.connection.exchanges.forget(seen.message.sender, seen.header().req_id);
}

}  // namespace

// JUMP and CALL have a rule of their own (UMSP-6.3.1-7).
static void judge_reserved_vm(Judge& judge, const Seen& seen) {
  if (seen.layout->opcode >= Opcode::jump && seen.layout->opcode <= Opcode::call_vm) return;
  judge_vm_of(judge, seen, Operand::sender_vm_type, Operand::sender_vm_version);
  judge_vm_of(judge, seen, Operand::vm_type, Operand::vm_version);
}

void judge_exchange(Judge& judge, const Seen& seen) {
  const bool exchange = is_exchange(seen);
  if (seen.layout == nullptr) {
    if (exchange && seen.header().ask) take_request(seen);  // any response may answer it
    return;
  }
  begin_anew(seen);
  if (exchange && seen.connection.datagrams) judge_datagram(judge, seen);
  if (exchange) judge_ask_of_response(judge, seen);
  if (exchange) judge_complete_addresses(judge, seen);
  if (exchange) judge_reserved_vm(judge, seen);
  if (exchange || seen.is(Opcode::rsp_p)) match(judge, seen);
}

void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left) {
  const Octets octets = judge.message().octets;
  if (octets.empty() || class_of(octets[0]) != OpcodeClass::exchange) return;
  judge.require(rule<"UMSP-6-14">, whole, wirelaw::octets(0, octets.size()),
                expected("an instruction that is all there"),
                actual([&] { return fmt::format("{} octets of one", octets_left); }));
}

}  // namespace wirelaw::umsp
