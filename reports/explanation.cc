// SPDX-License-Identifier: Apache-2.0
#include "reports/explanation.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "conformance/verdict.h"
#include "reports/printable.h"
#include "reports/report.h"
#include "reports/section_link.h"

namespace wirelaw {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Explanation::Kind;

// --- as text

class Text {
 public:
  Text(std::size_t width, Output& out) : width_(width), out_(out) {}

  void head(std::string_view line) { out_.print("{}\n", line); }
  void title(std::string_view line) { out_.print("\n{}\n", line); }
  // Prints the text under its label, if there is any.
  void line(std::string_view label, std::string_view text) {
    constexpr std::size_t kIndent = 19;
    if (!text.empty()) out_.print("    {:<14} {}\n", label, wrapped(text, width_, kIndent));
  }
  void paragraph(std::string_view text, std::size_t indent = 4) {
    out_.print("{:{}}{}\n", "", indent, wrapped(text, width_, indent));
  }

 private:
  std::size_t width_;
  Output& out_;
};

void put_ruling(const Ruling& one, Text& text) {
  text.title(fmt::format("ruling {}  {}, {}", one.id, one.page(), one.theme));
  text.line("section", one.where);
  text.line("point", one.point);
  text.line("read as", one.ruling);
  text.line("deployed peers", one.deployed);
}

void put_rules(const Explanation& one, std::string_view title, Text& text) {
  if (one.rules.empty()) return;
  text.title(title);
  for (const Rule* rule : one.rules) {
    text.paragraph(fmt::format("{}  {}  {}", rule->id, to_string(rule->level), rule->section));
    text.paragraph(rule->summary, 8);
  }
}

void put_cases(const Explanation& one, Text& text) {
  if (one.cases.empty()) return;
  text.title(fmt::format("cases that show it: wirelaw test {} PEER-URI --rule {}", one.protocol, one.rule->id));
  for (const ShowingCase& each : one.cases) {
    text.paragraph(
        fmt::format("{}  of a {}{}", each.id, each.role,
                    each.application.empty() ? "" : fmt::format(", needs --application {}", each.application)));
    text.paragraph(each.purpose, 8);
  }
}

void put_traces(const Explanation& one, Text& text) {
  if (one.traces.empty()) return;
  text.title(fmt::format("traces that break it: wirelaw decode {}", one.traces.front().file));
  for (const ShowingTrace& each : one.traces)
    text.paragraph(fmt::format(
        "{}  {}{}", each.file, each.severity,
        each.revision.empty() || each.revision == "-" ? "" : fmt::format(", --revision {}", each.revision)));
}

void put_faults(const Explanation& one, Text& text) {
  if (one.faults.empty()) return;
  text.title(fmt::format("deviations of the reference that break it: wirelaw test {} memory: --deviate {}",
                         one.protocol, one.faults.front().name));
  for (const BreakingFault& each : one.faults) {
    text.paragraph(fmt::format("{}  of {} {}{}{}", each.name, each.role == "any" ? "either" : "a",
                               each.role == "any" ? "role" : each.role, each.severity == "warning" ? ", a warning" : "",
                               each.condition.empty() ? "" : fmt::format(", given: {}", each.condition)));
    text.paragraph(each.text, 8);
  }
}

void put_rule(const Explanation& one, Text& text) {
  const Rule& rule = *one.rule;
  text.head(fmt::format("{}  {}", rule.id, to_string(rule.level)));
  text.paragraph(rule.summary);
  text.title("how it is judged");
  const std::string link = section_link(rule.section);
  text.line("specification", fmt::format("{}{}", rule.section, link.empty() ? "" : "  " + link));
  text.line("binds", one.subject == "any" ? "both roles" : fmt::format("a {}", one.subject));
  text.line("seen", how_judged(one));
  text.line("rests on", what_breach_rests_on(rule));
  text.line("note", rule.note);
  for (const Ruling& ruling : one.rulings) put_ruling(ruling, text);
  put_traces(one, text);
  put_cases(one, text);
  put_faults(one, text);
}

void put_case(const Explanation& one, Text& text) {
  const ShowingCase& tested = one.cases.front();
  text.head(fmt::format("{}  case of {}, for a {}", tested.id, one.protocol, tested.role));
  text.paragraph(tested.purpose);
  if (!tested.application.empty()) text.line("needs", fmt::format("--application {}", tested.application));
  text.line("run it", fmt::format("wirelaw test {} PEER-URI --case {}", one.protocol, tested.id));
  put_rules(one, "rules that it judges", text);
}

// --- for programs

Json json_of(const Rule& rule) {
  return {{"id", rule.id}, {"level", to_string(rule.level)}, {"section", rule.section}, {"summary", rule.summary}};
}
Json json_of(const Rule* rule) {
  return json_of(*rule);
}
Json json_of(const Ruling& one) {
  return {{"protocol", one.protocol}, {"id", one.id},       {"page", one.page()},   {"theme", one.theme},
          {"section", one.where},     {"point", one.point}, {"ruling", one.ruling}, {"deployed", one.deployed}};
}
Json json_of(const ShowingTrace& one) {
  return {{"file", one.file}, {"severity", one.severity}, {"revision", one.revision}};
}
Json json_of(const ShowingCase& one) {
  return {{"id", one.id}, {"role", one.role}, {"purpose", one.purpose}, {"application", one.application}};
}
Json json_of(const BreakingFault& one) {
  return {{"name", one.name},
          {"role", one.role},
          {"text", one.text},
          {"severity", one.severity},
          {"condition", one.condition}};
}

template <class T>
Json list_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& one : values) list.push_back(json_of(one));
  return list;
}

Json json_of(const Explanation& one) {
  static constexpr std::array<std::string_view, 3> kKinds{"rule", "ruling", "case"};
  Json json{{"kind", kKinds[static_cast<std::size_t>(one.kind)]}, {"protocol", one.protocol}};
  if (one.rule != nullptr) {
    Json rule = json_of(*one.rule);
    rule["role"] = one.subject;
    rule["observable"] = to_string(one.rule->observable);
    rule["evidence"] = to_string(one.rule->evidence);
    rule["how_judged"] = how_judged(one);
    rule["note"] = one.rule->note;
    rule["link"] = section_link(one.rule->section);
    json["rule"] = std::move(rule);
  }
  json["rulings"] = list_of(one.rulings);
  json["traces"] = list_of(one.traces);
  json["cases"] = list_of(one.cases);
  json["deviations"] = list_of(one.faults);
  json["rules"] = list_of(one.rules);
  return json;
}

}  // namespace

std::string how_judged(const Explanation& one) {
  const Rule& rule = *one.rule;
  static constexpr std::array<std::string_view, 4> kWays{
      "from a trace: captures (check), and every live run (test)",
      "by the answer to a stimulus: a case sends it (test)",
      "above the wire: a case drives the verbs or the application, and observes the wire (test)",
      "not at all; the note says why"};
  if (rule.level == Level::obsolete) return "not at all: the specification has superseded it";
  std::string way(kWays[static_cast<std::size_t>(rule.observable)]);
  if (rule.observable == Observable::stimulus)
    way += one.traces.empty() ? "; check may report a breach that a capture proves"
                              : "; check reports a breach that a capture proves";
  return way;
}

std::string what_breach_rests_on(const Rule& rule) {
  static constexpr std::array<std::string_view, 3> kEvidences{
      "the octets that the finding shows, whatever else there was",
      "the absence of something: if frames may be missing (without --complete), it is a warning, unless the octets of "
      "the finding prove it",
      "the order of frames: if frames may be missing (without --complete), it is a warning, unless the octets of the "
      "finding prove it"};
  if (rule.level == Level::obsolete || rule.observable == Observable::none) return {};
  return std::string(kEvidences[static_cast<std::size_t>(rule.evidence)]);
}

void write_explanations_text(std::span<const Explanation> all, std::size_t width, Output& out) {
  Text text(width, out);
  for (const Explanation& one : all) {
    if (&one != all.data()) out.put("\n");
    if (one.kind == Kind::rule) put_rule(one, text);
    if (one.kind == Kind::test_case) put_case(one, text);
    if (one.kind != Kind::ruling) continue;
    const Ruling& ruling = one.rulings.front();
    text.head(fmt::format("ruling {}  {}, {}", ruling.id, ruling.page(), ruling.theme));
    text.line("section", ruling.where);
    text.line("point", ruling.point);
    text.line("read as", ruling.ruling);
    text.line("deployed peers", ruling.deployed);
    put_rules(one, "rules that rest on it", text);
  }
}

void write_explanations_json(std::span<const Explanation> all, std::string_view version, Output& out) {
  out.print("{{\n  \"schema\": \"{}\",\n  \"tool\": {},\n  \"explanations\": [", kExplanationSchema,
            Json{{"name", "wirelaw"}, {"version", version}}.dump());
  for (const Explanation& one : all)
    out.print("{}\n    {}", &one == all.data() ? "" : ",",
              json_of(one).dump(-1, ' ', false, Json::error_handler_t::replace));
  out.put("\n  ]\n}\n");
}

}  // namespace wirelaw
