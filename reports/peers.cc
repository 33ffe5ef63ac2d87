// SPDX-License-Identifier: Apache-2.0
#include "reports/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/peers_signs.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Json = nlohmann::json;
using Wrong = tl::unexpected<std::string>;

constexpr std::string_view kListSchema = "wirelaw-peers/2";
constexpr std::string_view kPeerSchema = "wirelaw-peer/1";
constexpr std::string_view kHint = "reports/peers.h describes the format of a list of peers";

template <class Entry>
struct Key {
  const char* name;
  std::string Entry::*member;
  bool needed = true;
};

constexpr Key<PeerSign> kSignKeys[] = {
    {"rule", &PeerSign::rule, false},
    {"case", &PeerSign::in_case, false},
    {"actual", &PeerSign::actual, false},
};
constexpr Key<PeerCause> kCauseKeys[] = {
    {"id", &PeerCause::id},
    {"title", &PeerCause::title},
    {"severity", &PeerCause::severity},
    {"symptom", &PeerCause::symptom},
    {"specification", &PeerCause::specification},
};
constexpr Key<PeerWarning> kWarningKeys[] = {{"sentence", &PeerWarning::sentence}};
constexpr Key<PeerPage> kPageKeys[] = {{"id", &PeerPage::id}, {"name", &PeerPage::name}};
constexpr Key<PeerRun> kRunKeys[] = {
    {"version", &PeerRun::version},
    {"protocol", &PeerRun::protocol},
    {"role", &PeerRun::role},
    {"how", &PeerRun::how},
    {"command", &PeerRun::command},
    {"result", &PeerRun::result_file},
    {"capture", &PeerRun::capture, false},
    {"stability", &PeerRun::stability_file, false},
};

// Each returns what is wrong, or an empty string.
template <class Entry>
std::string take_texts(const Json& from, std::span<const Key<Entry>> keys, Entry& to) {
  if (!from.is_object()) return "an entry is not an object";
  for (const Key<Entry>& key : keys) {
    const auto value = from.find(key.name);
    if (value == from.end() ? key.needed : !value->is_string())
      return fmt::format("an entry has no string \"{}\"", key.name);
    if (value != from.end()) to.*key.member = value->template get<std::string>();
  }
  return {};
}

std::string take_paragraphs(const Json& from, std::vector<std::string>& to) {
  const auto list = from.find("setup");
  if (list == from.end()) return {};
  if (!list->is_array() || !std::ranges::all_of(*list, [](const Json& one) { return one.is_string(); }))
    return "\"setup\" is not a list of strings";
  to = list->get<std::vector<std::string>>();
  return {};
}

// Reads each entry of the list `key` with `take`.
template <class Entry, class Take>
std::string take_list(const Json& from, const char* key, std::vector<Entry>& to, Take take) {
  const auto list = from.find(key);
  if (list == from.end() || !list->is_array()) return fmt::format("there is no list \"{}\"", key);
  for (const Json& one : *list)
    if (std::string wrong = take(one, to.emplace_back()); !wrong.empty()) return wrong;
  return {};
}

std::string take_sign(const Json& from, PeerSign& to) {
  if (std::string wrong = take_texts<PeerSign>(from, kSignKeys, to); !wrong.empty()) return wrong;
  const bool any_case = to.in_case.empty() || to.in_case == "*";
  if (any_case && to.rule.empty()) return "a sign has neither a rule nor a case";
  if (any_case && to.actual.empty())
    return fmt::format("a sign has only the rule {}: add a \"case\" or an \"actual\"", to.rule);
  return {};
}

template <class Entry>
std::string take_shown(const Json& from, std::span<const Key<Entry>> keys, Entry& to) {
  if (std::string wrong = take_texts<Entry>(from, keys, to); !wrong.empty()) return wrong;
  to.seldom = from.contains("seldom");
  return take_list(from, "shown_by", to.shown_by, take_sign);
}

std::string take_cause(const Json& from, PeerCause& to) {
  if (std::string wrong = take_shown<PeerCause>(from, kCauseKeys, to); !wrong.empty()) return wrong;
  return rank_of(to.severity) < kSeverities.size() ? "" : fmt::format("\"{}\" is not a severity", to.severity);
}

std::string take_warning(const Json& from, PeerWarning& to) {
  return take_shown<PeerWarning>(from, kWarningKeys, to);
}

std::string take_page(const Json& from, PeerPage& to) {
  if (std::string wrong = take_texts<PeerPage>(from, kPageKeys, to); !wrong.empty()) return wrong;
  if (std::string wrong = take_paragraphs(from, to.setup); !wrong.empty()) return wrong;
  if (std::string wrong = take_list(from, "causes", to.causes, take_cause); !wrong.empty()) return wrong;
  std::ranges::stable_sort(to.causes, {}, [](const PeerCause& one) { return rank_of(one.severity); });
  return take_list(from, "warnings", to.warnings, take_warning);
}

std::string take_repeated(const Json& from, PeerRun::Repeated& to) {
  if (!from.is_object() || !from.contains("case") || !from["case"].is_string())
    return "an entry has no string \"case\"";
  to.id = from["case"].get<std::string>();
  for (const auto& [key, member] :
       {std::pair("failed", &PeerRun::Repeated::failed), std::pair("of", &PeerRun::Repeated::of)}) {
    if (!from.contains(key) || !from[key].is_number_unsigned())
      return fmt::format("an entry has no number \"{}\"", key);
    to.*member = from[key].get<std::uint64_t>();
  }
  return {};
}

Wrong error_in(const std::string& name, std::string_view what) {
  return Wrong(fmt::format("{}: {}; {}", printable(name), what, kHint));
}

tl::expected<Json, std::string> parse(const std::string& name, const std::string& json, std::string_view schema) {
  Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return error_in(name, "is not JSON");
  if (schema.empty()) return document;
  if (!document.is_object() || document.value("schema", Json()) != schema)
    return error_in(name, fmt::format("does not contain \"schema\": \"{}\"", schema));
  return document;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.find_last_of('/') + 1);  // empty if there is none
}

tl::expected<void, std::string> read_run(const std::string& folder, PeerRun& run) {
  auto result = read_result_file(folder + run.result_file,
                                 "a result is the file that `wirelaw test --format json -o FILE` writes");
  if (!result) return Wrong(result.error());
  run.result = std::move(*result);
  if (run.stability_file.empty()) return {};
  const std::string path = folder + run.stability_file;
  const auto text = read_file(path);
  if (!text) return Wrong(text.error());
  const auto rows = parse(path, *text, {});
  if (!rows) return Wrong(rows.error());
  const std::string wrong = take_list(Json{{"rows", *rows}}, "rows", run.repeated, take_repeated);
  if (!wrong.empty()) return error_in(path, wrong);
  return {};
}

// The page that `entry` of the list describes, with its runs.
tl::expected<PeerPage, std::string> read_page(const std::string& list, const Json& entry) {
  if (!entry.is_object() || !entry.contains("about") || !entry["about"].is_string())
    return error_in(list, "a peer has no string \"about\"");
  const std::string folder = folder_of(list);
  const std::string about = folder + entry["about"].get<std::string>();
  const auto text = read_file(about);
  if (!text) return Wrong(text.error());
  auto page = parse_peer(about, *text);
  if (!page) return page;
  const std::string wrong = take_list(
      entry, "runs", page->runs, [](const Json& from, PeerRun& to) { return take_texts<PeerRun>(from, kRunKeys, to); });
  if (!wrong.empty()) return error_in(list, wrong);
  for (PeerRun& run : page->runs)
    if (auto read = read_run(folder, run); !read) return Wrong(read.error());
  return page;
}

}  // namespace

std::string PeerRun::name() const {
  return result_file.substr(0, result_file.find_last_of('/'));
}

tl::expected<PeerPage, std::string> parse_peer(const std::string& name, const std::string& json) {
  const auto document = parse(name, json, kPeerSchema);
  if (!document) return Wrong(document.error());
  PeerPage page;
  if (const std::string wrong = take_page(*document, page); !wrong.empty()) return error_in(name, wrong);
  return page;
}

tl::expected<PeerList, std::string> read_peers(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Wrong(text.error());
  const auto document = parse(path, *text, kListSchema);
  if (!document) return Wrong(document.error());
  PeerList list;
  if (const std::string wrong = take_paragraphs(*document, list.setup); !wrong.empty()) return error_in(path, wrong);
  const auto peers = document->find("peers");
  if (peers == document->end() || !peers->is_array()) return error_in(path, "there is no list \"peers\"");
  for (const Json& entry : *peers) {
    auto page = read_page(path, entry);
    if (!page) return Wrong(page.error());
    list.peers.push_back(std::move(*page));
  }
  return list;
}

}  // namespace wirelaw
