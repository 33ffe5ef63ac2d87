// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/message.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/octets/hex.h"

namespace wirelaw::smbd {
namespace {

// The messages of [MS-SMBD] 4.1.
constexpr auto kRequest = "0001 0001 0000 0a00 00040000 00040000 00000200";
constexpr auto kResponse = "0001 0001 0001 0000 0a00 0a00 00000000 00001000 00040000 00040000 00000200";

TEST(NegotiateRequest, DecodesTheExampleOfTheSpecification) {
  const auto message = decode_negotiate_request(*from_hex(kRequest));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->min_version, 0x0100);
  EXPECT_EQ(message->max_version, 0x0100);
  EXPECT_EQ(message->reserved, 0);
  EXPECT_EQ(message->credits_requested, 10);
  EXPECT_EQ(message->preferred_send_size, 1024u);
  EXPECT_EQ(message->max_receive_size, 1024u);
  EXPECT_EQ(message->max_fragmented_size, 131'072u);
  EXPECT_TRUE(message->trailing.empty());
}

TEST(NegotiateRequest, PutsEachFieldWhereItBelongs) {
  const OctetBuffer octets = *from_hex("0102 0304 0506 0708 090a0b0c 0d0e0f10 11121314 aabb");
  const auto message = decode_negotiate_request(octets);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->min_version, 0x0201);
  EXPECT_EQ(message->max_version, 0x0403);
  EXPECT_EQ(message->reserved, 0x0605);
  EXPECT_EQ(message->credits_requested, 0x0807);
  EXPECT_EQ(message->preferred_send_size, 0x0c0b0a09u);
  EXPECT_EQ(message->max_receive_size, 0x100f0e0du);
  EXPECT_EQ(message->max_fragmented_size, 0x14131211u);
  EXPECT_EQ(to_hex(message->trailing), "aabb");
  EXPECT_EQ(encode(*message), octets);
}

TEST(NegotiateResponse, DecodesTheExampleOfTheSpecification) {
  const auto message = decode_negotiate_response(*from_hex(kResponse));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->negotiated_version, 0x0100);
  EXPECT_EQ(message->credits_requested, 10);
  EXPECT_EQ(message->credits_granted, 10);
  EXPECT_EQ(message->status, status::kSuccess);
  EXPECT_EQ(message->max_read_write_size, 1'048'576u);
  EXPECT_EQ(message->preferred_send_size, 1024u);
  EXPECT_EQ(message->max_receive_size, 1024u);
  EXPECT_EQ(message->max_fragmented_size, 131'072u);
}

TEST(NegotiateResponse, PutsEachFieldWhereItBelongs) {
  const OctetBuffer octets = *from_hex("0102 0304 0506 0708 090a 0b0c 0d0e0f10 11121314 15161718 191a1b1c 1d1e1f20 aa");
  const auto message = decode_negotiate_response(octets);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->min_version, 0x0201);
  EXPECT_EQ(message->max_version, 0x0403);
  EXPECT_EQ(message->negotiated_version, 0x0605);
  EXPECT_EQ(message->reserved, 0x0807);
  EXPECT_EQ(message->credits_requested, 0x0a09);
  EXPECT_EQ(message->credits_granted, 0x0c0b);
  EXPECT_EQ(message->status, 0x100f0e0du);
  EXPECT_EQ(message->max_read_write_size, 0x14131211u);
  EXPECT_EQ(message->preferred_send_size, 0x18171615u);
  EXPECT_EQ(message->max_receive_size, 0x1c1b1a19u);
  EXPECT_EQ(message->max_fragmented_size, 0x201f1e1du);
  EXPECT_EQ(to_hex(message->trailing), "aa");
  EXPECT_EQ(encode(*message), octets);
}

TEST(DataTransfer, DividesWhatIsBehindItsHeader) {
  const OctetBuffer octets = *from_hex("0a00 0100 0100 0203 04000000 18000000 03000000 00000000 aabbcc dd");
  const auto message = decode_data_transfer(octets);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->credits_requested, 10);
  EXPECT_EQ(message->credits_granted, 1);
  EXPECT_TRUE(message->requests_response());
  EXPECT_EQ(message->reserved, 0x0302);
  EXPECT_EQ(message->remaining_data_length, 4u);
  EXPECT_EQ(message->data_offset, 24u);
  EXPECT_EQ(message->data_length, 3u);
  EXPECT_EQ(to_hex(message->padding), "00000000");
  EXPECT_EQ(to_hex(message->buffer), "aabbcc");
  EXPECT_EQ(to_hex(message->trailing), "dd");
  EXPECT_EQ(message->octets(), octets.size());
  EXPECT_EQ(message->announced(), 7u);
  EXPECT_EQ(encode(*message), octets);
}

TEST(DataTransfer, MayHaveALongPadding) {
  const OctetBuffer octets = *from_hex("0100 0000 0000 0000 00000000 20000000 01000000 000000000000000000000000 ff");
  const auto message = decode_data_transfer(octets);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->padding.size(), 12u);
  EXPECT_EQ(to_hex(message->buffer), "ff");
}

TEST(DataTransfer, IsEmptyWithoutData) {
  const auto message = decode_data_transfer(*from_hex("0100 0a00 0000 0000 00000000 00000000 00000000"));
  ASSERT_TRUE(message);
  EXPECT_TRUE(message->is_empty());
  EXPECT_TRUE(message->padding.empty() && message->buffer.empty() && message->trailing.empty());
}

struct Shape {
  std::uint32_t data_offset, data_length;
  std::size_t padding, buffer, trailing;
};

// DataOffset and DataLength do not fit the message, which has eight octets after its header.
TEST(DataTransfer, KeepsDataOffsetAndDataLengthWhateverTheyAre) {
  for (const Shape& shape :
       {Shape{24, 4, 4, 4, 0}, Shape{24, 5, 4, 4, 0}, Shape{24, 0xffffffff, 4, 4, 0}, Shape{28, 0, 8, 0, 0},
        Shape{28, 1, 8, 0, 0}, Shape{32, 0, 8, 0, 0}, Shape{0xfffffff8, 24, 8, 0, 0},
        Shape{0xffffffff, 0xffffffff, 8, 0, 0}, Shape{8, 16, 0, 4, 4}, Shape{0, 20, 0, 0, 8}, Shape{0, 0, 0, 0, 8},
        Shape{21, 2, 1, 2, 5}}) {
    OctetBuffer octets(28);
    store_little_endian(octets.data() + place(MessageType::data_transfer, Field::data_offset).offset,
                        shape.data_offset);
    store_little_endian(octets.data() + place(MessageType::data_transfer, Field::data_length).offset,
                        shape.data_length);
    const auto message = decode_data_transfer(octets);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->data_offset, shape.data_offset);
    EXPECT_EQ(message->data_length, shape.data_length);
    EXPECT_EQ(message->padding.size(), shape.padding) << shape.data_offset << " " << shape.data_length;
    EXPECT_EQ(message->buffer.size(), shape.buffer) << shape.data_offset << " " << shape.data_length;
    EXPECT_EQ(message->trailing.size(), shape.trailing) << shape.data_offset << " " << shape.data_length;
    EXPECT_EQ(encode(*message), octets);
  }
}

TEST(DataTransfer, DoesNotWrapItsSums) {
  const DataTransfer message{.remaining_data_length = 0xffffffff, .data_offset = 0xffffffe8, .data_length = 24};
  EXPECT_EQ(message.data_end(), 0x100000000u);
  EXPECT_EQ(message.announced(), 0x100000017u);
}

TEST(BufferDescriptorV1, DecodesTheExampleOfTheSpecification) {
  const OctetBuffer octets = *from_hex("12e0cdab00000000 56bc001a 00001000");
  const auto descriptor = decode_buffer_descriptor(octets);
  ASSERT_TRUE(descriptor);
  EXPECT_EQ(*descriptor, (BufferDescriptorV1{.offset = 0xABCDE012, .token = 0x1A00BC56, .length = 0x00100000}));
  EXPECT_EQ(encode(*descriptor), octets);
}

TEST(Message, IsRefusedAtEveryLengthShorterThanItsFixedFields) {
  const OctetBuffer octets(32, 0xff);
  for (std::size_t length = 0; length < octets.size(); ++length) {
    const Octets part = Octets(octets).first(length);
    const auto check = [&](const auto& decoded, MessageType type) {
      const std::size_t needed = describe(type).octets;
      ASSERT_EQ(decoded.has_value(), length >= needed) << describe(type).name << " " << length;
      if (decoded) return;
      EXPECT_EQ(decoded.error().expected, type);
      EXPECT_EQ(decoded.error().offset, length);
      EXPECT_EQ(decoded.error().needed, needed);
    };
    check(decode_negotiate_request(part), MessageType::negotiate_request);
    check(decode_negotiate_response(part), MessageType::negotiate_response);
    check(decode_data_transfer(part), MessageType::data_transfer);
    check(decode_buffer_descriptor(part), MessageType::buffer_descriptor_v1);
  }
}

TEST(Message, EncodesToTheOctetsThatItWasDecodedFrom) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    OctetBuffer octets(32 + random() % 40);
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    // Half of them have a plausible DataOffset and DataLength.
    if (i % 2 == 0) {
      store_little_endian(octets.data() + 12, static_cast<std::uint32_t>(random() % 80));
      store_little_endian(octets.data() + 16, static_cast<std::uint32_t>(random() % 80));
    }
    ASSERT_EQ(encode(*decode_negotiate_request(octets)), octets);
    ASSERT_EQ(encode(*decode_negotiate_response(octets)), octets);
    ASSERT_EQ(encode(*decode_data_transfer(octets)), octets);
    ASSERT_EQ(encode(*decode_buffer_descriptor(octets)), OctetBuffer(octets.begin(), octets.begin() + 16));
  }
}

TEST(Status, IsAnErrorByItsSeverity) {
  EXPECT_FALSE(is_error(status::kSuccess));
  EXPECT_TRUE(is_error(status::kNotSupported));
  EXPECT_TRUE(is_error(status::kInsufficientResources));
  EXPECT_FALSE(is_error(0x80000005)) << "a warning";
  EXPECT_FALSE(is_error(0x00000103)) << "pending";
}

}  // namespace
}  // namespace wirelaw::smbd
