// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/fuzz_command.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::seconds whole(double seconds) {
  return std::chrono::seconds{static_cast<std::int64_t>(std::max(seconds, 0.0))};
}

// "12,345"
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string ago(double now, double then, std::uint64_t run) {
  return run == 0 ? "none yet" : to_text(whole(now - then)) + " ago";
}

// Not more than there is room for: of ASCII, as printable() leaves it.
std::string fitted(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return std::string(text);
  return std::string(text.substr(0, columns - 2)) + "..";
}

struct Cell {
  std::string name, value;
};

// Two cells side by side in a frame.
std::string row(const Cell& left, const Cell& right) {
  return fmt::format("\u2502 {:>15} : {:<20} \u2502 {:>14} : {:<17} \u2502", left.name, fitted(left.value, 20),
                     right.name, fitted(right.value, 17));
}

std::string rule_of(std::string_view begin, std::string_view left, std::string_view middle, std::string_view right,
                    std::string_view end) {
  const auto part = [](std::string_view name, std::size_t columns) {
    std::string text = name.empty() ? "" : fmt::format("\u2500 {} ", name);
    for (std::size_t used = name.empty() ? 0 : name.size() + 3; used < columns; ++used) text += "\u2500";
    return text;
  };
  return fmt::format("{}{}{}{}{}", begin, part(left, 40), middle, part(right, 36), end);
}

bool has_room_for_screen() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kScreenColumns && size.ws_row > kScreenLines;
}

std::string in_words(const std::map<std::string, std::uint64_t>& findings) {
  std::string text;
  for (const auto& [oracle, count] : findings) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, oracle);
  return text.empty() ? "none" : text;
}

}  // namespace

std::vector<std::string> screen_of(const campaign::Statistics& now, const ScreenFacts& facts) {
  const double all = now.seconds > 0 ? static_cast<double>(now.runs) / now.seconds : 0;
  const bool is_started = now.resident_octets > 0;
  std::vector<std::string> lines;
  lines.push_back("  " + fitted(fmt::format("wirelaw fuzz: {}", facts.title), kScreenColumns - 4));
  lines.push_back(rule_of("\u250c", "time", "\u252c", "results", "\u2510"));
  lines.push_back(row({"run time", to_text(whole(now.seconds))}, {"findings", grouped(now.findings)}));
  lines.push_back(
      row({"last new", ago(now.seconds, now.last_new_seconds, now.last_new)}, {"in corpus", grouped(now.corpus)}));
  lines.push_back(row({"last finding", ago(now.seconds, now.last_finding_seconds, now.last_finding)},
                      {"deaths", grouped(now.deaths)}));
  lines.push_back(rule_of("\u251c", "speed", "\u253c", "reached", "\u2524"));
  lines.push_back(row({"inputs", grouped(now.runs)}, {"answers", grouped(now.states)}));
  lines.push_back(row({"conversations", grouped(now.executions)}, {"rules", grouped(now.rules)}));
  lines.push_back(row({"inputs a second", fmt::format("{:.1f} (all {:.1f})", facts.rate, all)},
                      {"edges", now.edges == 0 ? "not given" : grouped(now.edges)}));
  lines.push_back(rule_of("\u251c", "peer", "\u253c", "trust", "\u2524"));
  lines.push_back(
      row({"most memory", is_started ? fmt::format("{} MiB", now.resident_octets >> 20) : "not started by us"},
          {"stability", now.calibrated == 0 ? "not measured" : fmt::format("{:.1f} %", now.stability())}));
  lines.push_back(
      row({"descriptors", is_started ? grouped(now.descriptors) : "not started by us"},
          {"replays", now.replays == 0 ? "none yet" : fmt::format("{} of {}", now.came_back, now.replays)}));
  lines.push_back(rule_of("\u2514", "by kind: " + fitted(in_words(facts.findings), 25), "\u2534",
                          fitted(facts.folder, 30), "\u2518"));
  return lines;
}

FuzzProgress::FuzzProgress(bool quiet, std::string title, std::string folder)
    : quiet_(quiet),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      title_(printable(title)),
      folder_(printable(folder)),
      last_(Clock::now()) {}

campaign::Watch FuzzProgress::watch() {
  return {.runs = [this](const campaign::Statistics& now) { show(now); },
          .found = [this](const campaign::CampaignFinding& finding) { say(finding); }};
}

// What was shown is gone, and the cursor where it began.
void FuzzProgress::clear() {
  if (quiet_ || !is_terminal_) return;
  if (lines_ > 0) fmt::print(stderr, "\x1b[{}A", lines_);
  fmt::print(stderr, "\r\x1b[J");
  lines_ = 0;
}

void FuzzProgress::show(const campaign::Statistics& now) {
  constexpr std::chrono::milliseconds kEvery{250};
  constexpr std::chrono::seconds kEveryOfLog{60};
  const auto time = Clock::now();
  if (quiet_ || time - last_ < (is_terminal_ ? std::chrono::nanoseconds(kEvery) : kEveryOfLog)) return;
  rate_ = static_cast<double>(now.runs - std::min(last_runs_, now.runs)) /
          std::chrono::duration<double>(time - last_).count();
  last_ = time;
  last_runs_ = now.runs;
  const std::string line =
      fmt::format("{}: {} inputs, {:.0f}/s, corpus {}, answers {}, rules {}, findings {}, last new {}",
                  to_text(whole(now.seconds)), now.runs, rate_, now.corpus, now.states, now.rules, now.findings,
                  ago(now.seconds, now.last_new_seconds, now.last_new));
  if (!is_terminal_) return fmt::print(stderr, "{}\n", line);
  clear();
  if (!has_room_for_screen()) return fmt::print(stderr, "{}", line);
  const auto lines = screen_of(now, {.title = title_, .folder = folder_, .rate = rate_, .findings = of_});
  for (const std::string& one : lines) fmt::print(stderr, "{}\n", one);
  lines_ = lines.size();
}

void FuzzProgress::say(const campaign::CampaignFinding& finding) {
  ++of_[std::string(word_of(finding.breach.oracle))];
  if (quiet_) return;
  clear();
  const std::string line =
      fmt::format("run {}: {}: expected {}, got {}; recurred {} of {} times", finding.run, finding.breach.signature,
                  finding.breach.expected, finding.breach.actual, finding.replays.came_back, finding.replays.times);
  fmt::print(stderr, "{}\n", printable(line));
}

std::string summary_of(const campaign::Outcome& outcome, const std::string& folder, std::uint64_t runs_before) {
  const campaign::Statistics& all = outcome.statistics;
  std::string text = fmt::format("{}: {} runs{}, corpus {}, features {}\n", folder, all.runs,
                                 runs_before == 0 ? "" : fmt::format(" ({} of them now)", all.runs - runs_before),
                                 all.corpus, all.features);
  if (all.skipped > 0) text += fmt::format("  {} could not be run against this peer\n", all.skipped);
  if (all.unconfirmed > 0) text += fmt::format("  {} did not recur; they are in log.txt\n", all.unconfirmed);
  for (const std::string& one : outcome.signatures)
    text += fmt::format("  {}  findings/{}\n", printable(one), campaign::folder_name(one));
  return text + fmt::format("{}\n", counted(outcome.signatures.size(), "finding"));
}

}  // namespace wirelaw
