// SPDX-License-Identifier: Apache-2.0
// wirelaw verify: detects changed statements, and reports on signatures.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/commands/program_test.h"
#include "harness/commands/served_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

std::string sha256_of(const std::string& path) {
  return run_program("/usr/bin/sha256sum", {path}).out.substr(0, 64);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Calls `each` with the type and the octets of each block of a pcapng; those for which it returns false are left out.
std::string blocks(const std::string& capture, const std::function<bool(std::uint32_t, std::string&)>& each) {
  std::string changed;
  for (std::size_t at = 0; at + 12 <= capture.size();) {
    std::uint32_t head[2];
    std::memcpy(head, capture.data() + at, sizeof head);
    std::string block = capture.substr(at, head[1]);
    if (each(head[0], block)) changed += block;
    at += head[1];
  }
  return changed;
}
constexpr std::uint32_t kSection = 0x0a0d0d0a, kFrame = 6;

// Adds to the time of each frame, or only of the last one.
std::string shifted(const std::string& capture, std::int64_t ns, bool only_last = false) {
  std::size_t frames = 0, at = 0;
  blocks(capture, [&](std::uint32_t type, std::string&) { return frames += type == kFrame ? 1 : 0, true; });
  return blocks(capture, [&](std::uint32_t type, std::string& block) {
    if (type != kFrame || (++at < frames && only_last)) return true;
    std::uint32_t time[2];
    std::memcpy(time, block.data() + 12, sizeof time);
    const std::uint64_t whole = (std::uint64_t{time[0]} << 32 | time[1]) + static_cast<std::uint64_t>(ns);
    time[0] = static_cast<std::uint32_t>(whole >> 32);
    time[1] = static_cast<std::uint32_t>(whole);
    std::memcpy(block.data() + 12, time, sizeof time);
    return true;
  });
}

// A folder of evidence, changed by an attacker who corrects the digests.
struct Folder {
  fs::path at;

  std::string path(const std::string& name) const { return (at / name).string(); }
  std::string text(const std::string& name) const { return read_file(path(name)); }
  void put(const std::string& name, const std::string& content) const { write_file(path(name), content); }
  void swap(const std::string& one, const std::string& other) const {
    const std::string kept = text(one);
    put(one, text(other));
    put(other, kept);
  }
  void edit(const std::string& name, const std::function<void(Json&)>& change) const {
    Json document = Json::parse(text(name));
    change(document);
    put(name, document.dump(1) + "\n");
  }
  void edit_statement(const std::function<void(Json&)>& change) const { edit("statement.json", change); }
  void edit_results(const std::function<void(Json&)>& change) const {
    for (const char* run : {"run-1.json", "run-2.json", "run-3.json"}) edit(run, change);
  }

  // Changes the identity of the run in its result and in its recording.
  void forge(const std::string& run, const std::function<void(Json&)>& change) const {
    const auto mark = [&] {
      const Json identity = Json::parse(text(run + ".json")).at("certification");
      put("identity", identity.dump());
      const std::string sum = sha256_of(path("identity"));
      fs::remove(at / "identity");
      return "run=" + identity.at("run_id").get<std::string>() + " certification=" + sum;
    };
    const std::string before = mark();
    edit(run + ".json", [&](Json& result) { change(result.at("certification")); });
    put(run + ".pcapng", replaced(text(run + ".pcapng"), before, mark()));
  }

  // Copies run 1 over the other one, and forges the other's run id.
  void copy_run_1_to(const std::string& run, std::int64_t later_ns) const {
    put(run + ".json", text("run-1.json"));
    put(run + ".pcapng", shifted(text("run-1.pcapng"), later_ns));
    forge(run, [&](Json& identity) {
      identity["run"] = run.back() - '0';
      identity["run_id"] = std::string(32, run.back());
    });
  }

  void seal() const {
    edit_statement([&](Json& statement) {
      for (Json& one : statement.at("evidence")) {
        const std::string name = one.at("file");
        if (!fs::exists(at / name)) continue;
        one["octets"] = fs::file_size(at / name);
        one["sha256"] = sha256_of(path(name));
      }
    });
  }
};

struct Tampering {
  const char* what;
  std::function<void(const Folder&)> change;
  const char* says;
  bool is_sealed = true;  // the digests are corrected, and the page is taken away
};

Json& first_case(Json& result) {
  return *std::ranges::find_if(result.at("cases"), [](const Json& one) { return !one.at("frames").empty(); });
}
Json& failed_in(Json& list) {
  return *std::ranges::find_if(list, [](const Json& one) { return one.at("verdict") == "fail"; });
}
void set_version(const Folder& folder, const std::string& version) {
  folder.put("ics.toml", replaced(folder.text("ics.toml"), "version = \"1\"", "version = \"" + version + "\""));
  folder.edit_statement([&](Json& statement) { statement["implementation"]["version"] = version; });
}
void issue(const Folder& folder, const std::string& when) {
  folder.edit_statement([&](Json& statement) { statement["provenance"]["issued"] = when; });
}

const Tampering kTamperings[] = {
    // --- one run for several
    {"run 1 is there twice",
     [](const Folder& f) {
       f.put("run-2.json", f.text("run-1.json"));
       f.put("run-2.pcapng", f.text("run-1.pcapng"));
     },
     "run-2.json is the result of run 1, but the statement has it as run 2"},
    {"run 1 is there three times",
     [](const Folder& f) {
       for (const std::string run : {"run-2", "run-3"}) {
         f.put(run + ".json", f.text("run-1.json"));
         f.put(run + ".pcapng", f.text("run-1.pcapng"));
       }
     },
     "runs 1 and 3 are one run: both have the id"},
    {"run 1 is there twice, with another number",
     [](const Folder& f) {
       f.put("run-2.json", f.text("run-1.json"));
       f.put("run-2.pcapng", f.text("run-1.pcapng"));
       f.forge("run-2", [](Json& identity) { identity["run"] = 2; });
     },
     "runs 1 and 2 are one run: both have the id"},
    {"run 1 is there twice, with another id", [](const Folder& f) { f.copy_run_1_to("run-2", 0); },
     "run-1.pcapng and run-2.pcapng are one recording: their frames have the same intervals"},
    {"run 1 is there twice, a minute later", [](const Folder& f) { f.copy_run_1_to("run-2", 60'000'000'000); },
     "run-1.pcapng and run-2.pcapng are one recording: their frames have the same intervals"},
    {"run 1 is there twice, and one time differs by a nanosecond",
     [](const Folder& f) {
       f.copy_run_1_to("run-2", 0);
       f.put("run-2.pcapng", shifted(f.text("run-2.pcapng"), 1, true));
     },
     "frames have the same octets"},
    // --- files in each other's place
    {"captures are swapped", [](const Folder& f) { f.swap("run-1.pcapng", "run-2.pcapng"); },
     "run-1.pcapng is the recording of another run than run-1.json"},
    {"results are swapped", [](const Folder& f) { f.swap("run-1.json", "run-2.json"); },
     "run-1.json is the result of run 2, but the statement has it as run 1"},
    {"runs are swapped, numbers too",
     [](const Folder& f) {
       f.swap("run-1.json", "run-2.json");
       f.swap("run-1.pcapng", "run-2.pcapng");
       f.forge("run-1", [](Json& identity) { identity["run"] = 1; });
       f.forge("run-2", [](Json& identity) { identity["run"] = 2; });
     },
     "before run 1 ends"},
    {"a run comes from another certification",
     [](const Folder& f) { f.forge("run-3", [](Json& identity) { identity["id"] = std::string(32, '0'); }); },
     "run-3.json is from another certification"},
    {"a run is left out",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) {
         statement["runs"].erase(2);
         std::erase_if(statement["evidence"].get_ref<Json::array_t&>(),
                       [](const Json& one) { return one["file"].get<std::string>().starts_with("run-3"); });
       });
     },
     "3 runs were planned, but the statement has 2"},
    {"a result has no identity",
     [](const Folder& f) { f.edit("run-1.json", [](Json& result) { result.erase("certification"); }); },
     "run-1.json does not say which certification it is from"},
    {"a recording has no identity",
     [](const Folder& f) { f.put("run-1.pcapng", replaced(f.text("run-1.pcapng"), " run=", " RUN=")); },
     "run-1.pcapng is the recording of another run than run-1.json: its run id is ''"},
    {"a run id in the statement differs",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["runs"][0]["id"] = std::string(32, '0'); });
     },
     "runs run 1 id: \"00000000000000000000000000000000\" is stated"},
    {"a run id in a result differs",
     [](const Folder& f) {
       f.edit("run-2.json", [](Json& result) { result["certification"]["run_id"] = std::string(32, '0'); });
     },
     "run-2.pcapng is the recording of another run than run-2.json"},
    {"the id of the certification differs",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["provenance"]["id"] = std::string(32, '0'); });
     },
     "run-1.json is from another certification"},
    // --- what was certified
    {"another version in the declaration", [](const Folder& f) { set_version(f, "2"); },
     "run-1.json is about P 1, but ics.toml declares P 2"},
    {"another version in the declaration and the results",
     [](const Folder& f) {
       set_version(f, "2");
       f.edit_results([&](Json& result) {
         result["certification"]["version"] = "2";
         result["certification"]["declaration_sha256"] = sha256_of(f.path("ics.toml"));
       });
     },
     "run-1.pcapng was recorded for other values of \"certification\" than run-1.json has"},
    {"another declaration of the same product",
     [](const Folder& f) { f.put("ics.toml", f.text("ics.toml") + "# nothing else\n"); },
     "run-1.json was made with another ics.toml"},
    {"waivers that came later",
     [](const Folder& f) {
       f.put("waivers.toml", "schema = \"wirelaw-waivers/2\"\n");
       f.edit_statement([](Json& statement) {
         statement["evidence"].push_back({{"file", "waivers.toml"}, {"octets", 0}, {"sha256", ""}});
       });
     },
     "run-1.json was made with no waivers.toml"},
    {"an easier profile",
     [](const Folder& f) { f.edit_statement([](Json& statement) { statement["certificate"]["profile"] = "basic"; }); },
     "run-1.json was made for profile full, but the statement has basic"},
    {"another machine",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["provenance"]["machine"] = "a better one"; });
     },
     "the statement has a better one"},
    {"another peer",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["provenance"]["peer"] = "udp://192.0.2.1:7"; });
     },
     "but the statement is of udp://192.0.2.1:7"},
    {"a seed", [](const Folder& f) { f.edit_statement([](Json& statement) { statement["runs"][0]["seed"] = 7; }); },
     "the statement has a seed for run 1, which only a peer in memory has"},
    // --- when
    {"issued in the future", [](const Folder& f) { issue(f, "2999-01-01T00:00:00Z"); }, "which is in the future"},
    {"issued before the runs", [](const Folder& f) { issue(f, "2001-01-01T00:00:00Z"); },
     "it was issued at 2001-01-01T00:00:00Z, before the last frame of its captures"},
    {"captures from long ago",
     [](const Folder& f) {
       for (const char* capture : {"run-1.pcapng", "run-2.pcapng", "run-3.pcapng"})
         f.put(capture, shifted(f.text(capture), -172'800'000'000'000));
     },
     "long after the last frame of its captures"},
    // --- frames
    {"a case has frames that the capture does not have",
     [](const Folder& f) { f.edit("run-1.json", [](Json& result) { first_case(result)["frames"][1] = 999'999; }); },
     "to 999999, but run-1.pcapng has"},
    {"the frames of a case end before they begin",
     [](const Folder& f) { f.edit("run-1.json", [](Json& result) {
                             first_case(result)["frames"] = {9, 2};
                           }); },
     "gives it the frames 9 to 2, but run-1.pcapng has"},
    {"a case has the frames after its own",
     [](const Folder& f) {
       f.edit("run-1.json", [](Json& result) {
         Json& frames = first_case(result)["frames"];
         frames[0] = frames[0].get<int>() + 1;
       });
     },
     "does not begin it"},
    {"a case has frames of the next",
     [](const Folder& f) {
       f.edit("run-1.json", [](Json& result) {
         Json& frames = first_case(result)["frames"];
         frames[1] = frames[1].get<int>() + 1;
       });
     },
     "begins another"},
    {"a finding is in no frame of the capture",
     [](const Folder& f) { f.edit("run-1.json", [](Json& result) { result["findings"][0]["frame"] = 999'999; }); },
     "gives a finding the frame 999999, but run-1.pcapng has"},
    {"the last frames of a capture are cut",
     [](const Folder& f) {
       std::size_t frames = 0;
       f.put("run-1.pcapng", blocks(f.text("run-1.pcapng"), [&](std::uint32_t type, std::string&) {
               return type != kFrame || ++frames <= 20;
             }));
     },
     "but run-1.pcapng has 20 frames"},
    {"the record of a run is cut from its capture",
     [](const Folder& f) {
       std::size_t sections = 0;
       f.put("run-1.pcapng", blocks(f.text("run-1.pcapng"), [&](std::uint32_t type, std::string&) {
               return type != kSection || ++sections == 1;
             }));
     },
     "run-1.pcapng does not contain the result of its run"},
    {"a capture is left out for a reason",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) {
         statement["runs"][0]["capture"] = "";
         statement["runs"][0]["why_no_capture"] = "the disk was full";
       });
     },
     "run 1 has no capture, and 'the disk was full' is not an accepted reason"},
    // --- verdicts
    {"a rule passes in the statement",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { failed_in(statement["rules"])["verdict"] = "pass"; });
     },
     "verdict: \"pass\" is stated, and the evidence gives \"fail\""},
    {"the certificate is granted",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["certificate"]["verdict"] = "granted"; });
     },
     "certificate verdict: \"granted\" is stated, and the evidence gives \"refused\""},
    {"violations are left out",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { failed_in(statement["rules"])["violations"] = Json::array(); });
     },
     "violations: 0 are stated"},
    {"more rules are exercised",
     [](const Folder& f) { f.edit_statement([](Json& statement) { statement["coverage"]["exercised"] = 70; }); },
     "coverage exercised: 70 is stated"},
    {"a rule passes in the results",
     [](const Folder& f) { f.edit_results([](Json& result) { failed_in(result["rules"])["verdict"] = "pass"; }); },
     "the run's verdict is 'pass', but its frames, judged again, give 'fail'"},
    {"a case passes in the results",
     [](const Folder& f) { f.edit_results([](Json& result) { failed_in(result["cases"])["verdict"] = "pass"; }); },
     "run-1.json has 'pass', but run-1.pcapng has 'fail'"},
    {"a case is left out of the results",
     [](const Folder& f) { f.edit_results([](Json& result) { result["cases"].erase(0); }); },
     "run-1.pcapng has it, but run-1.json does not"},
    {"a run ends with another exit status",
     [](const Folder& f) { f.edit("run-1.json", [](Json& result) { result["gate"]["exit_status"] = 0; }); },
     "run-1.pcapng records its run as complete, status 1"},
    // --- the statement's own form
    {"other rules",
     [](const Folder& f) {
       f.edit_statement([](Json& statement) { statement["program"]["rules_sha256"] = std::string(64, '0'); });
     },
     "the rules of this program differ"},
    {"a file without a digest",
     [](const Folder& f) { f.edit_statement([](Json& statement) { statement["evidence"].erase(1); }); },
     "is missing, or the statement has no SHA-256 of it"},
    {"a file that is changed, with its old digest",
     [](const Folder& f) { f.put("run-1.json", f.text("run-1.json") + "\n"); }, "run-1.json: its SHA-256 is ", false},
    {"another page",
     [](const Folder& f) {
       f.put("statement.html", replaced(f.text("statement.html"), "Certificate refused", "Certificate granted"));
     },
     "statement.html is not the page of this statement", false},
};

struct VerifyTest : testing::Test {
  VerifyTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write_file(path("ics.toml"),
               "schema = \"wirelaw-ics/1\"\n[implementation]\nproduct = \"P\"\nversion = \"1\"\n"
               "[conformance]\nprotocol = \"ramcloud\"\nroles = [\"server\"]\napplication = \"count\"\n");
  }
  ~VerifyTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  ProgramRun certify(const std::string& peer, std::vector<std::string> more) const {
    more.insert(more.begin(), {"certify", path("ics.toml"), peer, "--evidence", path("evidence")});
    return run_wirelaw(more);
  }
  ProgramRun verify(std::vector<std::string> more, const std::string& evidence = "evidence") const {
    more.insert(more.begin(), {"verify", path(evidence + "/statement.json")});
    return run_wirelaw(more);
  }

  fs::path folder = fs::path(testing::TempDir()) /
                    (std::string("verify_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Over the network, in real time, against a peer that fails.
TEST_F(VerifyTest, FindsWhatSomebodyHasChangedThoughEveryDigestIsRight) {
  const Served server({"udp://127.0.0.1:0", "--application", "count", "--deviate", "reserved1-sent"});
  const ProgramRun made = certify(server.uri(), {"--case", "ack/server-names-the-first-missing-fragment", "--case",
                                                 "ack/server-reports-staged-fragments", "--case", "reserved1/*"});
  ASSERT_EQ(made.status, 1) << made.out << made.err;
  const ProgramRun untouched = verify({"--require", "any"});
  ASSERT_EQ(untouched.status, 0) << untouched.out;
  EXPECT_THAT(untouched.out, Not(HasSubstr("PROBLEM")));
  EXPECT_GE(std::size(kTamperings), 30u);
  for (const Tampering& one : kTamperings) {
    const Folder changed{folder / "changed"};
    fs::remove_all(changed.at);
    fs::copy(folder / "evidence", changed.at);
    one.change(changed);
    if (one.is_sealed) {
      fs::remove(changed.at / "statement.html");
      changed.seal();
    }
    const ProgramRun run = verify({"--require", "any"}, "changed");
    EXPECT_EQ(run.status, 1) << one.what << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr(one.says)) << one.what;
    EXPECT_THAT(run.out, HasSubstr("\nDOES NOT HOLD: ")) << one.what;
  }
}

TEST_F(VerifyTest, ARefusedCertificateIsNoSuccessUnlessItIsAskedFor) {
  ASSERT_EQ(certify("memory:", {"--deviate", "reserved1-sent"}).status, 1);
  const ProgramRun refused = verify({});
  EXPECT_EQ(refused.status, 1) << refused.out;
  EXPECT_THAT(refused.out, HasSubstr("\nREFUSED: "));
  EXPECT_THAT(refused.out, HasSubstr("it holds, but its certificate is refused"));
  EXPECT_EQ(verify({"--require", "granted"}).status, 1);
  EXPECT_EQ(verify({"--require", "granted,any"}).status, 1);
  const ProgramRun held = verify({"--require", "any"});
  EXPECT_EQ(held.status, 0) << held.out;
  EXPECT_THAT(held.out, HasSubstr("\nHOLDS: "));
}

TEST_F(VerifyTest, AFolderIsNoStatementButMayHaveOne) {
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("wirelaw_statement_{}", ::getpid());
  fs::create_directories(folder);
  const ProgramRun none = run_wirelaw({"verify", folder.string()});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, fmt::format("wirelaw: {}: is a folder without statement.json, the statement that `wirelaw "
                                  "certify` writes\n",
                                  folder.string()));
  write_file((folder / "statement.json").string(), "{}");
  const ProgramRun one = run_wirelaw({"verify", folder.string()});
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(one.err,
            fmt::format("wirelaw: {0}: is a folder; name the statement in it, {0}/statement.json\n", folder.string()));
  fs::remove_all(folder);
}

TEST_F(VerifyTest, AGrantedCertificateSaysThatItIsNotSigned) {
  ASSERT_EQ(certify("memory:", {}).status, 0);
  const ProgramRun run = verify({});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("signature     none: the statement is not signed\n"));
  EXPECT_THAT(run.out, HasSubstr("anyone can make a folder that holds; only a signature that you trust shows who did"));
  EXPECT_THAT(run.out, HasSubstr("the peer is Wirelaw's reference in memory"));
  EXPECT_EQ(verify({"--require", "granted", "--require", "any"}).status, 0);
  const ProgramRun wrong = verify({"--require", "nothing"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--require: 'nothing' is not one of: granted, signed, any"));
  EXPECT_THAT(verify({"--require", "granted,signed"}).err, HasSubstr("--require signed: needs --signers FILE"));
  EXPECT_EQ(verify({"--require", "signed", "--signers", path("none")}).status, 2);
}

TEST_F(VerifyTest, SaysWhoSignedAStatement) {
  if (!fs::exists("/usr/bin/ssh-keygen")) GTEST_SKIP() << "needs ssh-keygen";
  ASSERT_EQ(certify("memory:", {}).status, 0);
  const auto keygen = [](const std::vector<std::string>& words) {
    return run_program("/usr/bin/ssh-keygen", words).status;
  };
  const auto signers = [&](const std::string& key) {
    write_file(path("signers_" + key), "lab@example.com namespaces=\"wirelaw\" " + read_file(path(key + ".pub")));
    return path("signers_" + key);
  };
  const std::string statement = path("evidence/statement.json");
  for (const std::string key : {"lab", "other"})
    ASSERT_EQ(keygen({"-q", "-t", "ed25519", "-N", "", "-C", key, "-f", path(key)}), 0);
  const std::string trusted = signers("lab"), others = signers("other");
  EXPECT_THAT(verify({"--require", "signed", "--signers", trusted}).out, HasSubstr("\nNOT SIGNED: "));
  ASSERT_EQ(keygen({"-q", "-Y", "sign", "-n", "wirelaw", "-f", path("lab"), statement}), 0);

  ProgramRun run = verify({});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("statement.json.sig matches, by ED25519 key SHA256:"));
  EXPECT_THAT(run.out, HasSubstr("whose key that is, is not checked"));
  run = verify({"--require", "signed", "--signers", trusted});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("statement.json.sig is good: signed by lab@example.com, ED25519 key SHA256:"));
  EXPECT_THAT(run.out, Not(HasSubstr("anyone can make a folder")));
  run = verify({"--require", "signed", "--signers", others});
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr("which is not a key of"));

  write_file(statement, read_file(statement) + "\n");
  fs::remove(path("evidence/statement.html"));
  run = verify({"--signers", trusted});
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr("PROBLEM       "));
  EXPECT_THAT(run.out, HasSubstr("statement.json.sig is not a signature of this statement"));

  fs::rename(statement + ".sig", statement + ".minisig");
  EXPECT_THAT(verify({}).out, HasSubstr("statement.json.minisig is not checked"));
}

}  // namespace
}  // namespace wirelaw
