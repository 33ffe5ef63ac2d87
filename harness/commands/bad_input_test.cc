// SPDX-License-Identifier: Apache-2.0
// For any error in the user's input: one line on standard error that says what to do, the documented exit status, and
// no half-written file.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kGood = WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap";

struct BadInput : ::testing::Test {
  BadInput() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~BadInput() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string file(const std::string& name, const std::string& content) const {
    write_file(path(name), content);
    return path(name);
  }
  void expect_one_line(const std::vector<std::string>& words, const std::string& says, const Redirect& redirect = {},
                       int status = 2) {
    const ProgramRun run = run_wirelaw(words, redirect);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_THAT(run.err, StartsWith("wirelaw: "));
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("bad_input_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// A section header block and an interface description block, little-endian, as Wireshark writes them.
const std::string kPcapngHead(
    "\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x1c\0\0\0"
    "\x01\0\0\0\x14\0\0\0\x01\0\0\0\0\0\x04\0\x14\0\0\0",
    48);
// A pcap file header: little-endian, microseconds, snap length 65535, Ethernet.
const std::string kPcapHead("\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x01\0\0\0", 24);

TEST_F(BadInput, EmptyFile) {
  expect_one_line({"check", file("empty", "")}, "empty: the file is empty");
}

TEST_F(BadInput, Directory) {
  expect_one_line({"check", folder.string()}, "directory");
}

TEST_F(BadInput, TextFile) {
  expect_one_line({"check", file("notes.txt", "some notes\n")}, "notes.txt: ");
}

TEST_F(BadInput, MissingFile) {
  expect_one_line({"check", path("nosuch.pcap")}, "nosuch.pcap: ");
}

TEST_F(BadInput, PathBelowAFile) {
  expect_one_line({"check", file("a", "x") + "/b.pcap"}, "b.pcap: ");
}

TEST_F(BadInput, NameWithTerminalEscapes) {
  expect_one_line({"check", path("a\n\x1b[2J")}, "\\x1b[2J");
}

TEST_F(BadInput, CaptureWithoutFrames) {
  expect_one_line({"check", file("head.pcap", kPcapHead)}, "head.pcap: ");
}

TEST_F(BadInput, TruncatedPcapngBlock) {
  const std::string block("\x06\0\0\0\x40\0\0\0\0\0\0\0", 12);
  expect_one_line({"check", file("cut.pcapng", kPcapngHead + block)}, "cut.pcapng: ");
}

TEST_F(BadInput, LengthsOfFourGibibytes) {
  const std::string block("\x06\0\0\0\xfc\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\xf0\xff\xff\xff\xf0\xff\xff\xff", 28);
  expect_one_line({"check", file("huge.pcapng", kPcapngHead + block)}, "huge.pcapng: ");
  const std::string record(
      "\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
      "x",
      17);
  expect_one_line({"check", file("huge.pcap", kPcapHead + record)}, "huge.pcap: ");
}

TEST_F(BadInput, ABrokenEndDoesNotHideWhatCameBefore) {
  const std::string whole = read_file(kGood);
  const std::string cut = file("cut.pcap", whole.substr(0, whole.size() - 5));
  const ProgramRun run = run_wirelaw({"check", "-v", cut});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.out, ::testing::Not(HasSubstr(" partial")));
  EXPECT_THAT(run.out, HasSubstr("7 messages"));
  EXPECT_THAT(run.out, HasSubstr("INCOMPLETE"));
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

TEST_F(BadInput, StandardInputThatIsNoCapture) {
  expect_one_line({"check", "-"}, "-: ", {.in = file("notes.txt", "some notes\n")});
}

TEST_F(BadInput, StandardInputNamedTwice) {
  expect_one_line({"check", "-", "-"}, "only once");
}

TEST_F(BadInput, AnImplementationUnderTestThatNeverShows) {
  const std::string says =
      "--iut: the implementation under test sent and received nothing in these captures; give one side of udp "
      "127.0.0.1:31201 - 127.0.0.1:21201\n";
  expect_one_line({"check", "--iut", "192.0.2.77:1", kGood}, says);
  expect_one_line({"decode", "--format", "script", "--iut", "192.0.2.77:1", kGood}, says);
}

TEST_F(BadInput, MalformedOptions) {
  expect_one_line({"check", "--decode-as", "udp.port=7001,nfs", kGood}, "unknown protocol 'nfs'; known: ramcloud");
  expect_one_line({"check", "--decode-as", "7001", kGood}, "--decode-as: ");
  expect_one_line({"check", "--iut", "here", kGood}, "--iut: 'here' is no address");
  expect_one_line({"check", "--protocol", "ramclod", kGood}, "did you mean 'ramcloud'?");
  expect_one_line({"check", "--rule", "RAMCLOUD-akc-1", kGood}, "did you mean 'RAMCLOUD-ack-1'?");
  expect_one_line({"check", "--format", "csv", kGood}, "known: text, json, junit, ");
  expect_one_line({"check", "--format", "json", "--format", "junit", kGood}, "each its own -o FILE");
  expect_one_line({"check", "--format", "json", "-o", path("a"), "--format", "junit", "-o", path("a"), kGood},
                  "two formats");
  expect_one_line({"check", "--fail-on", "may", kGood}, "--fail-on");
  expect_one_line({"check", "--max-findings", "many", kGood}, "--max-findings");
  expect_one_line({"check", "--baseline", path("none.json"), kGood}, "none.json: ");
  expect_one_line({"check", "--baseline", file("b.json", "{}"), kGood}, "b.json: ");
  expect_one_line({"check", "--pcapng", path("o.pcapng"), kGood, kGood}, "--pcapng: ");
  expect_one_line({"check", "--pcapng"}, "--pcapng");
  expect_one_line({"check"}, "FILE is required");
  expect_one_line({"check", "--formt", "json", kGood}, "did you mean '--format'?");
  expect_one_line({"chekc", kGood}, "did you mean 'check'?");
  expect_one_line({"--verison"}, "did you mean '--version'?");
  expect_one_line({"rules", "NOSUCH-*"}, "no rule matches");
  expect_one_line({"rules", "--level", "most"}, "--level");
}

TEST_F(BadInput, FullDisk) {
  expect_one_line({"check", "-o", "/dev/full", "-q", kGood}, "/dev/full: cannot be written: No space left on device");
  expect_one_line({"check", kGood}, "standard output: cannot be written", {.out = "/dev/full"});
  expect_one_line({"check", "--format", "json", kGood}, "standard output: cannot be written", {.out = "/dev/full"});
  expect_one_line({"decode", kGood}, "standard output: cannot be written", {.out = "/dev/full"});
  expect_one_line({"rules"}, "standard output: cannot be written", {.out = "/dev/full"});
  expect_one_line({"--help"}, "standard output: cannot be written", {.out = "/dev/full"});
  expect_one_line({"check", "--pcapng", "/dev/full", "-q", kGood}, "/dev/full: ");
}

TEST_F(BadInput, OutputThatCannotBe) {
  expect_one_line({"check", "-o", path("none/result.txt"), kGood}, "does not exist; create it first");
  expect_one_line({"check", "-o", folder.string(), kGood}, "is a directory");
  EXPECT_TRUE(fs::is_empty(folder));
}

// --- output whose reader has gone, as in `wirelaw rules | head`

constexpr int kEndedBySigpipe = 128 + SIGPIPE;

TEST_F(BadInput, AFilterWhoseReaderHasGoneEndsSilentlyBySigpipe) {
  const std::vector<std::vector<std::string>> commands{{"check", kGood},
                                                       {"check", "--format", "json", kGood},
                                                       {"check", "-q", kGood},
                                                       {"check", "-q", "--pcapng", "-", kGood},
                                                       {"decode", kGood},
                                                       {"rules"},
                                                       {"rules", "--format", "json"},
                                                       {"test", "ramcloud", "--list"},
                                                       {"test", "ramcloud", "memory:"},
                                                       {"serve", "ramcloud", "--list-deviations"},
                                                       {"completion", "bash"},
                                                       {"--help"},
                                                       {"--version"}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramRun run = run_wirelaw(command, {.out_is_gone = true});
    EXPECT_EQ(run.status, kEndedBySigpipe) << testing::PrintToString(command);
    EXPECT_EQ(run.err, "") << testing::PrintToString(command);
  }
}

TEST_F(BadInput, WhereStandardErrorGoesTheSameWayNothingIsLeftToReportTo) {
  const ProgramRun run = run_wirelaw({"check", path("none.pcap")}, {.out_is_gone = true, .err_is_out = true});
  EXPECT_EQ(run.status, 2);
}

TEST_F(BadInput, AFileIsWrittenWholeThoughTheReaderOfStandardOutputHasGone) {
  const std::string result = path("result.json");
  const ProgramRun run =
      run_wirelaw({"check", "--format", "text", "--format", "json", "-o", result, kGood}, {.out_is_gone = true});
  EXPECT_EQ(run.status, kEndedBySigpipe);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(read_file(result), run_wirelaw({"check", "--format", "json", kGood}).out);
}

// An error while writing a file is reported, even if standard output has no reader.
TEST_F(BadInput, AFileThatCannotBeWrittenIsReportedThoughTheReaderHasGone) {
  expect_one_line({"check", "--format", "text", "--format", "json", "-o", "/dev/full", kGood},
                  "/dev/full: cannot be written", {.out_is_gone = true});
}

TEST_F(BadInput, NoStandardOutput) {
  expect_one_line({"check", kGood}, "standard output: cannot be written", {.out_is_closed = true});
}

TEST_F(BadInput, AFormerResultSurvivesARunThatCouldNotBegin) {
  const std::string former = file("result.json", "former");
  run_wirelaw({"check", "--format", "json", "-o", former, "--decode-as", "nonsense", kGood});
  EXPECT_EQ(read_file(former), "former");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(BadInput, NoArgumentsTeach) {
  const ProgramRun run = run_wirelaw({});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("wirelaw check trace.pcapng"));
}

}  // namespace
}  // namespace wirelaw
