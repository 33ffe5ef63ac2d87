// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/campaign/minimise.h"
#include "harness/campaign/page.h"
#include "harness/runner.h"
#include "harness/transports/local_resource_error.h"
#include "reports/printable.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kSchema = "wirelaw-campaign/1";
constexpr std::size_t kMostFindings = 1000;
constexpr std::array<std::string_view, 3> kGuidance{"none", "protocol", "coverage"};

// Not synchronised with the disk one by one: state.json contains their number, and is written last.
tl::expected<void, std::string> write_entry(const std::string& path, const Entry& entry) {
  std::ofstream out(path, std::ios::trunc);
  out << to_json(entry).dump(1) << '\n';
  out.flush();
  if (!out) return tl::unexpected(fmt::format("{}: cannot be written; is its disk full?", path));
  return {};
}

// A value of campaign.json, in a line.
std::string in_words(const Json& value) {
  constexpr std::size_t kMost = 120;
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kMost));
}

std::string_view role_word(const Arena& arena) {
  return arena.role == Role::responder ? arena.protocol.responder : arena.protocol.initiator;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------- the folder

std::string Campaign::entry_path(std::size_t number) const {
  return path(fmt::format("corpus/{:06}.json", number));
}

Json Campaign::identity() const {
  const Arena& arena = tester_.arena();
  return {{"schema", kSchema},
          {"protocol", arena.protocol.name},
          {"role", role_word(arena)},
          {"peer", config_.peer},
          {"start", config_.start},
          {"deviations", config_.deviations},
          {"application", wirelaw::word_of(arena.application)},
          {"features", arena.features},
          {"revision", arena.revision},
          {"limits", {{"resident_octets", arena.use.resident_octets}, {"descriptors", arena.use.descriptors}}},
          {"seed", config_.seed},
          {"guidance", kGuidance[static_cast<std::size_t>(config_.planning.guidance)]},
          {"repair", config_.planning.repair_percent},
          {"cases", config_.cases},
          {"from", config_.from}};
}

tl::expected<Campaign, std::string> Campaign::open(Tester& tester, Config config) {
  Campaign campaign(tester, std::move(config));
  std::error_code failed;
  const bool goes_on = fs::exists(campaign.path("campaign.json"), failed);
  if (auto begun = campaign.begin_with(goes_on); !begun) return tl::unexpected(begun.error());
  for (const Case* one : tester.cases())
    if (campaign.config_.cases.empty() || std::ranges::any_of(campaign.config_.cases, [&](const std::string& glob) {
          return matches_glob(glob, one->id) || is_script(one->id);
        }))
      campaign.cases_.push_back(one);
  if (campaign.cases_.empty())
    return tl::unexpected(fmt::format("no case for a {} matches; see `wirelaw test {} --list`",
                                      role_word(tester.arena()), tester.arena().protocol.name));
  const auto ready = goes_on ? campaign.resume() : campaign.create();
  if (!ready) return tl::unexpected(ready.error());
  return campaign;
}

// Those in the folder, if there are any: the files that they came from may have changed.
Campaign::Written Campaign::begin_with(bool goes_on) {
  std::error_code failed;
  if (goes_on && fs::exists(path(kBeginningsFile), failed)) {
    const auto json = read_json(path(kBeginningsFile));
    if (!json) return tl::unexpected(json.error());
    auto read = beginnings_of(*json);
    if (!read) return tl::unexpected(fmt::format("{}: {}", path(kBeginningsFile), read.error()));
    config_.beginnings = std::move(*read);
  }
  for (const ScriptedConversation& one : config_.beginnings.scripts) tester_.add(one);
  return {};
}

Campaign::Written Campaign::create() {
  std::error_code failed;
  for (const char* name : {"corpus", "findings"}) {
    fs::create_directories(path(name), failed);
    if (failed) return tl::unexpected(fmt::format("{}: {}", path(name), failed.message()));
  }
  if (!config_.from.empty())
    if (auto written = write_json(path(kBeginningsFile), to_json(config_.beginnings)); !written) return written;
  Json json = identity();
  json["wirelaw"] = config_.version;
  return write_json(path("campaign.json"), json);
}

Campaign::Written Campaign::resume() {
  const auto json = read_json(path("campaign.json"));
  if (!json) return tl::unexpected(json.error());
  const Json own = identity();
  for (const auto& [name, value] : own.items())
    if (const auto found = json->find(name); found == json->end() || *found != value)
      return tl::unexpected(fmt::format("{}: is a campaign with another {} ({} there, {} here); name another folder",
                                        path("campaign.json"), name,
                                        found == json->end() ? "not said" : in_words(*found), in_words(value)));
  const auto state = read_json(path("state.json"));
  if (!state) return {};  // it was stopped before its first result
  const std::uint64_t entries = count_in(*state, "entries");
  const auto chosen = state->find("chosen");
  for (std::uint64_t i = 0; i < entries; ++i) {
    const auto read = read_json(entry_path(i));
    if (!read) return tl::unexpected(read.error());
    auto entry = entry_of(*read);
    if (!entry) return tl::unexpected(fmt::format("{}: {}", entry_path(i), entry.error()));
    if (chosen != state->end() && chosen->is_array() && i < chosen->size() && (*chosen)[i].is_number_unsigned())
      entry->chosen = (*chosen)[i].get<std::uint64_t>();
    corpus_.restore(std::move(*entry), tester_);
  }
  saved_entries_ = corpus_.entries().size();
  if (const auto reached = state->find("reached"); reached != state->end() && reached->is_object())
    for (const auto& [feature, times] : reached->items())
      if (times.is_number_unsigned())
        corpus_.restore_reached(std::strtoull(feature.c_str(), nullptr, 16), times.get<std::uint64_t>());
  const auto lines = [&](const char* name, std::vector<std::string>& into) {
    if (const auto found = state->find(name); found != state->end() && found->is_array())
      for (const Json& one : *found)
        if (one.is_string()) into.push_back(one.get<std::string>());
  };
  lines("known", known_);
  lines("signatures", signatures_);
  lines("unconfirmed", unconfirmed_);
  if (const auto statistics = state->find("statistics"); statistics != state->end() && statistics->is_object())
    statistics_ = statistics_of(*statistics);
  if (const auto reach = state->find("reach"); reach != state->end()) reach_ = reach_of(*reach);
  for (const std::string& signature : signatures_) lines_.push_back(line_of(path("findings"), signature));
  runs_before_ = statistics_.runs;
  seconds_before_ = statistics_.seconds;
  return {};
}

Campaign::Written Campaign::save_state() {
  for (; saved_entries_ < corpus_.entries().size(); ++saved_entries_)
    if (auto written = write_entry(entry_path(saved_entries_), corpus_.entries()[saved_entries_]); !written)
      return written;
  Json chosen = Json::array(), reached = Json::object();
  for (const Entry& one : corpus_.entries()) chosen.push_back(one.chosen);
  for (const auto& [feature, times] : corpus_.reached()) reached[fmt::format("{:016x}", feature)] = times;
  const Json statistics = to_json(statistics_), reach = to_json(reach_);
  Json told = statistics;
  told["reach"] = reach;
  told["signatures"] = signatures_;
  if (auto written = write_json(path("stats.json"), told); !written) return written;
  if (auto written = save_page(); !written) return written;
  saved_ = Clock::now();
  return write_json(path("state.json"), {{"schema", kSchema},
                                         {"entries", corpus_.entries().size()},
                                         {"signatures", signatures_},
                                         {"known", known_},
                                         {"unconfirmed", unconfirmed_},
                                         {"statistics", statistics},
                                         {"reach", reach},
                                         {"chosen", std::move(chosen)},
                                         {"reached", std::move(reached)}});
}

Campaign::Written Campaign::save_page() const {
  const Arena& arena = tester_.arena();
  const std::vector<const Rule*> rules = tester_.rules();
  const Page page{
      .title = fmt::format("{} {} at {}", arena.protocol.name, role_word(arena), config_.peer),
      .subtitle = fmt::format("Campaign with seed {}, guided by {}; wirelaw {}", config_.seed,
                              config_.planning.guidance == Guidance::none       ? "nothing"
                              : config_.planning.guidance == Guidance::coverage ? "coverage and the protocol"
                                                                                : "the protocol",
                              config_.version),
      .statistics = statistics_,
      .findings = lines_,
      .reach = reach_,
      .rules = rules};
  return write_text(path("index.html"), page_of(page));
}

// What cannot be written to the log is no reason to end a campaign.
void Campaign::log(const std::string& line) {
  std::ofstream(path("log.txt"), std::ios::app) << fmt::format("run {}: {}\n", statistics_.runs, line);
}

// --------------------------------------------------------------------------------------------------------- the runs

bool Campaign::is_over() const {
  if (tester_.is_interrupted()) return true;
  if (config_.runs && statistics_.runs - runs_before_ >= *config_.runs) return true;
  return config_.time && Clock::now() - begin_ >= *config_.time;
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
  if (config_.siblings.empty() || Clock::now() - looked_ < kEvery) return {};
  looked_ = Clock::now();
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
    reach_.take(trial, statistics_.runs);
    if (corpus_.entries().size() > entries) {
      corpus_.learn_values(corpus_.entries().back(), tester_);
      if (config_.calibrates) calibrate(corpus_.entries().back());
    }
  }
  statistics_.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  if (corpus_.features() > features) {
    statistics_.last_new = statistics_.runs;
    statistics_.last_new_seconds = statistics_.seconds;
  }
  statistics_.corpus = corpus_.entries().size();
  statistics_.features = corpus_.features();
  statistics_.states = corpus_.features(FeatureKind::state);
  statistics_.rules = corpus_.features(FeatureKind::rule);
  statistics_.edges = corpus_.features(FeatureKind::edge);
  statistics_.descriptors = std::max(statistics_.descriptors, trial.descriptors);
}

// An IUT that answers in time now and then gives features that mean nothing: how many, people should know.
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

void Campaign::count(const Replays& replays) {
  statistics_.executions += replays.times;
  statistics_.replays += replays.times;
  statistics_.came_back += replays.came_back;
}

bool Campaign::is_known(std::string_view signature) const {
  return std::ranges::find(known_, signature) != known_.end() ||
         std::ranges::find(known_elsewhere_, signature) != known_elsewhere_.end();
}

// Whether it serves an honest exchange, given some time.
bool Campaign::comes_back() {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries && !tester_.is_interrupted(); ++i) {
    if (i > 0) std::this_thread::sleep_for(config_.confirming_pace.answer_time / 2);
    if (tester_.greet(config_.confirming_pace).empty()) return true;
  }
  return tester_.is_interrupted();
}

// All that one run has broken is looked into together: what the smallest input of one breaks as well is no other fault.
Campaign::Written Campaign::look_into(const Input& input, const Trial& trial) {
  for (const Breach& one : trial.breaches) {
    if (one.oracle == Oracle::died || one.oracle == Oracle::sanitizer) ++statistics_.deaths;
    if (is_known(one.signature) || signatures_.size() >= kMostFindings || tester_.is_interrupted()) continue;
    if (auto written = keep(input, one); !written) return written;
  }
  return {};
}

Campaign::Written Campaign::keep(const Input& found_as, const Breach& breach) {
  const bool may_be_gone = breach.oracle == Oracle::unserved && tester_.arena().process == nullptr;
  if (may_be_gone && !comes_back()) {
    has_gone_ = true;
    return keep_unreplayed(found_as, breach);
  }
  Trial last;
  const Replays confirmed =
      replay(tester_, found_as, breach.signature, config_.confirming_pace, config_.replays, &last);
  count(confirmed);
  if (tester_.is_interrupted()) return {};
  if (confirmed.came_back == 0) {
    has_gone_ = confirmed.lost && !comes_back();
    if (std::ranges::find(unconfirmed_, breach.signature) == unconfirmed_.end()) {
      unconfirmed_.push_back(breach.signature);
      log(fmt::format("{} did not come back in {} replays: {}", breach.signature, confirmed.times, breach.actual));
    }
    statistics_.unconfirmed = unconfirmed_.size();
    return {};
  }
  const Minimised small = minimise(tester_, found_as, breach.signature, config_.trial_pace, config_.minimising_trials);
  CampaignFinding finding{
      .breach = *last.find(breach.signature), .input = small.input, .found_as = found_as, .run = statistics_.runs};
  finding.replays = replay(tester_, small.input, breach.signature, config_.confirming_pace, config_.replays, &last);
  statistics_.executions += small.trials;
  count(finding.replays);
  if (finding.replays.came_back == 0) {  // a finding that comes back only now and then may have lost what it needs
    finding.input = found_as;
    finding.replays = confirmed;
  }
  finding.breach = *last.find(breach.signature);
  for (const Breach& one : last.breaches)
    if (one.signature != breach.signature && !is_known(one.signature)) finding.also.push_back(one.signature);
  finding.steps = last.steps;
  finding.messages_sent = last.messages_sent;
  finding.output = last.output;
  return keep(std::move(finding));
}

Campaign::Written Campaign::keep_unreplayed(const Input& found_as, const Breach& breach) {
  return keep({.breach = breach, .input = found_as, .found_as = found_as, .run = statistics_.runs});
}

Campaign::Written Campaign::keep(CampaignFinding finding) {
  const std::string folder = path("findings/" + folder_name(finding.breach.signature));
  if (auto written = save(finding, tester_, config_.peer, folder); !written) return written;
  if (finding.replays.times > 0) {
    const auto captured =
        record(tester_, finding.input, finding.breach.signature, config_.confirming_pace, folder + "/capture.pcapng");
    if (!captured) log(fmt::format("{}: no capture: {}", finding.breach.signature, captured.error()));
    ++statistics_.executions;
  }
  signatures_.push_back(finding.breach.signature);
  known_.push_back(finding.breach.signature);
  known_.insert(known_.end(), finding.also.begin(), finding.also.end());
  lines_.push_back({.signature = finding.breach.signature,
                    .actual = finding.breach.actual,
                    .run = finding.run,
                    .replays = finding.replays.times,
                    .came_back = finding.replays.came_back});
  statistics_.findings = signatures_.size();
  statistics_.last_finding = statistics_.runs;
  statistics_.last_finding_seconds = statistics_.seconds;
  log(fmt::format("found {}: {}, recurred {} of {} times", finding.breach.signature, finding.breach.actual,
                  finding.replays.came_back, finding.replays.times));
  if (watch_ != nullptr && watch_->found) watch_->found(finding);
  return save_state();
}

// ---------------------------------------------------------------------------------- a process that serves many inputs

// Whether the next input goes to the process at hand. What replays and minimises gets another each time.
void Campaign::share_process(bool is_sound) {
  if (Starts* const starts = tester_.arena().starts) starts->anew = !is_sound;
}

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

// The finding is the growth; an input that does it alone is looked for among the latest, and may not be found.
Campaign::Written Campaign::keep_growth(const Grower& grower, const Growth& growth) {
  constexpr std::size_t kTried = 12;
  CampaignFinding finding{.breach = {.oracle = Oracle::growth,
                                     .signature = std::string(grower.signature),
                                     .expected = "a process that does not grow as long as it serves",
                                     .actual = to_text(growth, grower.what)},
                          .input = recent_.back(),
                          .found_as = recent_.back(),
                          .run = statistics_.runs};
  std::optional<Growth> most;
  const std::size_t stride = std::max<std::size_t>(recent_.size() / kTried, 1);
  for (std::size_t i = 0; i < recent_.size() && !tester_.is_interrupted(); i += stride) {
    const auto alone = growth_by(tester_, recent_[i], grower, config_.trial_pace);
    if (!alone || (most && most->each() >= alone->each())) continue;
    most = alone;
    finding.input = finding.found_as = recent_[i];
  }
  finding.breach.explanation = most ? "This input alone, again and again: " + to_text(*most, grower.what) + "."
                                    : "None of the latest inputs that were tried does it alone.";
  if (most) finding.replays = replay(tester_, finding.input, grower.signature, config_.trial_pace, config_.replays);
  return tester_.is_interrupted() ? Written{} : keep(std::move(finding));
}

// ------------------------------------------------------------------------------------------------------ the campaign

tl::expected<Outcome, std::string> Campaign::run(const Watch& watch) {
  constexpr auto kSaveEvery = std::chrono::seconds{30};
  watch_ = &watch;
  begin_ = Clock::now();
  std::optional<TransportError> lost;
  while (!is_over() && !lost) {
    if (statistics_.runs >= cases_.size() && !has_anything_to_plan())
      return tl::unexpected(std::string("no case sends anything that could be changed; see `wirelaw test`"));
    if (auto taken = take_in(); !taken) return tl::unexpected(taken.error());
    const Input input = next_input();
    share_process(is_sound_);
    const Trial trial = tester_.run(input, config_.trial_pace);
    is_sound_ = trial.breaches.empty() && !trial.lost;
    if (trial.is_interrupted) break;
    account(input, trial);
    share_process(false);
    if (auto looked = look_into(input, trial); !looked) return tl::unexpected(looked.error());
    if (auto looked = look_for_growth(input, trial); !looked) return tl::unexpected(looked.error());
    if (trial.lost && (has_gone_ || is_local_resource_error(*trial.lost) || !comes_back())) lost = trial.lost;
    if (has_gone_ && !lost)
      lost = TransportError{"the peer has gone, and does not come back", "let --start start it anew for each input"};
    statistics_.sample();
    if (watch.runs) watch.runs(statistics_);
    if (Clock::now() - saved_ >= kSaveEvery)
      if (auto written = save_state(); !written) return tl::unexpected(written.error());
  }
  if (auto written = save_state(); !written) return tl::unexpected(written.error());
  return Outcome{.statistics = statistics_, .signatures = signatures_, .lost = lost};
}

}  // namespace wirelaw::campaign
