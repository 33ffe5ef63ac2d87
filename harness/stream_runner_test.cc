// SPDX-License-Identifier: Apache-2.0
// Cases over a stream: what they see of it, what the observer judges, and what is recorded.
#include <gmock/gmock.h>

#include "harness/peers/fake_stream.h"
#include "harness/runner.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using fake_stream::kEchoed;
using fake_stream::kGoodOctets;
using fake_stream::stream_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Sends messages and reads until the peer ends, or is silent.
struct Talk {
  std::unique_ptr<Transport> transport;
  OctetBuffer received;
};
Talk talk(CaseRun& run, const std::vector<std::string>& messages) {
  Talk talk{.transport = std::move(*run.connect()), .received = {}};
  static_cast<void>(talk.transport->send(stream_of(messages)));
  while (true) {
    const auto got = talk.transport->receive(talk.transport->now() + run.answer_time());
    if (!got || !*got) return talk;
    talk.received.insert(talk.received.end(), (*got)->begin(), (*got)->end());
  }
}

const std::string kBad(1, static_cast<char>(fake_stream::kBadOctet));

const std::vector<Case> kCases{
    {.id = "echo/holds",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "What is sent comes back.",
     .run =
         [](CaseRun& run) {
           run.require(kEchoed, talk(run, {"one", "two"}).received == stream_of({"one", "two"}), "an echo", "less");
         }},
    {.id = "echo/fails",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "A requirement that does not hold.",
     .run =
         [](CaseRun& run) {
           auto transport = std::move(*run.connect());
           static_cast<void>(transport->send(stream_of({"one", "two"})));
           OctetBuffer got;
           while (got.size() < stream_of({"one", "two"}).size()) {
             const auto piece = transport->receive(transport->now() + run.answer_time());
             if (!piece || !*piece) return run.skip("nothing came");
             got.insert(got.end(), (*piece)->begin(), (*piece)->end());
           }
           run.require(kEchoed, false, "something else", "an echo");
         }},
    {.id = "end/closed",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "The peer closes.",
     .run =
         [](CaseRun& run) {
           run.require(kEchoed, talk(run, {"C"}).transport->ending() == Ending::closed, "an end", "none");
         }},
    {.id = "end/reset",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "The peer resets.",
     .run =
         [](CaseRun& run) {
           run.require(kEchoed, talk(run, {"R"}).transport->ending() == Ending::reset, "a reset", "none");
         }},
    {.id = "end/ours",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "We reset.",
     .run =
         [](CaseRun& run) {
           auto talked = talk(run, {"one"});
           talked.transport->end(Ending::reset);
           run.require(kEchoed, talked.transport->ending() == Ending::reset, "our own reset", "none");
         }},
    {.id = "observer/listed",
     .iut = Role::responder,
     .rules = {&kGoodOctets},
     .purpose = "The observer finds a breach.",
     .run =
         [](CaseRun& run) {
           talk(run, {"fine", kBad});
         }},
    {.id = "observer/unread",
     .iut = Role::responder,
     .rules = {&kGoodOctets},
     .purpose = "What the case does not read is judged all the same.",
     .run =
         [](CaseRun& run) {
           auto one = run.connect();
           auto two = run.connect();
           static_cast<void>((*one)->send(stream_of({kBad})));
           static_cast<void>((*two)->receive((*two)->now() + run.answer_time()));
         }},
    {.id = "client/echo",
     .iut = Role::initiator,
     .rules = {&kGoodOctets},
     .purpose = "A triggered IUT connects.",
     .run =
         [](CaseRun& run) {
           auto transport = std::move(*run.connect());
           if (!run.trigger({.octets = 5, .count = 2})) return;
           while (true) {
             const auto got = transport->receive(transport->now() + run.answer_time());
             if (!got || !*got) break;
             static_cast<void>(transport->send(**got));
           }
           if (transport->ending() != Ending::closed) run.inconclusive("it did not close");
         }},
};

std::span<const Case> all_cases() {
  return kCases;
}

const Protocol kFakes = fake_stream::protocol(all_cases);

RunOutcome run(const std::string& glob, Role role = Role::responder, Recording* recording = nullptr) {
  const auto iut = make_memory_iut(
      [&](std::uint64_t) -> std::unique_ptr<Peer> {
        return role == Role::initiator ? fake_stream::client() : std::make_unique<fake_stream::StreamPeer>();
      },
      {.framing = memory_framing(kFakes), .network_faults = {.cut = 3}});
  return run_cases(kFakes, *iut, {.iut = role, .selection = {.cases = {glob}}}, recording);
}

TEST(StreamRun, CasesSeeOctetsAndEnds) {
  for (const char* id : {"echo/holds", "end/closed", "end/reset", "end/ours"}) {
    const RunOutcome outcome = run(id);
    EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::pass) << id << outcome.results.cases[0].reason;
    EXPECT_THAT(outcome.results.findings, IsEmpty());
  }
}

TEST(StreamRun, AFlowsMessagesAreThoseThatTheObserverFinds) {
  const FlowResult flow = run("echo/holds").results.flows.at(0);
  EXPECT_EQ(flow.id, "tcp 192.0.2.1:31201 - 192.0.2.2:21201");
  EXPECT_EQ(flow.messages, 6u);
  EXPECT_EQ(flow.octets, 2 * stream_of({"one", "two"}).size());
}

TEST(StreamRun, ACasesFindingPointsAtTheLastMessageOfTheIut) {
  const RunOutcome outcome = run("echo/fails");
  ASSERT_THAT(outcome.results.findings, SizeIs(1));
  const Finding& finding = outcome.results.findings[0];
  EXPECT_EQ(finding.sender, "192.0.2.2:21201");
  EXPECT_EQ(finding.message, 6u);
  EXPECT_THAT(finding.octets, ElementsAre(3, 't', 'w', 'o'));
}

TEST(StreamRun, TheObserverJudgesTheIutAlone) {
  const RunOutcome outcome = run("observer/*");
  for (const CaseResult& one : outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::fail) << one.id;
  ASSERT_THAT(outcome.results.findings, SizeIs(2));
  for (const Finding& one : outcome.results.findings) EXPECT_EQ(one.sender, "192.0.2.2:21201");
}

TEST(StreamRun, AnInitiatorConnectsWhenTriggered) {
  const RunOutcome outcome = run("client/echo", Role::initiator);
  EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::pass) << outcome.results.cases[0].reason;
  ASSERT_THAT(outcome.results.flows, SizeIs(1));
  EXPECT_EQ(outcome.results.flows[0].id, "tcp 192.0.2.2:21201 - 192.0.2.1:31201");
  EXPECT_EQ(outcome.results.flows[0].messages, 6u);
}

class Kept final : public FrameSink {
 public:
  void write(const RecordedFrame& frame) override { frames.push_back(frame); }
  std::vector<RecordedFrame> frames;
};

TEST(StreamRun, IsRecordedAsTcpWouldHaveCarriedIt) {
  Kept kept;
  Recording recording(kept);
  run("end/closed", Role::responder, &recording);
  recording.flush();
  ASSERT_GT(kept.frames.size(), 5u);
  std::uint32_t next[2] = {};
  std::string flags;
  for (const RecordedFrame& frame : kept.frames) {
    ASSERT_TRUE(frame.tcp);
    const pcap::TcpFlags bits = frame.tcp->flags;
    flags += bits.syn() ? bits.ack() ? 'S' : 's' : bits.fin() ? 'F' : bits.psh() ? 'p' : 'a';
    std::uint32_t& mine = next[frame.from_iut];
    if (!bits.syn()) {
      EXPECT_EQ(frame.tcp->seq, mine);
    }
    mine = frame.tcp->seq + static_cast<std::uint32_t>(frame.octets.size()) + (bits.syn() || bits.fin() ? 1 : 0);
    if (bits.ack()) {
      EXPECT_EQ(frame.tcp->ack, next[!frame.from_iut]);
    }
  }
  EXPECT_EQ(flags.substr(0, 4), "sSap");
  EXPECT_EQ(flags.back(), 'F');
  EXPECT_THAT(kept.frames[0].comments, ElementsAre(HasSubstr("case end/closed")));
}

TEST(StreamRun, CommentsStandAtTheFrameThatWasFound) {
  Kept kept;
  Recording recording(kept);
  const RunOutcome outcome = run("observer/listed", Role::responder, &recording);
  recording.flush();
  const Finding& finding = outcome.results.findings.at(0);
  ASSERT_GT(finding.frame, 0u);
  const RecordedFrame& frame = kept.frames.at(finding.frame - 1);
  EXPECT_TRUE(frame.from_iut);
  EXPECT_THAT(frame.comments, ElementsAre(HasSubstr("FAKES-1-1: violation")));
}

}  // namespace
}  // namespace wirelaw
