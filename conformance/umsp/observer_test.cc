// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/observer.h"

#include <gmock/gmock.h>

#include "conformance/umsp/umsp.h"
#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {
namespace {

OctetBuffer session_open(std::uint32_t id) {
  constexpr Octet kNode[] = {192, 0, 2, 2};
  OctetBuffer operands(18, 0);
  encode(*make_identifier(kIpv4Memory32, kNode, id), operands);
  operands.resize(operands.size() + 4);
  Instruction open = make_instruction(static_cast<std::uint8_t>(Opcode::session_open), operands);
  open.header.ask = true;
  open.header.req_id = id;
  return encode(open);
}

// A peer that opens sessions and never goes on with them takes no more memory than the observer may have.
TEST(UmspObserver, KeepsToItsMemory) {
  constexpr std::size_t kMost = std::size_t{64} << 10, kSlack = std::size_t{512} << 10;  // between two looks
  const auto observer = make_observer({.octets = kMost});
  Judge judge(kProtocol.catalogue());
  std::uint64_t offset = 0;
  for (std::uint32_t id = 1; id <= 4000; ++id) {
    const OctetBuffer octets = session_open(id);
    observer->observe(StreamPiece{.octets = octets, .offset = offset, .frame = id, .time_ns = id}, judge);
    offset += octets.size();
    ASSERT_LE(observer->memory(), kMost + kSlack) << id;
  }
  EXPECT_FALSE(observer->partial().empty());
}

// A request with an OPCODE that is not assigned, of no session, and what answers it: the findings about who answers.
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

// Of management, and reserved: nobody says what answers it, and what does answers a request.
TEST(UnassignedOpcode, OfOthersMayBeAnswered) {
  EXPECT_THAT(findings_of_answer(27, Opcode::rsp_p, {0, 1, 0, 0}), testing::IsEmpty());
  EXPECT_THAT(findings_of_answer(224, Opcode::rsp, {0, 1, 0, 0}), testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::umsp
