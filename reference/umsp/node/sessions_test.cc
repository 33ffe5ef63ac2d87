// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/sessions.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference/umsp/node/fake_outbox_test.h"

namespace wirelaw::umsp {
namespace {

using namespace std::chrono_literals;

constexpr NodeAddress kA{{192, 0, 2, 1}}, kB{{192, 0, 2, 2}};

// Two nodes' sessions, which send to one another.
class Pair : public testing::Test {
 protected:
  Sessions a{{}, out_a};
  Sessions b{{}, out_b};
  FakeOutbox out_a, out_b;
  Instant now{};
  Identifier gjid = identifier_of({}, kA, 0x1001);

  void SetUp() override {
    for (Sessions* one : {&a, &b}) one->ask(admit_all);
  }
  static Admission admit_all(const Opening&, Instant) { return {.kind = Admission::Kind::admitted, .ltid = 5}; }

  // Delivers everything that is sent, until nothing is left. Returns the OPCODEs.
  std::vector<Opcode> exchange() {
    std::vector<Opcode> codes;
    for (bool moved = true; moved;) {
      moved = carry(out_a, b, kA, codes);
      moved = carry(out_b, a, kB, codes) || moved;
    }
    return codes;
  }
  template <class Event>
  std::vector<Event> events(Sessions& sessions) {
    std::vector<Event> found;
    for (SessionEvent event; sessions.next_event(event);)
      if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
    return found;
  }
  std::uint32_t open(const SessionWish& wish = {{50000, 1}}) {
    const auto id = a.open(kB, gjid, 7, wish, now);
    EXPECT_TRUE(id);
    return *id;
  }
  void advance(Instant time) {
    now += time;
    a.advance(now);
    b.advance(now);
  }

 private:
  bool carry(FakeOutbox& out, Sessions& to, NodeAddress from, std::vector<Opcode>& codes) {
    if (out.sent.empty()) return false;
    const Draft draft = std::move(out.sent.front());
    out.sent.pop_front();
    codes.push_back(static_cast<Opcode>(draft.opcode));
    const OctetBuffer octets = write(draft);
    const auto instruction = decode(octets);
    EXPECT_TRUE(instruction);
    const Membership membership = resolve(instruction->header, {});
    to.receive({1, from, false}, *instruction, membership, now);
    return true;
  }
};

using enum Opcode;
using Codes_ = std::vector<Opcode>;

TEST_F(Pair, AVmThatIsNamedIsAcceptedAtOnce) {
  open();
  EXPECT_EQ(exchange(), (Codes_{session_open, session_accept}));
  EXPECT_EQ(events<SessionOpened>(a).size(), 1u);
  EXPECT_EQ(events<SessionOpened>(b).size(), 1u);
}

TEST_F(Pair, AVmThatTheOtherSideChoosesIsNamedByIt) {
  const std::uint32_t id = open({});
  EXPECT_EQ(exchange(), (Codes_{session_open, session_open, session_accept}));
  EXPECT_EQ(a.find(id)->peer_vm, (VmKind{50000, 1}));
}

TEST_F(Pair, LessIsTakenOrNot) {
  for (const bool takes : {true, false}) {
    SessionOptions little;
    little.profile = bit_of(ProfileFlag::in_session);
    FakeOutbox out;
    Sessions poor(little, out);
    poor.ask(admit_all);
    open({.vm = {50000, 1}, .takes_less = takes});
    const OctetBuffer first = write(out_a.sent.front());
    out_a.sent.clear();
    poor.receive({1, kA, false}, *decode(first), resolve(decode(first)->header, {}), now);
    const OctetBuffer second = write(out.sent.front());
    a.receive({1, kB, false}, *decode(second), resolve(decode(second)->header, {}), now);
    ASSERT_EQ(out_a.sent.size(), 1u);
    EXPECT_TRUE(out_a.sent.front().is(takes ? session_accept : session_reject));
    out_a.sent.clear();
  }
}

TEST_F(Pair, AnUnknownVmIsRefused) {
  open({{777, 1}});
  EXPECT_EQ(exchange(), (Codes_{session_open, session_reject}));
  EXPECT_EQ(events<SessionRefused>(a).size(), 1u);
  EXPECT_TRUE(b.all().empty());
}

// The answer would require this VM.
TEST_F(Pair, ASenderWhoseOwnVmIsNoneIsRefused) {
  for (const VmKind vm : {VmKind{}, VmKind{50000, 0}, VmKind{50000, 0xffff}, VmKind{0xffff, 1}, VmKind{0, 0xffff}}) {
    SessionOptions nameless;
    nameless.vms = {vm};
    FakeOutbox out;
    Sessions sender(nameless, out);
    ASSERT_TRUE(sender.open(kB, gjid, 7, {}, now));
    const OctetBuffer octets = write(out.sent.front());
    b.receive({1, kA, false}, *decode(octets), resolve(decode(octets)->header, {}), now);
    ASSERT_EQ(out_b.sent.size(), 1u);
    EXPECT_TRUE(out_b.sent.front().is(session_reject)) << vm.type << " " << vm.version;
    out_b.sent.clear();
  }
}

TEST_F(Pair, ASecondSessionOfTheJobIsRefusedUnlessTheJcpOpensIt) {
  gjid = identifier_of({}, {{192, 0, 2, 9}}, 1);
  const std::uint32_t first = open();
  exchange();
  open();
  EXPECT_EQ(exchange(), (Codes_{session_open, session_reject}));
  EXPECT_EQ(b.all().size(), 1u);
  EXPECT_NE(a.find(first), nullptr);
}

TEST_F(Pair, ASecondSessionFromTheJcpTakesThePlaceOfTheFirst) {
  open();
  exchange();
  const std::uint32_t old = b.all().begin()->first;
  open();
  EXPECT_EQ(exchange(), (Codes_{session_open, session_accept}));
  EXPECT_EQ(b.all().size(), 1u);
  EXPECT_NE(b.all().begin()->first, old);
}

TEST_F(Pair, WaitsForTheSanction) {
  std::vector<Opening> asked;
  b.ask([&asked](const Opening& opening, Instant) {
    asked.push_back(opening);
    return Admission{.kind = Admission::Kind::waiting, .opening = asked.size()};
  });
  open();
  exchange();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].opener, kA);
  EXPECT_EQ(asked[0].opener_ltid, (TaskId{7, 4}));
  b.admitted(1, 9, now);
  EXPECT_EQ(exchange(), Codes_{session_accept});
  EXPECT_EQ(b.all().begin()->second.task, 9u);
  gjid = identifier_of({}, kA, 0x1002);
  open();
  exchange();
  b.refused(2, {4, 0});
  EXPECT_EQ(exchange(), Codes_{session_reject});
  EXPECT_EQ(b.all().size(), 1u);
}

// Sessions that no JCP confirms get half of the room; the rest is for others.
TEST_F(Pair, OneNodeDoesNotTakeAllTheRoom) {
  SessionOptions options;
  options.most = 8;
  FakeOutbox out;
  Sessions node(options, out);
  OpeningId asked = 0;
  node.ask(
      [&asked](const Opening&, Instant) { return Admission{.kind = Admission::Kind::waiting, .opening = ++asked}; });
  const auto opens_at = [&](NodeAddress from, std::uint64_t task) {
    gjid = identifier_of({}, {{192, 0, 2, 9}}, task);
    open();
    const OctetBuffer octets = write(out_a.sent.front());
    out_a.sent.clear();
    node.receive({1, from, false}, *decode(octets), resolve(decode(octets)->header, {}), now);
  };
  for (std::uint64_t task = 0; task < 100; ++task) opens_at(kA, task);
  EXPECT_EQ(node.all().size(), 4u);
  opens_at(kB, 200);
  EXPECT_EQ(node.all().size(), 5u);
  node.admitted(1, 9, now);
  opens_at(kA, 300);
  EXPECT_EQ(node.all().size(), 6u);
}

// Nor does a node that opens and does not continue: waiting for its steps takes no longer than usual.
TEST_F(Pair, OneNodeDoesNotTakeAllTheRoomByHalfOpenSessions) {
  SessionOptions options;
  options.most = 8;
  FakeOutbox out;
  Sessions node(options, out);
  node.ask(admit_all);
  const auto opens_at = [&](NodeAddress from, std::uint64_t task) {
    gjid = identifier_of({}, from, task);
    open({});  // the other side chooses the VM, by its own SESSION_OPEN
    const OctetBuffer octets = write(out_a.sent.front());
    out_a.sent.clear();
    node.receive({1, from, false}, *decode(octets), resolve(decode(octets)->header, {}), now);
  };
  for (std::uint64_t task = 0; task < 100; ++task) opens_at(kA, task);
  EXPECT_EQ(node.all().size(), 4u);
  EXPECT_TRUE(out.sent.back().is(session_reject));
  for (std::uint64_t task = 0; task < 4; ++task) opens_at(kB, 200 + task);
  EXPECT_EQ(node.all().size(), 8u);
  EXPECT_TRUE(out.sent.back().is(session_open));
  node.advance(now + options.open_timeout);
  EXPECT_TRUE(node.all().empty());
  EXPECT_EQ(events<OpeningFailed>(node).size(), 8u);
}

TEST_F(Pair, ClosesByThreeSteps) {
  const std::uint32_t id = open();
  exchange();
  a.close(id, {});
  EXPECT_EQ(exchange(), (Codes_{session_close, rsp_p, session_abend}));
  EXPECT_TRUE(a.all().empty());
  EXPECT_TRUE(b.all().empty());
}

TEST_F(Pair, IsClosedByWhoHasOpenedItAlone) {
  open();
  exchange();
  b.close(b.all().begin()->first, {});
  EXPECT_TRUE(out_b.sent.empty());
}

TEST_F(Pair, AClosingThatNobodyFollowsUpEndsAfterThirtySeconds) {
  const std::uint32_t id = open();
  exchange();
  a.close(id, {});
  // The answer is lost.
  const OctetBuffer close = write(out_a.sent.front());
  out_a.sent.clear();
  b.receive({1, kA, false}, *decode(close), resolve(decode(close)->header, {}), now);
  out_b.sent.clear();
  advance(29s);
  EXPECT_TRUE(out_b.sent.empty());
  advance(1s);
  ASSERT_EQ(out_b.sent.size(), 1u);
  EXPECT_TRUE(out_b.sent.front().is(session_abend));
  EXPECT_TRUE(b.all().empty());
}

TEST_F(Pair, AnInstructionBringsTheSessionBack) {
  const std::uint32_t id = open();
  exchange();
  a.close(id, {});
  out_a.sent.clear();
  Session& session = *b.find(b.all().begin()->first);
  session.phase = SessionPhase::agreed;
  session.due = now + 30s;
  const OctetBuffer octets = write(draft_of(Opcode::nop));
  b.taken(session, *decode(octets));
  advance(60s);
  EXPECT_TRUE(out_b.sent.empty());
  EXPECT_EQ(b.all().size(), 1u);
}

TEST_F(Pair, TheHandshakeHasEightStepsAtMost) {
  // One side insists on what the other does not give.
  SessionOptions little;
  little.profile = bit_of(ProfileFlag::in_session);
  FakeOutbox out;
  Sessions poor(little, out);
  poor.ask(admit_all);
  open({.insists = 7});
  Draft first = std::move(out_a.sent.front());
  out_a.sent.clear();
  const OctetBuffer octets = write(first);
  poor.receive({1, kA, false}, *decode(octets), resolve(decode(octets)->header, {}), now);
  ASSERT_EQ(out.sent.size(), 1u);
  EXPECT_TRUE(out.sent.front().is(session_open));
  for (unsigned opens = 2; opens < 7; ++opens) {
    Draft next = (opens % 2 == 0 ? out : out_a).sent.front();
    (opens % 2 == 0 ? out : out_a).sent.clear();
    const OctetBuffer more = write(next);
    (opens % 2 == 0 ? a : poor)
        .receive({1, opens % 2 == 0 ? kB : kA, false}, *decode(more), resolve(decode(more)->header, {}), now);
  }
  ASSERT_EQ(out_a.sent.size() + out.sent.size(), 1u);
  const OctetBuffer seventh = write(out_a.sent.front());
  out_a.sent.clear();
  EXPECT_TRUE(decode(seventh)->opcode() == static_cast<std::uint8_t>(session_open));
  poor.receive({1, kA, false}, *decode(seventh), resolve(decode(seventh)->header, {}), now);
  ASSERT_EQ(out.sent.size(), 1u);
  EXPECT_TRUE(out.sent.front().is(session_reject));
}

// A refusal of a SESSION_OPEN names its identifier, even if the sender had no identifier before.
TEST_F(Pair, ARefusalNamesTheSessionThatItRefuses) {
  const std::uint32_t id = open();
  out_a.sent.clear();
  const OctetBuffer octets = write([] {
    Draft draft = draft_of(session_open);
    draft.req_id = 9;
    return draft;
  }());
  a.refuse_open(*a.find(id), *decode(octets), {5, 0});
  ASSERT_EQ(out_a.sent.size(), 1u);
  EXPECT_TRUE(out_a.sent.front().is(session_reject));
  EXPECT_EQ(out_a.sent.front().session_id, 9u);
  EXPECT_TRUE(a.all().empty());
}

TEST_F(Pair, TheZeroSessionIsAcceptedOrAnsweredByWhatThereIs) {
  for (const bool provided : {true, false}) {
    SessionOpen ask{.required_vm = {50000, 1},
                    .required_profile = provided ? bit_of(ProfileFlag::reading) : bit_of(ProfileFlag::border),
                    .sender_vm = {50000, 1},
                    .gjid = gjid,
                    .ltid = {1, 4}};
    Draft draft = ask.draft();
    draft.req_id = 0;
    const OctetBuffer octets = write(draft);
    b.receive({1, kA, false}, *decode(octets), resolve(decode(octets)->header, {}), now);
    ASSERT_EQ(out_b.sent.size(), 1u);
    EXPECT_TRUE(out_b.sent.front().is(provided ? session_accept : session_open));
    EXPECT_EQ(out_b.sent.front().session_id, 0u);
    out_b.sent.clear();
    EXPECT_TRUE(b.all().empty());
  }
}

}  // namespace
}  // namespace wirelaw::umsp
