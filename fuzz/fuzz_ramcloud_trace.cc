// SPDX-License-Identifier: Apache-2.0
// Any sequence of messages before the RAMCloud observer. Oracles: it never crashes and keeps to its memory; judging
// twice gives the same; and whether the other side is judged as well changes nothing for a side.
#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/judge.h"
#include "conformance/observer.h"
#include "conformance/ramcloud/observer.h"
#include "conformance/ramcloud/ramcloud.h"
#include "corpora/formats/records.h"
#include "fuzz/record_mutator.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kMostMessages = 512;
constexpr std::uint64_t kBetweenChecks = 16;  // messages; to add the observer's memory up takes longer than to observe
constexpr std::size_t kObserverOctets = std::size_t{32} << 10;
constexpr std::size_t kSlack = std::size_t{256} * (std::size_t{16} << 10);  // see ramcloud_oracle.h
constexpr JudgeLimits kKeepEverything{.findings_per_rule_and_flow = 1u << 20, .findings = 1u << 20};

// What was found, sorted; and how often each rule of the catalogue was exercised, failed, warned of, inconclusive.
struct Outcome {
  using Entry = std::tuple<std::uint64_t, RuleSlot, std::size_t, std::size_t, Severity, std::string>;
  std::vector<Entry> findings;
  std::vector<std::array<std::uint64_t, 4>> tallies;
  std::string partial;
  bool operator==(const Outcome&) const = default;

  void add(const Outcome& other) {
    findings.insert(findings.end(), other.findings.begin(), other.findings.end());
    std::ranges::sort(findings);
    for (std::size_t rule = 0; rule < tallies.size(); ++rule)
      for (std::size_t i = 0; i < tallies[rule].size(); ++i) tallies[rule][i] += other.tallies[rule][i];
  }
};

Message message_of(const corpora::Record& record, std::uint64_t index) {
  namespace control = corpora::trace_control;
  Message message = wirelaw::message_of(record.octets, (record.control & control::kSideB) != 0 ? Side::b : Side::a,
                                        index, static_cast<std::int64_t>(index) * 1000);
  if ((record.control & control::kCut) != 0) message.wire_length += corpora::kCutOctets;
  message.ip_version = 4;
  message.ip_header_octets = (record.control & control::kIpOptions) != 0 ? 24 : 20;
  return message;
}

Outcome judge(const std::vector<corpora::Record>& records, Judged sides) {
  const auto observer = ramcloud::make_observer({.octets = kObserverOctets});
  Judge judge(ramcloud::kProtocol.catalogue(), kKeepEverything);
  judge.enter_flow("fuzz", "a", "b", sides);
  std::uint64_t index = 0;
  for (const corpora::Record& record : records) {
    observer->observe(message_of(record, index++), judge);
    if (index % kBetweenChecks == 0)
      require(observer->memory() <= kObserverOctets + kSlack, "the observer keeps to its limit");
  }
  observer->finish(judge);

  Outcome outcome{.findings = {}, .tallies = {}, .partial = observer->partial()};
  for (const Finding& finding : judge.findings()) {
    require(finding.offset <= records[finding.message].octets.size() || finding.octets.empty(),
            "a finding's octets lie within its message");
    outcome.findings.emplace_back(
        finding.message, finding.rule->slot, finding.offset, finding.length, finding.severity,
        finding.sender + '|' + finding.expected + '|' + finding.actual + '|' + finding.explanation);
  }
  std::ranges::sort(outcome.findings);
  for (const RuleResult& result : judge.rule_results())
    outcome.tallies.push_back({result.exercised, result.failed, result.warned, result.inconclusive});
  return outcome;
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  auto records = wirelaw::corpora::read_records({data, size});
  if (records.size() > kMostMessages) records.resize(kMostMessages);
  const Outcome both = judge(records, {.a = true, .b = true});
  require(both == judge(records, {.a = true, .b = true}), "judging again gives the same");
  Outcome each = judge(records, {.a = true, .b = false});
  each.add(judge(records, {.a = false, .b = true}));
  require(both == each, "each side is judged the same whether the other is judged or not");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kTraceShape, {data, max_size}, size, seed);
}
