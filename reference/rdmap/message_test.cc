// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/message.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"

namespace wirelaw::rdmap {
namespace {

TEST(Control, KeepsEveryBit) {
  EXPECT_EQ(decode_control(0x43), (Control{.version = 1, .reserved = 0, .opcode = 3}));
  EXPECT_EQ(decode_control(0xb7), (Control{.version = 2, .reserved = 3, .opcode = 7}));
  EXPECT_EQ(encode_control(control_of(Opcode::read_response)), 0x42);
  for (unsigned value = 0; value < 256; ++value)
    EXPECT_EQ(encode_control(decode_control(static_cast<std::uint8_t>(value))), value);
}

TEST(Opcodes, StandAtTheirNumbers) {
  for (std::uint8_t opcode = 0; opcode < 12; ++opcode) {
    ASSERT_NE(find_opcode(opcode), nullptr);
    EXPECT_EQ(static_cast<std::uint8_t>(find_opcode(opcode)->opcode), opcode);
    EXPECT_EQ(find_opcode(opcode)->extension, opcode >= 8) << "RFC 7306";
  }
  for (std::uint8_t opcode = 12; opcode < 16; ++opcode) EXPECT_EQ(find_opcode(opcode), nullptr);
  EXPECT_EQ(opcodes().size(), 12u);
}

// RFC 5040, figure 4, and RFC 7306, figure 2.
TEST(Opcodes, GoToTheQueuesOfTheSpecification) {
  const auto queue = [](Opcode opcode) { return find_opcode(static_cast<std::uint8_t>(opcode))->queue; };
  for (const OpcodeRow& row : opcodes())
    EXPECT_EQ(row.tagged, row.opcode == Opcode::write || row.opcode == Opcode::read_response);
  for (const Opcode opcode : {Opcode::send, Opcode::send_invalidate, Opcode::send_se, Opcode::send_se_invalidate,
                              Opcode::immediate_data, Opcode::immediate_data_se})
    EXPECT_EQ(queue(opcode), 0u);
  EXPECT_EQ(queue(Opcode::read_request), 1u);
  EXPECT_EQ(queue(Opcode::atomic_request), 1u);
  EXPECT_EQ(queue(Opcode::terminate), 2u);
  EXPECT_EQ(queue(Opcode::atomic_response), 3u);
}

TEST(Opcodes, SayWhatFollowsTheDdpHeader) {
  for (const OpcodeRow& row : opcodes()) {
    EXPECT_NE(row.ulp_payload, row.header_octets > 0) << row.name << ": a header or payload, never both";
    EXPECT_EQ(row.invalidate_stag, row.name.ends_with("Invalidate")) << row.name;
  }
}

TEST(ReadRequest, Is28BigEndianOctets) {
  const ReadRequest request{.sink_stag = 0x01020304,
                            .sink_to = 0x05060708090a0b0c,
                            .size = 0x0d0e0f10,
                            .source_stag = 0x11121314,
                            .source_to = 0x15161718191a1b1c};
  OctetBuffer out;
  encode(request, out);
  EXPECT_EQ(to_hex(out),
            "01020304"
            "05060708090a0b0c"
            "0d0e0f10"
            "11121314"
            "15161718191a1b1c");
  EXPECT_EQ(decode_read_request(out), request);
  out.pop_back();
  EXPECT_EQ(decode_read_request(out), std::nullopt);
}

// RFC 7306, figure 4: each mask follows its data, and the compare pair is last.
TEST(AtomicRequest, Is52BigEndianOctetsInTheOrderOfTheFigure) {
  const AtomicRequest request{.reserved_and_opcode = kCmpSwap,
                              .request_identifier = 0x05060708,
                              .stag = 0x090a0b0c,
                              .to = 0x0d0e0f1011121314,
                              .data = 0x15161718191a1b1c,
                              .data_mask = 0x1d1e1f2021222324,
                              .compare = 0x25262728292a2b2c,
                              .compare_mask = 0x2d2e2f3031323334};
  OctetBuffer out;
  encode(request, out);
  EXPECT_EQ(out.size(), layout::kAtomicRequest);
  EXPECT_EQ(to_hex(out),
            "00000002"
            "05060708"
            "090a0b0c"
            "0d0e0f1011121314"
            "15161718191a1b1c"
            "1d1e1f2021222324"
            "25262728292a2b2c"
            "2d2e2f3031323334");
  EXPECT_EQ(decode_atomic_request(out), request);
  out.pop_back();
  EXPECT_EQ(decode_atomic_request(out), std::nullopt);
}

TEST(AtomicRequest, HasTheOpcodesOfTheRegistryInTheLowFourBits) {
  EXPECT_EQ(kFetchAdd, 0);
  EXPECT_EQ(kCmpSwap, 2);
  EXPECT_EQ(atomic_opcode({.reserved_and_opcode = 0xfffffff2}), kCmpSwap);
}

TEST(AtomicResponse, IsTwelveBigEndianOctets) {
  const AtomicResponse response{.request_identifier = 0x01020304, .original_value = 0x05060708090a0b0c};
  OctetBuffer out;
  encode(response, out);
  EXPECT_EQ(to_hex(out),
            "01020304"
            "05060708090a0b0c");
  EXPECT_EQ(decode_atomic_response(out), response);
  out.pop_back();
  EXPECT_EQ(decode_atomic_response(out), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::rdmap
