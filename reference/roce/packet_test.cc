// SPDX-License-Identifier: Apache-2.0
#include "reference/roce/packet.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"
#include "reference/roce/cm.h"
#include "reference/roce/icrc.h"

namespace wirelaw::roce {
namespace {

OctetBuffer octets(std::string_view digits) {
  OctetBuffer out;
  int high = -1;
  for (const char c : digits) {
    if (c == ' ') continue;
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = value;
    } else {
      out.push_back(static_cast<Octet>(high << 4 | value));
      high = -1;
    }
  }
  return out;
}

TEST(Packet, HasTheFieldsOfItsBaseHeader) {
  const OctetBuffer send = octets("04 f1 ffff c0000012 ff000102 6162 0000 11223344");
  const auto packet = decode(send);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->row->name, "RC Send Only");
  EXPECT_TRUE(packet->bth.solicited);
  EXPECT_TRUE(packet->bth.migrated);
  EXPECT_EQ(packet->bth.pad, 3);
  EXPECT_EQ(packet->bth.version, 1);
  EXPECT_EQ(packet->bth.congestion, 0xc0);
  EXPECT_EQ(packet->bth.destination_qp, 0x12u);
  EXPECT_TRUE(packet->bth.ack_request);
  EXPECT_EQ(packet->bth.reserved, 0x7f);
  EXPECT_EQ(packet->bth.psn, 0x102u);
  EXPECT_EQ(to_hex(packet->payload), "61");
  EXPECT_EQ(to_hex(packet->padding), "620000");
  EXPECT_EQ(packet->icrc, 0x44332211u) << "the least significant octet is first";
}

TEST(Packet, HasTheExtensionHeadersOfItsOpcode) {
  const OctetBuffer write = octets("0b 40 ffff 00000001 00000002 0102030405060708 0a0b0c0d 00000005 deadbeef aabbccdd");
  const auto packet = decode(write);
  ASSERT_TRUE(packet && packet->reth && packet->immediate);
  EXPECT_EQ(packet->reth->address, 0x0102030405060708u);
  EXPECT_EQ(packet->reth->key, 0x0a0b0c0du);
  EXPECT_EQ(packet->reth->length, 5u);
  EXPECT_EQ(packet->immediate, 0xdeadbeefu);
  EXPECT_TRUE(packet->payload.empty());
}

// Every opcode, with every extension header and padding.
TEST(Packet, OfAnyOpcodeIsEncodedAsItWasDecoded) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    OctetBuffer one(60);
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = static_cast<Octet>(i * 37 + opcode);
    one[0] = static_cast<Octet>(opcode);
    const auto packet = decode(one);
    ASSERT_TRUE(packet) << opcode;
    OctetBuffer again;
    encode(*packet, again);
    EXPECT_EQ(to_hex(again), to_hex(one)) << opcode;
  }
}

TEST(Packet, IsRefusedWhereAHeaderIsNotWhole) {
  const OctetBuffer read = octets("0c 40 ffff 00000001 00000002 0102030405060708 0a0b0c0d 00000005 11223344");
  for (std::size_t length = 0; length < read.size(); ++length)
    EXPECT_FALSE(decode(Octets(read).first(length))) << length;
  EXPECT_TRUE(decode(read));
}

TEST(Packet, ThatTheCaptureCutHasWhatIsThere) {
  const OctetBuffer send = octets("04 40 ffff 00000012 00000102 6162");
  const auto packet = decode(send, send.size() + 10);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->payload.size(), 2u);
  EXPECT_EQ(packet->payload_length, 8u);
  EXPECT_TRUE(packet->is_cut());
  EXPECT_FALSE(packet->icrc);
}

TEST(Psn, GoesRound) {
  EXPECT_EQ(psn_distance(0, 0xffffff), 1);
  EXPECT_EQ(psn_distance(0xffffff, 0), -1);
  EXPECT_EQ(psn_distance(0x800000, 0), -0x800000);
  EXPECT_EQ(psn_after(0xfffffe, 3), 1u);
}

TEST(Icrc, CoversHeadersAndPacketButWhatRoutersChange) {
  OctetBuffer headers = octets("45000030 1a2b4000 40110000 c0000201 c0000202 c00012b7 001c0000");
  const OctetBuffer packet = octets("11 40 ffff 00000011 00000007 00 000001");
  const auto crc = icrc_of(headers, packet);
  ASSERT_TRUE(crc);
  headers[1] = 0x03;   // ECN
  headers[8] = 0x3f;   // time to live
  headers[10] = 0x55;  // the checksum
  headers[27] = 0x99;  // UDP checksum
  OctetBuffer marked = packet;
  marked[4] = 0x80;  // FECN
  EXPECT_EQ(icrc_of(headers, marked), crc);
  marked[11] ^= 1;
  EXPECT_NE(icrc_of(headers, marked), crc);
  headers[15] ^= 1;
  EXPECT_NE(icrc_of(headers, packet), crc);
}

// A congestion notification from a network adapter (ConnectX-4 Lx).
TEST(Icrc, IsThatOfRealHardware) {
  const OctetBuffer headers = octets("45c2003c 718c4000 40119161 0a001101 0a001201 000012b7 00280000");
  const OctetBuffer cnp = octets("8100ffff 40000118 00000000 00000000 00000000 00000000 00000000 82fd002a");
  const auto packet = decode(cnp);
  ASSERT_TRUE(packet && packet->is(Kind::congestion));
  EXPECT_EQ(icrc_of(headers, Octets(cnp).first(cnp.size() - kIcrcOctets)), packet->icrc);
}

TEST(Icrc, IsNotKnownOfHeadersThatItMayNotCover) {
  const OctetBuffer packet(16);
  EXPECT_FALSE(icrc_of({}, packet));
  EXPECT_FALSE(icrc_of(OctetBuffer(28), packet)) << "no version";
  EXPECT_FALSE(icrc_of(OctetBuffer(32, 0x46), packet)) << "options";
}

TEST(Cm, MessageOfAnyTypeIsDecodedAsItWasEncoded) {
  const OctetBuffer data = octets("0102030405");
  for (const CmType type : {CmType::request, CmType::receipt, CmType::rejection, CmType::reply, CmType::ready,
                            CmType::disconnection, CmType::disconnected}) {
    SCOPED_TRACE(name_of(type));
    const CmMessage message{.type = type,
                            .transaction = 7,
                            .local_id = 0x01020304,
                            .remote_id = 0x05060708,
                            .qpn = 0xabcdef,
                            .starting_psn = 0xfedcba,
                            .service_id = service_of(445),
                            .path_mtu = 3,
                            .reason = 28,
                            .private_data = data};
    OctetBuffer mad;
    encode(message, mad);
    ASSERT_EQ(mad.size(), kMadOctets);
    const auto again = decode_cm(mad);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->type, type);
    EXPECT_EQ(again->transaction, 7u);
    EXPECT_EQ(again->local_id, 0x01020304u);
    EXPECT_EQ(to_hex(again->private_data.first(data.size())), to_hex(data));
    if (type == CmType::request) {
      EXPECT_EQ(again->service_port(), 445);
      EXPECT_EQ(octets_of_mtu(again->path_mtu), 1024u);
    } else {
      EXPECT_EQ(again->remote_id, 0x05060708u);
    }
    if (type == CmType::request || type == CmType::reply) {
      EXPECT_EQ(again->qpn, 0xabcdefu);
      EXPECT_EQ(again->starting_psn, 0xfedcbau);
    }
    EXPECT_EQ(again->reason, type == CmType::rejection ? 28 : 0);
    EXPECT_FALSE(decode_cm(Octets(mad).first(kMadOctets - 1)));
  }
}

TEST(Cm, OfAServiceThatIsNoPortHasNone) {
  EXPECT_FALSE((CmMessage{.service_id = 0x1000000000001bd}).service_port());
  EXPECT_EQ((CmMessage{.service_id = service_of(5445)}).service_port(), 5445);
}

}  // namespace
}  // namespace wirelaw::roce
