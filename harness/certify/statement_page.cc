// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/statement_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/certify/digest.h"
#include "reports/html/page.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using html::Markup;
using html::put;

std::string text_at(const StatementJson& object, const char* key) {
  return object.at(key).get<std::string>();
}
std::size_t number_at(const StatementJson& object, const char* key) {
  return object.at(key).get<std::size_t>();
}
std::string joined(const StatementJson& list) {
  std::string text;
  for (const StatementJson& one : list) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  return text;
}

// How many runs had which verdict, if not all had the same: "2 pass, 1 fail".
std::string over_runs(const StatementJson& runs) {
  std::map<std::string, std::size_t> counts;
  for (const StatementJson& one : runs) ++counts[one.get<std::string>()];
  if (counts.size() < 2) return {};
  std::string text;
  for (const auto& [verdict, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  return text;
}

void begin_table(std::string& page, std::initializer_list<std::string_view> heads) {
  page += "<div class=\"scroll\"><table><thead><tr>";
  for (const std::string_view head : heads) {
    const bool is_number = head.starts_with('#');
    put(page, "<th{}>{}</th>", Markup{is_number ? " class=\"n\"" : ""}, head.substr(is_number ? 1 : 0));
  }
  page += "</tr></thead><tbody>\n";
}
void end_table(std::string& page) {
  page += "</tbody></table></div>\n";
}

void put_entry(std::string& page, std::string_view label, const std::string& text) {
  if (!text.empty()) put(page, "<dt>{}</dt><dd>{}</dd>\n", label, text);
}

// --- what is certified

void put_certificate(std::string& page, const StatementJson& statement) {
  const StatementJson& certificate = statement.at("certificate");
  const StatementJson& required = certificate.at("requires");
  const std::string verdict = text_at(certificate, "verdict");
  put(page, "<p class=\"verdict {}\">Certificate {}</p>\n", verdict == "refused" ? "bad" : "ok", verdict);
  put(page, "<p>Profile {}: {} % of the applicable mandatory rules exercised, in at least {}.</p>\n",
      text_at(certificate, "profile"), number_at(required, "percent"), counted(number_at(required, "runs"), "run"));
  if (certificate.at("reasons").empty()) return;
  page += "<ul>\n";
  for (const StatementJson& one : certificate.at("reasons")) put(page, "<li>{}</li>\n", one.get<std::string>());
  page += "</ul>\n";
}

void put_subject(std::string& page, const StatementJson& statement) {
  const StatementJson& who = statement.at("implementation");
  const StatementJson& declared = statement.at("declaration");
  const StatementJson& program = statement.at("program");
  const StatementJson& provenance = statement.at("provenance");
  page += "<h2 id=\"subject\">Subject</h2>\n<dl>\n";
  put_entry(page, "product", text_at(who, "product") + " " + text_at(who, "version"));
  put_entry(page, "vendor", text_at(who, "vendor"));
  put_entry(page, "contact", text_at(who, "contact"));
  put_entry(page, "protocol", text_at(declared, "protocol"));
  put_entry(page, "revision", text_at(declared, "revision"));
  put_entry(page, "role", text_at(declared, "tested_role"));
  put_entry(page, "application above", text_at(declared, "application"));
  put_entry(page, "features declared", joined(declared.at("features")));
  put_entry(page, "only these cases", joined(declared.at("selected_cases")));
  put_entry(page, "judged by",
            fmt::format("{} {}, commit {}", text_at(program, "name"), text_at(program, "version"),
                        text_at(program, "commit")));
  put_entry(page, "rules, SHA-256", text_at(program, "rules_sha256"));
  put_entry(page, "cases, SHA-256", text_at(program, "cases_sha256"));
  put_entry(page, "rulings, SHA-256", text_at(program, "rulings_sha256"));
  put_entry(page, "issued", text_at(provenance, "issued"));
  put_entry(page, "machine", text_at(provenance, "machine"));
  put_entry(page, "peer", text_at(provenance, "peer"));
  page += "</dl>\n";
}

// --- verdicts

constexpr std::array<std::string_view, 9> kVerdicts{"fail", "unstable",      "waived",         "warned", "inconclusive",
                                                    "pass", "not-exercised", "not-applicable", "skipped"};

std::size_t rank_of(const std::string& verdict) {
  return static_cast<std::size_t>(std::ranges::find(kVerdicts, verdict) - kVerdicts.begin());
}

// What speaks against the product first; the order of the specification within a verdict.
std::vector<const StatementJson*> by_verdict(const StatementJson& list) {
  std::vector<const StatementJson*> sorted;
  for (const StatementJson& one : list) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(), [](const StatementJson* a, const StatementJson* b) {
    return rank_of(text_at(*a, "verdict")) < rank_of(text_at(*b, "verdict"));
  });
  return sorted;
}

void put_tiles(std::string& page, std::string_view what, const StatementJson& list) {
  std::map<std::size_t, std::pair<std::string, std::size_t>> counts;
  for (const StatementJson& one : list) {
    const std::string verdict = text_at(one, "verdict");
    auto& [word, count] = counts[rank_of(verdict)];
    word = verdict;
    ++count;
  }
  for (const auto& [rank, counted] : counts)
    put(page, "<li>{} {} <b>{}</b></li>", what, html::badge(counted.first), counted.second);
}

void put_violation(std::string& page, const StatementJson& one) {
  put(page, "<div class=\"dim wrap\">run {}, frame {}", number_at(one, "run"), number_at(one, "frame"));
  if (const std::string of = text_at(one, "case"); !of.empty()) put(page, ", {}", of);
  put(page, ": expected {}, got {}</div>", text_at(one, "expected"), text_at(one, "actual"));
}

void put_rules(std::string& page, const StatementJson& statement) {
  page += "<h2 id=\"rules\">Rules</h2>\n";
  begin_table(page, {"verdict", "rule", "level", "demand", "what it demands, and what the runs showed"});
  for (const StatementJson* const one : by_verdict(statement.at("rules"))) {
    const std::string verdict = text_at(*one, "verdict");
    put(page, "<tr data-v=\"{}\"><td>{}<div class=\"dim\">{}</div></td><td class=\"wrap\"><b>{}</b><div>{}</div></td>",
        verdict, html::badge(verdict), over_runs(one->at("runs")), text_at(*one, "id"),
        html::section(text_at(*one, "section")));
    put(page, "<td>{}</td><td>{}</td><td class=\"wrap\">{}", text_at(*one, "level"), text_at(*one, "demand"),
        text_at(*one, "summary"));
    if (const std::string why = text_at(*one, "why"); !why.empty()) put(page, "<div class=\"dim\">{}</div>", why);
    for (const StatementJson& violation : one->at("violations")) put_violation(page, violation);
    page += "</td></tr>\n";
  }
  end_table(page);
}

void put_cases(std::string& page, const StatementJson& statement) {
  page += "<h2 id=\"cases\">Cases</h2>\n";
  begin_table(page, {"verdict", "case", "reason"});
  for (const StatementJson* const one : by_verdict(statement.at("cases"))) {
    const std::string verdict = text_at(*one, "verdict");
    put(page, "<tr data-v=\"{}\"><td>{}<div class=\"dim\">{}</div></td><td class=\"wrap\"><b>{}</b>", verdict,
        html::badge(verdict), over_runs(one->at("runs")), text_at(*one, "id"));
    put(page, "<div class=\"dim\">{}</div></td><td class=\"wrap\">", joined(one->at("rules")));
    std::string last;
    for (const StatementJson& reason : one->at("reasons")) {
      if (reason.get<std::string>() == last || reason.get<std::string>().empty()) continue;
      last = reason.get<std::string>();
      put(page, "<div>{}</div>", last);
    }
    page += "</td></tr>\n";
  }
  end_table(page);
}

// --- what it rests on

void put_coverage(std::string& page, const StatementJson& statement) {
  const StatementJson& coverage = statement.at("coverage");
  put(page,
      "<h2 id=\"coverage\">Coverage</h2>\n<p>{} of {} applicable mandatory rules were exercised. Also, {} of {} "
      "rules that no case of this role is about were judged in what the peer sent; {} cannot be tested in this "
      "role.</p>\n",
      number_at(coverage, "exercised"), number_at(coverage, "applicable"),
      number_at(coverage.at("incidental"), "exercised"), number_at(coverage.at("incidental"), "rules"),
      number_at(coverage, "not_testable"));
  begin_table(page, {"section", "", "#exercised", "#applicable"});
  for (const StatementJson& one : coverage.at("sections")) {
    const std::size_t exercised = number_at(one, "exercised"), applicable = number_at(one, "applicable");
    put(page,
        "<tr><td class=\"wrap\">{}</td><td><div class=\"bar\" aria-hidden=\"true\"><i class=\"p\" "
        "style=\"width:{}%\"></i></div></td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        html::section(text_at(one, "section")), applicable == 0 ? 0 : 100 * exercised / applicable, exercised,
        applicable);
  }
  end_table(page);
  if (!coverage.at("not_exercised").empty())
    put(page, "<details><summary>Not exercised: {}</summary><div class=\"in wrap\">{}</div></details>\n",
        coverage.at("not_exercised").size(), joined(coverage.at("not_exercised")));
}

void put_features_and_waivers(std::string& page, const StatementJson& statement) {
  if (!statement.at("features").empty()) {
    page += "<h2 id=\"features\">Features</h2>\n";
    begin_table(page, {"verdict", "feature"});
    for (const StatementJson& one : statement.at("features"))
      put(page, "<tr><td>{}</td><td>{}</td></tr>\n", html::badge(text_at(one, "verdict")), text_at(one, "name"));
    end_table(page);
  }
  if (statement.at("waivers").empty()) return;
  page += "<h2 id=\"waivers\">Waivers</h2>\n";
  begin_table(page, {"state", "of", "until", "owner", "reason"});
  for (const StatementJson& one : statement.at("waivers"))
    put(page, "<tr><td>{}</td><td class=\"wrap\">{} {}</td><td>{}</td><td>{}</td><td class=\"wrap\">{}</td></tr>\n",
        html::badge(text_at(one, "state")), text_at(one, "kind"), text_at(one, "id"), text_at(one, "until"),
        text_at(one, "owner"), text_at(one, "reason"));
  end_table(page);
}

void put_evidence(std::string& page, const StatementJson& statement, std::string_view file, std::string_view text) {
  page += "<h2 id=\"evidence\">Evidence</h2>\n";
  begin_table(page, {"#run", "#seed", "end", "#exit status", "result", "capture"});
  for (const StatementJson& one : statement.at("runs")) {
    const StatementJson& seed = one.at("seed");  // null if nothing was made from one
    put(page,
        "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td><td>{}{}</td>"
        "</tr>\n",
        number_at(one, "run"), seed.is_null() ? std::string() : std::to_string(number_at(one, "seed")),
        text_at(one, "end"), number_at(one, "exit_status"), text_at(one, "result"), text_at(one, "capture"),
        text_at(one, "why_no_capture"));
  }
  end_table(page);
  begin_table(page, {"file", "#octets", "SHA-256"});
  for (const StatementJson& one : statement.at("evidence"))
    put(page, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"wrap\"><code>{}</code></td></tr>\n",
        text_at(one, "file"), number_at(one, "octets"), text_at(one, "sha256"));
  put(page, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"wrap\"><code>{}</code></td></tr>\n", file, text.size(),
      sha256_of(text));
  end_table(page);
  put(page,
      "<p>This page shows the contents of <code>{0}</code>; only that file counts. To check it, judge the files above "
      "again: <code>wirelaw verify {0}</code></p>\n",
      file);
}

}  // namespace

std::string page_of(const StatementJson& statement, std::string_view file, std::string_view text) {
  const StatementJson& who = statement.at("implementation");
  const std::string product = text_at(who, "product") + " " + text_at(who, "version");
  std::string page;
  html::begin(page, "Wirelaw: statement of conformance of " + product);
  put(page, "<h1>Statement of conformance: {}</h1>\n<p>{}, as {}, in {}</p>\n", product,
      text_at(statement.at("declaration"), "protocol"), text_at(statement.at("declaration"), "tested_role"),
      counted(statement.at("runs").size(), "run"));
  put_certificate(page, statement);
  page += "<ul class=\"tiles\">";
  put_tiles(page, "rules", statement.at("rules"));
  put_tiles(page, "cases", statement.at("cases"));
  page +=
      "</ul>\n<nav aria-label=\"Parts\"><a href=\"#subject\">Subject</a><a href=\"#coverage\">Coverage</a>"
      "<a href=\"#rules\">Rules</a><a href=\"#cases\">Cases</a><a href=\"#evidence\">Evidence</a>";
  html::put_filter(page, "rule, case, section, word", kVerdicts);
  page += "</nav>\n";
  put_subject(page, statement);
  put_features_and_waivers(page, statement);
  put_coverage(page, statement);
  put_rules(page, statement);
  put_cases(page, statement);
  put_evidence(page, statement, file, text);
  html::end(page, text_at(statement.at("program"), "version"));
  return page;
}

}  // namespace wirelaw
