// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "conformance/catalogue.h"
#include "conformance/script/conversation.h"
#include "conformance/script/languages.h"
#include "conformance/script/parser.h"
#include "conformance/script/result.h"
#include "conformance/script/triggers.h"
#include "pcap/reader.h"

namespace wirelaw {
namespace {

using script::problem;
using script::Problem;

template <class Range, class Projection>
std::string hint_of(std::string_view name, const Range& rows, Projection projection) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(std::invoke(projection, row));
  return script::nearest(name, names);
}

tl::expected<const Protocol*, Problem> protocol_of(const script::Part& part) {
  const script::Setting* const setting = script::find_setting(part, "protocol");
  if (setting == nullptr)
    return problem(part.at, "the script does not name its protocol", "begin with a line such as 'protocol ramcloud'");
  const script::Term& word = setting->values.front().parts.front().term;
  const Protocol* const protocol = find_protocol(word.name);
  if (protocol == nullptr) {
    std::string hint = hint_of(word.name, protocols(), [](const Protocol* one) { return one->name; });
    if (hint.empty()) hint = fmt::format("there are {}; iWARP is rdmap", script::spoken_protocols());
    return problem(word.at, fmt::format("there is no protocol '{}'", word.name), std::move(hint));
  }
  if (script::language_of(*protocol) == nullptr)
    return problem(word.at, fmt::format("scripts cannot say conversations of {} yet", protocol->title),
                   fmt::format("they can say those of {}", script::spoken_protocols()));
  return protocol;
}

tl::expected<void, Problem> take_words(ScriptPart& part) {
  const Catalogue& catalogue = part.protocol->catalogue();
  const auto check_rule = [&](const std::string& id, script::Position at) -> tl::expected<void, Problem> {
    if (catalogue.find(id) != nullptr) return {};
    for (const Protocol* const other : protocols())
      if (other->catalogue().find(id) != nullptr)
        return problem(
            at, fmt::format("{} is a rule of {}, and the script is of {}", id, other->title, part.protocol->title),
            fmt::format("write protocol {}, or name another rule", other->name));
    return problem(at, fmt::format("there is no rule '{}'", id),
                   hint_of(id, catalogue.rules(), [](const Rule* rule) { return rule->id; }));
  };
  for (const script::Setting& setting : part.part.settings) {
    for (const script::Value& value : setting.values) {
      const script::Term& word = value.parts.front().term;
      if (setting.name == "rule") {
        if (const auto known = check_rule(word.name, word.at); !known) return known;
      } else if (setting.name == "feature") {
        if (std::ranges::find(part.protocol->features, word.name, &Feature::name) == part.protocol->features.end())
          return problem(word.at, fmt::format("{} has no feature '{}'", part.protocol->title, word.name),
                         hint_of(word.name, part.protocol->features, &Feature::name));
        part.features.push_back(word.name);
      } else if (setting.name == "revision") {
        if (std::ranges::find(part.protocol->revisions, word.name, &Feature::name) == part.protocol->revisions.end())
          return problem(word.at, fmt::format("{} has no revision '{}'", part.protocol->title, word.name),
                         hint_of(word.name, part.protocol->revisions, &Feature::name));
        part.revision = word.name;
      } else if (setting.name == "over") {
        const std::vector<std::string_view> carriers = script::carriers_of(*part.protocol);
        part.language = script::language_of(*part.protocol, word.name);
        if (part.language == nullptr)
          return problem(word.at, fmt::format("scripts cannot say {} over '{}'", part.protocol->title, word.name),
                         carriers.empty() ? std::string("leave the line out")
                                          : fmt::format("write {}", fmt::join(carriers, " or ")));
      } else if (setting.name == "iut") {
        if (word.name != "a" && word.name != "b")
          return problem(word.at, fmt::format("'{}' is no side", word.name), "write a or b");
        part.iut = word.name == "a" ? Side::a : Side::b;
        part.names_iut = true;
      }
    }
  }
  for (const script::Step& step : part.part.steps)
    for (const script::Mark& mark : step.marks)
      if (const auto known = check_rule(mark.rule, mark.at); !known) return known;
  return {};
}

}  // namespace

std::string ScriptFile::name_of(const ScriptPart& part) const {
  return parts.size() == 1 || part.part.name.empty() ? path : fmt::format("{}: {}", path, part.part.name);
}

bool is_script(std::string_view path) {
  return path.ends_with(script::kFileSuffix);
}

tl::expected<ScriptFile, std::string> script_of(std::string_view text, std::string path) {
  auto parsed = script::parse(text);
  if (!parsed) return tl::unexpected(one_line(parsed.error(), path));
  ScriptFile file{.path = std::move(path), .parts = {}};
  for (script::Part& one : parsed->parts) {
    if (!one.triggers.empty())
      return tl::unexpected(script::one_line(
          {one.triggers.front().at, "only a relay plays triggers", "give the file to `wirelaw relay --faults`"},
          file.path));
    const auto protocol = protocol_of(one);
    if (!protocol) return tl::unexpected(one_line(protocol.error(), file.path));
    ScriptPart part{.part = std::move(one),
                    .protocol = *protocol,
                    .language = script::language_of(**protocol),
                    .features = {},
                    .revision = {}};
    if (const auto taken = take_words(part); !taken) return tl::unexpected(one_line(taken.error(), file.path));
    const auto same = std::ranges::find(file.parts, part.part.name, [](const ScriptPart& it) { return it.part.name; });
    if (same != file.parts.end())
      return tl::unexpected(script::one_line(
          {part.part.at, fmt::format("the file has two parts named '{}'", part.part.name), {}}, file.path));
    file.parts.push_back(std::move(part));
  }
  return file;
}

namespace {

tl::expected<std::string, std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return tl::unexpected(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  std::string text;
  std::vector<char> block(1u << 16);
  while (text.size() <= script::kMostOctets &&
         (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0))
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return tl::unexpected(fmt::format("{}: cannot be read", path));
  return text;
}

tl::expected<void, Problem> check_faults(const script::Part& part, const Protocol& protocol,
                                         const script::Language& language) {
  if (!part.steps.empty())
    return problem(part.steps.front().at, "faults are triggers alone", "write, for example, on b any nth 3: lose");
  for (const script::Setting& setting : part.settings) {
    if (setting.name != "protocol")
      return problem(setting.at, fmt::format("faults do not take '{}'", setting.name), "they take protocol alone");
    const script::Term& word = setting.values.front().parts.front().term;
    if (word.name != protocol.name)
      return problem(word.at, fmt::format("the faults are of {}, and the peers speak {}", word.name, protocol.name));
  }
  for (const script::Trigger& one : part.triggers)
    if (const auto known = script::check_trigger(one, language); !known) return known;
  return {};
}

// The error for a file that cannot be parsed.
std::string trouble_with(const std::string& path, std::string error) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || !pcap::Reader::open(path)) return error;
  return fmt::format(
      "{0}: is a capture, not a script; `wirelaw check {0}` judges it, and `wirelaw decode --format script {0}` writes "
      "it as a script",
      path);
}

}  // namespace

tl::expected<ScriptFile, std::string> read_script(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  auto file = script_of(*text, path);
  if (!file) return tl::unexpected(trouble_with(path, std::move(file.error())));
  return file;
}

tl::expected<std::vector<script::Trigger>, std::string> read_faults(const std::string& path, const Protocol& protocol) {
  const auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  auto faults = faults_of(*text, path, protocol);
  if (!faults) return tl::unexpected(trouble_with(path, std::move(faults.error())));
  return faults;
}

tl::expected<std::vector<script::Trigger>, std::string> faults_of(std::string_view text, const std::string& path,
                                                                  const Protocol& protocol) {
  const script::Language* const language = script::language_of(protocol);
  if (language == nullptr)
    return tl::unexpected(fmt::format("{}: scripts cannot say conversations of {}", path, protocol.title));
  auto parsed = script::parse(text);
  if (!parsed) return tl::unexpected(one_line(parsed.error(), path));
  std::vector<script::Trigger> all;
  for (script::Part& part : parsed->parts) {
    if (const auto known = check_faults(part, protocol, *language); !known)
      return tl::unexpected(one_line(known.error(), path));
    all.insert(all.end(), part.triggers.begin(), part.triggers.end());
  }
  return all;
}

}  // namespace wirelaw
