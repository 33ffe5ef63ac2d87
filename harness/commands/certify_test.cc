// SPDX-License-Identifier: Apache-2.0
// wirelaw ics, certify and verify, as a user runs them.
#include "harness/commands/certify_test.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>

#include "harness/commands/served_test.h"

namespace wirelaw {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Certified {
  const char* protocol;
  const char* role;
};
const Certified kPeers[] = {{"ramcloud", "server"}, {"ramcloud", "client"}, {"rdmap", "responder"},
                            {"rdmap", "initiator"}, {"efa", "responder"},   {"efa", "requester"},
                            {"smbd", "listener"},   {"smbd", "initiator"},  {"umsp", "executor"},
                            {"umsp", "initiator"}};

struct EachPeer : CertifyTest, testing::WithParamInterface<Certified> {};
INSTANTIATE_TEST_SUITE_P(Protocols, EachPeer, testing::ValuesIn(kPeers),
                         [](const auto& one) { return std::string(one.param.protocol) + "_" + one.param.role; });

TEST_P(EachPeer, AnHonestPeerIsCertifiedInFullAndItsStatementHolds) {
  folder += std::string("_") + GetParam().protocol + GetParam().role;
  fs::remove_all(folder);  // left by a run that failed
  fs::create_directories(folder);
  const ProgramRun run = certify({ics(GetParam().protocol, GetParam().role), "memory:"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const Json made = statement();
  EXPECT_EQ(made.at("certificate").at("verdict"), "granted") << run.out;
  EXPECT_EQ(made.at("certificate").at("profile"), "full");
  for (const Json& one : made.at("rules"))
    EXPECT_THAT(std::string(one.at("verdict")), Not(testing::AnyOf("fail", "unstable"))) << one;
  for (const Json& one : made.at("cases"))
    EXPECT_THAT(std::string(one.at("verdict")), Not(testing::AnyOf("fail", "unstable"))) << one;
  const ProgramRun verified = verify();
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, AllOf(HasSubstr("3 captures"), HasSubstr("HOLDS: ")));
}

// Many cases decide nothing about a peer whose application cannot be predicted.
TEST_F(CertifyTest, APeerThatSkipsMuchIsRefusedThoughNothingFails) {
  const std::string declaration =
      file("none.toml",
           "schema = \"wirelaw-ics/1\"\n[implementation]\nproduct = \"P\"\nversion = \"1\"\n"
           "[conformance]\nprotocol = \"rdmap\"\nroles = [\"responder\"]\napplication = \"none\"\n");
  const ProgramRun run = certify({declaration, "memory:"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  const Json made = statement();
  EXPECT_EQ(made.at("certificate").at("verdict"), "refused");
  ASSERT_EQ(made.at("certificate").at("reasons").size(), 1u) << made.at("certificate");
  EXPECT_THAT(std::string(made.at("certificate").at("reasons").at(0)), HasSubstr("demanded rules"));
  EXPECT_GT(made.at("coverage").at("not_testable"), 0);
  EXPECT_EQ(verify().status, 0) << verify().out;
}

// Declared and shown features are distinguished for each protocol that has features, by `serve`, which prints the
// features that it is given.
struct Claim {
  const char* protocol;
  const char* role;
  const char* features;  // in the declaration
  const char* served;    // options of the peer
  const char* cases;
  const char* says;
};
const Claim kClaims[] = {{"rdmap", "responder", "rfc7306 = true", "", "mpa/responder-accepts-a-request",
                          "feature rfc7306: declared, but not shown"},
                         {"rdmap", "responder", "", "--deviate opcode-extension-unasked",
                          "rdmap/responder-delivers-empty-sends", "feature rfc7306: shown, but not declared"},
                         {"efa", "responder", "rdma_read = true", "--feature rdma_write", "handshake/*",
                          "feature rdma_read: declared, but not shown"},
                         {"efa", "responder", "rdma_read = true", "--feature rdma_write", "handshake/*",
                          "feature rdma_write: shown, but not declared"}};

TEST_F(CertifyTest, AFeatureIsShownAndDeclaredOrRefuses) {
  std::size_t number = 0;
  for (const Claim& one : kClaims) {
    const std::string evidence = "claim" + std::to_string(++number);
    const std::string declared = ics(one.protocol, one.role, std::string("[features]\n") + one.features + "\n");
    const std::string start =
        "exec " + kProgram + " serve " + one.protocol + " \"$WIRELAW_URI\" --application count " + one.served;
    const ProgramRun run = certify(
        {declared, free_uri(one.protocol), "--start", start, "--case", one.cases, "--runs", "1", "--profile", "basic"},
        evidence);
    EXPECT_EQ(run.status, 1) << one.says << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr(one.says)) << run.err;
    EXPECT_EQ(verify(evidence).status, 0) << verify(evidence).out;
  }
}

TEST_F(CertifyTest, TheReferencePeerIsCertified) {
  const ProgramRun run = certify({ics("ramcloud", "server"), "memory:"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("run 1 of 3, seed 1: PASS"));
  EXPECT_THAT(run.out, HasSubstr("run 3 of 3, seed 3: PASS"));
  EXPECT_THAT(run.out, HasSubstr("certificate   granted\n"));
  const Json made = statement();
  EXPECT_EQ(made.at("schema"), "wirelaw-statement/2");
  EXPECT_EQ(made.at("implementation").at("product"), "P");
  EXPECT_EQ(made.at("certificate").at("verdict"), "granted");
  EXPECT_EQ(made.at("runs").size(), 3u);
  EXPECT_EQ(made.at("evidence").size(), 7u);
  EXPECT_EQ(verify().status, 0) << verify().out;
}

TEST_F(CertifyTest, TheSameGivesTheSameOctetsButForItsProvenance) {
  const std::string declared = ics("ramcloud", "server");
  ASSERT_EQ(certify({declared, "memory:"}, "a").status, 0);
  ASSERT_EQ(certify({declared, "memory:"}, "b").status, 0);
  Json a = statement("a"), b = statement("b");
  a.erase("provenance");
  b.erase("provenance");
  EXPECT_EQ(a, b);
  for (const Json& one : a.at("evidence"))
    EXPECT_EQ(read_file(path("a/" + std::string(one.at("file")))), read_file(path("b/" + std::string(one.at("file")))));
}

// In memory and over the network.
TEST_F(CertifyTest, SeveralProcessesGiveTheSameStatement) {
  const std::string declared = ics("ramcloud", "server");
  ASSERT_EQ(certify({declared, "memory:"}, "one").status, 0);
  const ProgramRun in_memory = certify({declared, "memory:", "--jobs", "3"}, "three");
  ASSERT_EQ(in_memory.status, 0) << in_memory.out << in_memory.err;
  const Json one = statement("one"), three = statement("three");
  for (const char* part : {"certificate", "coverage", "rules", "cases"})
    EXPECT_EQ(one.at(part), three.at(part)) << part;
  EXPECT_EQ(verify("three").status, 0) << verify("three").out;

  const Served server({"udp://127.0.0.1:0", "--application", "count"});
  const ProgramRun live = certify(
      {declared, server.uri(), "--jobs", "3", "--case", "ack/*-the-first-*", "--case", "openResponse/*"}, "live");
  EXPECT_EQ(live.status, 1) << "not all cases" << live.out << live.err;
  EXPECT_EQ(verify("live").status, 0) << verify("live").out;
  const ProgramRun wrong = certify({declared, "--listen", "udp://127.0.0.1:0", "--jobs", "3"}, "wrong");
  EXPECT_EQ(wrong.status, 2) << wrong.out;
  EXPECT_THAT(wrong.err, HasSubstr("--jobs: "));
}

TEST_F(CertifyTest, ComparesNumbersOfADeclarationWithThoseOfTheUriAsNumbers) {
  const std::string limits = "[limits]\nanswer_time = 0.05\n";
  for (const char* same : {"\"0x0\"", "0", "\"0x00\"", "0x0"}) {
    const std::string declared = ics("efa", "responder", std::string("[parameters]\nmsg_id = ") + same + "\n" + limits);
    const ProgramRun run = certify({declared, "udp://127.0.0.1:9?msg_id=0"});
    EXPECT_EQ(run.status, 3) << same << run.err << "nobody listens there";
  }
  const ProgramRun other =
      certify({ics("efa", "responder", "[parameters]\nmsg_id = \"0x10\"\n" + limits), "udp://127.0.0.1:9?msg_id=10"});
  EXPECT_EQ(other.status, 2) << other.out;
  EXPECT_THAT(other.err, HasSubstr("the declaration has msg_id=0x10, but the peer's URI has msg_id=10"));
}

// Rules that nothing requires are not counted as not exercised. Each rule leads to its cases, and each case to its
// frames.
TEST_F(CertifyTest, APageIsCountedByWhatWasDemandedAndLeadsToTheFrames) {
  const ProgramRun run = certify({ics("ramcloud", "server"), "memory:", "--laboratory", "Lab <1>", "--issuer", "I"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("\nrules         70 demanded: 70 pass\n"),
                             HasSubstr(" not demanded: for the other role"), Not(HasSubstr("not-exercised"))));
  const Json made = statement();
  EXPECT_EQ(made["specification"]["protocol"], "RAMCloud RPC");
  EXPECT_EQ(made["provenance"]["laboratory"], "Lab <1>");
  EXPECT_EQ(made["coverage"]["sections"][0]["failed"], 0);
  const std::string page = read_file(path("evidence/statement.html"));
  const Json& last = made["cases"].back();
  const std::string id = last["id"];
  for (const std::string& shown :
       {std::string("<title>P 1: RAMCloud RPC server, statement of conformance</title>"),
        std::string("<dt>laboratory</dt><dd>Lab &lt;1&gt;</dd>"), std::string("<dt>issuer</dt><dd>I</dd>"),
        std::string("<dt>specification</dt><dd>RAMCloud RPC Protocol</dd>"),
        std::string("Here: 3 runs, and 70 of 70 demanded rules exercised."),
        std::string("<th>section</th><th class=\"hide\"></th><th class=\"n\">exercised</th>"),
        "<a href=\"#case-" + id + "\">", "id=\"case-" + id + "\"", std::string("<a href=\"#rule-RAMCLOUD-ack-6\">"),
        std::string("id=\"rule-RAMCLOUD-ack-6\""),
        "tshark -r run-1.pcapng -Y &#39;frame.number&gt;=" + last["frames"][0][0].dump() +
            " &amp;&amp; frame.number&lt;=" + last["frames"][0][1].dump() + "&#39;"})
    EXPECT_THAT(page, HasSubstr(shown));
  EXPECT_EQ(verify().status, 0);
}

TEST_F(CertifyTest, AReportNamesProtocolRoleAndInput) {
  const std::string page = path("report.html"), capture = path("run.pcapng");
  ASSERT_EQ(
      run_wirelaw({"test", "ramcloud", "memory:", "-q", "--case", "ack/*", "--record", capture, "--html", page}).status,
      0);
  EXPECT_THAT(read_file(page), HasSubstr("Conformance report: RAMCloud RPC, server: memory:</h1>"));
  ASSERT_EQ(run_wirelaw({"check", capture, "-q", "--html", page}).status, 0);
  EXPECT_THAT(read_file(page), HasSubstr("Conformance report: RAMCloud RPC, server: " + capture + "</h1>"));
}

TEST_F(CertifyTest, ASectionShowsItsFailures) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--deviate", "no-ack"}).status, 1);
  std::size_t failed = 0;
  const Json made = statement();
  for (const Json& one : made["coverage"]["sections"]) failed += one["failed"].get<std::size_t>();
  EXPECT_EQ(failed, 2u);
  EXPECT_THAT(read_file(path("evidence/statement.html")), HasSubstr("<i class=\"f\" style=\"width:"));
}

TEST_F(CertifyTest, AFaultyPeerIsRefusedAndTheStatementHolds) {
  const ProgramRun run = certify({ics("ramcloud", "server"), "memory:", "--deviate", "reserved1-sent"});
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr("certificate   refused\n"));
  EXPECT_THAT(run.out, HasSubstr("fail in all 3 runs"));
  bool found = false;
  const Json made = statement();
  for (const Json& one : made.at("rules"))
    if (one.at("verdict") == "fail") {
      found = true;
      EXPECT_FALSE(one.at("violations").empty()) << one;
      EXPECT_GT(one.at("violations").at(0).at("frame"), 0);
    }
  EXPECT_TRUE(found);
  EXPECT_EQ(verify().status, 0) << verify().out;
}

// The peer is started for each case, and every third time it is another.
// Names of a declaration are a customer's: nothing in them is markup.
TEST_F(CertifyTest, APageShowsThePeopleWhatTheStatementSays) {
  const std::string declaration =
      file("page.toml",
           "schema = \"wirelaw-ics/1\"\n[implementation]\nproduct = \"<script>P&\"\nversion = \"1\"\n"
           "[conformance]\nprotocol = \"ramcloud\"\nroles = [\"server\"]\napplication = \"count\"\n");
  ASSERT_EQ(certify({declaration, "memory:", "--deviate", "no-ack"}).status, 1);
  const std::string page = read_file(path("evidence/statement.html"));
  for (const char* const shown :
       {"Statement of conformance: &lt;script&gt;P&amp; 1", "Certificate refused", "RAMCLOUD-requestAck-1",
        "expected an ACK, got none", "run-3.pcapng", "requestAck/server-acknowledges-a-fragment"})
    EXPECT_THAT(page, HasSubstr(shown));
  EXPECT_THAT(page, Not(HasSubstr("<script>P")));
  const Json made = statement();
  for (const Json& one : made["evidence"]) EXPECT_THAT(page, HasSubstr(one["sha256"].get<std::string>()));
  EXPECT_EQ(verify().status, 0);
}

TEST_F(CertifyTest, APageThatSaysSomethingElseIsFound) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--deviate", "no-ack"}).status, 1);
  std::string page = read_file(path("evidence/statement.html"));
  const std::size_t at = page.find("Certificate refused");
  ASSERT_NE(at, std::string::npos);
  file("evidence/statement.html", page.replace(at, 19, "Certificate granted"));
  expect_not_verified("statement.html is not the page of this statement");
  fs::remove(path("evidence/statement.html"));
  EXPECT_EQ(verify().status, 0) << "it is no evidence";
}

TEST_F(CertifyTest, APeerThatIsUnstableOnPurposeIsReportedKOfN) {
  const std::string start = "n=$(cat " + path("n") + "); echo $((n + 1)) > " + path("n") +
                            "; [ $n = 0 ] && fault='--deviate reserved1-sent'; exec " + kProgram +
                            " serve ramcloud \"$WIRELAW_URI\" --application count $fault";
  file("n", "0");
  const ProgramRun run = certify({ics("ramcloud", "server"), free_uri("ramcloud"), "--start", start, "--case",
                                  "reserved1/*", "--profile", "basic", "--runs", "3"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("unstable: fail in 1, pass in 2 of 3")) << run.err;
  EXPECT_EQ(verify().status, 0) << verify().out;
}

TEST_F(CertifyTest, OneOctetOfAnyFileOfTheEvidenceIsMissed) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--runs", "1", "--profile", "basic"}).status, 0);
  for (const std::string name : {"ics.toml", "run-1.json", "run-1.pcapng"}) {
    const std::string whole = read_file(path("evidence/" + name));
    for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      write_file(path("evidence/" + name), changed);
      expect_not_verified(name + ": its SHA-256 is ");
    }
    write_file(path("evidence/" + name), whole);
    fs::remove(path("evidence/" + name));
    expect_not_verified(name + ": is missing");
    write_file(path("evidence/" + name), whole);
  }
  EXPECT_EQ(verify().status, 0);
}

TEST_F(CertifyTest, ACaptureThatIsLeftOutIsMissedWhateverTheReason) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--runs", "1", "--profile", "basic"}).status, 0);
  EXPECT_THAT(verify().out, HasSubstr("statement.json: 1 capture judged again, 0 runs without a capture (exit"));
  Json stated = statement();
  stated["runs"][0]["capture"] = "";
  auto& files = stated["evidence"];
  files.erase(std::ranges::find_if(files, [](const Json& one) { return one["file"] == "run-1.pcapng"; }));
  for (const char* why : {"", "the disk was full", "nobody speaks the wire between two consumers",
                          "the peer's queue pair is not named in the URI"}) {
    stated["runs"][0]["why_no_capture"] = why;
    file("evidence/statement.json", stated.dump(2) + "\n");
    expect_not_verified(std::string("run 1 has no capture, and '") + why + "' is not an accepted reason for memory:");
    EXPECT_THAT(verify().out, HasSubstr("statement.json: 0 captures judged again, 1 run without a capture (exit"));
  }
}

TEST_F(CertifyTest, APairOfConsumersHasNoCaptureAndHolds) {
  ASSERT_LE(certify({ics("rdmap", "responder"), "memory:?pair", "--runs", "1", "--profile", "basic"}).status, 1);
  const ProgramRun run = verify();
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("run 1 cannot be judged again: nobody speaks the wire between two consumers"));
  EXPECT_THAT(run.out, HasSubstr(": 0 captures judged again, 1 run without a capture (exit"));
}

TEST_F(CertifyTest, OneVerdictThatIsChangedIsMissedThoughEveryHashIsRight) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--deviate", "reserved1-sent"}).status, 1);
  // Only the statement is changed.
  const std::string whole = read_file(path("evidence/statement.json"));
  Json made = statement();
  for (Json& one : made.at("rules"))
    if (one.at("verdict") == "fail") one["verdict"] = "pass";
  write_file(path("evidence/statement.json"), made.dump());
  expect_not_verified("verdict: \"pass\" is stated, and the evidence gives \"fail\"");
  made = Json::parse(whole);
  made["certificate"] = {{"verdict", "granted"}, {"profile", "full"}, {"reasons", Json::array()}};
  write_file(path("evidence/statement.json"), made.dump());
  expect_not_verified("certificate verdict: \"granted\" is stated, and the evidence gives \"refused\"");

  // The results are changed too, and their hash is corrected.
  made = Json::parse(whole);
  for (Json& entry : made.at("evidence")) {
    const std::string name = entry.at("file");
    if (!name.ends_with(".json")) continue;
    Json result = Json::parse(read_file(path("evidence/" + name)));
    for (Json& one : result.at("rules"))
      if (one.at("verdict") == "fail") one["verdict"] = "pass";
    write_file(path("evidence/" + name), result.dump());
    const ProgramRun sum = run_program("/usr/bin/sha256sum", {path("evidence/" + name)});
    ASSERT_EQ(sum.status, 0);
    entry["sha256"] = sum.out.substr(0, 64);
    entry["octets"] = result.dump().size();
  }
  write_file(path("evidence/statement.json"), made.dump());
  expect_not_verified("the run's verdict is 'pass', but its frames, judged again, give 'fail'");
}

TEST_F(CertifyTest, OtherRulesOrCasesOrRulingsAreSaid) {
  ASSERT_EQ(certify({ics("ramcloud", "server"), "memory:", "--runs", "1", "--profile", "basic"}).status, 0);
  for (const std::string what : {"rules", "cases", "rulings"}) {
    Json made = statement();
    const std::string whole = made.dump();
    made["program"][what + "_sha256"] = std::string(64, '0');
    made["program"]["commit"] = "0123456789ab";
    write_file(path("evidence/statement.json"), made.dump());
    expect_not_verified("the " + what + " of this program differ from those that it was certified with");
    write_file(path("evidence/statement.json"), whole);
  }
}

TEST_F(CertifyTest, AWaivedFailureIsSaidAndGrantedWithWaivers) {
  const std::string waivers =
      "schema = \"wirelaw-waivers/2\"\n[[waiver]]\nrule = \"RAMCLOUD-reserved1-1\"\n"
      "reason = \"fixed in 2\"\nowner = \"lab\"\nuntil = ";
  const std::vector<std::string> words{ics("ramcloud", "server"), "memory:", "--deviate", "reserved1-sent",
                                       "--waivers"};
  const auto with = [&](const std::string& until) {
    auto all = words;
    all.push_back(file("waivers.toml", waivers + until + "\n"));
    return all;
  };
  const ProgramRun held = certify(with("2999-12-31"), "held");
  EXPECT_EQ(held.status, 0) << held.out << held.err;
  EXPECT_THAT(held.out, HasSubstr("certificate   granted-with-waivers\n"));
  EXPECT_THAT(held.out, HasSubstr("waiver        rule RAMCLOUD-reserved1-1: used, until 2999-12-31, by lab"));
  EXPECT_EQ(verify("held").status, 0) << verify("held").out;
  const ProgramRun expired = certify(with("2001-12-31"), "expired");
  EXPECT_EQ(expired.status, 1) << expired.out;
  EXPECT_THAT(expired.out, HasSubstr("rule RAMCLOUD-reserved1-1: expired"));
  EXPECT_EQ(verify("expired").status, 0) << verify("expired").out;
}

TEST_F(CertifyTest, AGateBearsAWaivedFailureUntilItExpires) {
  const std::string waivers =
      "schema = \"wirelaw-waivers/2\"\n[[waiver]]\nrule = \"RAMCLOUD-reserved1-1\"\n"
      "reason = \"fixed in 2\"\nowner = \"lab\"\nuntil = ";
  const std::vector<std::string> test{"test", "ramcloud", "memory:", "--deviate", "reserved1-sent", "--waivers"};
  const auto with = [&](const std::string& text) {
    auto all = test;
    all.push_back(file("waivers.toml", text));
    return run_wirelaw(all);
  };
  EXPECT_EQ(run_wirelaw({"test", "ramcloud", "memory:", "--deviate", "reserved1-sent"}).status, 1);
  const ProgramRun held = with(waivers + "2999-12-31\n");
  EXPECT_EQ(held.status, 0) << held.out;
  EXPECT_THAT(held.out, HasSubstr("waived until 2999-12-31 by lab: fixed in 2"));
  const ProgramRun expired = with(waivers + "2001-01-01\n");
  EXPECT_EQ(expired.status, 1) << expired.out;
  EXPECT_THAT(expired.out, HasSubstr("expired: 1 waiver"));
  const ProgramRun wrong = with(
      "schema = \"wirelaw-waivers/2\"\n[[waiver]]\nrule = \"RAMCLOUD-reserved1-99\"\n"
      "reason = \"x\"\nowner = \"x\"\nuntil = 2999-12-31\n");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("line 2: there is no rule RAMCLOUD-reserved1-99; did you mean"));
}

TEST_F(CertifyTest, WrongUseIsOneLineAndStatusTwo) {
  const std::string good = ics("ramcloud", "server");
  write_file(path("full"), "x");
  const std::pair<std::vector<std::string>, std::string> kWrong[] = {
      {{"certify", path("none.toml"), "memory:"}, "none.toml: cannot be read"},
      {{"certify", good}, "name a peer"},
      {{"certify", good, "tcp://127.0.0.1:1"}, "tcp"},
      {{"certify", good, "memory:", "--runs", "0"}, "--runs"},
      {{"certify", good, "memory:", "--profile", "easy"}, "--profile"},
      {{"certify", good, "memory:", "--case", "no/such"}, "no case matches"},
      {{"certify", good, "memory:", "--evidence", path("full")}, "is not a folder"},
      {{"certify", good, "memory:", "--evidence", folder.string()}, "is not empty; name a new folder"},
      {{"certify", good, "memory:", "--role", "client"}, "does not declare the role client"},
      {{"certify", good, "memory:", "--waivers", good}, "--waivers "},
      {{"certify", file("empty.toml", ""), "memory:"}, "does not say schema"},
      {{"verify", path("none.json")}, "none.json: cannot be read"},
      {{"verify", good}, "is not JSON; a statement is what"},
      {{"ics", "old", "efa"}, "what"},
      {{"ics", "new", "no-such"}, "unknown protocol 'no-such'"},
      {{"ics", "new", "efa", "udp://127.0.0.1:1"}, "ics new takes no peer"},
      {{"ics", "probe", "efa"}, "name a peer"},
  };
  for (const auto& [words, says] : kWrong) {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(words) << run.out;
    EXPECT_THAT(run.err, AllOf(StartsWith("wirelaw: "), HasSubstr(says))) << testing::PrintToString(words);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

TEST_F(CertifyTest, WhereNobodyListensThereIsNoStatement) {
  const ProgramRun run = certify({ics("ramcloud", "server", "[limits]\nanswer_time = 0.05\n"), "udp://127.0.0.1:9"});
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_FALSE(fs::exists(path("evidence")));
  EXPECT_EQ(certify({ics("ramcloud", "server"), "memory:"}).status, 0) << "the folder can be had again";
}

TEST_F(CertifyTest, AnEmptyFolderWhereNobodyListensIsEmptyAgain) {
  fs::create_directories(path("evidence"));
  const ProgramRun run = certify({ics("ramcloud", "server", "[limits]\nanswer_time = 0.05\n"), "udp://127.0.0.1:9"});
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_TRUE(fs::is_empty(path("evidence")));
}

TEST_F(CertifyTest, APeerThatDiesInARunIsRefusedWithAStatement) {
  const Served server({"udp://127.0.0.1:0", "--application", "count", "--deviate", "reserved1-dies"});
  const ProgramRun run =
      certify({ics("ramcloud", "server", "[limits]\nanswer_time = 0.2\nsilence_time = 0.1\n"), server.uri(), "--case",
               "openResponse/*", "--case", "reserved1/*", "--runs", "3", "--profile", "basic"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.err, StartsWith("wirelaw: "));
  const Json made = statement();
  EXPECT_EQ(made.at("certificate").at("verdict"), "refused");
  EXPECT_EQ(made.at("runs").size(), 1u) << "nobody is asked again";
  EXPECT_THAT(run.out, HasSubstr("run 1 is not complete: peer-lost"));
  EXPECT_EQ(verify().status, 0) << verify().out;
}

TEST_F(CertifyTest, ANewDeclarationIsFilledInAndUsed) {
  std::string text = run_wirelaw({"ics", "new", "ramcloud"}).out;
  const ProgramRun empty = certify({file("new.toml", text), "memory:"});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("[implementation] needs product = "));
  for (const std::string key : {"product", "version"})
    text.replace(text.find("\n" + key + " = \"\""), key.size() + 6, "\n" + key + " = \"x\"");
  EXPECT_LE(certify({file("new.toml", text), "memory:"}).status, 1);
  EXPECT_EQ(verify().status, 0) << verify().out;
}

TEST_F(CertifyTest, ADeclarationThatIsThereIsNotWrittenUpon) {
  const std::string filled = file("product.toml", "product = \"P\"\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"ics", "new", "efa", "-o", filled},
                                                {"ics", "probe", "efa", "memory:", "-o", filled}}) {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, AllOf(StartsWith("wirelaw: -o "), HasSubstr("exists already"), HasSubstr("use --force")));
    EXPECT_EQ(read_file(filled), "product = \"P\"\n");
  }
  EXPECT_EQ(run_wirelaw({"ics", "new", "efa", "-o", filled, "--force"}).status, 0);
  EXPECT_THAT(read_file(filled), HasSubstr("protocol = \"efa\""));
  EXPECT_EQ(run_wirelaw({"ics", "new", "efa", "-o", path("new.toml")}).status, 0);
  EXPECT_EQ(read_file(path("new.toml")), read_file(filled));
}

TEST_F(CertifyTest, AProbeDeclaresWhatThePeerShows) {
  const ProgramRun run = run_wirelaw({"ics", "probe", "efa", "memory:"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("protocol = \"efa\""), HasSubstr("roles = [\"responder\"]"),
                             HasSubstr("application = \"echo\""), HasSubstr("\nkey = \"")));
  const ProgramRun iwarp = run_wirelaw({"ics", "probe", "rdmap", "memory:"});
  EXPECT_EQ(iwarp.status, 0) << iwarp.err;
  EXPECT_THAT(iwarp.out, HasSubstr("\nrfc7306 = "));
  EXPECT_EQ(run_wirelaw({"ics", "probe", "ramcloud", "udp://127.0.0.1:9", "--answer-time", "0.05"}).status, 3);
}

// A probed declaration has the same comments as a new one. The file is kept as evidence, unchanged.
TEST_F(CertifyTest, AProbeKeepsTheCommentsOfANewDeclaration) {
  for (const std::string protocol : {"ramcloud", "rdmap", "efa", "smbd", "umsp"}) {
    const std::string fresh = run_wirelaw({"ics", "new", protocol}).out;
    const ProgramRun probed = run_wirelaw({"ics", "probe", protocol, "memory:"});
    ASSERT_EQ(probed.status, 0) << probed.err;
    std::size_t comments = 0;
    for (std::size_t at = 0, end = 0; at < fresh.size(); at = end + 1) {
      end = fresh.find('\n', at);
      const std::string line = fresh.substr(at, end - at + 1);
      if (!line.starts_with("# ") || line.find(" = ") != std::string::npos) continue;
      ++comments;
      EXPECT_THAT(probed.out, HasSubstr(line)) << protocol;
    }
    EXPECT_GT(comments, 4u) << protocol;
  }
}

std::string verdict_of_feature(const Json& statement, const std::string& name) {
  for (const Json& one : statement.at("features"))
    if (one.at("name") == name) return one.at("verdict");
  return {};
}

TEST_F(CertifyTest, AFeatureThatNoPacketCanShowRefusesNothing) {
  const std::string declared = ics("efa", "responder", "[features]\nhomogeneous_peers = true\n");
  const ProgramRun run = certify({declared, "memory:", "--runs", "1", "--profile", "basic"}, "homogeneous");
  EXPECT_EQ(verdict_of_feature(statement("homogeneous"), "homogeneous_peers"), "not-known");
  EXPECT_THAT(run.out, Not(HasSubstr("homogeneous_peers: declared, but not shown")));
}

TEST_F(CertifyTest, AFeatureThatIsDeclaredAndNotShownRefuses) {
  const std::string declared = ics("efa", "responder", "[features]\npeer_error = true\n");
  const std::vector<std::string> words{declared, "memory:", "--runs", "1", "--profile", "basic"};
  certify(words, "shown");
  EXPECT_EQ(verdict_of_feature(statement("shown"), "peer_error"), "shown");
  EXPECT_EQ(verdict_of_feature(statement("shown"), "rdma_write"), "not-declared");
  auto faulty = words;
  faulty.insert(faulty.end(), {"--deviate", "handshake-without-extra-info"});
  const ProgramRun run = certify(faulty, "not-shown");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(verdict_of_feature(statement("not-shown"), "peer_error"), "declared-not-shown");
  EXPECT_THAT(run.out, HasSubstr("feature peer_error: declared, but not shown\n"));
  EXPECT_EQ(verify("not-shown").status, 0) << verify("not-shown").out;
}

TEST_F(CertifyTest, AFeatureThatIsShownAndNotDeclaredRefuses) {
  const ProgramRun run = certify({ics("efa", "responder"), free_uri("efa"), "--start",
                                  kProgram + " serve efa \"$WIRELAW_URI\" --application count --feature peer_error",
                                  "--case", "handshake/comes-once", "--runs", "1", "--profile", "basic"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_EQ(verdict_of_feature(statement(), "peer_error"), "shown-not-declared");
  EXPECT_THAT(run.out, HasSubstr("feature peer_error: shown, but not declared\n"));
}

}  // namespace
}  // namespace wirelaw
