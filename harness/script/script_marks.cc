// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/script/result.h"
#include "harness/check/check_files.h"
#include "harness/script/script_capture.h"
#include "harness/script/script_file.h"
#include "harness/script/temporary_capture.h"

namespace wirelaw {
namespace {

std::string_view word_of(Severity severity) {
  return severity == Severity::warning ? "a warning" : "a violation";
}

// In a case, the mark of an expectation names the rule that it decides, and claims no violation.
bool only_decides(const ScriptPart& part, const script::Mark& mark) {
  if (part.part.kind != script::Part::Kind::test || mark.is_warning) return false;
  const auto is_named = [&](const script::Value& value) { return value.parts.front().term.name == mark.rule; };
  const auto names_it = [&](const script::Setting& setting) {
    return setting.name == "rule" && std::ranges::any_of(setting.values, is_named);
  };
  const auto is_its_line = [&](const script::Step& step) {
    const auto* const said = std::get_if<script::Said>(&step.what);
    return said != nullptr && said->sender == script::letter(part.iut) &&
           std::ranges::any_of(step.marks, [&](const script::Mark& one) { return one.at.line == mark.at.line; });
  };
  return std::ranges::any_of(part.part.settings, names_it) && std::ranges::any_of(part.part.steps, is_its_line);
}

// "in first_missing_frag, ": the fields of the message at the finding's octets. In a stream, or without such a field,
// "at octets 4 to 7, ". Empty if the finding has no octets.
std::string place_of(const Finding& finding, const script::Spoken* message, const script::Language& language) {
  constexpr std::size_t kMostNames = 3;
  if (finding.length == 0) return {};
  const std::size_t end = finding.offset + finding.length;
  std::vector<std::string> names;
  if (message != nullptr && !language.is_stream())
    for (script::Located& field : language.locate(message->octets))
      if (field.offset < end && finding.offset < field.offset + field.length) names.push_back(std::move(field.name));
  if (!names.empty() && names.size() <= kMostNames) return fmt::format("in {}, ", fmt::join(names, ", "));
  if (finding.length == 1) return fmt::format("at octet {}, ", finding.offset);
  return fmt::format("at octets {} to {}, ", finding.offset, end - 1);
}

}  // namespace

tl::expected<std::vector<std::string>, std::string> differences_from_marks(const ScriptFile& file,
                                                                           const ScriptPart& part) {
  const auto capture = TemporaryCapture::of(file, part);
  if (!capture) return tl::unexpected(capture.error());
  CheckOptions options;
  options.judge = {.findings_per_rule_and_flow = JudgeLimits::kUnlimited, .findings = JudgeLimits::kUnlimited};
  const std::string path = capture->path();
  const FileResults run = check_files(std::span(&path, 1), options);
  const script::Conversation& conversation = capture->conversation();
  const auto message_of = [&](std::uint64_t frame) {
    const auto at = std::ranges::find(capture->frames(), frame);
    return at == capture->frames().end()
               ? nullptr
               : &conversation.spoken[static_cast<std::size_t>(at - capture->frames().begin())];
  };
  std::vector<std::string> differences;
  std::vector<bool> is_marked(run.results.findings.size());
  for (const script::Expected& expected : conversation.marks) {
    const Severity severity = expected.mark.is_warning ? Severity::warning : Severity::violation;
    bool is_found = false;
    for (std::size_t i = 0; i < run.results.findings.size(); ++i) {
      const Finding& finding = run.results.findings[i];
      if (finding.rule->id != expected.mark.rule || finding.severity != severity ||
          finding.frame != (capture->frames().empty() ? 0 : capture->frames()[expected.message]))
        continue;
      is_marked[i] = is_found = true;
    }
    if (!is_found && !only_decides(part, expected.mark))
      differences.push_back(fmt::format("{}:{}:{}: {} of {} is not found here", file.path, expected.mark.at.line,
                                        expected.mark.at.column, word_of(severity), expected.mark.rule));
  }
  for (std::size_t i = 0; i < is_marked.size(); ++i) {
    const Finding& finding = run.results.findings[i];
    if (is_marked[i]) continue;
    const script::Spoken* const message = message_of(finding.frame);
    differences.push_back(fmt::format("{}:{}: {} of {} is found and not marked: {}expected {}, found {}", file.path,
                                      message == nullptr ? part.part.at.line : message->at.line,
                                      word_of(finding.severity), finding.rule->id,
                                      place_of(finding, message, *part.language), finding.expected, finding.actual));
  }
  // A part whose fault is in its first message may have nothing else to judge.
  if (run.results.findings.empty())
    for (const InputProblem& one : run.incomplete) differences.push_back(fmt::format("{}: {}", file.path, one.message));
  return differences;
}

}  // namespace wirelaw
