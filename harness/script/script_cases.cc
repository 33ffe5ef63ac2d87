// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/catalogue.h"

namespace wirelaw {
namespace {

// A script with an expectation names a rule (script::trouble_with_play()).
constexpr std::string_view kNothingExpected =
    "no line of the script expects anything; what the peer sent broke no rule that traffic shows";

// The result of Protocol::cases.
std::vector<Case>* scripted = nullptr;

std::span<const Case> scripted_cases() {
  return scripted == nullptr ? std::span<const Case>() : *scripted;
}

bool is_case(const ScriptPart& part) {
  return part.part.kind == script::Part::Kind::test || part.names_iut;
}

std::string id_of(const ScriptFile& file, const ScriptPart& part) {
  const std::string stem = std::filesystem::path(file.path).stem().string();
  return part.part.name.empty() ? fmt::format("{}{}", script::kCasePrefix, stem)
                                : fmt::format("{}{}/{}", script::kCasePrefix, stem, part.part.name);
}

std::vector<const Rule*> rules_of(const ScriptPart& part) {
  std::vector<const Rule*> rules;
  const auto add = [&](const std::string& id) {
    const Rule* const rule = part.protocol->catalogue().find(id);
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  };
  for (const script::Setting& setting : part.part.settings)
    if (setting.name == "rule")
      for (const script::Value& value : setting.values) add(value.parts.front().term.name);
  for (const script::Step& step : part.part.steps)
    for (const script::Mark& mark : step.marks) add(mark.rule);
  return rules;
}

script::LivePart live_part(const ScriptPart& part) {
  return {.part = &part.part, .language = part.language, .iut = part.iut, .rules = rules_of(part)};
}

}  // namespace

tl::expected<std::vector<ScriptFile>, std::string> read_scripts(const std::vector<std::string>& paths) {
  std::vector<ScriptFile> files;
  for (const std::string& path : paths) {
    std::vector<std::string> found{path};
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      found.clear();
      for (auto at = std::filesystem::recursive_directory_iterator(path, error);
           !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error))
        if (is_script(at->path().string())) found.push_back(at->path().string());
      if (error) return tl::unexpected(fmt::format("{}: cannot be read: {}", path, error.message()));
      if (found.empty()) return tl::unexpected(fmt::format("{}: no file *.wirelaw is in this folder", path));
      std::ranges::sort(found);
    }
    for (const std::string& one : found) {
      auto file = read_script(one);
      if (!file) return tl::unexpected(std::move(file.error()));
      files.push_back(std::move(*file));
    }
  }
  return files;
}

ScriptedProtocol::~ScriptedProtocol() {
  if (scripted == &cases_) scripted = nullptr;
}

std::optional<std::string> trouble_with_case(const ScriptFile& file, const ScriptPart& part) {
  if (!is_case(part)) return std::nullopt;
  const auto trouble = trouble_with_play(live_part(part));
  return trouble ? std::optional(one_line(*trouble, file.path)) : std::nullopt;
}

tl::expected<std::unique_ptr<ScriptedProtocol>, std::string> ScriptedProtocol::of(std::vector<ScriptFile> files,
                                                                                  const Protocol& protocol, Use use) {
  std::unique_ptr<ScriptedProtocol> all(new ScriptedProtocol(protocol));
  const bool is_alone = use == Use::alone;
  all->files_ = std::move(files);
  std::size_t count = 0;
  for (const ScriptFile& file : all->files_) count += file.parts.size();
  all->parts_.reserve(count);  // cases point at them
  for (const ScriptFile& file : all->files_) {
    for (const ScriptPart& part : file.parts) {
      if (part.protocol->name != protocol.name)
        return tl::unexpected(
            fmt::format("{}: the script is for {}, not for {}", file.path, part.protocol->name, protocol.name));
      if (!is_case(part)) continue;
      if (auto trouble = trouble_with_case(file, part)) return tl::unexpected(std::move(*trouble));
      script::LivePart& live = all->parts_.emplace_back(live_part(part));
      live.exercises_rules = is_alone;
      const std::string& id = all->texts_.emplace_back(id_of(file, part));
      if (std::ranges::find(all->cases_, id, &Case::id) != all->cases_.end())
        return tl::unexpected(fmt::format("{}: another script has a case '{}' too", file.path, id));
      const std::string& purpose = all->texts_.emplace_back(
          part.part.purpose.empty() ? fmt::format("The script {}.", file.name_of(part)) : part.part.purpose);
      all->cases_.push_back({.id = id,
                             .iut = part.iut == Side::a ? Role::initiator : Role::responder,
                             .rules = is_alone ? live.rules : std::vector<const Rule*>(),
                             .purpose = purpose,
                             .run = [&live = std::as_const(live)](CaseRun& run) { play(live, run); },
                             .pass_note = live.rules.empty() ? kNothingExpected : std::string_view()});
      for (const std::string& feature : part.features)
        if (std::ranges::find(all->features_, feature) == all->features_.end()) all->features_.push_back(feature);
    }
  }
  if (all->cases_.empty())
    return tl::unexpected(std::string("no script is a case: head it with `case NAME`, or name the IUT with `iut b`"));
  if (!is_alone) {
    const std::span<const Case> others = protocol.cases();
    all->cases_.insert(all->cases_.begin(), others.begin(), others.end());
  }
  scripted = &all->cases_;
  all->protocol_.cases = scripted_cases;
  return all;
}

}  // namespace wirelaw
