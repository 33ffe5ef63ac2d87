// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/observer.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wirelaw::umsp
