// SPDX-License-Identifier: Apache-2.0
// Any messages as a flow of EFA RDM, before the observer alone. Oracles: its memory is bounded, the same messages give
// the same findings, for one side alone as for both, and what a finding points at lies within its message.
#include <map>
#include <string>
#include <vector>

#include "conformance/efa/efa.h"
#include "conformance/judge.h"
#include "corpora/formats/records.h"
#include "fuzz/efa_mutator.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

namespace control = corpora::trace_control;

constexpr std::size_t kOctets = std::size_t{64} << 10;
constexpr std::size_t kSlack = std::size_t{512} << 10;  // between two looks at the memory
constexpr std::int64_t kStep = 1'000'000;
constexpr std::int64_t kLong = 1'000'000'000;

struct Reported {
  std::vector<std::string> a, b;  // findings about each side
  bool operator==(const Reported&) const = default;
};

Reported judge(const std::vector<corpora::Record>& records, Judged judged = {}) {
  const auto observer = efa::kProtocol.observer({.octets = kOctets});
  Judge judge(efa::kProtocol.catalogue(), {.findings_per_rule_and_flow = JudgeLimits::kUnlimited});
  judge.enter_flow("fuzz", "a", "b", judged);
  std::int64_t time = 0;
  std::uint64_t index = 0;
  std::map<std::uint64_t, std::size_t> sizes;
  for (const corpora::Record& record : records) {
    time += (record.control & control::kIpOptions) != 0 ? kLong : kStep;  // that bit means a pause here
    Message message =
        message_of(record.octets, (record.control & control::kSideB) != 0 ? Side::b : Side::a, index++, time);
    if ((record.control & control::kCut) != 0) message.wire_length += corpora::kCutOctets;
    sizes[message.index] = message.octets.size();
    observer->observe(message, judge);
    if (index % 64 == 0) require(observer->memory() <= kOctets + kSlack, "the observer keeps to its limit");
  }
  observer->finish(judge);
  Reported reported;
  for (const Finding& finding : judge.findings()) {
    require(sizes.contains(finding.message), "a finding is about a message of the flow");
    require(finding.offset <= sizes[finding.message] && finding.length <= sizes[finding.message] - finding.offset,
            "a finding points into its message");
    (finding.sender == "a" ? reported.a : reported.b)
        .push_back(std::string(finding.rule->id) + std::to_string(finding.message) + finding.actual);
  }
  return reported;
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto records = wirelaw::corpora::read_records({data, size});
  using wirelaw::fuzz::judge, wirelaw::fuzz::require;
  const auto both = judge(records);
  require(judge(records) == both, "the same messages give the same findings");
  require(judge(records, {.b = false}).a == both.a && judge(records, {.a = false}).b == both.b,
          "one side alone is judged as it is beside the other");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate_efa_trace({data, max_size}, size, seed);
}
