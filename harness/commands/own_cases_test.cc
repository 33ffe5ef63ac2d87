// SPDX-License-Identifier: Apache-2.0
// wirelaw certify --script: a vendor's own cases.
#include "harness/commands/certify_test.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;

// The line that the server answers decides a rule that the case names, but only the judge may pass a rule.
constexpr const char* kOwnCase =
    "protocol ramcloud\n"
    "case answers-again \"A server answers a request that comes twice.\"\n"
    "iut b\n"
    "rule RAMCLOUD-old-12\n"
    "a DATA as $request\n"
    "b DATA\n"
    "a again $request\n"
    "b DATA\n";

TEST_F(CertifyTest, AVendorsScriptsAreOwnCasesBesideTheOthers) {
  const std::string declared = ics("ramcloud", "server");
  ASSERT_EQ(certify({declared, "memory:", "--runs", "1", "--profile", "basic"}, "without").status, 0);
  const std::string script = file("ours.wirelaw", kOwnCase);
  const ProgramRun run = certify({declared, "memory:", "--script", script});
  ASSERT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nown cases     1: 1 pass\n"));
  const Json made = statement(), without = statement("without");
  ASSERT_EQ(made["cases"].size(), without["cases"].size() + 1);
  for (std::size_t i = 0; i < without["cases"].size(); ++i) {
    EXPECT_EQ(made["cases"][i]["id"], without["cases"][i]["id"]);
    EXPECT_EQ(made["cases"][i]["own"], false);
  }
  EXPECT_EQ(made["cases"].back()["id"], "script/ours/answers-again");
  EXPECT_EQ(made["cases"].back()["own"], true);
  EXPECT_EQ(made["coverage"], without["coverage"]);
  EXPECT_EQ(made["program"]["cases_sha256"], without["program"]["cases_sha256"]);
  EXPECT_EQ(read_file(path("evidence/ours.wirelaw")), kOwnCase);
  EXPECT_THAT(read_file(path("evidence/statement.html")), HasSubstr("own case, from a script of the vendor"));
  EXPECT_EQ(verify().status, 0) << verify().out;

  const ProgramRun several = certify({declared, "memory:", "--script", script, "--jobs", "3"}, "several");
  ASSERT_EQ(several.status, 0) << several.out << several.err;
  EXPECT_EQ(statement("several")["cases"], made["cases"]);
}

// A script that names a rule and expects little would otherwise pass the rule.
TEST_F(CertifyTest, AnOwnCaseExercisesNoRuleByWhatItExpects) {
  const auto verdict_of = [&](const std::string& evidence, const std::string& rule) -> std::string {
    const Json made = statement(evidence);
    for (const Json& one : made["rules"])
      if (one["id"] == rule) return one["verdict"];
    return "absent";
  };
  const std::string script = file("ours.wirelaw", kOwnCase);
  const std::string declared = ics("ramcloud", "server");
  const std::vector<std::string> words{declared, "memory:", "--runs", "1", "--profile", "basic", "--case", "ack/*"};
  certify(words, "without");
  auto with = words;
  with.insert(with.end(), {"--case", "script/*", "--script", script});
  certify(with, "with");
  EXPECT_EQ(verdict_of("without", "RAMCLOUD-old-12"), "not-exercised");
  EXPECT_EQ(verdict_of("with", "RAMCLOUD-old-12"), "not-exercised");
}

TEST_F(CertifyTest, AnOwnCaseThatDoesNotPassRefuses) {
  const std::string declared = ics("ramcloud", "server");
  const std::string missed =
      file("missed.wirelaw",
           "protocol ramcloud\ncase never\niut b\nrule RAMCLOUD-old-12\na DATA\nb DATA as $answer\n"
           "b DATA payload=$answer.payload within 50ms\n");
  const ProgramRun run = certify({declared, "memory:", "--script", missed});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("own case script/missed/never: fail in all 3 runs"));
  EXPECT_EQ(verify().status, 0) << verify().out;
}

TEST_F(CertifyTest, ScriptsThatCannotBeOwnCasesAreRefused) {
  const std::string declared = ics("ramcloud", "server");
  const auto refusal = [&](const std::vector<std::string>& scripts) {
    std::vector<std::string> words{declared, "memory:"};
    for (const std::string& one : scripts) words.insert(words.end(), {"--script", one});
    const ProgramRun run = certify(words);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_FALSE(fs::exists(path("evidence")));
    return run.err;
  };
  const std::string ours = file("ours.wirelaw", kOwnCase);
  fs::create_directories(path("more"));
  const std::string same =
      file("more/ours.wirelaw", "protocol ramcloud\ncase other\niut b\nrule RAMCLOUD-old-12\na DATA\nb DATA\n");
  EXPECT_THAT(refusal({ours, same}), HasSubstr("another script is called ours.wirelaw too"));
  EXPECT_THAT(refusal({file("efa.wirelaw", "protocol efa\ncase x\niut b\na EAGER_MSGRTM\n")}),
              HasSubstr("the script is for efa, not for ramcloud"));
  EXPECT_THAT(
      refusal({file("client.wirelaw", "protocol ramcloud\ncase x\niut a\nrule RAMCLOUD-old-12\na DATA\nb DATA\n")}),
      HasSubstr("--script: no case of the scripts is for a peer that is the server"));
}

// Its SHA-256 in the statement is corrected, but the results name the scripts that they were made with.
TEST_F(CertifyTest, AnotherScriptThanTheOneThatRanIsFound) {
  const std::string script = file("ours.wirelaw", kOwnCase);
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--script", script}).status, 0);
  write_file(path("evidence/ours.wirelaw"), std::string(kOwnCase) + "a DATA\nb DATA\n");
  expect_not_verified("ours.wirelaw: its SHA-256 is ");
  const ProgramRun sum = run_program("/usr/bin/sha256sum", {path("evidence/ours.wirelaw")});
  Json made = statement();
  for (Json& one : made["evidence"])
    if (one["file"] == "ours.wirelaw") one["sha256"] = sum.out.substr(0, 64);
  write_file(path("evidence/statement.json"), made.dump(2) + "\n");
  expect_not_verified("run-1.json was made with other scripts");
}

}  // namespace
}  // namespace wirelaw
