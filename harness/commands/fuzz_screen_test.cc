// SPDX-License-Identifier: Apache-2.0
// The output of `wirelaw fuzz` while it runs, on terminals of any width and kind, and in a log.
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <test_paths.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::HasSubstr;
using testing::Le;
using testing::Not;

using Environment = std::map<std::string, std::string>;

struct FuzzScreen : ::testing::Test {
  FuzzScreen() { fs::remove_all(folder); }
  ~FuzzScreen() override { fs::remove_all(folder); }

  // All that a campaign writes to a terminal of this size.
  std::string shown(std::size_t columns, const Environment& environment) const {
    winsize size{.ws_row = 40, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
      ::execl(WIRELAW_BINARY_DIR "/harness/commands/wirelaw", "wirelaw", "fuzz", "ramcloud", "memory:", "--deviate",
              "no-ack", "--case", "requestAck/*", "--runs", "6", "--campaign", folder.c_str(), nullptr);
      ::_exit(127);
    }
    std::string text;
    char piece[4096];
    for (ssize_t got = 0; (got = ::read(terminal, piece, sizeof piece)) > 0;)
      text.append(piece, static_cast<std::size_t>(got));
    ::close(terminal);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << text;
    fs::remove_all(folder);
    return text;
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("screen_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// The widths of what was written over again, in characters: everything before the last line that erases.
std::vector<std::size_t> widths_of_progress(const std::string& text) {
  const std::string progress = text.substr(0, text.find("run "));
  std::vector<std::size_t> widths{0};
  for (std::size_t at = 0; at < progress.size(); ++at) {
    const auto octet = static_cast<unsigned char>(progress[at]);
    if (octet == 0x1b) {  // up to its letter
      at = progress.find_first_of("ABCDHJK", at);
      if (at == std::string::npos) break;
    } else if (octet == '\r' || octet == '\n') {
      widths.push_back(0);
    } else if ((octet & 0xc0) != 0x80) {  // not in the middle of a character
      ++widths.back();
    }
  }
  return widths;
}

TEST_F(FuzzScreen, NeverWraps) {
  for (const std::size_t columns : {200u, 81u, 80u, 79u, 60u, 40u, 20u}) {
    const std::string text = shown(columns, {{"TERM", "xterm"}, {"LC_ALL", "C.UTF-8"}});
    const std::vector<std::size_t> widths = widths_of_progress(text);
    EXPECT_THAT(widths, Each(Le(std::min<std::size_t>(columns, 80) - 1))) << columns;
    EXPECT_GT(*std::ranges::max_element(widths), 10u) << columns;
    EXPECT_THAT(text, HasSubstr(columns >= 80 ? "\u2502" : "\x1b[K"));
  }
}

TEST_F(FuzzScreen, IsOfPlainCharactersWhereTheLocaleIs) {
  for (const char* const locale : {"C", "POSIX", "de_DE.ISO-8859-1"}) {
    const std::string text = shown(80, {{"TERM", "xterm"}, {"LC_ALL", locale}});
    EXPECT_THAT(text, HasSubstr("| "));
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) << locale;
  }
}

TEST_F(FuzzScreen, HasNoColours) {
  EXPECT_THAT(shown(80, {{"TERM", "xterm"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}}),
              Not(testing::ContainsRegex("\x1b\\[[0-9;]*m")));
}

TEST_F(FuzzScreen, IsALogOnATerminalThatErasesNothing) {
  for (const char* const term : {"dumb", ""}) EXPECT_THAT(shown(80, {{"TERM", term}}), Not(HasSubstr("\x1b")));
}

TEST_F(FuzzScreen, IsALogWithoutATerminal) {
  const ProgramRun run = run_wirelaw({"fuzz", "ramcloud", "memory:", "--deviate", "no-ack", "--case", "requestAck/*",
                                      "--runs", "6", "--campaign", folder});
  EXPECT_THAT(run.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run.err, testing::StartsWith("run "));
}

// The figures add up: findings by kind are all findings, and of the rules that there are no more are reached.
TEST_F(FuzzScreen, SaysWhatItDoesAndCountsTheSameThingsOnce) {
  const std::string text = shown(100, {{"TERM", "xterm"}, {"LC_ALL", "C"}});
  EXPECT_THAT(text, HasSubstr("now: "));
  EXPECT_THAT(text, testing::ContainsRegex("rules : [0-9]+ of [0-9]+"));
  EXPECT_THAT(text, testing::ContainsRegex("by kind: none"));
}

}  // namespace
}  // namespace wirelaw
