// SPDX-License-Identifier: Apache-2.0
// The SRD transport as users run it: `wirelaw serve efa srd://` and `wirelaw test efa srd://`, as processes over soft
// EFA devices.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/lab/process.h"

namespace wirelaw::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;
using ::testing::Pair;
namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kLibrary = WIRELAW_SOFT_EFA_LIBRARY;
const std::string kWirelaw = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::string kRequester = "'" + kWirelaw + "' serve efa --role requester";

// The verdicts of the cases, by id.
std::map<std::string, std::string> verdicts_of(const Json& results) {
  std::map<std::string, std::string> verdicts;
  for (const Json& one : results["cases"]) verdicts[one["id"]] = one["verdict"];
  return verdicts;
}

// The findings of an observer, which a capture shows as well.
std::set<std::string> broken_rules(const Json& results) {
  std::set<std::string> broken;
  for (const Json& one : results["rules"])
    if (one["observable"] == "trace" && one["failed"] > 0) broken.insert(one["id"]);
  return broken;
}

std::set<std::string> exercised_rules(const Json& results) {
  std::set<std::string> exercised;
  for (const Json& one : results["rules"])
    if (one["observable"] == "trace" && one["exercised"] > 0) exercised.insert(one["id"]);
  return exercised;
}

class Srd : public ::testing::Test {
 protected:
  void SetUp() override {
    if (*kLibrary == '\0') GTEST_SKIP() << "there was no infiniband/efadv.h when this was built (libibverbs-dev)";
    folder_ = ::mkdtemp(name_.data());
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  Variables device(Variables more = {}) const {
    more.insert({{"LD_PRELOAD", kLibrary},
                 {"WIRELAW_SOFT_EFA_RDMA", "write"},
                 {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"}});
    return more;
  }
  std::string file(const std::string& name) const { return folder_ / name; }

  // Returns the URI of a started responder.
  static std::string uri_of(Process& responder) {
    const std::string line = responder.wait_for_line("efa responder at srd://");
    return line.substr(line.rfind(' ') + 1);
  }
  // `status` is what the program gives in the end.
  Json run(const Words& words, int status, const Variables& variables) const {
    const std::string out = file("result.json");
    Process program(Words{kWirelaw} + words + Words{"--format", "json", "-o", out, "-q"}, variables);
    EXPECT_EQ(program.wait(), status) << program.output();
    std::ifstream in(out);
    return Json::parse(in, nullptr, false);
  }
  Json test(const Words& words, int status = 0, const Variables& more = {}) const {
    return run(Words{"test", "efa"} + words, status, device(more));
  }
  // A capture of a run is judged like the run itself.
  void expect_the_same_offline(const Json& live, const std::string& capture, int status = 0) const {
    const Json again = run({"check", capture}, status, {});
    EXPECT_EQ(broken_rules(again), broken_rules(live));
    EXPECT_THAT(exercised_rules(live), IsSupersetOf(exercised_rules(again)));
    EXPECT_FALSE(exercised_rules(again).empty());
  }

 private:
  std::string name_ = ::testing::TempDir() + "srd_XXXXXX";
  fs::path folder_;
};

// Cases for messages, atomics and RDMA. None of them waits for silence.
const Words kSome{"--case", "atomic/fetch",          "--case", "delivery-complete/messages",
                  "--case", "long-read/message",     "--case", "long-read/buffer-used-anew",
                  "--case", "long-read/write",       "--case", "runting-read/message",
                  "--case", "write/cq-data-is-told", "--case", "direct-write/cq-data-is-told"};
constexpr std::size_t kSomeCases = 8;

TEST_F(Srd, AResponderSaysWhereItListensAndPasses) {
  Process responder({kWirelaw, "serve", "efa", "srd://"}, device());
  const std::string uri = uri_of(responder);
  EXPECT_THAT(uri, MatchesRegex("srd://::ffff:127.0.0.1/[0-9]+/0x[0-9a-f]+[?]addr=0x[0-9a-f]+&key=0x[0-9a-f]+&"
                                "length=1048576"));
  const Json results = test(Words{uri, "--record", file("run.pcapng")} + kSome);
  EXPECT_EQ(verdicts_of(results).size(), kSomeCases);
  for (const auto& [id, verdict] : verdicts_of(results)) EXPECT_EQ(verdict, "pass") << id;
  expect_the_same_offline(results, file("run.pcapng"));
  responder.signal(SIGTERM);
  EXPECT_EQ(responder.wait(), 0);
}

TEST_F(Srd, AResponderThatIsStartedForEachCaseSaysWhereItIs) {
  const Json results = test(Words{"srd://", "--start", "'" + kWirelaw + "' serve efa srd://"} + kSome);
  EXPECT_EQ(verdicts_of(results).size(), kSomeCases);
  for (const auto& [id, verdict] : verdicts_of(results)) EXPECT_EQ(verdict, "pass") << id;
}

TEST_F(Srd, TheApplicationsOfBothSidesAreDriven) {
  const Words some{
      "--case", "application/responder/told-of-direct-cq-data", "--case", "application/requester/writes-directly",
      "--case", "application/responder/cts-with-the-receive",   "--case", "application/requester/tags"};
  const Json responder = test(Words{"srd://", "--start", "'" + kWirelaw + "' serve efa srd://"} + some);
  EXPECT_THAT(verdicts_of(responder), ElementsAre(Pair("application/responder/cts-with-the-receive", "pass"),
                                                  Pair("application/responder/told-of-direct-cq-data", "pass")));
  const Json requester = test(Words{"--listen", "srd://", "--trigger", kRequester} + some);
  EXPECT_THAT(verdicts_of(requester), ElementsAre(Pair("application/requester/tags", "pass"),
                                                  Pair("application/requester/writes-directly", "pass")));
}

TEST_F(Srd, PacketsThatOvertakeOneAnotherDoNoHarm) {
  Process responder({kWirelaw, "serve", "efa", "srd://"}, device({{"WIRELAW_SOFT_EFA_REORDER", "8:3"}}));
  const Json results = test(Words{uri_of(responder)} + kSome, 0, {{"WIRELAW_SOFT_EFA_REORDER", "8:5"}});
  for (const auto& [id, verdict] : verdicts_of(results)) EXPECT_EQ(verdict, "pass") << id;
}

TEST_F(Srd, ReadsWhoseMemoryTheDeviceDoesNotRegisterAreRefused) {
  Process responder({kWirelaw, "serve", "efa", "srd://"},
                    device({{"WIRELAW_SOFT_EFA_REFUSE_REGISTRATION", "15000-25000"}}));
  const Json results = test({uri_of(responder), "--case", "read-nack/long-read", "--case", "read-nack/runting-read",
                             "--case", "delivery-complete/messages"});
  EXPECT_THAT(verdicts_of(results),
              ElementsAre(Pair("delivery-complete/messages", "pass"), Pair("read-nack/long-read", "pass"),
                          Pair("read-nack/runting-read", "pass")));
}

TEST_F(Srd, WithoutRdmaItsCasesAreSkipped) {
  const Variables off{{"WIRELAW_SOFT_EFA_RDMA", "off"}};
  Process responder({kWirelaw, "serve", "efa", "srd://"}, device(off));
  const Json results =
      test({uri_of(responder), "--case", "long-read/message", "--case", "delivery-complete/messages"}, 0, off);
  EXPECT_THAT(verdicts_of(results),
              ElementsAre(Pair("delivery-complete/messages", "pass"), Pair("long-read/message", "skipped")));
}

struct Fault {
  const char* name;
  const char* tested;  // the case that detects it
  const char* rule;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class SrdFault : public Srd, public ::testing::WithParamInterface<Fault> {};

TEST_P(SrdFault, IsToldAndItsRecordingTellsTheSame) {
  Process responder({kWirelaw, "serve", "efa", "srd://", "--deviate", GetParam().name}, device());
  const Json results =
      test({uri_of(responder), "--record", file("run.pcapng"), "--answer-time", "0.3", "--case", GetParam().tested}, 1);
  EXPECT_EQ(verdicts_of(results)[GetParam().tested], "fail");
  EXPECT_TRUE(std::ranges::any_of(results["findings"], [](const Json& one) { return one["rule"] == GetParam().rule; }))
      << results["findings"];
  expect_the_same_offline(results, file("run.pcapng"), 1);  // the recording contains what packets do not show
}

INSTANTIATE_TEST_SUITE_P(All, SrdFault,
                         ::testing::Values(Fault{"receipt-wrong-send-id", "delivery-complete/messages", "EFA-4.2-201"},
                                           Fault{"remote-write-untold", "direct-write/cq-data-is-told", "EFA-4.6-3"},
                                           Fault{"remote-write-untold", "write/cq-data-is-told", "EFA-3.3-2"}));

// ---------------------------------------------------------------------------------------------- a requester is tested

TEST_F(Srd, ARequesterIsTriggeredAndItsRecordingTellsTheSame) {
  const Json results =
      test({"--listen", "srd://", "--trigger", kRequester, "--record", file("run.pcapng"), "--case",
            "walk/peer-announces-everything", "--case", "read-nack/walk", "--case", "read-nack/to-requester"});
  EXPECT_THAT(verdicts_of(results), ElementsAre(Pair("read-nack/to-requester", "pass"), Pair("read-nack/walk", "pass"),
                                                Pair("walk/peer-announces-everything", "pass")));
  expect_the_same_offline(results, file("run.pcapng"));
}

TEST_F(Srd, ARequesterAndAResponderUnderstandEachOther) {
  const Variables reorder{{"WIRELAW_SOFT_EFA_REORDER", "8"}};
  const Variables refuse{{"WIRELAW_SOFT_EFA_REFUSE_REGISTRATION", "100-200000"}};
  struct Devices {
    Variables responder, requester;
  };
  // A requester whose own device refuses cannot write directly, as it does when it exercises everything.
  for (const Devices& with : {Devices{}, Devices{reorder, reorder}, Devices{refuse, {}}}) {
    Process responder({kWirelaw, "serve", "efa", "srd://"}, device(with.responder));
    Process requester({kWirelaw, "serve", "efa", "--role", "requester", uri_of(responder)}, device(with.requester));
    EXPECT_EQ(requester.wait(), 0) << requester.output();
    EXPECT_THAT(requester.output(), HasSubstr("0 operations under way"));
  }
}

TEST_F(Srd, APeerThatIsGoneIsStatusThree) {
  std::string uri;
  {
    Process responder({kWirelaw, "serve", "efa", "srd://"}, device());
    uri = uri_of(responder);
  }
  test({uri, "--case", "delivery-complete/messages", "--answer-time", "0.2"}, 3);
  Process requester({kWirelaw, "serve", "efa", "--role", "requester", uri}, device());
  EXPECT_EQ(requester.wait(), 3) << requester.output();
}

TEST_F(Srd, WithoutADeviceThereIsOneLineAndStatusThree) {
  const Variables none{{"LD_PRELOAD", ""}};
  for (const Words& words :
       {Words{"serve", "efa", "srd://"}, Words{"test", "efa", "srd://127.0.0.1/5/6"},
        Words{"test", "efa", "--listen", "srd://"}, Words{"serve", "efa", "--role", "requester", "srd://::1/5/6"}}) {
    Process program(Words{kWirelaw} + words, none);
    EXPECT_EQ(program.wait(), 3) << program.output();
    EXPECT_THAT(program.output(), MatchesRegex("wirelaw: [^\n]*\n"));
  }
}

}  // namespace
}  // namespace wirelaw::lab
