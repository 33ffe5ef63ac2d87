// SPDX-License-Identifier: Apache-2.0
// The handling of a breach in a campaign: it is repeated and kept, and its input is made smaller.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "harness/campaign/campaign.h"
#include "harness/campaign/minimise.h"

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostFindings = 1000;

FindingLine line_of(const CampaignFinding& finding) {
  return {.signature = finding.breach.signature,
          .actual = finding.breach.actual,
          .expected = finding.breach.expected,
          .demand = finding.breach.rule == nullptr ? "" : std::string(finding.breach.rule->summary),
          .shown_by = finding.breach.kind,
          .run = finding.run,
          .replays = finding.replays.times,
          .came_back = finding.replays.came_back,
          .is_minimised = finding.is_minimised};
}

}  // namespace

void Campaign::count(const Replays& replays) {
  statistics_.executions += replays.times;
  statistics_.replays += replays.times;
  statistics_.came_back += replays.came_back;
}

bool Campaign::is_known(std::string_view signature) const {
  return std::ranges::find(known_, signature) != known_.end() ||
         std::ranges::find(known_elsewhere_, signature) != known_elsewhere_.end();
}

bool Campaign::is_pending(std::string_view signature) const {
  return std::ranges::any_of(pending_, [&](const Pending& one) { return one.breach.signature == signature; });
}

// True if it serves an honest exchange, given some time. If the campaign is over first, it is unknown.
bool Campaign::comes_back() {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries && !tester_.is_over(); ++i) {
    if (i > 0) std::this_thread::sleep_for(config_.confirming_pace.answer_time / 2);
    if (tester_.greet(config_.confirming_pace).empty()) return true;
  }
  return tester_.is_over();
}

// All breaches of one run are saved before any of them is examined.
Campaign::Written Campaign::look_into(const Input& input, const Trial& trial) {
  const std::size_t before = pending_.size();
  for (const Breach& one : trial.breaches) {
    if (one.oracle == Oracle::died || one.oracle == Oracle::sanitizer) ++statistics_.deaths;
    if (is_known(one.signature) || is_pending(one.signature) || signatures_.size() >= kMostFindings) continue;
    pending_.push_back({.breach = one, .found_as = input, .smallest = input, .run = statistics_.runs});
  }
  if (pending_.size() == before) return {};
  if (auto written = save_state(); !written) return written;
  return examine_all();
}

// Examines breaches in the order of their appearance. A breach that the smallest input of another one shows as well is
// no separate fault.
Campaign::Written Campaign::examine_all() {
  std::size_t at = 0;
  while (at < pending_.size() && !tester_.is_over() && !has_gone_) {
    Pending& one = pending_[at];
    const bool is_done = !one.is_confirmed && is_known(one.breach.signature);
    const auto examined = is_done ? true : examine(one);
    if (!examined) return tl::unexpected(examined.error());
    if (!*examined) {
      ++at;  // keeps it in the list
      continue;
    }
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(at));
    if (auto written = save_state(); !written) return written;
  }
  activity_.clear();
  return {};
}

// True if nothing is left to do. If the campaign is over before that, it stays pending.
tl::expected<bool, std::string> Campaign::examine(Pending& one) {
  const bool may_be_gone = one.breach.oracle == Oracle::unserved && tester_.arena().process == nullptr;
  if (may_be_gone && !comes_back()) {
    has_gone_ = true;
    if (one.is_confirmed) return false;
    const auto written = keep(found_in(one));
    return written ? tl::expected<bool, std::string>(true) : tl::unexpected(written.error());
  }
  if (!one.is_confirmed) {
    const auto is_refuted = confirm(one);
    if (!is_refuted || *is_refuted || !one.is_confirmed) return is_refuted;
  }
  return minimise_further(one);
}

CampaignFinding Campaign::found_in(const Pending& one) {
  return {.breach = one.breach, .input = one.found_as, .found_as = one.found_as, .run = one.run};
}

// True if it did not recur. If it did, it is a finding from then on. If the time was not enough, it is neither.
tl::expected<bool, std::string> Campaign::confirm(Pending& one) {
  begin_activity(fmt::format("confirming {}", one.breach.signature));
  CampaignFinding finding = found_in(one);
  finding.replays = repeat(finding, one.found_as);
  if (finding.replays.came_back > 0) {
    if (auto written = keep(finding); !written) return tl::unexpected(written.error());
    one.is_confirmed = true;
    if (auto written = save_state(); !written) return tl::unexpected(written.error());
    return false;
  }
  if (tester_.is_over()) return false;
  has_gone_ = finding.replays.lost && !comes_back();
  if (has_gone_ || tester_.is_over()) return false;
  note_unconfirmed(one.breach, finding.replays);
  return true;
}

// True if that is done: the smallest input is known, and was repeated at a slow pace.
tl::expected<bool, std::string> Campaign::minimise_further(Pending& one) {
  const std::string& signature = one.breach.signature;
  begin_activity(fmt::format("minimising {}", signature));
  const std::size_t most = config_.minimising_trials - std::min<std::size_t>(one.trials, config_.minimising_trials);
  const Minimised small = minimise(tester_, one.smallest, signature, config_.trial_pace, most,
                                   [&](const Input& smaller) { one.smallest = smaller; });
  one.trials += small.trials;
  statistics_.executions += small.trials;
  if (tester_.is_over()) return false;
  begin_activity(fmt::format("confirming the smaller input of {}", signature));
  CampaignFinding finding = found_in(one);
  finding.input = small.input;
  finding.replays = repeat(finding, small.input);
  finding.is_minimised = true;
  if (finding.replays.came_back == 0 && tester_.is_over()) return false;
  // A finding that recurs only sometimes may have lost what it needs, so it stays as it was found.
  const auto written = finding.replays.came_back > 0 ? update(finding) : stay(signature);
  return written ? tl::expected<bool, std::string>(true) : tl::unexpected(written.error());
}

// Repeats the finding by this input, and takes over what the last replay that reproduced it has shown.
Replays Campaign::repeat(CampaignFinding& finding, const Input& input) {
  Trial last;
  const std::string signature = finding.breach.signature;
  const Replays replays = replay(tester_, input, signature, config_.confirming_pace, config_.replays, &last);
  count(replays);
  if (replays.came_back == 0) return replays;
  finding.breach = *last.find(signature);
  finding.also.clear();
  for (const Breach& one : last.breaches)
    if (one.signature != signature && !is_known(one.signature)) finding.also.push_back(one.signature);
  finding.steps = last.steps;
  finding.messages_sent = last.messages_sent;
  finding.output = last.output;
  return replays;
}

void Campaign::note_unconfirmed(const Breach& breach, const Replays& replays) {
  if (std::ranges::find(unconfirmed_, breach.signature) == unconfirmed_.end()) {
    unconfirmed_.push_back(breach.signature);
    log(fmt::format("{} did not come back in {} replays: {}", breach.signature, replays.times, breach.actual));
  }
  statistics_.unconfirmed = unconfirmed_.size();
}

// The finding is in its folder from now on.
Campaign::Written Campaign::keep(const CampaignFinding& finding) {
  if (auto written = write_finding(finding); !written) return written;
  signatures_.push_back(finding.breach.signature);
  known_.push_back(finding.breach.signature);
  lines_.push_back(line_of(finding));
  statistics_.findings = signatures_.size();
  statistics_.last_finding = statistics_.runs;
  statistics_.last_finding_seconds = statistics_.seconds;
  log(fmt::format("found {}: expected {}, got {}; recurred {} of {} times", finding.breach.signature,
                  finding.breach.expected, finding.breach.actual, finding.replays.came_back, finding.replays.times));
  if (watch_ != nullptr && watch_->found) watch_->found(finding);
  return {};
}

// Updates a kept finding with what is known now.
Campaign::Written Campaign::update(const CampaignFinding& finding) {
  if (auto written = write_finding(finding); !written) return written;
  known_.insert(known_.end(), finding.also.begin(), finding.also.end());
  const auto line = std::ranges::find(lines_, finding.breach.signature, &FindingLine::signature);
  if (line != lines_.end()) *line = line_of(finding);
  return {};
}

// Keeps the finding as it is, since no smaller input is known.
Campaign::Written Campaign::stay(const std::string& signature) {
  const std::string file = path("findings/" + folder_name(signature) + "/finding.json");
  auto json = read_json(file);
  if (!json) return tl::unexpected(json.error());
  (*json)["minimised"] = true;
  if (const auto also = json->find("also"); also != json->end() && also->is_array())
    for (const Json& one : *also)
      if (one.is_string() && !is_known(one.get<std::string>())) known_.push_back(one.get<std::string>());
  const auto line = std::ranges::find(lines_, signature, &FindingLine::signature);
  if (line != lines_.end()) line->is_minimised = true;
  return write_json(file, *json);
}

Campaign::Written Campaign::write_finding(const CampaignFinding& finding) {
  const std::string& signature = finding.breach.signature;
  const std::string folder = path("findings/" + folder_name(signature));
  if (auto written = save(finding, tester_, config_.peer, folder); !written) return written;
  if (finding.replays.times > 0) {
    const auto captured =
        record(tester_, finding.input, signature, config_.confirming_pace, folder + "/capture.pcapng");
    if (!captured) log(fmt::format("{}: no capture: {}", signature, captured.error()));
    ++statistics_.executions;
  }
  return {};
}

// ---------------------------------------------------------------------------------- a process that serves many inputs

Campaign::Written Campaign::look_for_growth(const Input& input, const Trial& trial) {
  constexpr std::size_t kRecent = 256;
  const Starts* const starts = tester_.arena().starts;
  if (starts == nullptr || starts->every < 2 || tester_.arena().process == nullptr) return {};
  if (growth_.empty())
    for (const Grower& one : growers()) growth_.emplace_back(starts->every, one.least);
  recent_.push_back(input);
  if (recent_.size() > kRecent) recent_.pop_front();
  for (std::size_t i = 0; i < growth_.size(); ++i) {
    const Grower& grower = growers()[i];
    if (trial.*grower.used == 0) continue;
    growth_[i].sample(starts->served, trial.*grower.used);
    const auto growth = growth_[i].take();
    if (!growth || is_known(grower.signature)) continue;
    if (auto written = keep_growth(grower, *growth); !written) return written;
  }
  return {};
}

// The finding is the growth itself, and is kept immediately, because the process that has grown will not exist again.
// The latest inputs are searched for one that alone causes it, which may not be found.
Campaign::Written Campaign::keep_growth(const Grower& grower, const Growth& growth) {
  constexpr std::size_t kTried = 12;
  CampaignFinding finding{.breach = {.oracle = Oracle::growth,
                                     .signature = std::string(grower.signature),
                                     .expected = "a process that does not grow as long as it serves",
                                     .actual = to_text(growth, grower.what),
                                     .explanation = "The campaign ended before the latest inputs were tried alone."},
                          .input = recent_.back(),
                          .found_as = recent_.back(),
                          .run = statistics_.runs};
  if (auto written = keep(finding); !written) return written;
  if (auto written = save_state(); !written) return written;
  begin_activity(fmt::format("looking for the input that caused {}", grower.signature));
  std::optional<Growth> most;
  const std::size_t stride = std::max<std::size_t>(recent_.size() / kTried, 1);
  for (std::size_t i = 0; i < recent_.size() && !tester_.is_over(); i += stride) {
    const auto alone = growth_by(tester_, recent_[i], grower, config_.trial_pace);
    if (!alone || (most && most->each() >= alone->each())) continue;
    most = alone;
    finding.input = finding.found_as = recent_[i];
  }
  if (most)
    finding.breach.explanation = "This input alone, again and again: " + to_text(*most, grower.what) + ".";
  else if (!tester_.is_over())
    finding.breach.explanation = "None of the latest inputs that were tried does it alone.";
  if (most) finding.replays = replay(tester_, finding.input, grower.signature, config_.trial_pace, config_.replays);
  finding.is_minimised = !tester_.is_over();
  activity_.clear();
  return update(finding);
}

}  // namespace wirelaw::campaign
