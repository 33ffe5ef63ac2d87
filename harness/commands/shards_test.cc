// SPDX-License-Identifier: Apache-2.0
// --jobs, --shard and merge, as a user has them: the same octets in every format, and one line for what is wrong.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

Words captures_of(const std::string& protocol) {
  Words files;
  for (const auto& entry : fs::directory_iterator(WIRELAW_SOURCE_DIR "/corpora/" + protocol + "/violating"))
    if (entry.path().extension() == ".pcapng" && files.size() < 40) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Shards : ::testing::Test {
  Shards() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Shards() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  // Runs the command as each of `of` shards, and returns the names of their results.
  Words run_shards(const Words& words, unsigned of, const std::string& name = "shard") const {
    Words results;
    for (unsigned i = 1; i <= of; ++i) {
      results.push_back(path(name + std::to_string(i) + ".json"));
      run_wirelaw(with(words, {"--shard", std::to_string(i) + "/" + std::to_string(of), "--format", "json", "-o",
                               results.back(), "-q"}));
    }
    return results;
  }
  void expect_one_line(const Words& words, const std::string& says) const {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("shards_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Shards, JobsGiveTheSameInEveryFormat) {
  const Words check = with({"check", "--complete"}, captures_of("rdmap"));
  for (const char* const format : {"text", "json", "junit", "tap", "html", "sarif", "markdown", "github"}) {
    const ProgramRun one = run_wirelaw(with(check, {"--format", format}));
    const ProgramRun many = run_wirelaw(with(check, {"--format", format, "--jobs", "3"}));
    EXPECT_EQ(one.status, 1);
    EXPECT_EQ(many.status, one.status);
    EXPECT_TRUE(many.out == one.out) << format;
    EXPECT_EQ(many.err, one.err);
  }
}

TEST_F(Shards, JobsTakeWhatCanBeReadOnlyOnce) {
  const std::string capture = captures_of("ramcloud").front();
  const ProgramRun one = run_wirelaw({"check", "-", "--format", "json"}, {.in = capture});
  const ProgramRun many = run_wirelaw({"check", "-", "--format", "json", "--jobs", "2"}, {.in = capture});
  EXPECT_EQ(many.out, one.out);
  EXPECT_EQ(many.status, one.status);
}

TEST_F(Shards, OfChecksAreMergedToWhatOneRunSays) {
  for (const char* const protocol : {"ramcloud", "umsp"}) {
    const Words check = with({"check"}, captures_of(protocol));
    const Words results = run_shards(check, 3);
    EXPECT_THAT(read_file(results[1]), HasSubstr("\"shard\": {\"index\":2,\"count\":3,\"command\":\"check\""));
    for (const char* const format : {"text", "json", "junit", "tap", "sarif", "markdown", "github"}) {
      const ProgramRun one = run_wirelaw(with(check, {"--format", format}));
      const ProgramRun merged = run_wirelaw({"merge", results[2], results[0], results[1], "--format", format});
      EXPECT_EQ(merged.status, one.status);
      EXPECT_TRUE(merged.out == one.out) << format;
      EXPECT_EQ(merged.err, one.err);
    }
  }
}

TEST_F(Shards, MayHaveJobs) {
  const Words check = with({"check"}, captures_of("efa"));
  const Words alone = run_shards(check, 2), jobs = run_shards(with(check, {"--jobs", "2"}), 2, "jobs");
  EXPECT_TRUE(run_wirelaw({"merge", jobs[0], jobs[1], "--format", "json"}).out ==
              run_wirelaw({"merge", alone[0], alone[1], "--format", "json"}).out);
}

TEST_F(Shards, OfTestsInMemoryAreMergedToWhatOneRunSays) {
  const std::vector<Words> tests = {{"ramcloud", "memory:"},
                                    {"ramcloud", "memory:", "--role", "client"},
                                    {"ramcloud", "memory:?loss=0.1&seed=7"},
                                    {"ramcloud", "memory:", "--deviate", "no-ack"},
                                    {"rdmap", "memory:"},
                                    {"rdmap", "memory:?verbs"},
                                    {"rdmap", "memory:?pair"},
                                    {"rdmap", "memory:", "--role", "initiator", "--skip", "mpa/*=not now"},
                                    {"smbd", "memory:"},
                                    {"efa", "memory:"},
                                    {"efa", "memory:", "--role", "requester"},
                                    {"umsp", "memory:"},
                                    {"umsp", "memory:", "--role", "initiator"}};
  for (const Words& words : tests) {
    const Words test = with({"test"}, words);
    const ProgramRun one = run_wirelaw(with(test, {"--format", "json"}));
    const ProgramRun merged = run_wirelaw(with(with({"merge"}, run_shards(test, 3)), {"--format", "json"}));
    EXPECT_EQ(merged.status, one.status);
    EXPECT_TRUE(merged.out == one.out) << words[0] << " " << words[1];
  }
}

TEST_F(Shards, OfRecordedTestsNameNoFrames) {
  Words results;
  for (const char* const shard : {"1/2", "2/2"}) {
    results.push_back(path("s" + std::to_string(results.size())));
    run_wirelaw({"test", "ramcloud", "memory:", "--deviate", "no-ack", "--shard", shard, "--format", "json", "-o",
                 results.back(), "--record", results.back() + ".pcapng"});
  }
  EXPECT_EQ(run_wirelaw({"merge", results[0], results[1], "--format", "json"}).out,
            run_wirelaw({"test", "ramcloud", "memory:", "--deviate", "no-ack", "--format", "json"}).out);
}

TEST_F(Shards, ThatHaveNothingToDoFailNothing) {
  const Words results = run_shards({"test", "ramcloud", "memory:", "--case", "session/open*"}, 9);
  std::size_t empty = 0;
  for (const std::string& one : results) empty += read_file(one).find("\"cases\": [],") != std::string::npos ? 1 : 0;
  EXPECT_GT(empty, 0u);
  for (unsigned i = 1; i <= 9; ++i)
    EXPECT_EQ(
        run_wirelaw({"test", "ramcloud", "memory:", "--case", "session/open*", "--shard", std::to_string(i) + "/9"})
            .status,
        0);
  EXPECT_EQ(run_wirelaw(with({"merge"}, results)).status, 0);
}

TEST_F(Shards, AreNotTakenForTheWholeRun) {
  const ProgramRun run = run_wirelaw({"check", captures_of("ramcloud").front(), "--shard", "2/3"});
  EXPECT_THAT(run.out, HasSubstr("SHARD 2/3 ALONE: "));
  EXPECT_THAT(run_wirelaw({"test", "ramcloud", "memory:", "--shard", "1/2", "-q"}).out,
              HasSubstr("SHARD 1/2 ALONE: PASS: "));
}

TEST_F(Shards, ListTheirCases) {
  const std::string all = run_wirelaw({"test", "ramcloud", "--list", "--role", "server"}).out;
  std::size_t listed = 0;
  for (const char* const shard : {"1/2", "2/2"})
    for (const char one : run_wirelaw({"test", "ramcloud", "--list", "--role", "server", "--shard", shard}).out)
      listed += one == '\n' ? 1 : 0;
  EXPECT_EQ(listed, static_cast<std::size_t>(std::ranges::count(all, '\n')) + 1);  // each has a line with the count
}

TEST_F(Shards, TheGateOfAMergeIsItsOwn) {
  const Words check = with({"check", "--complete"}, captures_of("ramcloud"));
  Words merge = with({"merge"}, run_shards(check, 2));
  ASSERT_EQ(run_wirelaw(with(merge, {"--format", "json", "-o", path("all.json")})).status, 1);
  EXPECT_EQ(run_wirelaw(with(merge, {"--baseline", path("all.json")})).status, 0);
}

TEST_F(Shards, OfAnythingElseAreRefused) {
  const std::string capture = captures_of("ramcloud").front(), other = captures_of("ramcloud").back();
  const Words good = run_shards({"check", capture}, 2);
  expect_one_line({"merge", good[0]}, "shard 2/2 is missing, and 1 of 2 are there");
  expect_one_line({"merge", good[0], good[0]}, "are both shard 1/2; name each once");
  expect_one_line({"merge", good[0], good[1], good[1]}, "are both shard 2/2");
  expect_one_line({"merge", good[0], run_shards({"check", capture}, 3, "three")[1]}, "they belong to different runs");
  expect_one_line({"merge", good[0], run_shards({"check", "--complete", capture}, 2, "asked")[1]},
                  "of `check --complete`: merge shards of one run");
  expect_one_line({"merge", good[0], run_shards({"check", other}, 2, "other")[1]}, "have not read the same of");
  expect_one_line({"merge", good[0], run_shards({"test", "ramcloud", "memory:"}, 2, "test")[1]},
                  "merge shards of one run");
  fs::copy_file(capture, path("copy.pcapng"));
  const Words before = run_shards({"check", path("copy.pcapng")}, 2, "before");
  fs::copy_file(other, path("copy.pcapng"), fs::copy_options::overwrite_existing);
  const Words after = run_shards({"check", path("copy.pcapng")}, 2, "after");
  expect_one_line({"merge", before[0], after[1]}, "have not read the same of");

  std::string text = read_file(good[1]);
  write_file(path("version.json"), text.replace(text.find("\"version\":\"") + 11, 1, "9"));
  expect_one_line({"merge", good[0], path("version.json")}, "was written by wirelaw 9");
  text = read_file(good[1]);
  write_file(path("cut.json"), text.substr(0, text.size() / 2));
  expect_one_line({"merge", good[0], path("cut.json")}, "is not JSON, or not all of it");
  run_wirelaw({"check", capture, "--format", "json", "-o", path("whole.json")});
  expect_one_line({"merge", path("whole.json")}, "is the result of a whole run");
  write_file(path("else.json"), "[1, 2]");
  expect_one_line({"merge", path("else.json")}, "is no result of wirelaw");
  write_file(path("rules.json"), run_wirelaw({"rules", "--format", "json"}).out);
  expect_one_line({"merge", path("rules.json")}, "does not say \"schema\": \"wirelaw/2\"");
  expect_one_line({"merge", path("absent.json")}, "cannot be read");
  expect_one_line({"merge", folder.string()}, "cannot be read");
  expect_one_line({"merge"}, "RESULT is required");
  expect_one_line({"merge", good[0], good[1], "-o", good[1]}, "shard");
}

TEST_F(Shards, ThatAreNoneAreRefused) {
  const std::string capture = captures_of("ramcloud").front();
  for (const char* const shard : {"0/2", "3/2", "x", "1", "1/0", "/", "-1/2", "1/2/3", "", " 1/2"}) {
    if (*shard == '\0') continue;
    expect_one_line({"check", capture, std::string("--shard=") + shard}, "--shard: ");
    expect_one_line({"test", "ramcloud", "memory:", std::string("--shard=") + shard}, "--shard: ");
  }
  for (const char* const jobs : {"0", "-1", "x", "257", "1.5"})
    expect_one_line({"check", capture, std::string("--jobs=") + jobs}, "--jobs");
  expect_one_line({"test", "ramcloud", "memory:", "--shard", "1/2", "--repeat", "2"}, "--repeat: ");
}

}  // namespace
}  // namespace wirelaw
