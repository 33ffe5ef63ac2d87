// SPDX-License-Identifier: Apache-2.0
// Captures of two UMSP nodes with several connections. Traffic on one of them can explain traffic on another;
// unexplained traffic still gets its warning (INTERPRETATIONS.md, UMSP/B31).
#include <gmock/gmock.h>

#include "corpora/traces/umsp_management.h"
#include "harness/check/umsp_capture.h"

namespace wirelaw {
namespace {

using corpora::UmspExtension;
using corpora::UmspOctets;
using corpora::UmspTraceBuilder;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using umsp::Opcode;
using umsp_capture::Capture;
using umsp_capture::kExecutor;
using umsp_capture::Say;

void open_session(UmspTraceBuilder& script) {
  script.session_open();
  script.session_accept();
}
void write(UmspTraceBuilder& script) {
  script.request(Side::a, Opcode::write_4, UmspOctets().u32(16).u32(7));
}
void confirm(UmspTraceBuilder& script) {
  script.respond(Side::b);
}
void close_session(UmspTraceBuilder& script) {
  script.notify(Side::a, Opcode::session_close);
}
void abend(UmspTraceBuilder& script) {
  script.notify(Side::b, Opcode::session_abend);
}
void register_task(UmspTraceBuilder& script) {
  script.ask(Side::a, Opcode::task_reg_4, corpora::umsp_management::task_operands());
}
void confirm_task(UmspTraceBuilder& script) {
  script.ask(Side::b, Opcode::task_confirm, UmspOctets().u32(0x51));
}

TEST(UmspConnections, AloneAreWarnedOfWhatTheyDoNotExplain) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, write);
  capture.say(one, abend);
  capture.say(one, confirm_task);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-3.1-49 warning", "UMSP-5.4.2-9 warning", "UMSP-5.2.2-1 warning"));
}

// The connections are opened by one node, or by each node.
class OfTwoNodes : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Made, OfTwoNodes, testing::Bool(),
                         [](const auto& one) { return one.param ? "ByEachNode" : "ByOneNode"; });

TEST_P(OfTwoNodes, ExplainASessionThatGoesOverBoth) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(other, write);
  capture.say(one, confirm);
  capture.say(other, write);
  capture.say(other, confirm);
  capture.say(other, close_session);
  capture.say(one, abend);
  EXPECT_THAT(capture.findings(), IsEmpty());
}

TEST_P(OfTwoNodes, ExplainAHandshakeThatGoesOverBoth) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, [](UmspTraceBuilder& script) { script.session_open(); });
  capture.say(
      other, [](UmspTraceBuilder& script) { script.open_again(Side::b, UmspTraceBuilder::open_operands_of(Side::b)); });
  capture.say(one, [](UmspTraceBuilder& script) { script.accept(Side::a); });
  capture.say(other, write);
  capture.say(one, confirm);
  EXPECT_THAT(capture.findings(), IsEmpty());
}

TEST_P(OfTwoNodes, ExplainATaskThatIsRegisteredOverBoth) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, register_task);
  capture.say(other, confirm_task);
  EXPECT_THAT(capture.findings(), IsEmpty());
}

TEST_P(OfTwoNodes, ShowTogetherThatAnAnswerIsWrong) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(one, write);
  capture.say(other, [](UmspTraceBuilder& script) { script.respond(Side::b, Opcode::rsp_p); });
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-4.1-1 violation"));
}

TEST_P(OfTwoNodes, ExplainWhatComesWhenTheFirstHasEnded) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, write);
  capture.close(one);
  auto other = capture.connect(GetParam());
  capture.say(other, confirm);
  capture.say(other, abend);
  EXPECT_THAT(capture.findings(), IsEmpty());
}

// Each case begins without the open requests of earlier cases.
TEST(UmspConnections, OfARecordingExplainNothingWhenTheyHaveEnded) {
  Capture capture({.iut = IutAddress{kExecutor, {}}});
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.close(one);
  auto other = capture.connect();
  capture.say(other, write);
  capture.say(other, abend);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-5.4.2-9 warning"));
}

// The missing part could be the end of the session.
TEST(UmspConnections, WithAGapExplainNothing) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect();
  capture.say(one, open_session);
  capture.lose(one, true, 100);
  capture.say(one, write);
  capture.close(one);
  capture.pass(one);
  capture.say(other, write);
  capture.say(other, abend);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-3.1-49 warning", "UMSP-5.4.2-9 warning"));
}

// ------------------------------------------------------------------------------- chains of a session (RFC 3018 7,
// UMSP/B45)
UmspExtension begin_sq() {
  return {.code = umsp::HeadCode::begin_sq};
}
UmspExtension begin_tr() {
  return {.code = umsp::HeadCode::begin_tr, .data = UmspOctets().u8(0x40).u8(0)};
}
UmspExtension end_chain() {
  return {.code = umsp::HeadCode::end_chain};
}
Say link(std::uint16_t number, std::vector<UmspExtension> extensions = {}, std::uint16_t chain = 4) {
  return [=](UmspTraceBuilder& script) {
    script.chained(Side::a, Opcode::write_4, {chain, number}, UmspOctets().u32(16).u32(7), extensions);
  };
}
Say cancel(std::uint16_t chain = 4) {
  return [=](UmspTraceBuilder& script) {
    script.chained(Side::a, Opcode::snd_cancel, {chain, 0}, UmspOctets().u16(1).u16(0));
  };
}

// Section 7 numbers the instructions of a chain: it does not order their sending over several connections.
TEST_P(OfTwoNodes, MayBringAnInstructionOfAChainLate) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, link(0, {begin_sq()}));
  capture.say(one, link(2, {end_chain()}));
  auto other = capture.connect(GetParam());
  capture.say(other, link(1));
  EXPECT_THAT(capture.findings(), IsEmpty());
}

TEST_P(OfTwoNodes, MayBringTheBeginningOfAChainLate) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, link(1, {end_chain()}));
  auto other = capture.connect(GetParam());
  capture.say(other, link(0, {begin_sq()}));
  EXPECT_THAT(capture.findings(), IsEmpty());
}

// TCP does not order the end of a session, or of a connection, before the traffic of another connection.
TEST_P(OfTwoNodes, MayBringAnInstructionOfAChainWhenItsSessionHasEnded) {
  for (const bool begins_late : {false, true}) {
    Capture capture;
    auto one = capture.connect(), other = capture.connect(GetParam());
    capture.say(one, open_session);
    capture.say(other, write);
    capture.say(other, confirm);
    if (!begins_late) capture.say(one, link(0, {begin_sq()}));
    capture.say(one, link(begins_late ? 1 : 2, {end_chain()}));
    capture.say(one, abend);
    capture.say(other, begins_late ? link(0, {begin_sq()}) : link(1));
    EXPECT_THAT(capture.findings(), IsEmpty()) << begins_late;
  }
}

TEST_P(OfTwoNodes, BringNoInstructionThatIsMissingWhenTheirSessionHasEnded) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(other, write);
  capture.say(other, confirm);
  capture.say(one, link(1, {end_chain()}));
  capture.say(one, abend);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-7-6 violation"));
}

// The connection that carried the rest may be closed before: a warning while the other one is open.
TEST_P(OfTwoNodes, MayBringAnInstructionOfAChainWhenAConnectionHasEnded) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(other, write);
  capture.say(other, confirm);
  capture.say(one, link(1, {end_chain()}));
  capture.close(one);
  capture.say(other, link(0, {begin_sq()}));
  EXPECT_THAT(capture.findings(), Each(EndsWith("warning")));
}

TEST_P(OfTwoNodes, BringNoInstructionThatIsMissingWhenBothHaveEnded) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(other, write);
  capture.say(other, confirm);
  capture.close(other);
  capture.say(one, link(1, {end_chain()}));
  capture.close(one);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-7-6 violation"));
}

TEST_P(OfTwoNodes, BringNoInstructionThatIsMissing) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, link(0, {begin_sq()}));
  capture.say(one, link(2, {end_chain()}));
  auto other = capture.connect(GetParam());
  capture.say(other, write);
  capture.say(other, confirm);
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-7-6 violation"));
}

TEST(UmspConnections, AChainWithoutItsBeginningIsAFault) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, link(1, {end_chain()}));
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-7-6 violation"));
}

// Any order of the chain and its SND_CANCEL.
TEST_P(OfTwoNodes, MayCancelAChain) {
  for (const bool begins_on_other : {false, true}) {
    for (const bool ends_on_other : {false, true}) {
      Capture capture;
      auto one = capture.connect(), other = capture.connect(GetParam());
      capture.say(one, open_session);
      capture.say(other, write);
      capture.say(other, confirm);
      capture.say(begins_on_other ? other : one, link(0, {begin_tr()}));
      capture.say(ends_on_other ? other : one, cancel());
      EXPECT_THAT(capture.findings(), IsEmpty()) << begins_on_other << ends_on_other;
    }
  }
}

TEST_P(OfTwoNodes, WarnOfACancelWithoutAChain) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(other, write);
  capture.say(other, confirm);
  capture.say(one, cancel());
  EXPECT_THAT(capture.findings(), ElementsAre("UMSP-4.2-7 warning"));
}

// ---------------------------------------------------------------------------- buffers and fragments of chains (7.3,
// 7.4)
UmspExtension begin_waiting() {  // TRR is 0
  return {.code = umsp::HeadCode::begin_tr, .data = UmspOctets().u8(0).u8(0)};
}

TEST_P(OfTwoNodes, MissABufferThatNoConnectionHasGranted) {
  for (const bool is_refused : {false, true}) {
    Capture capture;
    auto one = capture.connect(), other = capture.connect(GetParam());
    capture.say(one, open_session);
    capture.say(other, write);
    capture.say(other, confirm);
    capture.say(other,
                [](UmspTraceBuilder& script) { script.request(Side::a, Opcode::req_buf, UmspOctets().u32(60)); });
    if (is_refused)
      capture.say(one,
                  [](UmspTraceBuilder& script) { script.respond(Side::b, Opcode::rsp_p, UmspOctets().u16(4).u16(0)); });
    capture.say(one, link(0, {begin_waiting(), end_chain()}));
    EXPECT_THAT(capture.findings(), ElementsAre("UMSP-7.4-31 violation")) << is_refused;
  }
}

TEST(UmspConnections, AReservedOpcodeIsFragmented) {
  Capture capture;
  auto one = capture.connect();
  capture.say(one, open_session);
  capture.say(one, [](UmspTraceBuilder& script) {
    script.chained(Side::a, Opcode::nop, {9, 0}, UmspOctets().u16(0xfa20).u16(0),
                   {{umsp::HeadCode::begin_frg}, end_chain()});
  });
  EXPECT_THAT(capture.findings(), testing::Contains("UMSP-3.1-8 violation"));
}

// A chain of fragments. The instruction in them begins, continues or ends the parental chain.
Say subordinate(std::uint16_t parent, std::uint16_t number) {
  return [=](UmspTraceBuilder& script) {
    script.chained(Side::a, Opcode::nop, {9, 0},
                   UmspOctets().u16(0x8672).u16(parent).u16(number).u32(0x2000).u32(1).u16(0),
                   {{umsp::HeadCode::begin_frg, UmspOctets().u16(parent).u16(number)}, end_chain()});
  };
}

TEST(UmspConnections, AFragmentedInstructionNamesItsParentalChain) {
  const std::pair<std::vector<Say>, std::vector<std::string>> rows[] = {
      {{link(0, {begin_sq()}), subordinate(4, 1), link(2, {end_chain()})}, {}},
      {{subordinate(4, 1), link(0, {begin_sq()}), link(2, {end_chain()})}, {}},
      {{subordinate(4, 1)}, {"UMSP-7.3-19 warning"}},
      {{link(0, {begin_sq(), end_chain()}), subordinate(4, 1)}, {"UMSP-7.3-19 violation"}},
      {{link(0, {begin_sq()}), link(1), subordinate(4, 1)}, {"UMSP-7.3-20 violation"}},
      {{link(0, {begin_sq()}), subordinate(4, 1), link(3, {end_chain()})}, {"UMSP-7-6 violation"}},
      {{subordinate(4, 1), link(2, {end_chain()})}, {"UMSP-7-6 violation"}},
  };
  for (const auto& [said, findings] : rows) {
    Capture capture;
    auto one = capture.connect();
    capture.say(one, open_session);
    for (const Say& say : said) capture.say(one, say);
    EXPECT_THAT(capture.findings(), testing::ElementsAreArray(findings));
  }
}

// ------------------------------------------------------------- what holds within one of several connections (UMSP/B31,
// UMSP/B45)
struct Fault {
  std::vector<Say> on_one;
  std::vector<std::string> findings;
};
TEST_P(OfTwoNodes, KeepTheOrderOfEach) {
  const Fault faults[] = {
      {{link(0, {begin_sq()}), link(1, {begin_sq(), end_chain()})}, {"UMSP-7-14 violation"}},
      {{link(0, {begin_sq(), end_chain()}), link(1)}, {"UMSP-7-16 violation"}},
      {{link(0, {begin_sq()}), link(1), link(1)}, {"UMSP-7-6 violation"}},
      {{link(0, {begin_sq()}), cancel()}, {"UMSP-4.2-11 violation"}},
      {{[](UmspTraceBuilder& script) { script.notify(Side::b, Opcode::session_close); }}, {"UMSP-5.4-1 violation"}},
      {{abend, [](UmspTraceBuilder& script) { script.notify(Side::b, Opcode::nop); }}, {"UMSP-5.4-16 violation"}},
      {{[](UmspTraceBuilder& script) { script.accept(Side::b); }}, {"UMSP-5.3.2-2 violation"}},
  };
  for (const Fault& fault : faults) {
    Capture capture;
    auto one = capture.connect(), other = capture.connect(GetParam());
    capture.say(one, open_session);
    capture.say(other, write);
    capture.say(other, confirm);
    for (const Say& say : fault.on_one) capture.say(one, say);
    EXPECT_THAT(capture.findings(), testing::ElementsAreArray(fault.findings));
  }
}

// Two connections have carried the number, so the order of its instructions is not known.
TEST_P(OfTwoNodes, KeepNoOrderOfAChainThatGoesOverBoth) {
  Capture capture;
  auto one = capture.connect(), other = capture.connect(GetParam());
  capture.say(one, open_session);
  capture.say(one, link(0, {begin_sq()}));
  capture.say(other, link(2, {end_chain()}));
  capture.say(one, link(1));
  capture.say(other, link(1, {end_chain()}));
  capture.say(one, link(0, {begin_sq()}));
  EXPECT_THAT(capture.findings(), IsEmpty());
}

// For any instruction it is a warning, since the session may have been opened before the capture.
TEST_P(OfTwoNodes, WarnOfASessionThatNobodyHasOpened) {
  const std::pair<Opcode, std::string> rows[] = {{Opcode::nop, "UMSP-3.1-49 warning"},
                                                 {Opcode::write_4, "UMSP-3.1-49 warning"},
                                                 {Opcode::session_abend, "UMSP-5.4.2-9 warning"}};
  for (const auto& row : rows) {
    const Opcode opcode = row.first;
    Capture capture;
    auto one = capture.connect(), other = capture.connect(GetParam());
    capture.say(one, open_session);
    capture.say(other, [&](UmspTraceBuilder& script) {
      script.notify(Side::a, opcode, opcode == Opcode::write_4 ? UmspOctets().u32(1).u32(2) : UmspOctets(), {},
                    [](umsp::Instruction& one) { one.header.session_id = 0xb9; });
    });
    EXPECT_THAT(capture.findings(), ElementsAre(row.second));
  }
}

// ---------------------------------------------------------------------------------------- the end of a job (UMSP/B60)
constexpr std::int64_t kSecond = 1'000'000'000;

void nop_of_a(UmspTraceBuilder& script) {
  script.say(Side::a, Opcode::nop, {});
}
void nop_of_b(UmspTraceBuilder& script) {
  script.say(Side::b, Opcode::nop, {});
}

// What TCP shows of the initiating node before it writes in a session of a job that its JCP, the executing node, has
// reported as completed on the other connection.
struct Shown {
  bool receipt_of_end = true;    // it has acknowledged the report, and later sent something on that connection
  bool receipt_of_later = true;  // it has acknowledged something that came long after that
  std::string finding;
};

TEST(UmspConnections, ShowThatAnEndedJobIsUsedIfAcknowledgmentsProveIt) {
  const Shown rows[] = {{true, true, "UMSP-5.6.2-13 violation"},
                        {true, false, "UMSP-5.6.2-13 warning"},
                        {false, true, "UMSP-5.6.2-13 warning"},
                        {false, false, "UMSP-5.6.2-13 warning"}};
  for (const Shown& row : rows) {
    Capture capture({}, true);
    auto one = capture.connect(), other = capture.connect();
    capture.say(one, [](UmspTraceBuilder& script) {
      script.control_req();
      script.control_confirm();
    });
    capture.say(one, open_session);
    capture.say(other, write);
    capture.say(other, confirm);
    capture.say(one, [](UmspTraceBuilder& script) {
      script.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()));
    });
    if (row.receipt_of_end) capture.acknowledge(one, true);
    capture.wait(20 * kSecond);
    capture.say(one, nop_of_a);
    capture.wait(2 * kSecond);
    capture.say(other, nop_of_b);
    if (row.receipt_of_later) capture.acknowledge(other, true);
    capture.wait(2 * kSecond);
    capture.say(other, write);
    EXPECT_THAT(capture.findings(), ElementsAre(row.finding)) << row.receipt_of_end << row.receipt_of_later;
  }
}

}  // namespace
}  // namespace wirelaw
