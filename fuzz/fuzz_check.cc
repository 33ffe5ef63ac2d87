// SPDX-License-Identifier: Apache-2.0
// Any octets as a capture file for the whole of `wirelaw check`: files, flows, recognition, protocol stacks, all
// observers, results. Oracles: judging in two processes gives the same results, and the state of flows keeps to its
// limit.
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "fuzz/target.h"
#include "harness/check/check_files.h"

namespace wirelaw {
namespace {

// Limits: the memory of a flow before it is measured again and before it is dropped, and the growth by one delivery.
constexpr std::size_t kFlowOctets = std::size_t{1} << 20, kOneDelivery = std::size_t{1} << 20;

// The options depend only on the file's length, so that the whole input is the file.
CheckOptions options_for(std::size_t size) {
  return {.as_they_come = size % 8 == 4,
          .complete = size % 16 < 8,
          .limits = {.live_flows = 16, .flow_octets = kFlowOctets, .tcp = {.held = 1u << 16, .compared = 2048}}};
}

// The results, which must be the same for both ways of judging.
class Told {
 public:
  explicit Told(const Results& results) {
    for (const RuleResult& one : results.rules)
      if (one.verdict != Verdict::not_exercised) take(one);
    for (const Finding& one : results.findings) take(one);
    for (const FlowResult& one : results.flows) {
      add(one.id, one.protocol, one.above, one.note, to_string(one.state), to_string(one.completeness), one.missing);
      count(one.messages, one.octets);
    }
    for (const InputProblem& one : results.problems) {
      add(one.message, one.hint);
      count(one.frame, one.offset);
    }
    count(results.findings_dropped, results.flows_dropped, results.problems_dropped);
  }
  friend bool operator==(const Told&, const Told&) = default;

 private:
  void take(const RuleResult& one) {
    add(one.rule->id, to_string(one.verdict), one.reason);
    count(one.exercised, one.failed, one.warned, one.held_back, one.inconclusive);
  }
  void take(const Finding& one) {
    add(one.rule->id, to_string(one.severity), one.flow, one.sender, one.expected, one.actual, one.explanation);
    count(one.message, one.frame, one.offset, one.length, one.places.size(), one.held_back, one.unanswered);
    octets_.insert(octets_.end(), one.octets.begin(), one.octets.end());
  }
  template <class... Text>
  void add(const Text&... text) {
    ((words_ += text, words_ += '\n'), ...);
  }
  template <class... Number>
  void count(const Number&... number) {
    (numbers_.push_back(number), ...);
  }

  std::string words_;
  std::vector<std::uint64_t> numbers_;
  OctetBuffer octets_;
};

Share share_of(const std::string& file, const Shard& part, const CheckOptions& options, const FileWatcher& watcher) {
  const FilePart whole{.part = part};
  return judge_parts({&file, 1}, {&whole, 1}, options, watcher);
}

}  // namespace
}  // namespace wirelaw

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  static fuzz::MemoryFile file;
  const std::string& path = file.write({data, size});
  const CheckOptions options = options_for(size);
  const FileWatcher watcher{.judged = [](const auto*, const auto*, const auto*, const Checker& checker) {
    fuzz::require(checker.memory() <= kFlowOctets + kOneDelivery, "the state of flows keeps to its bound");
    return true;
  }};
  const FileResults once = check_files({&path, 1}, options, watcher);
  for (const InputProblem& problem : once.results.problems)
    fuzz::require(!problem.message.empty(), "a problem has a text");
  for (const Finding& one : once.results.findings) {
    fuzz::require(one.rule != nullptr, "a finding has a rule");
    fuzz::require(one.frame > 0, "a finding has a frame");
  }
  std::vector<Share> shares;
  shares.push_back(share_of(path, {.index = 0, .of = 2}, options, watcher));
  shares.push_back(share_of(path, {.index = 1, .of = 2}, options, watcher));
  const auto put_together = results_of_shares(std::move(shares), options);
  fuzz::require(put_together.has_value(), "two parts of one file are of one run");
  if (put_together->fits_one)
    fuzz::require(Told(put_together->results) == Told(once.results), "two processes judge as one does");
  return 0;
}
