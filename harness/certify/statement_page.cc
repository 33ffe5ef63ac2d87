// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/statement_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/certify/demand_counts.h"
#include "harness/certify/digest.h"
#include "harness/certify/profile.h"
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

// The number of runs with each verdict, if they differ: "2 pass, 1 fail".
std::string over_runs(const StatementJson& runs) {
  std::map<std::string, std::size_t> counts;
  for (const StatementJson& one : runs) ++counts[one.get<std::string>()];
  if (counts.size() < 2) return {};
  std::string text;
  for (const auto& [verdict, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  return text;
}

// `kind`: "stack" has a line for each cell on a phone. A head that begins with '#' is over numbers, and one that begins
// with '~' is over a column that a phone does not show.
void begin_table(std::string& page, std::initializer_list<std::string_view> heads, std::string_view kind = {}) {
  put(page, "<div class=\"scroll\"><table class=\"{}\"><thead><tr>", kind);
  for (const std::string_view head : heads) {
    const bool is_number = head.starts_with('#'), is_hidden = head.starts_with('~');
    put(page, "<th{}>{}</th>",
        Markup{is_number   ? " class=\"n\""
               : is_hidden ? " class=\"hide\""
                           : ""},
        head.substr(is_number || is_hidden ? 1 : 0));
  }
  page += "</tr></thead><tbody>\n";
}
void end_table(std::string& page) {
  page += "</tbody></table></div>\n";
}

void put_entry(std::string& page, std::string_view label, const std::string& text) {
  if (!text.empty()) put(page, "<dt>{}</dt><dd>{}</dd>\n", label, text);
}

// --- the sheet: what is certified, and the outcome

std::string profile_in_words(const StatementJson& certificate) {
  const std::string name = text_at(certificate, "profile");
  const Profile* const profile = find_profile(name);
  return profile == nullptr ? name : fmt::format("{}: {}", name, profile->text);
}

std::string with_spaces(std::string text) {
  std::ranges::replace(text, '-', ' ');
  return text;
}

void put_certificate(std::string& page, const StatementJson& statement) {
  const StatementJson& certificate = statement.at("certificate");
  const StatementJson& coverage = statement.at("coverage");
  const std::string verdict = text_at(certificate, "verdict");
  put(page, "<p class=\"verdict {}\">Certificate {}</p>\n", verdict == "refused" ? "bad" : "ok", with_spaces(verdict));
  put(page, "<p>Profile {}. Here: {}, and {} of {} demanded rules exercised.</p>\n", profile_in_words(certificate),
      counted(statement.at("runs").size(), "run"), number_at(coverage, "exercised"), number_at(coverage, "applicable"));
  const StatementJson& reasons = certificate.at("reasons");
  if (reasons.empty()) return;
  constexpr std::size_t kMost = 8;  // on one sheet
  page += "<p>It is refused because:</p>\n<ul>\n";
  for (std::size_t i = 0; i < std::min(kMost, reasons.size()); ++i)
    put(page, "<li class=\"wrap\">{}</li>\n", reasons[i].get<std::string>());
  if (reasons.size() > kMost) put(page, "<li>and {}</li>\n", counted(reasons.size() - kMost, "more reason"));
  page += "</ul>\n";
}

void put_subject(std::string& page, const StatementJson& statement) {
  const StatementJson& who = statement.at("implementation");
  const StatementJson& declared = statement.at("declaration");
  const StatementJson& specification = statement.at("specification");
  const StatementJson& program = statement.at("program");
  const StatementJson& provenance = statement.at("provenance");
  page += "<dl>\n";
  put_entry(page, "product", text_at(who, "product") + " " + text_at(who, "version"));
  put_entry(page, "vendor", text_at(who, "vendor"));
  put_entry(page, "contact", text_at(who, "contact"));
  put_entry(page, "specification", text_at(specification, "title"));
  put_entry(page, "edition", text_at(specification, "edition"));
  put_entry(page, "revision", text_at(declared, "revision"));
  put_entry(page, "role", text_at(declared, "tested_role"));
  put_entry(page, "features declared", joined(declared.at("features")));
  put_entry(page, "application", text_at(declared, "application"));
  put_entry(page, "only these cases", joined(declared.at("selected_cases")));
  put_entry(page, "laboratory", text_at(provenance, "laboratory"));
  put_entry(page, "issuer", text_at(provenance, "issuer"));
  put_entry(page, "issued", text_at(provenance, "issued"));
  const std::string peer = text_at(provenance, "peer");
  put_entry(page, "peer", peer.starts_with("memory:") ? peer + " (Wirelaw's own reference, not a product)" : peer);
  put_entry(page, "tested by",
            fmt::format("{} {}, commit {}, on {}", text_at(program, "name"), text_at(program, "version"),
                        text_at(program, "commit"), text_at(provenance, "machine")));
  put_entry(page, "certification", text_at(provenance, "id"));
  page += "</dl>\n";
}

void put_verdicts(std::string& page, const VerdictCounts& verdicts) {
  for (const auto& [verdict, count] : verdicts)
    put(page, "<span class=\"v v-{}\">{} {}</span> ", verdict.substr(0, verdict.find(' ')), count, verdict);
}

void put_counts(std::string& page, const StatementJson& statement) {
  begin_table(page, {"", "#number", "verdicts"});
  const auto put_row = [&](std::string_view what, std::size_t number, const auto& verdicts) {
    put(page, "<tr><td class=\"wrap\">{}</td><td class=\"n\">{}</td><td class=\"wrap\">", what, number);
    put_verdicts(page, verdicts);
    page += "</td></tr>\n";
  };
  for (const DemandCount& one : demand_counts(statement.at("rules")))
    if (one.rules > 0) put_row(fmt::format("rules {}", one.words), one.rules, one.verdicts);
  for (const bool own : {false, true}) {
    const StatementJson cases = cases_that_are(own, statement.at("cases"));
    if (!own || !cases.empty()) put_row(own ? "own cases" : "cases", cases.size(), verdicts_of(cases));
  }
  end_table(page);
}

// Explains how a reader can verify the statement.
void put_trust(std::string& page, std::string_view file, std::string_view text) {
  put(page,
      "<p class=\"wrap\">This page shows what <code>{0}</code> contains (SHA-256 <code>{1}</code>); only that file "
      "counts. <code>wirelaw verify {0}</code> judges the captures again and compares them with it. This page does not "
      "show whether the statement is signed; <code>verify</code> does. Without a signature that you trust, nobody "
      "answers "
      "for it.</p>\n",
      file, sha256_of(text));
}

// --- verdicts

constexpr std::array<std::string_view, 9> kVerdicts{"fail", "unstable",      "waived",         "warned", "inconclusive",
                                                    "pass", "not-exercised", "not-applicable", "skipped"};

std::size_t rank_of(const std::string& verdict) {
  return static_cast<std::size_t>(std::ranges::find(kVerdicts, verdict) - kVerdicts.begin());
}

// Failures first; within a verdict, in the order of the specification.
std::vector<const StatementJson*> by_verdict(const StatementJson& list) {
  std::vector<const StatementJson*> sorted;
  for (const StatementJson& one : list) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(), [](const StatementJson* a, const StatementJson* b) {
    return rank_of(text_at(*a, "verdict")) < rank_of(text_at(*b, "verdict"));
  });
  return sorted;
}

Markup case_link(const std::string& id) {
  return {fmt::format("<a href=\"#case-{0}\">{0}</a>", html::escaped(id))};
}
Markup rule_link(const std::string& id) {
  return {fmt::format("<a href=\"#rule-{0}\">{0}</a>", html::escaped(id))};
}
// Returns a command that prints frames of a capture.
std::string command_for(const std::string& capture, std::size_t first, std::size_t last) {
  if (first == last) return fmt::format("tshark -r {} -Y frame.number=={}", capture, first);
  return fmt::format("tshark -r {} -Y 'frame.number>={} && frame.number<={}'", capture, first, last);
}

void put_violation(std::string& page, const StatementJson& one) {
  put(page, "<div class=\"dim wrap\">run {}", number_at(one, "run"));
  if (number_at(one, "frame") > 0) put(page, ", frame {}", number_at(one, "frame"));
  if (const std::string of = text_at(one, "case"); !of.empty()) put(page, ", {}", case_link(of));
  put(page, ": expected {}, got {}</div>", text_at(one, "expected"), text_at(one, "actual"));
}

template <class Link>
void put_links(std::string& page, const StatementJson& ids, const Link& link) {
  std::string_view before;
  for (const StatementJson& one : ids) {
    put(page, "{}{}", before, link(one.get<std::string>()));
    before = ", ";
  }
}

void put_rules(std::string& page, const StatementJson& statement) {
  page += "<h2 id=\"rules\">Rules</h2>\n";
  begin_table(page, {"verdict", "rule", "level, demand", "what it demands, and what the runs showed"}, "stack");
  for (const StatementJson* const one : by_verdict(statement.at("rules"))) {
    const std::string verdict = text_at(*one, "verdict"), why = text_at(*one, "why");
    put(page,
        "<tr data-v=\"{}\" id=\"rule-{}\"><td>{}<div class=\"dim\">{}</div></td><td class=\"wrap\"><b>{}</b>"
        "<div>{}</div></td><td>{}<div class=\"dim\">{}</div></td><td class=\"wrap\">{}",
        verdict, text_at(*one, "id"), html::badge(verdict), over_runs(one->at("runs")), text_at(*one, "id"),
        html::section(text_at(*one, "section")), text_at(*one, "level"), with_spaces(text_at(*one, "demand")),
        text_at(*one, "summary"));
    if (!why.empty()) put(page, "<div class=\"dim\">{}</div>", why);
    for (const StatementJson& violation : one->at("violations")) put_violation(page, violation);
    if (!one->at("cases").empty()) {
      page += "<div class=\"dim\">cases: ";
      put_links(page, one->at("cases"), case_link);
      page += "</div>";
    }
    page += "</td></tr>\n";
  }
  end_table(page);
}

// The frames of each run, and how to see those of the first one that has some: one that failed, if there is one.
void put_frames(std::string& page, const StatementJson& one, const StatementJson& runs) {
  const StatementJson& frames = one.at("frames");
  std::string text;
  std::size_t shown = frames.size();
  for (std::size_t run = 0; run < frames.size(); ++run) {
    if (frames[run].empty() || runs[run].at("capture").get<std::string>().empty()) continue;
    text += fmt::format("{}run {}: {} to {}", text.empty() ? "frames of " : "; ", run + 1,
                        frames[run][0].get<std::size_t>(), frames[run][1].get<std::size_t>());
    if (shown == frames.size() || (one.at("runs")[run] == "fail" && one.at("runs")[shown] != "fail")) shown = run;
  }
  if (text.empty()) return;
  put(page, "<div class=\"dim\">{}</div><code>{}</code>", text,
      command_for(text_at(runs[shown], "capture"), frames[shown][0].get<std::size_t>(),
                  frames[shown][1].get<std::size_t>()));
}

void put_cases(std::string& page, const StatementJson& statement) {
  page +=
      "<h2 id=\"cases\">Cases</h2>\n<p>The commands show the frames of a case; run them in the folder of the evidence. "
      "<code>editcap -r run-1.pcapng part.pcapng FIRST-LAST</code> copies the frames into a small file for "
      "Wireshark.</p>\n";
  begin_table(page, {"verdict", "case, and its rules", "reason, and its frames"}, "stack");
  for (const StatementJson* const one : by_verdict(statement.at("cases"))) {
    const std::string verdict = text_at(*one, "verdict");
    put(page,
        "<tr data-v=\"{}\" id=\"case-{}\"><td>{}<div class=\"dim\">{}</div></td><td class=\"wrap\"><b>{}</b>"
        "<div class=\"dim\">",
        verdict, text_at(*one, "id"), html::badge(verdict), over_runs(one->at("runs")), text_at(*one, "id"));
    if (one->at("own").get<bool>()) page += "own case, from a script of the vendor";
    put_links(page, one->at("rules"), rule_link);
    page += "</div></td><td class=\"wrap\">";
    std::string last;
    for (const StatementJson& reason : one->at("reasons")) {
      if (reason.get<std::string>() == last || reason.get<std::string>().empty()) continue;
      last = reason.get<std::string>();
      put(page, "<div>{}</div>", last);
    }
    put_frames(page, *one, statement.at("runs"));
    page += "</td></tr>\n";
  }
  end_table(page);
}

// --- its basis

void put_coverage(std::string& page, const StatementJson& statement) {
  const StatementJson& coverage = statement.at("coverage");
  put(page,
      "<h2 id=\"coverage\">Coverage</h2>\n<p>{} of {} demanded rules were exercised. Of {} mandatory rules that no "
      "case of this role tests, {} were judged in what the peer sent. {} more cannot be tested in this role.</p>\n",
      number_at(coverage, "exercised"), number_at(coverage, "applicable"),
      number_at(coverage.at("incidental"), "rules"), number_at(coverage.at("incidental"), "exercised"),
      number_at(coverage, "not_testable"));
  begin_table(page, {"section", "~", "#exercised", "#failed"});
  for (const StatementJson& one : coverage.at("sections")) {
    const std::size_t exercised = number_at(one, "exercised"), applicable = number_at(one, "applicable"),
                      failed = number_at(one, "failed"), all = std::max<std::size_t>(1, applicable);
    put(page, "<tr><td class=\"wrap\">{}</td><td class=\"hide\"><div class=\"bar\" aria-hidden=\"true\">",
        html::section(text_at(one, "section")));
    if (exercised > failed) put(page, "<i class=\"p\" style=\"width:{}%\"></i>", 100 * (exercised - failed) / all);
    if (failed > 0) put(page, "<i class=\"f\" style=\"width:{}%\"></i>", std::max<std::size_t>(2, 100 * failed / all));
    put(page, "</div></td><td class=\"n\">{} of {}</td><td class=\"n\">{}</td></tr>\n", exercised, applicable, failed);
  }
  end_table(page);
  if (coverage.at("not_exercised").empty()) return;
  put(page, "<details><summary>Demanded and not exercised: {}</summary><div class=\"in wrap\">",
      coverage.at("not_exercised").size());
  put_links(page, coverage.at("not_exercised"), rule_link);
  page += "</div></details>\n";
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
  begin_table(page, {"state", "failure", "until", "owner", "reason"}, "stack");
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
  begin_table(page, {"file", "#octets", "SHA-256"}, "stack");
  for (const StatementJson& one : statement.at("evidence"))
    put(page, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"wrap\"><code>{}</code></td></tr>\n",
        text_at(one, "file"), number_at(one, "octets"), text_at(one, "sha256"));
  put(page, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"wrap\"><code>{}</code></td></tr>\n", file, text.size(),
      sha256_of(text));
  end_table(page);
  const StatementJson& program = statement.at("program");
  page += "<dl>\n";
  for (const auto& [label, key] :
       {std::pair{"rules, SHA-256", "rules_sha256"}, std::pair{"cases, SHA-256", "cases_sha256"},
        std::pair{"rulings, SHA-256", "rulings_sha256"}})
    put_entry(page, label, text_at(program, key));
  page += "</dl>\n";
}

}  // namespace

std::string page_of(const StatementJson& statement, std::string_view file, std::string_view text) {
  const StatementJson& who = statement.at("implementation");
  const std::string product = text_at(who, "product") + " " + text_at(who, "version");
  const std::string role = fmt::format("{} {}", text_at(statement.at("specification"), "protocol"),
                                       text_at(statement.at("declaration"), "tested_role"));
  std::string page;
  html::begin(page, fmt::format("{}: {}, statement of conformance", product, role));
  put(page, "<section class=\"sheet\">\n<h1>Statement of conformance: {}</h1>\n<p>{}</p>\n", product, role);
  put_certificate(page, statement);
  put_counts(page, statement);
  put_subject(page, statement);
  put_trust(page, file, text);
  page +=
      "<p class=\"screen\"><label><input type=\"checkbox\" id=\"print-all\"> print all rules and cases, not only this "
      "sheet</label></p>\n</section>\n<div class=\"more\">\n"
      "<nav aria-label=\"Parts\"><a href=\"#coverage\">Coverage</a><a href=\"#rules\">Rules</a>"
      "<a href=\"#cases\">Cases</a><a href=\"#evidence\">Evidence</a>";
  html::put_filter(page, "rule, case, section, word", kVerdicts);
  page += "</nav>\n";
  put_features_and_waivers(page, statement);
  put_coverage(page, statement);
  put_rules(page, statement);
  put_cases(page, statement);
  put_evidence(page, statement, file, text);
  page += "</div>\n";
  html::end(page, text_at(statement.at("program"), "version"));
  return page;
}

}  // namespace wirelaw
