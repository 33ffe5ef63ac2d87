// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/address.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/octets/hex.h"

namespace wirelaw::umsp {
namespace {

Address address(const char* hex) {
  return *decode_address(*from_hex(hex));
}

// The three figures of 3.4.
TEST(Address, DividesTheFormatsOfIpv4AsDrawn) {
  const Address memory16 = address("40 000000000000000000 0a000001 1234");
  EXPECT_EQ(memory16.format(), kIpv4Memory16);
  EXPECT_EQ(memory16.free().size(), 9u);
  EXPECT_EQ(to_hex(memory16.node()), "0a000001");
  EXPECT_EQ(memory16.memory(), 0x1234u);
  EXPECT_EQ(to_string(memory16), "N 4-0-0 10.0.0.1 memory 0x1234");
  EXPECT_EQ(to_string(address("41 0000000000000000 0a000001 123456")), "N 4-0-1 10.0.0.1 memory 0x123456");
  EXPECT_EQ(to_string(address("42 00000000000000 0a000001 12345678")), "N 4-0-2 10.0.0.1 memory 0x12345678");
}

TEST(Address, ShowsOtherNetworksAndWhatIsInFree) {
  EXPECT_EQ(to_string(address("27 0000000000 0102 1122334455667788")), "N 2-1-3 0x0102 memory 0x1122334455667788");
  const Address used = address("40 000000000000000007 0a000001 1234");
  EXPECT_TRUE(used.uses_free());
  EXPECT_EQ(to_string(used), "N 4-0-0 10.0.0.1 memory 0x1234 free 0x000000000000000007");
}

TEST(Address, KeepsOctetsWhoseFormatIsImpossible) {
  const Address no_node = address("00 0102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(flaw_of(no_node.format()), FormatFlaw::no_node);
  EXPECT_TRUE(no_node.free().empty());
  EXPECT_TRUE(no_node.node().empty());
  EXPECT_EQ(no_node.memory(), 0u);
  EXPECT_EQ(to_string(no_node), "N 0-0-0 (ADDR_LENGTH is 0) 000102030405060708090a0b0c0d0e0f");
  const Address too_long = address("e0 0102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(flaw_of(too_long.format()), FormatFlaw::too_long);
  EXPECT_FALSE(decode_address(OctetBuffer(15)));
}

// 1 + ADDR_LENGTH + MEM_ADDR is at most sixteen: 13, 12, 11 and 7 octets of NODE_ADDR.
TEST(Address, HasAFlawExactlyWhereTheHeaderLeavesNoRoom) {
  constexpr unsigned kMostNode[] = {13, 12, 11, 7};
  for (unsigned header = 0; header < 256; ++header) {
    const AddressFormat format = decode_format(static_cast<Octet>(header));
    EXPECT_EQ(encode(format), header);
    const unsigned length = header >> 4;
    const bool possible = length >= 1 && length <= kMostNode[header & 3];
    EXPECT_EQ(!flaw_of(format), possible) << header;
    EXPECT_EQ(is_assigned(format), header == 0x40 || header == 0x41 || header == 0x42) << header;
    if (possible) {
      EXPECT_EQ(format.octets() + format.free_octets(), kAddressOctets) << header;
    }
  }
}

TEST(Address, IsMadeOfItsPartsAndDividedAgain) {
  std::mt19937 random(1);
  for (unsigned header = 0; header < 256; ++header) {
    const AddressFormat format = decode_format(static_cast<Octet>(header));
    if (flaw_of(format)) continue;
    OctetBuffer octets(kAddressOctets);
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    octets[0] = static_cast<Octet>(header);
    const Address taken = *decode_address(octets);
    const auto made = make_address(format, taken.node(), taken.memory(), taken.free());
    ASSERT_TRUE(made) << header;
    EXPECT_EQ(*made, taken) << header;
  }
}

TEST(Address, IsNotMadeOfPartsThatDoNotFit) {
  constexpr Octet kNode[] = {10, 0, 0, 1}, kFree[10] = {};
  EXPECT_EQ(make_address({0, 0, 0}, {}, 0).error(), PartsFlaw::format);
  EXPECT_EQ(make_address(kIpv4Memory16, Octets(kNode).first(3), 0).error(), PartsFlaw::node);
  EXPECT_EQ(make_address(kIpv4Memory16, kNode, 0x1'0000).error(), PartsFlaw::memory);
  EXPECT_EQ(make_address(kIpv4Memory24, kNode, 0x100'0000).error(), PartsFlaw::memory);
  EXPECT_EQ(make_address(kIpv4Memory16, kNode, 0, kFree).error(), PartsFlaw::free);
  EXPECT_TRUE(make_address(kIpv4Memory16, kNode, 0xffff, Octets(kFree).first(9)));
}

// 5: like an address, without FREE.
TEST(Identifier, LeavesFreeOut) {
  const auto identifier = decode_identifier(*from_hex("40 0a000001 0007 ff"));
  ASSERT_TRUE(identifier);
  EXPECT_EQ(identifier->octets(), 7u);
  EXPECT_EQ(identifier->task, 7u);
  EXPECT_EQ(to_hex(identifier->node()), "0a000001");
  EXPECT_EQ(to_string(*identifier), "N 4-0-0 10.0.0.1 task 0x0007");
  EXPECT_EQ(to_hex(encode(*identifier)), "400a0000010007");
  EXPECT_EQ(to_string(address_of(*identifier)), "N 4-0-0 10.0.0.1 memory 0x0007");
  EXPECT_EQ(identifier_of(address_of(*identifier)), *identifier);
}

TEST(Identifier, HasFourToSixteenOctetsAndEndsNowhereElse) {
  for (unsigned header = 0; header < 256; ++header) {
    OctetBuffer octets(kAddressOctets + 1, Octet{0x5a});
    octets[0] = static_cast<Octet>(header);
    const auto identifier = decode_identifier(octets);
    ASSERT_EQ(identifier.has_value(), !flaw_of(decode_format(octets[0]))) << header;
    if (!identifier) continue;
    EXPECT_GE(identifier->octets(), kLeastIdentifier);
    EXPECT_LE(identifier->octets(), kAddressOctets);
    octets.resize(identifier->octets());
    EXPECT_EQ(encode(*identifier), octets);
    octets.pop_back();
    const auto cut = decode_identifier(octets);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().problem, IdentifierError::Problem::truncated);
    EXPECT_EQ(cut.error().needed, octets.size() + 1);
  }
}

TEST(Identifier, SaysWhatIsWrong) {
  EXPECT_EQ(explain(decode_identifier(*from_hex("00 000000")).error()), "ADDR_LENGTH is 0");
  EXPECT_EQ(explain(decode_identifier(*from_hex("f3 000000")).error()),
            "NODE_ADDR and MEM_ADDR do not fit into 16 octets");
  EXPECT_EQ(explain(decode_identifier(*from_hex("42 000000")).error()),
            "the identifier has 9 octets by its header, 4 are there");
  EXPECT_EQ(decode_identifier({}).error().needed, 1u);
}

}  // namespace
}  // namespace wirelaw::umsp
