// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/fuzz_command.h"
#include "harness/commands/terminal.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::seconds whole(double seconds) {
  return std::chrono::seconds{static_cast<std::int64_t>(std::max(seconds, 0.0))};
}

// Formats a number as "12,345".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string ago(double now, double then, std::uint64_t run) {
  return run == 0 ? "none yet" : to_text(whole(now - then)) + " ago";
}

struct Cell {
  std::string name, value;
};

// The characters for drawing a frame.
struct Frame {
  std::string_view line, side, top_left, top, top_right, left, cross, right, bottom_left, bottom, bottom_right;
};
constexpr Frame kLines{"\u2500", "\u2502", "\u250c", "\u252c", "\u2510", "\u251c",
                       "\u253c", "\u2524", "\u2514", "\u2534", "\u2518"};
constexpr Frame kAscii{"-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+"};

// Two cells side by side in a frame.
std::string row(const Frame& frame, const Cell& left, const Cell& right) {
  return fmt::format("{0} {1:>15} : {2:<20} {0} {3:>14} : {4:<17} {0}", frame.side, left.name,
                     cut_to_fit(left.value, 20), right.name, cut_to_fit(right.value, 17));
}

std::string rule_of(const Frame& frame, std::string_view begin, std::string_view left, std::string_view middle,
                    std::string_view right, std::string_view end) {
  const auto part = [&](std::string_view name, std::size_t columns) {
    std::string text = name.empty() ? "" : fmt::format("{} {} ", frame.line, name);
    for (std::size_t used = name.empty() ? 0 : name.size() + 3; used < columns; ++used) text += frame.line;
    return text;
  };
  return fmt::format("{}{}{}{}{}", begin, part(left, 40), middle, part(right, 36), end);
}

// Counts findings by kind, as "2 rule, 1 died". A signature begins with the name of its oracle.
std::string by_kind(std::span<const std::string> signatures) {
  std::map<std::string, std::uint64_t> counts;
  for (const std::string& one : signatures) ++counts[one.substr(0, one.find_first_of(" :"))];
  std::string text;
  for (const auto& [kind, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text.empty() ? "none" : text;
}

std::string rules_of(const campaign::Statistics& now) {
  return fmt::format("{} of {}", grouped(now.rules), grouped(now.rules_known));
}

std::string_view activity_of(const campaign::Progress& now) {
  return now.activity.empty() ? "trying inputs" : now.activity;
}

}  // namespace

std::vector<std::string> screen_of(const campaign::Progress& progress, const ScreenFacts& facts) {
  const campaign::Statistics& now = progress.statistics;
  const Frame& frame = facts.has_utf8 ? kLines : kAscii;
  const double all = now.seconds > 0 ? static_cast<double>(now.runs) / now.seconds : 0;
  const bool is_started = now.resident_octets > 0;
  std::vector<std::string> lines;
  const auto add_row = [&](const Cell& left, const Cell& right) { lines.push_back(row(frame, left, right)); };
  const auto add_rule = [&](std::string_view left, std::string_view right) {
    lines.push_back(rule_of(frame, frame.left, left, frame.cross, right, frame.right));
  };
  lines.push_back("  " + cut_to_fit(fmt::format("wirelaw fuzz: {}", facts.title), kScreenColumns - 4));
  lines.push_back("  " + cut_to_fit(printable(fmt::format("now: {}", activity_of(progress))), kScreenColumns - 4));
  lines.push_back(rule_of(frame, frame.top_left, "time", frame.top, "results", frame.top_right));
  add_row({"run time", to_text(whole(now.seconds))}, {"findings", grouped(progress.signatures.size())});
  add_row({"last new", ago(now.seconds, now.last_new_seconds, now.last_new)}, {"in corpus", grouped(now.corpus)});
  add_row({"last finding", ago(now.seconds, now.last_finding_seconds, now.last_finding)},
          {"deaths", grouped(now.deaths)});
  add_rule("speed", "reached");
  add_row({"inputs", grouped(now.runs)}, {"answers", grouped(now.states)});
  add_row({"conversations", grouped(now.executions)}, {"rules", rules_of(now)});
  add_row({"inputs a second", fmt::format("{:.1f} (all {:.1f})", facts.rate, all)},
          {"edges", now.edges == 0 ? "not given" : grouped(now.edges)});
  add_rule("peer", "trust");
  add_row({"most memory", is_started ? fmt::format("{} MiB", now.resident_octets >> 20) : "not started by us"},
          {"stability", now.calibrated == 0 ? "not measured" : fmt::format("{:.1f} %", now.stability())});
  add_row({"descriptors", is_started ? grouped(now.descriptors) : "not started by us"},
          {"replays", now.replays == 0 ? "none yet" : fmt::format("{} of {}", now.came_back, now.replays)});
  lines.push_back(rule_of(frame, frame.bottom_left, "by kind: " + cut_to_fit(by_kind(progress.signatures), 25),
                          frame.bottom, cut_to_fit(facts.folder, 30), frame.bottom_right));
  return lines;
}

std::string progress_line(const campaign::Progress& progress, double rate) {
  const campaign::Statistics& now = progress.statistics;
  const std::string activity = progress.activity.empty() ? "" : fmt::format(", now: {}", progress.activity);
  return printable(fmt::format("{}: {} inputs, {}{}, {:.0f}/s, corpus {}, answers {}, rules {}, last new {}",
                               to_text(whole(now.seconds)), now.runs, counted(progress.signatures.size(), "finding"),
                               activity, rate, now.corpus, now.states, rules_of(now),
                               ago(now.seconds, now.last_new_seconds, now.last_new)));
}

FuzzProgress::FuzzProgress(bool quiet, std::string title, std::string folder)
    : quiet_(quiet),
      is_terminal_(can_erase(STDERR_FILENO)),
      has_utf8_(has_utf8()),
      title_(printable(title)),
      folder_(printable(folder)),
      last_(is_terminal_ ? Clock::time_point{} : Clock::now()) {}

campaign::Watch FuzzProgress::watch() {
  return {.progress = [this](const campaign::Progress& now) { show(now); },
          .found = [this](const campaign::CampaignFinding& finding) { say(finding); }};
}

// Erases the screen and returns the cursor to its beginning. If the terminal has become narrower, it has wrapped the
// lines.
void FuzzProgress::clear() {
  if (quiet_ || !is_terminal_) return;
  const std::size_t columns = size_of_terminal(STDERR_FILENO).columns;
  std::size_t lines = 0;
  for (const std::size_t width : shown_) lines += std::max<std::size_t>((width + columns - 1) / columns, 1);
  if (lines > 0) fmt::print(stderr, "\x1b[{}A", lines);
  fmt::print(stderr, "\r\x1b[J");
  shown_.clear();
}

void FuzzProgress::show(const campaign::Progress& now) {
  constexpr std::chrono::milliseconds kEvery{250};
  constexpr std::chrono::seconds kEveryOfLog{60};
  const auto time = Clock::now();
  if (quiet_ || time - last_ < (is_terminal_ ? std::chrono::nanoseconds(kEvery) : kEveryOfLog)) return;
  const std::uint64_t runs = now.statistics.runs;
  rate_ = static_cast<double>(runs - std::min(last_runs_, runs)) / std::chrono::duration<double>(time - last_).count();
  last_ = time;
  last_runs_ = runs;
  if (!is_terminal_) return fmt::print(stderr, "{}\n", progress_line(now, rate_));
  clear();
  const TerminalSize size = size_of_terminal(STDERR_FILENO);
  if (size.columns < kScreenColumns || size.rows <= kScreenLines) return overwrite_line(progress_line(now, rate_));
  const auto lines = screen_of(now, {.title = title_, .folder = folder_, .rate = rate_, .has_utf8 = has_utf8_});
  for (const std::string& one : lines) fmt::print(stderr, "{}\n", one);
  shown_.assign(lines.size(), kScreenColumns - 1);
}

void FuzzProgress::say(const campaign::CampaignFinding& finding) {
  if (quiet_) return;
  clear();
  fmt::print(stderr, "{}\n",
             finding_line({.run = finding.run,
                           .signature = finding.breach.signature,
                           .expected = finding.breach.expected,
                           .actual = finding.breach.actual,
                           .came_back = finding.replays.came_back,
                           .replays = finding.replays.times}));
}

std::string finding_line(const ToldFinding& one) {
  return printable(fmt::format("run {}: {}: expected {}, got {}; recurred {} of {} times", one.run, one.signature,
                               one.expected, one.actual, one.came_back, one.replays));
}

std::string summary_of(const campaign::Outcome& outcome, const std::string& folder, std::uint64_t runs_before) {
  const campaign::Statistics& all = outcome.statistics;
  std::string text = fmt::format("{}: {} runs{}, corpus {}, features {}\n", folder, all.runs,
                                 runs_before == 0 ? "" : fmt::format(" ({} of them now)", all.runs - runs_before),
                                 all.corpus, all.features);
  if (all.skipped > 0) text += fmt::format("  {} could not be run against this peer\n", all.skipped);
  if (all.unconfirmed > 0) text += fmt::format("  {} did not recur; they are in {}/log.txt\n", all.unconfirmed, folder);
  const auto is_in = [](const std::vector<std::string>& list, const std::string& one) {
    return std::ranges::find(list, one) != list.end();
  };
  for (const std::string& one : outcome.signatures)
    text += fmt::format("  {}  {}/findings/{}{}\n", printable(one), folder, campaign::folder_name(one),
                        is_in(outcome.to_minimise, one) ? "  (not minimised yet)" : "");
  for (const std::string& one : outcome.to_confirm)
    text += fmt::format("  {}  (seen, not confirmed yet)\n", printable(one));
  if (!outcome.to_minimise.empty() || !outcome.to_confirm.empty())
    text += "The same command continues with what is not confirmed or minimised yet.\n";
  return text + fmt::format("{}\n", counted(outcome.signatures.size(), "finding"));
}

}  // namespace wirelaw
