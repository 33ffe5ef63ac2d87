// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/observer.h"

#include <gmock/gmock.h>

#include "conformance/association.h"
#include "conformance/umsp/tracker/connection.h"
#include "conformance/umsp/umsp.h"
#include "reference/umsp/address.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/management.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {
namespace {

OctetBuffer session_open(std::uint32_t id, std::uint32_t task) {
  constexpr Octet kNode[] = {192, 0, 2, 2};
  OctetBuffer operands(18, 0);
  encode(*make_identifier(kIpv4Memory32, kNode, task), operands);
  operands.resize(operands.size() + 4);
  Instruction open = make_instruction(static_cast<std::uint8_t>(Opcode::session_open), operands);
  open.header.ask = true;
  open.header.req_id = id;
  return encode(open);
}

// A peer that opens sessions and never continues them cannot make the observer exceed its memory limit.
TEST(UmspObserver, KeepsToItsMemory) {
  // In octets. Between two checks, the memory may exceed its limit by kSlack.
  constexpr std::size_t kMost = std::size_t{64} << 10, kSlack = std::size_t{512} << 10;
  const auto observer = make_observer({.octets = kMost});
  Judge judge(kProtocol.catalogue());
  std::uint64_t offset = 0;
  for (std::uint32_t id = 1; id <= 4000; ++id) {
    const OctetBuffer octets = session_open(id, id);
    observer->observe(StreamPiece{.octets = octets, .offset = offset, .frame = id, .time_ns = id}, judge);
    offset += octets.size();
    ASSERT_LE(observer->memory(), kMost + kSlack) << id;
  }
  EXPECT_FALSE(observer->partial().empty());
}

// Tracks many more sessions of one job than two nodes can have at once, and even more of all jobs.
TEST(UmspObserver, LooksAfterAFewSessionsOfOneJob) {
  const auto partial_after = [](bool of_one_job) {
    const auto observer = make_observer({});
    Judge judge(kProtocol.catalogue());
    std::uint64_t offset = 0;
    for (std::uint32_t id = 1; id <= 2 * kMostSessionsOfJob; ++id) {
      const OctetBuffer octets = session_open(id, of_one_job ? 1 : id);
      observer->observe(StreamPiece{.octets = octets, .offset = offset, .frame = id}, judge);
      offset += octets.size();
    }
    return observer->partial();
  };
  EXPECT_FALSE(partial_after(true).empty());
  EXPECT_TRUE(partial_after(false).empty());
}

// The findings about the sender of an answer, after a request with an unassigned OPCODE outside sessions.
std::vector<std::string> findings_of_answer(Octet code, Opcode answer, OctetBuffer operands) {
  Judge judge(kProtocol.catalogue());
  judge.enter_flow("flow", "a", "b", {.a = false, .b = true});
  const auto observer = make_observer({});
  OctetBuffer none;
  Instruction request = make_instruction(code, none), response = make_instruction(static_cast<Octet>(answer), operands);
  for (Instruction* const one : {&request, &response}) {
    one->header.ask = true;
    one->header.pck = Pck::own_session;
    one->header.session_id = kZeroSession;
    one->header.req_id = 7;
  }
  const OctetBuffer asked = encode(request), answered = encode(response);
  observer->observe(StreamPiece{.sender = Side::a, .octets = asked, .frame = 1}, judge);
  observer->observe(StreamPiece{.sender = Side::b, .octets = answered, .frame = 2}, judge);
  observer->finish(judge);
  std::vector<std::string> all;
  for (const Finding& one : judge.findings())
    all.push_back(fmt::format("{} {}", one.rule->id, one.severity == Severity::warning ? "warning" : "violation"));
  return all;
}

TEST(UnassignedOpcode, WaitsForANegativeRspOfTheProtocolLayer) {
  for (const Octet code : {Octet{157}, Octet{223}}) {
    EXPECT_THAT(findings_of_answer(code, Opcode::rsp, {0, 1, 0, 0}), testing::IsEmpty());
    EXPECT_THAT(findings_of_answer(code, Opcode::rsp, {}), testing::ElementsAre("UMSP-4.1-20 warning"));
    EXPECT_THAT(findings_of_answer(code, Opcode::data, {1, 2, 3, 4}), testing::ElementsAre("UMSP-4.1-20 warning"));
  }
}

// Nothing defines the answer to an unassigned management OPCODE or a reserved one, so any answer is accepted.
TEST(UnassignedOpcode, OfOthersMayBeAnswered) {
  EXPECT_THAT(findings_of_answer(27, Opcode::rsp_p, {0, 1, 0, 0}), testing::IsEmpty());
  EXPECT_THAT(findings_of_answer(224, Opcode::rsp, {0, 1, 0, 0}), testing::IsEmpty());
}

// A connection between two nodes, and the findings about both.
class Flow {
 public:
  void join(Associations& all, std::uint16_t port) {
    dynamic_cast<JoiningObserver&>(*observer_)
        .join(all, {Endpoint{wirelaw::Address::ipv4(kA), port}, Endpoint{wirelaw::Address::ipv4(kB), kPort}});
  }
  void say(Side side, Draft draft, std::optional<std::uint32_t> session, std::optional<std::uint32_t> req_id) {
    draft.session_id = session;
    draft.req_id = req_id;
    const OctetBuffer octets = write(draft);
    std::uint64_t& at = sent_[side == Side::a ? 0 : 1];
    judge_.enter_flow("flow", "a", "b", {.a = true, .b = true});
    observer_->observe(StreamPiece{.sender = side, .octets = octets, .offset = at, .frame = ++frames_}, judge_);
    at += octets.size();
  }
  // Leaves this number of octets of a side out of the capture.
  void lose(Side side, std::uint64_t octets) {
    std::uint64_t& at = sent_[side == Side::a ? 0 : 1];
    observer_->observe(
        StreamPiece{.event = StreamEvent::gap, .sender = side, .offset = at, .missing = octets, .frame = ++frames_},
        judge_);
    at += octets;
  }
  // Opens a session of a, which assigns the identifier 5; b assigns 1 and accepts it.
  void open() {
    say(Side::a, open_of(0x1001), std::nullopt, 5);
    say(Side::b, draft_of(Opcode::session_accept), 5, 1);
  }
  static Draft open_of(std::uint64_t task) {
    return SessionOpen{.required_vm = {50000, 1},
                       .required_profile = 0xfbff'17fe,
                       .sender_vm = {50000, 1},
                       .sender_profile = 0xfbff'07fe,
                       .gjid = *make_identifier(kIpv4Memory32, kA, task),
                       .ltid = {7, 4}}
        .draft();
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> all;
    for (const Finding& one : judge_.findings()) all.emplace_back(one.rule->id);
    return all;
  }

 private:
  static constexpr Octet kA[] = {192, 0, 2, 1}, kB[] = {192, 0, 2, 2};
  Judge judge_{kProtocol.catalogue()};
  std::unique_ptr<Observer> observer_ = make_observer({});
  std::array<std::uint64_t, 2> sent_{};
  std::uint64_t frames_ = 0;
};

constexpr MemoryAddress kHere{.value = 0x1000, .octets = 4};

Draft first_of_a_chain(Draft draft) {
  draft.chain = ChainPlace{1, 0};
  draft.extensions = {{HeadCode::begin_sq, {}}, {HeadCode::end_chain, {}}};
  return draft;
}

// RSP_P answers the chain, even if another request has the same REQ_ID. If there is no chain, it answers the VM's
// request.
TEST(Response, IsOfEitherRequestWithItsReqId) {
  for (const bool has_chain : {true, false}) {
    Flow flow;
    flow.open();
    if (has_chain) flow.say(Side::a, first_of_a_chain(write_data(kHere, OctetBuffer(4))), 1, 7);
    flow.say(Side::a, req_data(kHere, 4), 1, 7);
    flow.say(Side::b, draft_of(Opcode::rsp_p), 5, 7);
    EXPECT_EQ(testing::Value(flow.rules(), testing::Contains("UMSP-4.1-1")), !has_chain);
  }
}

// A repeated SESSION_ACCEPT does not start the session again: requests between the two still wait.
TEST(Response, IsOfARequestInFrontOfASecondAccept) {
  for (const bool is_before : {true, false}) {
    Flow flow;
    flow.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
    flow.say(Side::b, Flow::open_of(0x1001), 5, 1);
    flow.say(Side::a, draft_of(Opcode::session_accept), 1, 5);
    if (is_before) flow.say(Side::a, req_data(kHere, 4), 1, 7);
    flow.say(Side::a, draft_of(Opcode::session_accept), 1, 5);
    flow.say(Side::a, write_data(kHere, OctetBuffer(4)), 1, 7);
    flow.say(Side::b, draft_of(Opcode::data, OctetBuffer(4)), 5, 7);
    EXPECT_EQ(testing::Value(flow.rules(), testing::Contains("UMSP-6.1.3-11")), !is_before);
  }
}

// A request may be meant for a session even if it came before its receiver assigned the identifier.
TEST(Response, IsOfARequestThatCameTooEarly) {
  for (const bool is_early : {true, false}) {
    Flow flow;
    flow.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
    if (is_early) flow.say(Side::a, req_data(kHere, 4), 1, 7);
    flow.say(Side::b, draft_of(Opcode::session_accept), 5, 1);
    flow.say(Side::a, write_data(kHere, OctetBuffer(4)), 1, 7);
    flow.say(Side::b, draft_of(Opcode::data, OctetBuffer(4)), 5, 7);
    EXPECT_EQ(testing::Value(flow.rules(), testing::Contains("UMSP-6.1.3-11")), !is_early);
  }
}

// The handshake of the zero-session assigns no identifier that requests could have used.
TEST(Response, IsOfARequestInFrontOfTheTermsOfTheZeroSession) {
  Flow flow;
  flow.say(Side::a, req_data(kHere, 4), 0, 7);
  flow.say(Side::a, Flow::open_of(0x1001), 0, 0);
  flow.say(Side::a, write_data(kHere, OctetBuffer(4)), 0, 7);
  flow.say(Side::b, draft_of(Opcode::data, OctetBuffer(4)), 0, 7);
  EXPECT_THAT(flow.rules(), testing::Not(testing::Contains("UMSP-6.1.3-11")));
}

// A SESSION_OPEN that breaks the handshake, here by its GJID, may still be accepted, but only once.
TEST(Handshake, GoesOnBehindAFaultOfTheOtherSide) {
  Flow flow;
  flow.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
  flow.say(Side::b, Flow::open_of(0x2002), 5, 1);
  flow.say(Side::a, draft_of(Opcode::session_accept), 1, 5);
  EXPECT_THAT(flow.rules(), testing::ElementsAre("UMSP-5.3.1-22"));
  flow.say(Side::a, draft_of(Opcode::session_accept), 1, 5);
  EXPECT_THAT(flow.rules(), testing::ElementsAre("UMSP-5.3.1-22", "UMSP-5.3.2-2"));
}

// Two acceptances for the identifier of one SESSION_OPEN are a fault, unless another connection has carried a
// SESSION_OPEN that was not answered there.
TEST(Handshake, MayBeThatOfAnotherConnection) {
  for (const bool has_other : {true, false}) {
    Associations all;
    Flow other, flow;
    other.join(all, 1001);
    flow.join(all, 1002);
    if (has_other) other.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
    flow.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
    for (const std::uint32_t id : {1u, 2u}) flow.say(Side::b, draft_of(Opcode::session_accept), 5, id);
    EXPECT_EQ(testing::Value(flow.rules(), testing::Contains("UMSP-5.3.2-2")), !has_other);
  }
}

// A SESSION_OPEN for an open session may be a late part of its handshake if a part of a connection is missing, or a
// fault that the receiver ignores. So the profile of its sender is not known.
TEST(Handshake, ThatIsNotJudgedLeavesTheTermsUnknown) {
  constexpr std::uint32_t kNoShortHeaders = 0xfaff'07fe;
  for (const bool is_broken : {true, false}) {
    Associations all;
    Flow other, flow;
    other.join(all, 1001);
    flow.join(all, 1002);
    other.say(Side::a, VmReq{}.draft(), std::nullopt, 1);
    if (is_broken) other.lose(Side::a, 8);
    flow.open();
    auto again = *SessionOpen::read(*decode(write(Flow::open_of(0x1001))));
    again.sender_profile = kNoShortHeaders;
    flow.say(Side::a, again.draft(), 1, 5);
    flow.say(Side::b, draft_of(Opcode::nop), 5, std::nullopt);
    EXPECT_THAT(flow.rules(), is_broken ? testing::Matcher<std::vector<std::string>>(testing::IsEmpty())
                                        : testing::ElementsAre("UMSP-5.3.1-2"));
  }
}

// A side uses one identifier for two sessions on two connections. If one connection carries instructions of both, it is
// not known which profile applies.
TEST(Session, ThatSharesItsIdentifierOnAnotherConnectionIsNotJudged) {
  constexpr std::uint32_t kNoWriting = 0xfbff'0780;
  for (const bool is_shared : {true, false}) {
    Associations all;
    Flow other, flow;
    other.join(all, 1001);
    flow.join(all, 1002);
    const auto answer = [](std::uint32_t profile) {
      auto open = *SessionOpen::read(*decode(write(Flow::open_of(0x1001))));
      open.sender_profile = profile;
      return open.draft();
    };
    other.say(Side::a, Flow::open_of(0x1001), std::nullopt, 5);
    other.say(Side::b, answer(0xfbff'07fe), 5, 1);
    other.say(Side::a, draft_of(Opcode::session_accept), 1, 5);
    flow.say(Side::a, Flow::open_of(0x1001), std::nullopt, 6);
    flow.say(Side::b, answer(kNoWriting), 6, 1);
    flow.say(Side::a, draft_of(Opcode::session_accept), 1, 6);
    if (is_shared) flow.say(Side::b, draft_of(Opcode::nop), 5, std::nullopt);
    flow.say(Side::a, write_data(kHere, OctetBuffer(4)), 1, 7);
    EXPECT_EQ(testing::Value(flow.rules(), testing::Contains("UMSP-5.3.4-28")), !is_shared);
  }
}

}  // namespace
}  // namespace wirelaw::umsp
