// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/claim_rows.h"

#include <array>

#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

const ClaimRow& row_of(Claim claim) {
  static const auto kRows = [] {
    std::array<const ClaimRow*, static_cast<std::size_t>(Claim::count_)> all{};
    for (const SectionTables& section : section_tables())
      for (const ClaimRow& row : section.claims) all[static_cast<std::size_t>(row.claim)] = &row;
    return all;
  }();
  return *kRows[static_cast<std::size_t>(claim)];
}

std::string with_value(std::string_view text, std::uint64_t value) {
  return fmt::vformat(text, fmt::make_format_args(value));
}

}  // namespace

void check_claim(Judge& judge, const Fact& fact) {
  const ClaimRow& row = row_of(fact.claim);
  const Rule& rule = row.rule_of != nullptr ? *row.rule_of(static_cast<Opcode>(judge.message().octets[0])) : *row.rule;
  const bool has_due = fact.due != 0 || row.no_due.empty();
  const auto due = expected([&] { return with_value(has_due ? row.due : row.no_due, fact.due); });
  const auto got = actual([&] { return with_value(row.got, fact.got); });
  const auto why = [&] { return with_value(row.why, fact.due); };
  if (fact.is_certain)
    judge.require(rule, fact.holds, fact.where, due, got, why, row.evidence.value_or(rule.evidence));
  else
    judge.advise(rule, fact.holds, fact.where, due, got, why);
}

void check_claims_before(Judge& judge, const SeenInstruction& seen, Claim first, Claim last) {
  for (const Fact& fact : seen.before.claims)
    if (first <= fact.claim && fact.claim <= last) check_claim(judge, fact);
}

}  // namespace wirelaw::umsp
