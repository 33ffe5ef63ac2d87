// SPDX-License-Identifier: Apache-2.0
// Gives each process that is free the next case, until there is none or the run is to end.
//
// If all processes use one IUT, nobody knows beforehand whether it serves several testers at once. So the processes
// only try the cases: a result that is not certain is dropped, and its case is run again alone, while no other case
// runs. If three cases have another verdict then, the IUT does not serve several testers: all tries are dropped, and
// all cases are run alone. One or two prove nothing: the machine may have been busy. The first three uncertain cases
// are run again at once, so that this is found out soon.
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/parallel/case_process.h"
#include "harness/runner.h"

namespace wirelaw {

// A case that may have failed only because other cases were running.
struct UncertainCase {
  std::size_t place = 0;
  Verdict verdict = Verdict::skipped;
  std::string reason;
};

class Dealing {
 public:
  // `queue` keeps what was not run; `all_meet`: the processes use one and the same IUT.
  Dealing(std::span<CaseProcess* const> processes, bool all_meet, const RunOptions& options,
          const RunProgress& progress, PartOfRun& own, std::deque<std::size_t>& queue);

  // The final report of each process on its cases. The error is one line.
  tl::expected<std::vector<std::string>, std::string> all(bool records);

  // The IUT does not serve several testers: its cases were run one at a time.
  bool has_run_alone() const { return runs_alone_; }

  // --- if a process has lost the IUT
  const std::string& why_lost() const { return why_lost_; }
  // The cases that had ended by then, and may have done it.
  const std::vector<UncertainCase>& unfinished() const { return unfinished_; }

 private:
  struct Hand {
    CaseProcess& process;
    std::optional<std::size_t> place = {};     // the case that it runs
    std::optional<UncertainCase> broken = {};  // the previous case, if the way to the IUT broke in it, and it failed
    bool wants_turn = false;
    bool is_finishing = false, is_done = false;
    std::string result = {};
  };

  bool is_over() const { return is_lost_ || options_.limits.signal() != 0; }
  bool is_busy() const;
  bool is_time_to_run_alone() const;
  bool counts(std::size_t place) const { return all_meet_ && own_.at(place).needs == Service::count; }
  bool has_turn_for(std::size_t place) const { return turn_ == nullptr || !counts(place); }

  void forward_signal();
  void deal();
  void deal_alone();
  void finish_idle();
  void give(Hand& hand, std::size_t place, char how);
  void give_turn(Hand& hand);
  tl::expected<void, std::string> listen();
  void hear(Hand& hand, const Line::Said& said);
  void ended(Hand& hand, const nlohmann::json& how);
  void tried(const UncertainCase& one, bool stands);
  void has_run_again(const UncertainCase& one);
  void forget_tries();
  void lose(std::string why);

  const bool all_meet_;
  const RunOptions& options_;
  const RunProgress& progress_;
  PartOfRun& own_;
  std::deque<std::size_t>& queue_;
  std::vector<Hand> hands_;
  Hand* turn_ = nullptr;                      // the process that uses what the IUT has only once
  std::vector<std::size_t> stand_;            // tried cases whose results count
  std::deque<UncertainCase> uncertain_;       // cases to run again
  std::size_t rerun_ = 0, contradicted_ = 0;  // number of uncertain cases
  bool is_alone_ = false;                     // the case that is run
  bool runs_alone_ = false;
  std::size_t ended_ = 0;
  int forwarded_ = 0;
  bool is_lost_ = false;
  std::string why_lost_;
  std::vector<UncertainCase> unfinished_;
};

}  // namespace wirelaw
