// SPDX-License-Identifier: Apache-2.0
// The reasons why the pages of peers cannot be written.
#include <fmt/format.h>

#include <cctype>
#include <set>

#include "conformance/rule.h"
#include "conformance/verdict.h"
#include "reports/peers.h"
#include "reports/peers_signs.h"

namespace wirelaw {

bool is_violation(const ResultFile::Finding& finding) {
  return finding.severity == to_string(Severity::violation);
}

bool has_died(const ResultFile::Case& one) {
  return one.reason.starts_with("the peer died");
}

std::set<std::string_view> cases_without_finding(const ResultFile& result) {
  std::set<std::string_view> cases;
  for (const ResultFile::Case& one : result.cases)
    if (one.verdict == "fail" || has_died(one)) cases.insert(one.id);
  for (const ResultFile::Finding& finding : result.findings) {
    const auto of = std::ranges::find(result.cases, finding.in_case, &ResultFile::Case::id);
    if (is_violation(finding) && of != result.cases.end() && !has_died(*of)) cases.erase(of->id);
  }
  return cases;
}

bool shows(const PeerSign& sign, const ResultFile::Finding& finding) {
  return !sign.rule.empty() && sign.rule == finding.rule &&
         (sign.in_case.empty() || matches_glob(sign.in_case, finding.in_case)) &&
         (sign.actual.empty() || matches_glob(sign.actual, finding.actual));
}

bool shows(const PeerSign& sign, const ResultFile::Case& one) {
  return sign.rule.empty() && matches_glob(sign.in_case, one.id);
}

namespace {

using Faults = std::vector<std::string>;

// Checks that exactly one entry explains the thing.
template <class Entry, class Thing>
void look_who_explains(const std::vector<Entry>& entries, const Thing& thing, const std::string& what, Faults& faults) {
  const auto count = std::ranges::count_if(entries, [&](const Entry& one) { return is_shown_by(one, thing); });
  if (count == 0) faults.push_back(what + " is not explained");
  if (count > 1) faults.push_back(fmt::format("{} is explained {} times", what, count));
}

void look_at_run(const PeerPage& peer, const PeerRun& run, Faults& faults) {
  for (const ResultFile::Finding& one : run.result.findings) {
    const std::string what =
        fmt::format("{}: {} {} in {} (actual {})", run.name(), is_violation(one) ? "the failure of" : "the warning of",
                    one.rule, one.in_case.empty() ? "no case" : one.in_case, one.actual);
    if (is_violation(one))
      look_who_explains(peer.causes, one, what, faults);
    else
      look_who_explains(peer.warnings, one, what, faults);
  }
  const auto alone = cases_without_finding(run.result);
  for (const ResultFile::Case& one : run.result.cases)
    if (alone.contains(one.id))
      look_who_explains(peer.causes, one, fmt::format("{}: case {} ({})", run.name(), one.id, one.reason), faults);
}

// Looks at all runs. Warnings are shown only by warnings, causes only by the rest.
bool happens(const PeerPage& peer, const PeerSign& sign, bool as_warning) {
  return std::ranges::any_of(peer.runs, [&](const PeerRun& run) {
    const auto alone = as_warning ? std::set<std::string_view>{} : cases_without_finding(run.result);
    return std::ranges::any_of(run.result.findings,
                               [&](const auto& one) { return is_violation(one) != as_warning && shows(sign, one); }) ||
           std::ranges::any_of(run.result.cases,
                               [&](const auto& one) { return alone.contains(one.id) && shows(sign, one); });
  });
}

template <class Entry>
void look_whether_it_happens(const PeerPage& peer, const Entry& entry, bool as_warning, std::string_view name,
                             Faults& faults) {
  for (const PeerSign& sign : entry.shown_by)
    if (!entry.seldom && !happens(peer, sign, as_warning))
      faults.push_back(fmt::format("{}: \"{}\" should be shown by {} in {}, but no run has that", peer.id, name,
                                   sign.rule.empty() ? "a case" : sign.rule,
                                   sign.in_case.empty() ? "any case" : sign.in_case));
}

// The names that the texts of a page can refer to.
struct Known {
  std::set<std::string, std::less<>> anchors, rules, protocols, cases, groups;
};

Known known_of(const PeerPage& peer) {
  Known known;
  for (const PeerCause& cause : peer.causes) known.anchors.insert(cause.id);
  if (!peer.warnings.empty()) known.anchors.insert("appendix-warnings");
  for (const PeerRun& run : peer.runs) {
    for (const ResultFile::Rule& rule : run.result.rules) {
      known.rules.insert(rule.id);
      known.protocols.insert(rule.id.substr(0, rule.id.find('-')));
    }
    for (const ResultFile::Case& one : run.result.cases) {
      known.cases.insert(one.id);
      known.groups.insert(one.id.substr(0, one.id.find('/')));
    }
  }
  return known;
}

// A word that may be a rule, a case or the anchor of a cause: letters, digits and what joins them.
bool joins(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-./#_").find(c) != std::string_view::npos;
}

bool resolves(std::string_view word, const Known& known) {
  if (word.starts_with('#')) return known.anchors.contains(word.substr(1));
  const auto dash = word.find('-');
  if (dash != std::string_view::npos && known.protocols.contains(word.substr(0, dash)))
    return known.rules.contains(word);
  const auto slash = word.find('/');
  if (slash != std::string_view::npos && known.groups.contains(word.substr(0, slash)))
    return known.cases.contains(word);
  return true;
}

void look_at_references(const PeerPage& peer, const Known& known, std::string_view text, Faults& faults) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && joins(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('.') || word.ends_with('-') || word.ends_with('/')) word.remove_suffix(1);
    if (!resolves(word, known))
      faults.push_back(fmt::format("{}: \"{}\" is referred to, but does not exist", peer.id, word));
    at = end + 1;
  }
}

void look_at_texts(const PeerPage& peer, Faults& faults) {
  const Known known = known_of(peer);
  const auto look = [&](std::string_view text) { look_at_references(peer, known, text, faults); };
  for (const std::string& one : peer.setup) look(one);
  for (const PeerCause& one : peer.causes) {
    look(one.title);
    look(one.symptom);
    look(one.specification);
  }
  for (const PeerWarning& one : peer.warnings) look(one.sentence);
  for (const PeerRun& one : peer.runs) look(one.how);
}

template <class Entries>
void leave_out(const PeerPage& peer, Entries& entries, bool as_warning) {
  std::erase_if(entries, [&](const auto& entry) {
    return std::ranges::none_of(entry.shown_by, [&](const PeerSign& sign) { return happens(peer, sign, as_warning); });
  });
}

}  // namespace

std::vector<std::string> faults_of(const PeerList& list, bool partial) {
  Faults faults;
  for (const PeerPage& peer : list.peers) {
    for (const PeerRun& run : peer.runs) look_at_run(peer, run, faults);
    if (partial) continue;
    for (const PeerCause& one : peer.causes) look_whether_it_happens(peer, one, false, one.title, faults);
    for (const PeerWarning& one : peer.warnings) look_whether_it_happens(peer, one, true, one.sentence, faults);
    look_at_texts(peer, faults);
  }
  return faults;
}

std::vector<NamedFrame> named_frames(const PeerRun& run) {
  std::vector<NamedFrame> frames;
  for (const ResultFile::Finding& one : run.result.findings)
    if (one.frame > 0) frames.push_back({one.frame, one.octets});
  for (const ResultFile::Case& one : run.result.cases)
    if (one.last_frame > 0) frames.push_back({one.last_frame, {}});
  return frames;
}

void leave_out_what_nothing_shows(PeerList& list) {
  for (PeerPage& peer : list.peers) {
    leave_out(peer, peer.causes, false);
    leave_out(peer, peer.warnings, true);
  }
}

}  // namespace wirelaw
