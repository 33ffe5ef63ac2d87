// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#include "harness/commands/terminal.h"
#include "reports/gate.h"

namespace wirelaw {
namespace {

constexpr auto kSaidEvery = std::chrono::minutes{1};

std::array<char, 512> last_words{};

void give_up(int) {
  static_cast<void>(!::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data())));
  ::_exit(static_cast<int>(ExitStatus::peer_lost));
}

void guard(std::string_view name, std::chrono::nanoseconds deadline) {
  constexpr unsigned kBeyondDeadline = 180;
  const std::string words = fmt::format(
      "wirelaw: {}: neither the case nor its deadline ends; this is a bug in wirelaw, please report it\n", name);
  last_words = {};
  words.copy(last_words.data(), last_words.size() - 1);
  std::signal(SIGALRM, give_up);
  ::alarm(static_cast<unsigned>(std::chrono::duration_cast<std::chrono::seconds>(deadline).count()) + kBeyondDeadline);
}

}  // namespace

Reporter::Reporter(bool quiet, const CaseLimits& limits, Does does)
    : shown_(!quiet && can_erase(STDERR_FILENO)), quiet_(quiet), does_(does), limits_(limits) {}

RunProgress Reporter::progress() {
  return {.begins = [this](const Case& next, std::size_t done, std::size_t all) { begins(next, done, all); },
          .ended = [this](const CaseOutcome& outcome) { ended(outcome); }};
}

void Reporter::clear() {
  if (shown_) erase_line();
  ::alarm(0);
}

void Reporter::begins(const Case& next, std::size_t done, std::size_t all) {
  if (does_ != Does::tell) guard(next.id, limits_.deadline);
  if (does_ == Does::watch) return;
  const Clock::time_point now = Clock::now();
  tally_.done = done;
  tally_.all = all;
  tally_.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - begin_);
  if (shown_) {
    overwrite_line(fmt::format("{}: {}", to_text(tally_), next.id));
  } else if (!quiet_ && now - said_ >= kSaidEvery) {
    said_ = now;
    fmt::print(stderr, "wirelaw: {}\n", to_text(tally_));
  }
}

void Reporter::ended(const CaseOutcome& outcome) {
  if (does_ != Does::tell) ::alarm(0);  // a process may wait for its next case longer than any case lasts
  tally_.failed += outcome.result.verdict == Verdict::fail;
  if (outcome.dump.empty() || quiet_) return;
  clear();
  fmt::print(stderr, "{}: {}\n{}", outcome.result.id, outcome.result.reason, outcome.dump);
}

}  // namespace wirelaw
