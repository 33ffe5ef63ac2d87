// SPDX-License-Identifier: Apache-2.0
// A campaign: a folder that can be stopped, resumed, copied and merged.
//
//   campaign.json    what it is: protocol, peer, seed, and everything else that its inputs and findings depend on
//   lock             is locked while it runs (folder_lock.h)
//   state.json       how far it is: runs, what was reached, and what was seen and not yet examined
//   beginnings.json  conversations from captures, and inputs from others, that it begins with
//   corpus/N.json    inputs that reached something new
//   findings/NAME/   a folder for each fault (finding.h)
//   stats.json       for machines; index.html and log.txt for people
//
// It first runs every case as it is, and then inputs that the planner makes from the corpus. In memory the same seed
// gives the same campaign, whether or not it is stopped and resumed. With a live IUT it depends on the IUT's answers
// too.
//
// A file appears complete or not at all, state.json after what it names. So a campaign that is killed resumes from its
// latest state.json, which is a few seconds old, and younger than the latest breach. run() creates the folder, so that
// an IUT that cannot be reached leaves none.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/beginnings.h"
#include "harness/campaign/corpus.h"
#include "harness/campaign/finding.h"
#include "harness/campaign/growth.h"
#include "harness/campaign/page.h"
#include "harness/campaign/pending.h"
#include "harness/campaign/planner.h"
#include "harness/campaign/reach.h"
#include "harness/campaign/statistics.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct Config {
  std::string folder;
  std::string peer;                          // the URI
  std::string start = {};                    // the command that starts it, or makes it connect
  std::vector<std::string> deviations = {};  // for a peer in memory
  std::uint64_t seed = 1;
  PlanOptions planning = {};
  std::vector<std::string> cases = {};  // globs; empty: all
  std::vector<std::string> from = {};   // captures and folders, by name
  Beginnings beginnings = {};           // conversations and inputs in them
  Pace trial_pace, confirming_pace;     // a finding counts if it recurs at confirming_pace
  unsigned replays = 3;
  std::size_t minimising_trials = 160;
  // Runs an input that reached something new once more, because an IUT may not do the same again.
  bool calibrates = false;
  std::vector<std::string> siblings = {};  // folders of campaigns that run at the same time, and share their findings
  // --- limits: the first one reached ends it; without both only a signal does
  std::optional<std::uint64_t> runs = {};             // from now
  std::optional<std::chrono::nanoseconds> time = {};  // from now, with the time to confirm and to minimise
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
  std::string version = {};
};

struct Progress {
  const Statistics& statistics;
  std::span<const std::string> signatures;  // findings
  std::string_view activity = {};           // "minimising rule RAMCLOUD-ack-5, trial 12"; empty: it tries inputs
};

// Called while the campaign runs.
struct Watch {
  std::function<void(const Progress&)> progress = {};  // after every trial
  std::function<void(const CampaignFinding&)> found = {};
};

struct Outcome {
  Statistics statistics;
  std::vector<std::string> signatures;        // all findings in the folder, in the order in which they were made
  std::vector<std::string> to_minimise = {};  // findings that were not minimised in time
  std::vector<std::string> to_confirm = {};   // breaches that may become findings when the campaign is resumed
  std::optional<TransportError> lost = {};    // the IUT is gone and did not come back
};

class Campaign {
 public:
  // Opens a campaign. If the folder holds a campaign already, that one is resumed. The tester outlives it. The error is
  // one line.
  static tl::expected<Campaign, std::string> open(Tester& tester, Config config);

  std::uint64_t runs() const { return statistics_.runs; }

  // The error, one line, concerns the folder.
  tl::expected<Outcome, std::string> run(const Watch& watch = {});

 private:
  using Written = tl::expected<void, std::string>;

  Campaign(Tester& tester, Config config) : tester_(tester), config_(std::move(config)), rules_(tester.rules()) {}

  std::string path(std::string_view name) const { return config_.folder + "/" + std::string(name); }
  std::string entry_path(std::size_t number) const;
  Written begin_with(bool goes_on);
  Written create();
  Written resume();
  Written save_state();
  Written save_if_due();
  Written save_page() const;
  Json identity() const;

  tl::expected<Outcome, std::string> run_inputs();
  bool is_time_up() const;
  bool is_over() const;
  Progress progress() const { return {.statistics = statistics_, .signatures = signatures_, .activity = activity_}; }
  void begin_activity(std::string what);
  void tell_time();
  void tell_activity();
  bool has_anything_to_plan() const;
  Input next_input();
  Written take_in();
  void account(const Input& input, const Trial& trial);
  void calibrate(const Entry& entry);
  Written look_into(const Input& input, const Trial& trial);
  Written examine_all();
  tl::expected<bool, std::string> examine(Pending& one);
  static CampaignFinding found_in(const Pending& one);
  tl::expected<bool, std::string> confirm(Pending& one);
  tl::expected<bool, std::string> minimise_further(Pending& one);
  Replays repeat(CampaignFinding& finding, const Input& input);
  void note_unconfirmed(const Breach& breach, const Replays& replays);
  Written keep(const CampaignFinding& finding);
  Written stay(const std::string& signature);
  Written update(const CampaignFinding& finding);
  Written write_finding(const CampaignFinding& finding);
  void count(const Replays& replays);
  bool is_known(std::string_view signature) const;
  bool is_pending(std::string_view signature) const;
  bool comes_back();
  void share_process(bool is_sound);
  Written look_for_growth(const Input& input, const Trial& trial);
  Written keep_growth(const Grower& grower, const Growth& growth);
  void log(const std::string& line);

  Tester& tester_;
  Config config_;
  std::vector<const Rule*> rules_;  // for the IUT's role
  std::vector<const Case*> cases_;
  Corpus corpus_;
  std::vector<std::string> known_;       // signatures: of findings, and what they break as well
  std::vector<std::string> signatures_;  // one for each finding
  std::vector<std::string> unconfirmed_;
  std::deque<Pending> pending_;
  std::vector<FindingLine> lines_;  // one for each finding, for the page
  Reach reach_;
  Statistics statistics_;
  std::chrono::steady_clock::time_point begin_{}, saved_{};
  std::chrono::steady_clock::duration save_took_{};
  bool is_begun_ = false;  // the folder contains a campaign
  std::uint64_t runs_before_ = 0;
  double seconds_before_ = 0;
  std::size_t saved_entries_ = 0;
  std::map<std::string, std::uint64_t> taken_in_;  // entries of each sibling
  std::deque<Input> imported_;                     // inputs to try next
  std::vector<std::string> known_elsewhere_;
  std::chrono::steady_clock::time_point looked_{};
  std::vector<GrowthWatch> growth_;  // for growers()
  std::deque<Input> recent_;         // among which one may be that makes it grow
  bool has_gone_ = false;
  bool is_sound_ = false;  // the process at hand may serve another input
  const Watch* watch_ = nullptr;
  std::string activity_, activity_of_;  // as text, without the number of its trials
  std::uint64_t trials_ = 0;            // number of trials of the activity
};

}  // namespace wirelaw::campaign
