// SPDX-License-Identifier: Apache-2.0
// The pages of peers in Markdown: one for all runs, and one for each peer.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/rule.h"
#include "reports/peers.h"
#include "reports/peers_matrix.h"
#include "reports/peers_signs.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

// Escapes text of a peer for a paragraph or a table of Markdown.
std::string markdown(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

template <class Entries>
std::size_t count_of(const Entries& entries, std::string_view verdict, std::string_view protocol = {}) {
  return static_cast<std::size_t>(std::ranges::count_if(entries, [&](const auto& one) {
    if constexpr (requires { one.protocol; })
      if (!protocol.empty() && one.protocol != protocol) return false;
    return one.verdict == verdict;
  }));
}

void put_paragraphs(const std::vector<std::string>& paragraphs, Output& out) {
  for (const std::string& one : paragraphs) out.print("\n{}\n", one);
}

// `peer`: a link to its page; empty on that page itself, which has no such column.
void put_run_row(const PeerRun& run, const std::string& peer, Output& out) {
  const ResultFile& result = run.result;
  const auto rules = [&](std::string_view verdict) { return count_of(result.rules, verdict, run.protocol); };
  const auto cases = [&](std::string_view verdict) { return count_of(result.cases, verdict); };
  const auto warned = std::ranges::count_if(
      result.rules, [&](const auto& rule) { return rule.warned > 0 && rule.protocol == run.protocol; });
  out.print("| {} | {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown(run.name()),
            peer.empty() ? "" : peer + " | ", markdown(run.version), markdown(run.protocol), markdown(run.role),
            rules("pass"), rules("fail"), warned, rules("not-exercised"), cases("pass"), cases("fail"),
            cases("inconclusive"), std::ranges::count_if(result.cases, has_died), cases("skipped"));
}

void put_run_head(bool with_peer, Output& out) {
  out.print(
      "| run | {}version | protocol | role | rules passed | failed | warned | not exercised | cases passed | failed "
      "| inconclusive | inconclusive because the peer died | skipped |\n",
      with_peer ? "peer | " : "");
  out.print("|---|{}---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", with_peer ? "---|" : "");
}

// --- the evidence of one cause or warning

struct Seen {
  const PeerRun* run = nullptr;
  const ResultFile::Finding* first = nullptr;  // the first that has a frame, else the first
  std::size_t findings = 0;
  std::map<std::string_view, std::size_t> rules;
  std::vector<std::string_view> cases;  // cases that have failed or died
};

template <class Entry>
Seen seen_in(const PeerRun& run, const Entry& entry, bool as_warning) {
  Seen seen{.run = &run};
  std::set<std::string_view> in_cases;
  for (const ResultFile::Finding& one : run.result.findings) {
    if (is_violation(one) == as_warning || !is_shown_by(entry, one)) continue;
    if (seen.first == nullptr || (seen.first->frame == 0 && one.frame > 0)) seen.first = &one;
    ++seen.findings;
    ++seen.rules[one.rule];
    in_cases.insert(one.in_case);
  }
  if (as_warning) return seen;
  const auto alone = cases_without_finding(run.result);
  for (const ResultFile::Case& one : run.result.cases) {
    const bool of_findings = in_cases.contains(one.id) && one.verdict == "fail";
    if (of_findings || (alone.contains(one.id) && is_shown_by(entry, one))) seen.cases.push_back(one.id);
  }
  return seen;
}

template <class Entry>
std::vector<Seen> all_seen(const PeerPage& peer, const Entry& entry, bool as_warning) {
  std::vector<Seen> all;
  for (const PeerRun& run : peer.runs)
    if (Seen seen = seen_in(run, entry, as_warning); seen.findings > 0 || !seen.cases.empty())
      all.push_back(std::move(seen));
  return all;
}

// The run whose evidence is shown: the first whose finding has a frame.
const Seen* shown_of(const std::vector<Seen>& all) {
  const auto with_frame =
      std::ranges::find_if(all, [](const Seen& one) { return one.first != nullptr && one.first->frame > 0; });
  if (with_frame != all.end()) return &*with_frame;
  return all.empty() ? nullptr : &all.front();
}

const ResultFile::Rule* rule_of(const ResultFile& result, std::string_view id) {
  const auto found = std::ranges::find(result.rules, id, &ResultFile::Rule::id);
  return found == result.rules.end() ? nullptr : &*found;
}

void put_evidence(const Seen& seen, Output& out) {
  if (seen.first == nullptr) {
    const auto one = std::ranges::find(seen.run->result.cases, seen.cases.front(), &ResultFile::Case::id);
    out.print("\n**Evidence.** Run {}, case `{}`: {}.\n", markdown(seen.run->name()), printable(one->id),
              markdown(one->reason));
    return;
  }
  const ResultFile::Finding& finding = *seen.first;
  out.print("\n**Evidence.** Run {}", markdown(seen.run->name()));
  if (finding.frame > 0)
    out.print(", frame {} of [{}]({})", finding.frame, markdown(seen.run->capture), seen.run->capture);
  if (!finding.in_case.empty()) out.print(", case `{}`", printable(finding.in_case));
  out.print(": {} expected {}; actual {}", markdown(finding.rule), markdown(finding.expected),
            markdown(finding.actual));
  if (!finding.octets.empty())
    out.print("; octet {} of the message: `{}`", finding.offset, printable(finding.octets.substr(0, 64)));
  out.put(".\n");
}

void put_rules(const std::vector<Seen>& all, Output& out) {
  std::map<std::string_view, const ResultFile::Rule*> rules;
  for (const Seen& seen : all)
    for (const auto& [id, count] : seen.rules) rules.emplace(id, rule_of(seen.run->result, id));
  if (rules.empty()) return;
  out.put("\n**Rules.**");
  for (std::string_view separator = " "; const auto& [id, rule] : rules) {
    out.print("{}{}", separator, markdown(id));
    if (rule != nullptr) out.print(" ({}, {})", markdown(rule->level), markdown(rule->section));
    separator = "; ";
  }
  out.put(".\n");
}

std::uint64_t times_of(const PeerRun& run, std::string_view id, std::uint64_t PeerRun::Repeated::*member) {
  const auto found = std::ranges::find(run.repeated, id, &PeerRun::Repeated::id);
  return found == run.repeated.end() ? 0 : *found.*member;
}

void put_runs(const std::vector<Seen>& all, Output& out) {
  out.put("\n**Runs.**\n");
  for (const Seen& seen : all) {
    out.print("- {}:", markdown(seen.run->name()));
    if (seen.findings > 0) out.print(" {} finding{}", seen.findings, seen.findings == 1 ? "" : "s");
    for (std::string_view separator = seen.findings > 0 ? "; cases " : " cases ";
         const std::string_view id : seen.cases) {
      out.print("{}`{}`", separator, printable(id));
      if (const auto of = times_of(*seen.run, id, &PeerRun::Repeated::of); of > 1)
        out.print(" (the case failed in {} of {} runs)", times_of(*seen.run, id, &PeerRun::Repeated::failed), of);
      separator = ", ";
    }
    out.put("\n");
  }
}

// Returns true if a case of the run ended in a way that could have shown the sign.
bool has_tried(const PeerRun& run, const PeerSign& sign) {
  const ResultFile::Rule* const rule = rule_of(run.result, sign.rule);
  if (!sign.rule.empty() && (rule == nullptr || rule->exercised == 0)) return false;
  return std::ranges::any_of(run.result.cases, [&](const ResultFile::Case& one) {
    const bool has_ended = one.verdict == "pass" || one.verdict == "fail" || has_died(one);
    return has_ended && (sign.in_case.empty() || matches_glob(sign.in_case, one.id));
  });
}

// If the runs are of several versions: those that show the cause, and those that were tried and do not.
void put_versions(const PeerPage& peer, const PeerCause& cause, const std::vector<Seen>& all, Output& out) {
  std::set<std::string_view> seen, tried, every;
  for (const Seen& one : all) seen.insert(one.run->version);
  for (const PeerRun& run : peer.runs) {
    every.insert(run.version);
    const auto tries = [&](const PeerSign& sign) { return has_tried(run, sign); };
    if (!seen.contains(run.version) && std::ranges::any_of(cause.shown_by, tries)) tried.insert(run.version);
  }
  if (every.size() < 2) return;
  const auto put = [&](std::string_view separator, const std::set<std::string_view>& versions) {
    for (const std::string_view one : versions) {
      out.print("{}{}", separator, markdown(one));
      separator = "; ";
    }
  };
  put("\n**Versions.** ", seen);
  // If a cause is rare, its absence from a kept run proves nothing.
  put(cause.seldom ? ". Rare, and not in the kept runs of: " : ". Tried, but not seen: ", tried);
  out.put(".\n");
}

void put_command(const Seen& seen, Output& out) {
  const std::string_view of_finding = seen.first == nullptr ? std::string_view() : seen.first->in_case;
  const std::string_view one = !of_finding.empty() || seen.cases.empty() ? of_finding : seen.cases.front();
  out.print("\n**Reproduce.** `{}{}`\n", seen.run->command, one.empty() ? "" : fmt::format(" --case '{}'", one));
}

void put_cause(const PeerPage& peer, const PeerCause& cause, std::size_t number, Output& out) {
  const std::vector<Seen> all = all_seen(peer, cause, false);
  out.print("\n<a id=\"{}\"></a>\n### {}. {}\n\n*{}.* **Symptom.** {}\n\n**Specification.** {}\n", cause.id, number,
            cause.title, cause.severity, cause.symptom, cause.specification);
  const Seen* shown = shown_of(all);
  if (shown == nullptr) {
    out.put("\nNo run on this page shows it; it is intermittent.\n");
    return;
  }
  put_evidence(*shown, out);
  put_rules(all, out);
  put_versions(peer, cause, all, out);
  put_runs(all, out);
  put_command(*shown, out);
}

void put_warning(const PeerPage& peer, const PeerWarning& warning, Output& out) {
  const std::vector<Seen> all = all_seen(peer, warning, true);
  std::set<std::string_view> rules;
  for (const Seen& seen : all)
    for (const auto& [id, count] : seen.rules) rules.insert(id);
  out.put("-");
  for (std::string_view separator = " **"; const std::string_view id : rules) {
    out.print("{}{}", separator, markdown(id));
    separator = ", ";
  }
  out.print("{}{}", rules.empty() ? " " : "**: ", warning.sentence);
  for (std::string_view separator = " ("; const Seen& seen : all) {
    out.print("{}{} {}", separator, markdown(seen.run->name()), seen.findings);
    if (seen.first->frame > 0) out.print(", frame {}", seen.first->frame);
    separator = "; ";
  }
  out.put(all.empty() ? " (no run on this page)\n" : ")\n");
}

void put_severities(const PeerPage& peer, Output& out) {
  for (std::string_view separator = " "; const PeerSeverity& severity : kSeverities) {
    const auto count = std::ranges::count(peer.causes, severity.name, &PeerCause::severity);
    out.print("{}{} {}", separator, count, severity.name);
    separator = ", ";
  }
}

}  // namespace

void write_peer(const PeerPage& peer, Output& out) {
  out.print("# {}\n\n## Set-up and limits\n", peer.name);
  put_paragraphs(peer.setup, out);
  out.put("\n");
  put_run_head(false, out);
  for (const PeerRun& run : peer.runs) put_run_row(run, {}, out);
  out.put("\n");
  for (const PeerRun& run : peer.runs) {
    out.print("- **{}**: {} Result: [{}]({})", markdown(run.name()), run.how, markdown(run.result_file),
              run.result_file);
    if (!run.capture.empty()) out.print("; capture: [{}]({})", markdown(run.capture), run.capture);
    if (!run.stability_file.empty())
      out.print("; repetitions of failing cases: [{}]({})", markdown(run.stability_file), run.stability_file);
    out.print("; wirelaw {}.\n", markdown(run.result.version));
  }
  out.put("\n## Findings\n");
  if (peer.causes.empty()) out.put("\nNothing failed.\n");
  for (std::size_t number = 0; const PeerCause& cause : peer.causes) put_cause(peer, cause, ++number, out);
  if (peer.warnings.empty()) return;
  out.put(
      "\n## Appendix: warnings\n\nA warning is not a failure: the specification can be read in another way, or nothing "
      "proves a violation. The\nbrackets list each run with the warning, the number of its findings, and the frame of "
      "the first.\n\n");
  for (const PeerWarning& warning : peer.warnings) put_warning(peer, warning, out);
}

void write_peers(const PeerList& list, std::string_view pages, Output& out) {
  out.put(
      "# Peers\n\n"
      "What Wirelaw found in third-party implementations. `wirelaw peers` generates these pages from the results of\n"
      "runs and from a person's explanation of each failure. It rejects a failure without an explanation, an\n"
      "explanation that no run shows, and a frame that is not in its capture.\n\n"
      "The table has a row for each version of a peer and a column for each role. A cell shows the findings by\n"
      "severity, and how many of the judged rules the peer kept.\n\n");
  put_peers_matrix(peers_matrix_of(list), pages, out);
  out.put("\n## Severities\n\n");
  for (const PeerSeverity& one : kSeverities) out.print("- {}: {}\n", one.name, one.meaning);
  out.put("\n## Peers and their findings\n");
  for (const PeerPage& peer : list.peers) {
    out.print("\n### [{}]({}{}.md)\n\n{} findings:", peer.name, pages, peer.id, peer.causes.size());
    put_severities(peer, out);
    out.put(".\n\n");
    for (const PeerCause& cause : peer.causes)
      out.print("- {}: [{}]({}{}.md#{})\n", cause.severity, cause.title, pages, peer.id, cause.id);
  }
  out.put("\n## Set-up and limits\n");
  put_paragraphs(list.setup, out);
  out.put("\n## Runs\n\n");
  put_run_head(true, out);
  for (const PeerPage& peer : list.peers)
    for (const PeerRun& run : peer.runs)
      put_run_row(run, fmt::format("[{}]({}{}.md)", markdown(peer.name), pages, peer.id), out);
}

}  // namespace wirelaw
