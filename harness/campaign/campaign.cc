// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/transports/local_resource_error.h"

namespace wirelaw::campaign {

namespace fs = std::filesystem;

constexpr std::size_t kRuleKind = static_cast<std::size_t>(FeatureKind::rule);

bool Campaign::is_time_up() const {
  return config_.time && config_.clock() - begin_ >= *config_.time;
}

bool Campaign::is_over() const {
  return tester_.is_over() || (config_.runs && statistics_.runs - runs_before_ >= *config_.runs);
}

// --- the current activity, besides trying inputs

void Campaign::begin_activity(std::string what) {
  activity_ = what;
  activity_of_ = std::move(what);
  trials_ = 0;
}

void Campaign::tell_time() {
  statistics_.seconds = seconds_before_ + std::chrono::duration<double>(config_.clock() - begin_).count();
}

// Called after each trial. A trial of an activity does not count as a run of the campaign, but time passes.
void Campaign::tell_activity() {
  if (activity_.empty()) return;
  activity_ = fmt::format("{}, trial {}", activity_of_, ++trials_);
  tell_time();
  if (watch_ != nullptr && watch_->progress) watch_->progress(progress());
  if (const auto written = save_if_due(); !written) log(written.error());
}

bool Campaign::has_anything_to_plan() const {
  return std::ranges::any_of(corpus_.entries(), [](const Entry& one) { return !one.stimuli.empty(); });
}

Input Campaign::next_input() {
  if (statistics_.runs < cases_.size()) return {.test_case = std::string(cases_[statistics_.runs]->id)};
  const std::uint64_t seed = statistics_.runs - cases_.size();
  if (seed < config_.beginnings.seeds.size()) return config_.beginnings.seeds[seed];
  if (!imported_.empty()) {
    Input input = std::move(imported_.front());
    imported_.pop_front();
    return input;
  }
  Random random(config_.seed, statistics_.runs);
  return plan(corpus_, tester_, config_.planning, random);
}

// Takes in what siblings have found since: tries their inputs, and does not examine their findings again. A file that
// is being written is read the next time.
Campaign::Written Campaign::take_in() {
  constexpr auto kEvery = std::chrono::seconds{5};
  if (config_.siblings.empty() || config_.clock() - looked_ < kEvery) return {};
  looked_ = config_.clock();
  known_elsewhere_.clear();
  for (const std::string& folder : config_.siblings) {
    std::error_code failed;
    if (!fs::exists(folder + "/state.json", failed)) continue;
    const auto state = read_json(folder + "/state.json");
    if (!state) continue;
    if (const auto known = state->find("known"); known != state->end() && known->is_array())
      for (const Json& one : *known)
        if (one.is_string()) known_elsewhere_.push_back(one.get<std::string>());
    std::uint64_t& taken = taken_in_[folder];
    for (const std::uint64_t end = count_in(*state, "entries"); taken < end; ++taken) {
      const auto read = read_json(fmt::format("{}/corpus/{:06}.json", folder, taken));
      const auto entry = read ? entry_of(*read) : tl::unexpected(read.error());
      if (entry && !entry->input.edits.empty()) imported_.push_back(entry->input);
    }
  }
  return save_state();  // for them
}

void Campaign::account(const Input& input, const Trial& trial) {
  const bool is_case = statistics_.runs < cases_.size();
  ++statistics_.runs;
  ++statistics_.executions;
  statistics_.skipped += trial.is_skipped ? 1 : 0;
  statistics_.resident_octets = std::max(statistics_.resident_octets, trial.resident_octets);
  const std::size_t features = corpus_.features();
  if (!trial.is_skipped && !trial.lost) {
    const bool keeps = config_.planning.guidance != Guidance::none;
    const std::size_t entries = corpus_.entries().size();
    if (is_case)
      corpus_.add_case(input, statistics_.runs, trial);
    else
      corpus_.consider(input, statistics_.runs, trial, keeps);
    reach_.take(trial, statistics_.runs, corpus_.entries().size() > entries);
    if (corpus_.entries().size() > entries) {
      corpus_.learn_values(corpus_.entries().back(), tester_);
      if (config_.calibrates) calibrate(corpus_.entries().back());
    }
  }
  tell_time();
  if (corpus_.features() > features) {
    statistics_.last_new = statistics_.runs;
    statistics_.last_new_seconds = statistics_.seconds;
  }
  statistics_.corpus = corpus_.entries().size();
  statistics_.pending = corpus_.pending();
  statistics_.cycles = corpus_.cycles();
  statistics_.features = corpus_.features();
  statistics_.states = corpus_.features(FeatureKind::state);
  statistics_.rules = rules_reached(reach_, rules_);
  statistics_.rules_known = rules_.size();
  statistics_.edges = corpus_.features(FeatureKind::edge);
  statistics_.descriptors = std::max(statistics_.descriptors, trial.descriptors);
}

// An IUT that answers in time only sometimes gives meaningless features. Their number is reported.
void Campaign::calibrate(const Entry& entry) {
  share_process(is_sound_);
  const Trial again = tester_.run(entry.input, config_.trial_pace);
  is_sound_ = is_sound_ && again.breaches.empty() && !again.lost;
  ++statistics_.executions;
  if (again.is_skipped || again.lost || again.is_interrupted) return;
  statistics_.calibrated += entry.features.size();
  statistics_.stable += static_cast<std::uint64_t>(std::ranges::count_if(
      entry.features, [&](std::uint64_t one) { return std::ranges::binary_search(again.features, one); }));
}

// True if the present process gets the next input. Replays and minimising get a new process each time.
void Campaign::share_process(bool is_sound) {
  if (Starts* const starts = tester_.arena().starts) starts->anew = !is_sound;
}

// ------------------------------------------------------------------------------------------------------ the campaign

tl::expected<Outcome, std::string> Campaign::run(const Watch& watch) {
  watch_ = &watch;
  begin_ = saved_ = looked_ = config_.clock();
  if (!is_begun_)
    if (auto created = create(); !created) return tl::unexpected(created.error());
  tester_.set_hooks({.is_time_up = [this] { return is_time_up(); }, .after_trial = [this] { tell_activity(); }});
  auto outcome = run_inputs();
  tester_.set_hooks({});
  return outcome;
}

tl::expected<Outcome, std::string> Campaign::run_inputs() {
  std::optional<TransportError> lost;
  if (auto examined = examine_all(); !examined) return tl::unexpected(examined.error());
  while (!is_over() && !lost && !has_gone_) {
    if (statistics_.runs >= cases_.size() && !has_anything_to_plan())
      return tl::unexpected(std::string("no case sends anything that could be changed; see `wirelaw test`"));
    if (auto taken = take_in(); !taken) return tl::unexpected(taken.error());
    const Input input = next_input();
    share_process(is_sound_);
    Trial trial = tester_.run(input, config_.trial_pace);
    if (config_.planning.guidance == Guidance::answers)
      std::erase_if(trial.features, [](std::uint64_t one) { return kind_of_feature(one) == kRuleKind; });
    is_sound_ = trial.breaches.empty() && !trial.lost;
    if (trial.is_interrupted) break;
    account(input, trial);
    share_process(false);
    if (auto looked = look_into(input, trial); !looked) return tl::unexpected(looked.error());
    if (auto looked = look_for_growth(input, trial); !looked) return tl::unexpected(looked.error());
    if (trial.lost && (has_gone_ || is_local_resource_error(*trial.lost) || !comes_back())) lost = trial.lost;
    statistics_.sample();
    if (watch_->progress) watch_->progress(progress());
    if (auto written = save_if_due(); !written) return tl::unexpected(written.error());
  }
  if (has_gone_ && !lost)
    lost = TransportError{"the peer has gone, and does not come back", "let --start start it anew for each input"};
  if (auto written = save_state(); !written) return tl::unexpected(written.error());
  Outcome outcome{.statistics = statistics_, .signatures = signatures_, .lost = lost};
  for (const Pending& one : pending_)
    (one.is_confirmed ? outcome.to_minimise : outcome.to_confirm).push_back(one.breach.signature);
  return outcome;
}

}  // namespace wirelaw::campaign
