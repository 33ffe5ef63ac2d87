// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "conformance/stack.h"
#include "harness/campaign/beginnings.h"
#include "harness/campaign/feature.h"
#include "harness/campaign/finding.h"
#include "harness/campaign/input_json.h"
#include "harness/campaign/page.h"
#include "harness/campaign/pending.h"
#include "harness/campaign/reach.h"
#include "harness/campaign/statistics.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using Written = tl::expected<void, std::string>;
// Rules are counted by their names.
constexpr std::uint64_t Statistics::*kKinds[kFeatureKinds] = {&Statistics::states, nullptr, &Statistics::edges};

class Merger {
 public:
  Merger(std::string into, MergeInto how) : into_(std::move(into)), how_(how) {}

  Written begin() {
    std::error_code failed;
    if (how_ == MergeInto::anew)
      for (const char* name : {"/state.json", "/campaign.json", "/corpus", "/findings"})
        fs::remove_all(into_ + name, failed);
    if (fs::exists(into_ + "/campaign.json", failed))
      return tl::unexpected(fmt::format("{}: holds a campaign already; name a new folder", into_));
    for (const char* name : {"/corpus", "/findings"}) {
      fs::create_directories(into_ + name, failed);
      if (failed) return tl::unexpected(fmt::format("{}{}: {}", into_, name, failed.message()));
    }
    return {};
  }

  Written add(const std::string& folder) {
    auto campaign = read_json(folder + "/campaign.json");
    if (!campaign) return tl::unexpected(campaign.error());
    if (campaign_.is_null()) campaign_ = *campaign;
    ++folders_;
    for (const char* name : {"schema", "protocol", "role", "cases"})
      if ((*campaign)[name] != campaign_[name])
        return tl::unexpected(fmt::format("{}: this campaign differs in its {} from the first", folder, name));
    const auto state = read_json(folder + "/state.json");
    if (!state) return tl::unexpected(state.error());
    if (auto added = add_entries(folder, count_in(*state, "entries")); !added) return added;
    if (const auto reached = state->find("reached"); reached != state->end() && reached->is_object())
      for (const auto& [feature, times] : reached->items())
        if (times.is_number_unsigned()) reached_[feature] += times.get<std::uint64_t>();
    add_lines(*state, "known", known_);
    add_lines(*state, "unconfirmed", unconfirmed_);
    if (auto added = add_beginnings(folder); !added) return added;
    if (const auto one = state->find("reach"); one != state->end()) reach_.add(reach_of(*one));
    if (const auto one = state->find("statistics"); one != state->end() && one->is_object()) add(statistics_of(*one));
    std::vector<std::string> signatures;
    add_lines(*state, "signatures", signatures);
    for (const std::string& one : signatures)
      if (auto added = add_finding(folder, one); !added) return added;
    if (const auto list = state->find("pending"); list != state->end() && list->is_array())
      for (const Json& one : *list) add_pending(folder, one);
    return {};
  }

  tl::expected<Merged, std::string> finish() {
    settle_pending();
    statistics_.corpus = entries_;
    statistics_.features = reached_.size();
    statistics_.findings = signatures_.size();
    statistics_.unconfirmed = unconfirmed_.size();
    // A finding of several campaigns counts once.
    for (Statistics::Sample& one : statistics_.timeline) one.findings = std::min(one.findings, statistics_.findings);
    statistics_.states = statistics_.edges = 0;
    Json reached = Json::object();
    for (const auto& [feature, times] : reached_) {
      reached[feature] = times;
      const std::size_t kind = kind_of_feature(std::strtoull(feature.c_str(), nullptr, 16));
      if (kKinds[kind] != nullptr) ++(statistics_.*kKinds[kind]);
    }
    const std::vector<const Rule*> rules = rules_of();
    statistics_.rules = rules_reached(reach_, rules);
    statistics_.rules_known = rules.size();
    const Json statistics = to_json(statistics_);
    Json pending = Json::array();
    for (const auto& [signature, one] : pending_) pending.push_back(one);
    for (const auto& [name, json] : {std::pair<const char*, Json>{"/campaign.json", campaign_},
                                     {"/stats.json", statistics},
                                     {"/state.json", Json{{"schema", campaign_["schema"]},
                                                          {"entries", entries_},
                                                          {"signatures", signatures_},
                                                          {"known", known_},
                                                          {"unconfirmed", unconfirmed_},
                                                          {"pending", pending},
                                                          {"statistics", statistics},
                                                          {"reach", to_json(reach_)},
                                                          {"chosen", Json::array()},
                                                          {"reached", reached}}}})
      if (auto written = write_json(into_ + name, json); !written) return tl::unexpected(written.error());
    if (!beginnings_.conversations.empty())
      if (auto written = write_json(into_ + "/" + kBeginningsFile, to_json(beginnings_)); !written)
        return tl::unexpected(written.error());
    if (auto written = save_page(rules); !written) return tl::unexpected(written.error());
    Merged merged{
        .entries = entries_, .findings = signatures_.size(), .statistics = statistics_, .signatures = signatures_};
    for (const auto& [signature, one] : pending_)
      (is_confirmed(one) ? merged.to_minimise : merged.to_confirm).push_back(signature);
    return merged;
  }

 private:
  // Compares entries by what they do, not by how they were found.
  Written add_entries(const std::string& folder, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("/corpus/{:06}.json", i);
      const auto json = read_json(folder + name);
      if (!json) return tl::unexpected(json.error());
      const auto entry = entry_of(*json);
      if (!entry) return tl::unexpected(fmt::format("{}{}: {}", folder, name, entry.error()));
      if (!inputs_.insert(to_json(entry->input).dump()).second) continue;
      if (auto written = write_json(fmt::format("{}/corpus/{:06}.json", into_, entries_), *json); !written)
        return written;
      ++entries_;
    }
    return {};
  }

  // The captures that entries change: without them they could not be run again.
  Written add_beginnings(const std::string& folder) {
    std::error_code failed;
    const std::string path = folder + "/" + kBeginningsFile;
    if (!fs::exists(path, failed)) return {};
    const auto json = read_json(path);
    if (!json) return tl::unexpected(json.error());
    const auto theirs = beginnings_of(*json);
    if (!theirs) return tl::unexpected(fmt::format("{}: {}", path, theirs.error()));
    for (const CapturedConversation& one : theirs->conversations)
      if (std::ranges::count(beginnings_.conversations, one.id, &CapturedConversation::id) == 0)
        beginnings_.conversations.push_back(one);
    return {};
  }

  static void add_lines(const Json& state, const char* name, std::vector<std::string>& into) {
    const auto found = state.find(name);
    if (found == state.end() || !found->is_array()) return;
    for (const Json& one : *found)
      if (one.is_string() && std::ranges::count(into, one.get<std::string>()) == 0)
        into.push_back(one.get<std::string>());
  }

  Written add_finding(const std::string& folder, const std::string& signature) {
    if (std::ranges::count(signatures_, signature) > 0) return {};
    const std::string name = "/findings/" + folder_name(signature);
    std::error_code failed;
    fs::copy(folder + name, into_ + name, fs::copy_options::recursive, failed);
    if (failed) return tl::unexpected(fmt::format("{}{}: {}", folder, name, failed.message()));
    signatures_.push_back(signature);
    finding_from_[signature] = folder;
    return {};
  }

  static bool is_confirmed(const Json& pending) {
    const auto confirmed = pending.find("confirmed");
    return confirmed != pending.end() && confirmed->is_boolean() && confirmed->get<bool>();
  }
  // Adds the findings that one of the campaigns still has to examine, unless the merge kept another campaign's copy.
  void add_pending(const std::string& folder, const Json& one) {
    const std::string signature = text_in(one, "signature");
    const auto from = finding_from_.find(signature);
    if (from == finding_from_.end() ? !is_confirmed(one) : is_confirmed(one) && from->second == folder)
      pending_.emplace(signature, one);
  }
  // Another one may have confirmed it.
  void settle_pending() {
    std::erase_if(pending_, [&](const auto& one) {
      return !is_confirmed(one.second) && std::ranges::count(known_, one.first) > 0;
    });
  }

  // Workers run at the same time, so their times are not added up. Several nights follow one another, so theirs are.
  void add(Statistics one) {
    const double before = how_ == MergeInto::anew ? 0 : statistics_.seconds;
    for (double* seconds : {&one.seconds, &one.last_new_seconds, &one.last_finding_seconds}) *seconds += before;
    campaign::add(statistics_, one);
  }

  // Returns the rules for the role of their IUT.
  std::vector<const Rule*> rules_of() const {
    const Protocol* const protocol = find_protocol(text_in(campaign_, "protocol"));
    if (protocol == nullptr) return {};
    const Catalogue catalogue = catalogue_of_stack(*protocol, protocols());
    const Role iut = text_in(campaign_, "role") == protocol->responder ? Role::responder : Role::initiator;
    std::vector<const Rule*> rules;
    for (const Rule* rule : catalogue.rules())
      if (includes(rule->subject, iut)) rules.push_back(rule);
    return rules;
  }

  Written save_page(const std::vector<const Rule*>& rules) const {
    std::vector<FindingLine> lines;
    for (const std::string& one : signatures_) lines.push_back(line_of(into_ + "/findings", one));
    const Page page{.title = fmt::format("{} {} at {}", text_in(campaign_, "protocol"), text_in(campaign_, "role"),
                                         text_in(campaign_, "peer")),
                    .subtitle = fmt::format("{} campaigns together", folders_),
                    .statistics = statistics_,
                    .findings = lines,
                    .reach = reach_,
                    .rules = rules};
    return write_text(into_ + "/index.html", page_of(page));
  }

  std::string into_;
  MergeInto how_;
  std::size_t folders_ = 0;
  Json campaign_;
  std::set<std::string> inputs_;
  std::size_t entries_ = 0;
  std::map<std::string, std::uint64_t> reached_;
  std::vector<std::string> known_, unconfirmed_, signatures_;
  std::map<std::string, std::string> finding_from_;  // the folder of each finding
  std::map<std::string, Json> pending_;              // by signature
  Statistics statistics_;
  Reach reach_;
  Beginnings beginnings_;
};

}  // namespace

tl::expected<Merged, std::string> merge(const std::vector<std::string>& folders, const std::string& into,
                                        MergeInto how) {
  Merger merger(into, how);
  if (auto begun = merger.begin(); !begun) return tl::unexpected(begun.error());
  for (const std::string& one : folders)
    if (auto added = merger.add(one); !added) return tl::unexpected(added.error());
  return merger.finish();
}

}  // namespace wirelaw::campaign
