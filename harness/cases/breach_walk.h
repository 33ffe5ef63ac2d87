// SPDX-License-Identifier: Apache-2.0
// For tests of cases: walks over each deviation of a reference peer, in each role that can commit it. It compares the
// reports with the breaches that the rules list (conformance/breach.h).
#pragma once

#include <walked_part.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/breach.h"
#include "conformance/protocol.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"

namespace wirelaw {

// A deviation in a role that can commit it.
struct DeviationOfRole {
  unsigned deviation;  // enumerator of the protocol's Deviation
  std::string_view name;
  Role iut;
};
void PrintTo(const DeviationOfRole& fault, std::ostream* out);
std::string test_name(const DeviationOfRole& fault);

class BreachWalk {
 public:
  // The names are those of the deviations in their order.
  BreachWalk(std::vector<DeviationName> deviations, std::span<const BreachList> lists);

  const std::vector<Breach>& breaches() const { return breaches_; }
  std::string_view name_of(const Breach& breach) const { return deviations_[breach.deviation].name; }
  std::vector<DeviationOfRole> faults() const;
  // True if an endpoint in this role with the deviation of the breach breaks its rule.
  bool applies(const Breach& breach, Role iut) const;
  // Returns the expected reports, in the form of reports_of().
  std::set<std::string> reports_expected(const DeviationOfRole& fault) const;
  // Breaches that no role can commit.
  std::vector<std::string> impossible() const;

 private:
  std::vector<DeviationName> deviations_;
  std::vector<Breach> breaches_;
};

// Returns the findings as "RULE violation" and "RULE warning".
std::set<std::string> reports_of(const RunOutcome& outcome);

// Cases that did not pass, with the reason, and findings, as lines that a person can read.
std::vector<std::string> not_passed(const RunOutcome& outcome);
std::string to_text(const Finding& finding);
std::vector<std::string> findings(const RunOutcome& outcome);
bool has_finding(const RunOutcome& outcome, const Rule& rule);

// The part of all combinations that a test tries: all of them, and under sanitizers one in kWalkedPart.
template <class Some>
std::vector<Some> walked(const std::vector<Some>& all) {
  std::vector<Some> some;
  for (std::size_t i = 0; i < all.size(); i += kWalkedPart) some.push_back(all[i]);
  return some;
}

// Letters and digits of the text, as GoogleTest wants them.
std::string test_name(std::string_view text);

// Cases that no deviation fails.
struct NeverFails {
  std::string_view id;
  std::string_view reason;
};
bool is_listed(std::span<const NeverFails> list, const Case& one);

// The cases of a suite that the walk includes.
std::vector<Case> walked_cases(std::span<const Case> all);
// True if the case reports a breach of one of its rules: `run_with` runs it against the deviation of the breach.
using RunWith = std::function<RunOutcome(const Case& one, const Breach& breach)>;
bool reports_some(const BreachWalk& walk, const Case& one, const RunWith& run_with);

// The lines of the first that the second has not.
std::vector<std::string> without(const std::set<std::string>& these, const std::set<std::string>& those);

}  // namespace wirelaw
