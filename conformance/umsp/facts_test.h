// SPDX-License-Identifier: Apache-2.0
// Rows that give a check of facts one that keeps its rule, and one that breaks it.
#pragma once

#include <gmock/gmock.h>

#include <set>

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"
#include "conformance/umsp/umsp.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp::facts {

struct Row {
  std::string_view rule;
  Severity severity;
  Draft (*draft)();
  void (*check)(Judge& judge, const Seen& seen, bool holds);
  bool only_breach = false;  // a fact that holds does not exercise the rule
};
inline void PrintTo(const Row& row, std::ostream* out) {
  *out << row.rule;
}

inline constexpr bool kOnlyBreach = true;
inline constexpr Severity kFails = Severity::violation, kWarns = Severity::warning;
inline Draft with_id(Draft draft) {
  draft.req_id = 1;
  return draft;
}
inline Draft nop() {
  return draft_of(Opcode::nop);
}

// Gives the check the fact that holds, or the one that does not.
inline void check_row(Judge& judge, const Row& row, bool holds) {
  constexpr Limits kWhole{.octets = 4096, .extension_headers = 30};
  const OctetBuffer octets = write(row.draft());
  const Message message = message_of(octets, Side::a, 0);
  const auto instruction = decode(octets, kWhole);
  ASSERT_TRUE(instruction);
  Context context;
  const Membership membership = follow(instruction->header, context);
  const OperandView operands = locate(*instruction);
  judge.at(message);
  Connection connection;  // empty: nothing else was seen
  row.check(judge,
            {{.message = message,
              .instruction = *instruction,
              .layout = layout_of(*instruction),
              .operands = operands,
              .membership = membership},
             connection},
            holds);
}

inline void expect_breach(const Row& row) {
  Judge judge(kProtocol.catalogue());
  check_row(judge, row, false);
  std::set<std::pair<std::string_view, Severity>> broken;
  for (const Finding& finding : judge.findings()) broken.emplace(finding.rule->id, finding.severity);
  EXPECT_THAT(broken, testing::Contains(std::pair(row.rule, row.severity)));
}

// If the check did not look at the fact, nothing would be broken either.
inline void expect_kept(const Row& row) {
  Judge judge(kProtocol.catalogue());
  check_row(judge, row, true);
  EXPECT_THAT(judge.findings(), testing::IsEmpty());
  const Rule* const rule = kProtocol.catalogue().find(row.rule);
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(judge.exercised(*rule) > 0, !row.only_breach);
}

}  // namespace wirelaw::umsp::facts
