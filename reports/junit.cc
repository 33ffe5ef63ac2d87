// SPDX-License-Identifier: Apache-2.0
#include "reports/junit.h"

#include <array>
#include <pugixml.hpp>
#include <unordered_map>

#include "reference/octets/hex.h"
#include "reports/bottom_line.h"
#include "reports/coverage.h"
#include "reports/excuse.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/ruling.h"
#include "reports/text_finding.h"
#include "reports/xml_writer.h"

namespace wirelaw {
namespace {

void attribute(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(printable(value).c_str());
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::int64_t duration_ns = 0;
};

class Suite {
 public:
  Suite(pugi::xml_node parent, std::string_view name) : node_(parent.append_child("testsuite")) {
    attribute(node_, "name", name);
  }

  pugi::xml_node add(std::string_view class_name, std::string_view name, std::int64_t duration_ns) {
    ++counts_.tests;
    counts_.duration_ns += duration_ns;
    pugi::xml_node node = node_.append_child("testcase");
    attribute(node, "classname", class_name);
    attribute(node, "name", name);
    attribute(node, "time", fmt::format("{:.3f}", static_cast<double>(duration_ns) * 1e-9));
    return node;
  }
  void fail(pugi::xml_node node, std::string_view message, std::string_view type, const std::string& text) {
    ++counts_.failures;
    add_trouble(node, "failure", message, type, text);
  }
  void error(pugi::xml_node node, std::string_view message, std::string_view type, const std::string& text) {
    ++counts_.errors;
    add_trouble(node, "error", message, type, text);
  }
  void skip(pugi::xml_node node, std::string_view message) {
    ++counts_.skipped;
    attribute(node.append_child("skipped"), "message", message);
  }
  void say(std::string_view name, std::string_view value) {
    if (!properties_) properties_ = node_.prepend_child("properties");
    pugi::xml_node property = properties_.append_child("property");
    attribute(property, "name", name);
    attribute(property, "value", value);
  }
  Counts close() {
    attribute(node_, "tests", std::to_string(counts_.tests));
    attribute(node_, "failures", std::to_string(counts_.failures));
    attribute(node_, "errors", std::to_string(counts_.errors));
    attribute(node_, "skipped", std::to_string(counts_.skipped));
    attribute(node_, "time", fmt::format("{:.3f}", static_cast<double>(counts_.duration_ns) * 1e-9));
    return counts_;
  }

 private:
  static void add_trouble(pugi::xml_node node, const char* kind, std::string_view message, std::string_view type,
                          const std::string& text) {
    pugi::xml_node trouble = node.append_child(kind);
    attribute(trouble, "message", message);
    attribute(trouble, "type", type);
    trouble.text().set(text.c_str());
  }

  pugi::xml_node node_, properties_;
  Counts counts_;
};

std::string text_of(const Finding& one) {
  std::string text = where_of(one) + '\n';
  if (const std::string when = when_of(one.occasion); !when.empty()) text += fmt::format("case: {}\n", when);
  if (one.length > 0) text += fmt::format("offset {}, length {}: {}\n", one.offset, one.length, to_hex(one.octets));
  text += fmt::format("expected: {}\nactual: {}\n", printable(one.expected), printable(one.actual));
  if (!one.explanation.empty()) text += printable(one.explanation) + '\n';
  if (const std::string ruling = ruling_of(one); !ruling.empty())
    text += fmt::format("ruling: {}\n", printable(ruling));
  return text;
}

using FindingTexts = std::unordered_map<const Rule*, std::string>;

FindingTexts texts_by_rule(const std::vector<Finding>& findings, Severity severity) {
  FindingTexts texts;
  for (const Finding& one : findings) {
    if (one.severity != severity) continue;
    std::string& text = texts[one.rule];
    text += (text.empty() ? "\n" : "\n\n") + text_of(one);
  }
  return texts;
}

// `text` has its violations.
// A failure that does not fail the run is reported as skipped, with that as the reason. A CI page would otherwise be
// red although the run passes.
pugi::xml_node add_rule(Suite& suite, const RuleResult& one, const Gate& gate, const std::string& text) {
  pugi::xml_node node = suite.add(protocol_of(*one.rule), one.rule->id, 0);
  const std::string excuse = excuse_of(gate, Failure::Kind::rule, one.rule->id);
  if (one.verdict == Verdict::fail && excuse.empty())
    suite.fail(node, one.rule->summary, to_string(one.rule->level), text);
  else if (one.verdict != Verdict::pass)
    suite.skip(node, excuse.empty() ? reason_of(one.verdict, one.reason) : excuse);
  if (one.verdict == Verdict::fail && !excuse.empty() && !text.empty())
    node.append_child("system-out").text().set(text.c_str());
  return node;
}

Counts add_rules(pugi::xml_node root, const Report& report) {
  const FindingTexts violations = texts_by_rule(report.results.findings, Severity::violation);
  const FindingTexts warnings = texts_by_rule(report.results.findings, Severity::warning);
  const auto seen = protocols_seen(report.results);
  Suite suite(root, "rules");
  for (const RuleResult& one : report.results.rules) {
    const bool says = one.verdict != Verdict::not_exercised && one.verdict != Verdict::not_applicable;
    if (!says && !seen.contains(protocol_of(*one.rule))) continue;  // omits the rules of protocols that were not seen
    const auto text = violations.find(one.rule);
    pugi::xml_node node = add_rule(suite, one, report.gate, text == violations.end() ? std::string() : text->second);
    if (const auto warned = warnings.find(one.rule); warned != warnings.end())
      node.append_child("system-err").text().set(("\nwarnings:" + warned->second).c_str());
  }
  return suite.close();
}

void add_case(Suite& suite, const CaseResult& one, const Gate& gate) {
  pugi::xml_node node =
      suite.add(fmt::format("{}.{}", one.protocol, one.id.substr(0, one.id.find('/'))), one.id, one.duration_ns);
  const std::string excuse = excuse_of(gate, Failure::Kind::test_case, one.id);
  if (one.verdict == Verdict::fail && excuse.empty()) {
    std::string text = '\n' + printable(one.purpose) + "\nrules:";
    for (const Rule* rule : one.rules) text += fmt::format(" {}", rule->id);
    if (one.first_frame > 0) text += fmt::format("\nframes {} to {}", one.first_frame, one.last_frame);
    suite.fail(node, one.reason, "case", text + '\n');
  } else if (one.verdict != Verdict::pass) {
    suite.skip(node, excuse.empty() ? reason_of(one.verdict, one.reason) : excuse);
  }
}

// The results keep the cases of one protocol together.
void add_cases(pugi::xml_node root, const std::vector<CaseResult>& cases, std::string_view suite_name, const Gate& gate,
               std::vector<Counts>& counts) {
  for (std::size_t i = 0; i < cases.size();) {
    const std::string& protocol = cases[i].protocol;
    Suite suite(root, suite_name.empty() ? std::string_view(protocol) : suite_name);
    for (; i < cases.size() && cases[i].protocol == protocol; ++i) add_case(suite, cases[i], gate);
    counts.push_back(suite.close());
  }
}

// Adds a recorded run: its cases like those of a live run, and the rules that failed in the run but not in the frames.
void add_recorded_run(pugi::xml_node root, const RecordedRun& run, const Report& report, std::vector<Counts>& counts) {
  const std::string name = "recorded run of " + run.file;
  add_cases(root, run.cases, name, report.gate, counts);
  const FindingTexts violations = texts_by_rule(run.findings, Severity::violation);
  Suite suite(root, name + ", rules");
  for (const RuleResult& one : run.rules) {
    if (one.verdict != Verdict::fail) continue;
    const auto text = violations.find(one.rule);
    add_rule(suite, one, report.gate, text == violations.end() ? std::string() : text->second);
  }
  counts.push_back(suite.close());
}

void say_provenance(const RunProvenance& of, Suite& suite) {
  suite.say("command", in_shell(of.command));
  suite.say("started", of.started);
  suite.say("ended", of.ended);
  suite.say("machine", of.machine);
  for (const ReadFile& one : of.files)
    suite.say("sha256 of " + one.name, one.sha256.empty() ? "not known: " + one.why : one.sha256);
}

// An unreadable input or a lost peer is an error of the run, not a failure of the peer.
Counts add_run(pugi::xml_node root, const Report& report) {
  Suite suite(root, "run");
  if (report.provenance != nullptr) say_provenance(*report.provenance, suite);
  pugi::xml_node node = suite.add("wirelaw", "complete", 0);
  if (report.gate.end != RunEnd::complete) {
    std::string text = fmt::format("\n{}\n", bottom_line(report));
    for (const InputProblem& one : report.results.problems)
      text += fmt::format("{}: frame {}: {}\n", printable(one.file), one.frame, printable(one.message));
    static constexpr std::array<std::string_view, 8> kWhat{"",
                                                           "not all could be judged",
                                                           "the peer could not be reached, serves nothing, or died",
                                                           "no case passed and nothing failed",
                                                           "a signal interrupted the run",
                                                           "Wirelaw may open too few files",
                                                           "too many cases were inconclusive",
                                                           "the peer died, and was restarted"};
    suite.error(node, kWhat[static_cast<std::size_t>(report.gate.end)], to_string(report.gate.end), text);
  }
  return suite.close();
}

}  // namespace

void write_junit(const Report& report, Output& out) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  attribute(root, "name", "wirelaw");
  std::vector<Counts> counts;
  add_cases(root, report.results.cases, {}, report.gate, counts);
  for (const RecordedRun& run : report.results.runs) add_recorded_run(root, run, report, counts);
  counts.push_back(add_rules(root, report));
  counts.push_back(add_run(root, report));
  Counts total;
  for (const Counts& one : counts) {
    total.tests += one.tests;
    total.failures += one.failures;
    total.errors += one.errors;
    total.skipped += one.skipped;
    total.duration_ns += one.duration_ns;
  }
  attribute(root, "tests", std::to_string(total.tests));
  attribute(root, "failures", std::to_string(total.failures));
  attribute(root, "errors", std::to_string(total.errors));
  attribute(root, "time", fmt::format("{:.3f}", static_cast<double>(total.duration_ns) * 1e-9));
  XmlWriter writer(out);
  document.save(writer, "  ", pugi::format_default, pugi::encoding_utf8);
}

}  // namespace wirelaw
