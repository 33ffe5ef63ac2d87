// SPDX-License-Identifier: Apache-2.0
// Certifications in a folder of their own, which goes with the test.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/commands/program_test.h"

namespace wirelaw {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CertifyTest : testing::Test {
  static inline const std::string kProgram = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";

  CertifyTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~CertifyTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string file(const std::string& name, const std::string& content) const {
    write_file(path(name), content);
    return path(name);
  }
  // A declaration in which nothing optional is claimed.
  std::string ics(const std::string& protocol, const std::string& role, const std::string& more = {}) const {
    return file(protocol + ".toml",
                "schema = \"wirelaw-ics/1\"\n[implementation]\nvendor = \"V\"\nproduct = \"P\"\nversion = \"1\"\n"
                "[conformance]\nprotocol = \"" +
                    protocol + "\"\nroles = [\"" + role + "\"]\napplication = \"count\"\n" + more);
  }
  ProgramRun certify(std::vector<std::string> words, const std::string& evidence = "evidence") const {
    words.insert(words.begin(), "certify");
    words.insert(words.end(), {"--evidence", path(evidence)});
    return run_wirelaw(words);
  }
  Json statement(const std::string& evidence = "evidence") const {
    return Json::parse(read_file(path(evidence + "/statement.json")));
  }
  ProgramRun verify(const std::string& evidence = "evidence") const {
    return run_wirelaw({"verify", "-v", "--require", "any", path(evidence + "/statement.json")});
  }
  void expect_not_verified(const std::string& says, const std::string& evidence = "evidence") const {
    const ProgramRun run = verify(evidence);
    EXPECT_EQ(run.status, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr(says));
    EXPECT_THAT(run.out, testing::HasSubstr("DOES NOT HOLD: "));
  }

  fs::path folder = fs::path(testing::TempDir()) /
                    (std::string("certify_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace wirelaw
