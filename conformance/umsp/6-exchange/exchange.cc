// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: instructions between VMs, and how responses are matched with requests.
#include "conformance/umsp/6-exchange/exchange.h"

#include <array>

#include "conformance/umsp/6-exchange/exchange_checks.h"
#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.6-objects/objects.h"
#include "conformance/umsp/9-search/search.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

// RSP has its own rule (4.1).
void judge_ask_of_response(Judge& judge, const SeenInstruction& seen) {
  if (!seen.layout->response || seen.is(Opcode::rsp)) return;
  judge.require(rule<"UMSP-6-10">, seen.header().ask, seen.field(HeaderField::ask), expected(1),
                actual(seen.header().ask));
}

// OBJ_SEEK is sent to all reachable nodes (6.6.5.1), and one of them answers (UMSP/B2).
void judge_datagram(Judge& judge, const SeenInstruction& seen) {
  const bool seeks = (seen.is(Opcode::obj_seek) || seen.is(Opcode::object)) && seen.is_sessionless();
  judge.require(rule<"UMSP-6-13">, !seen.header().ask || seeks, seen.field(HeaderField::ask), expected(0),
                actual(seen.header().ask), "what needs a response goes over TCP");
}

// Judges addresses of 16 octets that contain no more information than local ones.
void judge_complete_addresses(Judge& judge, const SeenInstruction& seen) {
  for (const Located& located : seen.operands.operands) {
    if (located.row->operand != Operand::memory_address || located.length != kAddressOctets) continue;
    const auto address = decode_address(octets_of(located, seen.instruction.operands));
    if (!address || flaw_of(address->format()) || address->format().free_octets() == 0) continue;
    judge.require(rule<"UMSP-6-32">, address->uses_free(), seen.at(located), expected("a local address"),
                  actual([&] { return to_string(*address); }));
  }
}

// Judges a local address whose length the OPCODE defines. A complete address of 16 octets is no local one.
void judge_long_address(Judge& judge, const SeenInstruction& seen, std::size_t due) {
  const Located* const address = seen.operands.find(Operand::memory_address);
  if (address == nullptr || address->row->width != Width::fixed || address->length >= kAddressOctets) return;
  judge.require(rule<"UMSP-6-40">, address->length <= due, seen.at(*address),
                expected([&] { return fmt::format("at most {} octets", due); }),
                actual([&] { return fmt::format("{} octets", address->length); }),
                "the receiver's GJIDs show how long its addresses are");
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

void judge_answer(Judge& judge, const SeenInstruction& seen, const Asked& asked) {
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
  if (rules->no_rsp && !judge.require(*rules->no_rsp, !is_rsp || !seen.says_yes(), where, wanted, there, why)) return;
  if (seen.is(rules->answer) && rules->judge) rules->judge(judge, seen, asked);
  judge_reached(judge, seen, asked);
}

// JUMP and CALL have a rule of their own (UMSP-6.3.1-7).
void judge_reserved_vm(Judge& judge, const SeenInstruction& seen) {
  if (seen.layout->opcode >= Opcode::jump && seen.layout->opcode <= Opcode::call_vm) return;
  judge_vm_of(judge, seen, Operand::sender_vm_type, Operand::sender_vm_version);
  judge_vm_of(judge, seen, Operand::vm_type, Operand::vm_version);
}

void check_response(Judge& judge, const SeenInstruction& seen, const ExchangeFact& fact) {
  if (fact.is_awaited)
    require_if(judge, fact.is_certain, rule<"UMSP-6-11">, *fact.is_awaited, seen.field(HeaderField::req_id),
               expected("the REQ_ID of a request that waits"), actual(hex(seen.header().req_id)),
               "no request of the two nodes waits for it");
  if (fact.asked) judge_answer(judge, seen, *fact.asked);
}

}  // namespace

void check_exchange(Judge& judge, const SeenInstruction& seen, const ExchangeFact& fact) {
  if (seen.layout == nullptr || !seen.is_of(OpcodeClass::exchange)) return;
  if (seen.in_datagram) judge_datagram(judge, seen);
  judge_ask_of_response(judge, seen);
  judge_complete_addresses(judge, seen);
  if (fact.address_octets) judge_long_address(judge, seen, *fact.address_octets);
  judge_reserved_vm(judge, seen);
  check_response(judge, seen, fact);
}

void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left) {
  const Octets octets = judge.message().octets;
  if (octets.empty() || class_of(octets[0]) != OpcodeClass::exchange) return;
  judge.require(rule<"UMSP-6-14">, whole, wirelaw::octets(0, octets.size()),
                expected("an instruction that is all there"),
                actual([&] { return fmt::format("{} octets of one", octets_left); }));
}

}  // namespace wirelaw::umsp
