// SPDX-License-Identifier: Apache-2.0
// The cases: the purpose of each, the rules that it judges, and what was received.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "reports/html/ladder.h"
#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/printable.h"

namespace wirelaw::html {
namespace {

constexpr std::size_t kPassing = 16,
                      kOther = 48;  // number of shown messages of a conversation, for cases that passed and others

bool is_well(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::skipped;
}

// Returns the messages of the flow that are in the frames of the case.
std::span<const ShownMessage> part_of(const ShownFlow& flow, const CaseResult& one) {
  const auto begin = std::ranges::lower_bound(flow.messages, one.first_frame, {}, &ShownMessage::frame);
  const auto end = std::ranges::upper_bound(flow.messages, one.last_frame, {}, &ShownMessage::frame);
  if (begin >= end) return {};
  return {begin, end};
}

void put_conversations(std::string& page, const ShownInput& input, const CaseResult& one) {
  if (one.first_frame == 0) return;
  const std::size_t most = is_well(one.verdict) ? kPassing : kOther;
  for (const ShownFlow& flow : input.flows) {
    const auto messages = part_of(flow, one);
    if (messages.empty()) continue;
    put_ladder(page, flow, messages.first(std::min(most, messages.size())));
    if (messages.size() > most)
      put(page, "<p class=\"dim\">and {}; the recording has all</p>\n",
          counted(messages.size() - most, "more message"));
  }
}

using Findings = std::unordered_map<std::string_view, std::vector<const Finding*>>;

void put_case(std::string& page, const Report& report, const CaseResult& one, const ShownInput* input,
              const Findings& findings, bool has_id) {
  const bool known = one.verdict == Verdict::fail && is_known(report.gate, Failure::Kind::test_case, one.id);
  put(page, "<details data-v=\"{}\"{}><summary>{} <b>{}</b> {}{}</summary><div class=\"in\"><dl>",
      to_string(one.verdict), Markup{has_id ? fmt::format(" id=\"case-{}\"", escaped(one.id)) : std::string()},
      badge(to_string(one.verdict)), one.id, one.purpose, known ? " (known: it is in the baseline)" : "");
  put(page, "<dt>result</dt><dd>{}{}</dd>", to_string(one.verdict), one.reason.empty() ? "" : ": " + one.reason);
  put(page, "<dt>took</dt><dd>{:.3f} ms{}</dd>", static_cast<double>(one.duration_ns / 1000) / 1000.0,
      one.first_frame == 0 ? std::string() : fmt::format(", frames {} to {}", one.first_frame, one.last_frame));
  page += "<dt>what is expected</dt><dd>";
  for (const Rule* rule : one.rules)
    put(page, "<p><b>{}</b> {} {} ({})</p>", rule->id, to_string(rule->level), rule->summary, section(rule->section));
  page += "</dd></dl>\n";
  if (const auto its = findings.find(one.id); its != findings.end()) {
    page += "<p>Found in it:";
    const Rule* last = nullptr;
    for (const Finding* each : its->second)
      if (std::exchange(last, each->rule) != each->rule)
        put(page, " <a href=\"#{}\">{}</a>", anchor_of(*each->rule), each->rule->id);
    page += "</p>\n";
  }
  const std::size_t most = is_well(one.verdict) ? kPassingConversations : kMostOctets;
  if (input != nullptr && page.size() < most) put_conversations(page, *input, one);
  page += "</div></details>\n";
}

void put_cases_of(std::string& page, const Report& report, const std::vector<CaseResult>& cases, std::string_view title,
                  const ShownInput* input, const std::vector<Finding>& all, std::set<std::string_view>& with_id) {
  if (cases.empty()) return;
  Findings findings;
  for (const Finding& one : all) findings[one.occasion.test_case].push_back(&one);
  put(page, "<section data-block><h2>{}</h2>\n", title);
  std::vector<const CaseResult*> order;
  for (const CaseResult& one : cases) order.push_back(&one);
  // Failures first, then inconclusive cases, and passes last, so that a page without room for all omits the least
  // important ones.
  std::ranges::stable_sort(order, {}, [](const CaseResult* one) {
    return one->verdict == Verdict::fail ? 0 : is_well(one->verdict) ? 2 : 1;
  });
  for (const CaseResult* one : order) put_case(page, report, *one, input, findings, with_id.insert(one->id).second);
  if (input != nullptr && page.size() >= kPassingConversations)
    page += "<p class=\"dim\">The page is full: not every conversation is shown; the recording has all.</p>\n";
  page += "</section>\n";
}

}  // namespace

const ShownInput* input_of_run(const Report& report, const RecordedRun& run) {
  if (report.evidence == nullptr) return nullptr;
  const auto& inputs = report.results.inputs;
  const auto at = static_cast<std::size_t>(std::ranges::find(inputs, run.file, &Input::name) - inputs.begin());
  return at < report.evidence->inputs.size() ? &report.evidence->inputs[at] : nullptr;
}

void put_cases(std::string& page, const Report& report) {
  const bool has_input = report.evidence != nullptr && !report.evidence->inputs.empty();
  page += "<span id=\"cases\"></span>";
  std::set<std::string_view> with_id;  // runs of several recordings have the same cases
  put_cases_of(page, report, report.results.cases, "Cases", has_input ? &report.evidence->inputs.front() : nullptr,
               report.results.findings, with_id);
  for (const RecordedRun& run : report.results.runs) {
    put_cases_of(page, report, run.cases, fmt::format("Cases of the run that {} records", run.file),
                 input_of_run(report, run), run.findings, with_id);
  }
}

}  // namespace wirelaw::html
