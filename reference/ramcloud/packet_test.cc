// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/packet.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"

namespace wirelaw::ramcloud {
namespace {

// Frame 7 of the capture ramcloud-cpp2016-loss-light-clientside, without its payload.
constexpr auto kRequestAckFragment = "8d38a28f07c38d0d 00000000 07000000 03000000 0400 1e00 00 02";

TEST(Packet, DecodesEveryHeaderField) {
  const OctetBuffer octets = *from_hex("0102030405060708 09000000 0a000080 0b000000 0c00 0d01 0e 1f aabb");
  const auto packet = decode(octets);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->header.session_token, 0x0807060504030201u);
  EXPECT_EQ(packet->header.rpc_id, 9u);
  EXPECT_EQ(packet->header.client_session_hint, 0x8000000au);
  EXPECT_EQ(packet->header.server_session_hint, 0xbu);
  EXPECT_EQ(packet->header.frag_number, 0xcu);
  EXPECT_EQ(packet->header.total_frags, 0x10du);
  EXPECT_EQ(packet->header.channel_id, 0xeu);
  EXPECT_EQ(packet->header.payload_type, PayloadType::ack);
  EXPECT_EQ(packet->header.flags,
            (Flags{.direction = true, .request_ack = true, .please_drop = true, .reserved1 = true}));
  EXPECT_EQ(to_hex(packet->payload), "aabb");
}

TEST(Packet, EncodesWhatItDecoded) {
  const OctetBuffer octets = *from_hex(kRequestAckFragment);
  const auto packet = decode(octets);
  ASSERT_TRUE(packet);
  EXPECT_EQ(encode(packet->header, packet->payload), octets);
}

TEST(Packet, KeepsReservedPayloadTypesAndFlags) {
  OctetBuffer octets = *from_hex(kRequestAckFragment);
  for (unsigned value = 0; value < 256; ++value) {
    octets[layout::kFlags] = static_cast<Octet>(value);
    const auto packet = decode(octets);
    ASSERT_TRUE(packet);
    EXPECT_EQ(static_cast<unsigned>(packet->header.payload_type), value >> 4);
    EXPECT_EQ(encode(packet->header, packet->payload), octets);
  }
}

TEST(Packet, RefusesEveryLengthShorterThanTheHeader) {
  const OctetBuffer octets = *from_hex(kRequestAckFragment);
  for (std::size_t length = 0; length < layout::kHeader; ++length) {
    const auto packet = decode(Octets(octets).first(length));
    ASSERT_FALSE(packet);
    EXPECT_EQ(packet.error().offset, length);
    EXPECT_EQ(packet.error().needed, 26u);
  }
}

TEST(Ack, IsSixPackedLittleEndianOctets) {
  EXPECT_EQ(to_hex(encode_ack({.first_missing_frag = 0x0102, .staging_vector = 0x03040506})), "020106050403");
  EXPECT_EQ(decode_ack(*from_hex("020106050403")), (Ack{0x0102, 0x03040506}));
}

TEST(Ack, ShorterThanSixOctetsIsNone) {
  EXPECT_EQ(decode_ack(*from_hex("0201060504")), std::nullopt);
  EXPECT_EQ(decode_ack({}), std::nullopt);
}

TEST(OpenResponse, IsItsFirstOctet) {
  EXPECT_EQ(decode_open_response(*from_hex("07")), 7);
  EXPECT_EQ(decode_open_response({}), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::ramcloud
