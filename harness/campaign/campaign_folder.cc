// SPDX-License-Identifier: Apache-2.0
// The folder of a campaign: it is created, written while the campaign runs, and read when the campaign is resumed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "harness/campaign/campaign.h"
#include "harness/campaign/page.h"
#include "harness/runner.h"
#include "reports/printable.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "wirelaw-campaign/1";
constexpr std::array<std::string_view, 4> kGuidance{"none", "answers", "protocol", "coverage"};

// Returns a value of campaign.json as one line.
std::string in_words(const Json& value) {
  constexpr std::size_t kMost = 120;
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kMost));
}

std::string_view role_word(const Arena& arena) {
  return arena.role == Role::responder ? arena.protocol.responder : arena.protocol.initiator;
}

}  // namespace

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
          return matches_glob(glob, one->id) || is_captured(one->id);
        }))
      campaign.cases_.push_back(one);
  if (campaign.cases_.empty())
    return tl::unexpected(fmt::format("no case for a {} matches; see `wirelaw test {} --list`",
                                      role_word(tester.arena()), tester.arena().protocol.name));
  if (goes_on)
    if (auto resumed = campaign.resume(); !resumed) return tl::unexpected(resumed.error());
  campaign.is_begun_ = goes_on;
  return campaign;
}

// Uses the beginnings in the folder, if there are any, since the files that they were read from may have changed.
Campaign::Written Campaign::begin_with(bool goes_on) {
  std::error_code failed;
  if (goes_on && fs::exists(path(kBeginningsFile), failed)) {
    const auto json = read_json(path(kBeginningsFile));
    if (!json) return tl::unexpected(json.error());
    auto read = beginnings_of(*json);
    if (!read) return tl::unexpected(fmt::format("{}: {}", path(kBeginningsFile), read.error()));
    config_.beginnings = std::move(*read);
  }
  for (const CapturedConversation& one : config_.beginnings.conversations) tester_.add(one);
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
  if (auto written = save_state(); !written) return written;
  Json json = identity();
  json["wirelaw"] = config_.version;
  is_begun_ = true;
  return write_json(path("campaign.json"), json);  // last: if it exists, all of the others do
}

Campaign::Written Campaign::resume() {
  const auto json = read_json(path("campaign.json"));
  if (!json) return tl::unexpected(json.error());
  const Json own = identity();
  for (const auto& [name, value] : own.items())
    if (const auto found = json->find(name); found == json->end() || *found != value)
      return tl::unexpected(fmt::format("{}: this campaign differs in its {} ({} there, {} here); name another folder",
                                        path("campaign.json"), name,
                                        found == json->end() ? "not said" : in_words(*found), in_words(value)));
  const auto state = read_json(path("state.json"));
  if (!state) return tl::unexpected(state.error());
  const auto damaged = [&](std::string_view why) {
    return tl::unexpected(fmt::format("{}: {}", path("state.json"), why));
  };
  if (text_in(*state, "schema") != kSchema) return damaged(fmt::format("is no state of a campaign ({})", kSchema));
  for (const char* name : {"signatures", "known", "unconfirmed", "chosen"})
    if (const auto found = state->find(name); found == state->end() || !found->is_array())
      return damaged(fmt::format("'{}' is no list", name));
  for (const char* name : {"statistics", "reach", "reached"})
    if (const auto found = state->find(name); found == state->end() || !found->is_object())
      return damaged(fmt::format("'{}' is no object", name));
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
  const std::vector<const Rule*> rules = tester_.rules();
  if (const auto list = state->find("pending"); list != state->end() && list->is_array())
    for (const Json& one : *list) {
      auto pending = pending_of(one, rules);
      if (!pending) return damaged(pending.error());
      pending_.push_back(std::move(*pending));
    }
  for (const std::string& signature : signatures_) lines_.push_back(line_of(path("findings"), signature));
  runs_before_ = statistics_.runs;
  seconds_before_ = statistics_.seconds;
  return {};
}

// state.json is last: it names nothing that is not there.
Campaign::Written Campaign::save_state() {
  const auto began = config_.clock();
  for (; saved_entries_ < corpus_.entries().size(); ++saved_entries_)
    if (auto written = write_json(entry_path(saved_entries_), to_json(corpus_.entries()[saved_entries_])); !written)
      return written;
  Json chosen = Json::array(), reached = Json::object(), pending = Json::array();
  for (const Entry& one : corpus_.entries()) chosen.push_back(one.chosen);
  for (const auto& [feature, times] : corpus_.reached()) reached[fmt::format("{:016x}", feature)] = times;
  for (const Pending& one : pending_) pending.push_back(to_json(one));
  const Json statistics = to_json(statistics_), reach = to_json(reach_);
  Json told = statistics;
  told["now"] = activity_;
  told["reach"] = reach;
  told["signatures"] = signatures_;
  if (auto written = write_json(path("stats.json"), told); !written) return written;
  if (auto written = save_page(); !written) return written;
  const auto written = write_json(path("state.json"), {{"schema", kSchema},
                                                       {"entries", corpus_.entries().size()},
                                                       {"signatures", signatures_},
                                                       {"known", known_},
                                                       {"unconfirmed", unconfirmed_},
                                                       {"pending", std::move(pending)},
                                                       {"statistics", statistics},
                                                       {"reach", reach},
                                                       {"chosen", std::move(chosen)},
                                                       {"reached", std::move(reached)}});
  saved_ = config_.clock();
  save_took_ = saved_ - began;
  return written;
}

// Every few seconds, but not for more than a small part of the time.
Campaign::Written Campaign::save_if_due() {
  constexpr std::chrono::seconds kEvery{5};
  constexpr int kPart = 20;
  const auto pause = std::max<std::chrono::steady_clock::duration>(kEvery, save_took_ * kPart);
  return config_.clock() - saved_ < pause ? Written{} : save_state();
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

// A failure to write the log does not end a campaign.
void Campaign::log(const std::string& line) {
  std::ofstream(path("log.txt"), std::ios::app) << fmt::format("run {}: {}\n", statistics_.runs, line);
}

}  // namespace wirelaw::campaign
