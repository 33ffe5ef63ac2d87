// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/message.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/octets/hex.h"
#include "reference/smb2/compound.h"

namespace wirelaw::smb2 {
namespace {

using Reason = DecodeError::Reason;

// The headers as in [MS-SMB2] 2.2.1.2.
constexpr auto kEchoHeader =
    "fe534d42 4000 0100 00000000 0d00 0302 00000000 48000000 0807060504030201 00000000 00000000 0000000000000000"
    "00000000000000000000000000000000";
constexpr auto kNegotiate =
    "fe534d42 4000 0000 00000000 0000 0100 00000000 00000000 0000000000000000 00000000 00000000 0000000000000000"
    "00000000000000000000000000000000"
    "2400 0200 0100 0000 04000000 000102030405060708090a0b0c0d0e0f 68000000 0100 0000 1003 1103"
    "0100 0a00 00000000 0100 0400 0100 aabbccdd";

template <class Message>
OctetBuffer encoded(const Message& message) {
  OctetBuffer octets;
  encode(message, octets);
  return octets;
}

TEST(Header, PutsEachFieldWhereItBelongs) {
  const OctetBuffer octets = *from_hex(kEchoHeader);
  const auto header = decode_header(octets);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->structure_size, 64);
  EXPECT_EQ(header->credit_charge, 1);
  EXPECT_EQ(header->command, command::kEcho);
  EXPECT_EQ(header->credits, 0x0203);
  EXPECT_EQ(header->next_command, 72u);
  EXPECT_EQ(header->message_id, 0x0102030405060708u);
  EXPECT_FALSE(header->is_response());
  EXPECT_EQ(encoded(*header), octets);
}

TEST(Header, OfAnotherProtocolOrTooShortIsNone) {
  OctetBuffer octets = *from_hex(kEchoHeader);
  for (std::size_t length = 0; length < octets.size(); ++length) {
    const auto header = decode_header(Octets(octets).first(length));
    ASSERT_FALSE(header) << length;
    EXPECT_EQ(header.error().reason, Reason::too_short);
    EXPECT_EQ(header.error().offset, length);
  }
  octets[0] = 0xfd;  // encrypted (2.2.41)
  EXPECT_EQ(decode_header(octets).error().reason, Reason::other_protocol);
}

TEST(NegotiateRequest, HasItsDialectsAndContexts) {
  const OctetBuffer octets = *from_hex(kNegotiate);
  const auto request = decode_negotiate_request(Octets(octets).subspan(kHeaderOctets));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->structure_size, 36);
  EXPECT_EQ(request->security_mode, kSigningEnabled);
  EXPECT_EQ(request->capabilities, kLargeMtu);
  EXPECT_EQ(request->client_guid[15], 0x0f);
  EXPECT_EQ(dialects_of(*request), (std::vector<std::uint16_t>{0x0310, dialect::k311}));
  const auto contexts = contexts_of(octets, request->context_offset, request->context_count);
  ASSERT_TRUE(contexts);
  ASSERT_EQ(contexts->size(), 1u);
  EXPECT_EQ(contexts->front().type, context::kPreauthIntegrity);
  EXPECT_EQ(to_hex(contexts->front().data), "010004000100aabbccdd");
  EXPECT_EQ(hash_algorithms_of(contexts->front()), std::vector<std::uint16_t>{context::kSha512});
  OctetBuffer again = encoded(*decode_header(octets));
  encode(*request, again);
  EXPECT_EQ(again, octets);
}

TEST(NegotiateRequest, WhoseListsReachTooFarHasNone) {
  const OctetBuffer octets = *from_hex(kNegotiate);
  auto request = *decode_negotiate_request(Octets(octets).subspan(kHeaderOctets));
  request.dialect_count = 0xffff;
  EXPECT_EQ(dialects_of(request).error().reason, Reason::outside);
  EXPECT_EQ(contexts_of(octets, 0xfffffff8, 1).error().reason, Reason::outside);
  EXPECT_EQ(contexts_of(octets, 0x69, 1).error().reason, Reason::unaligned);
  EXPECT_EQ(contexts_of(octets, 0x68, 2).error().reason, Reason::outside) << "the second is after the message";
  EXPECT_EQ(contexts_of(Octets(octets).first(octets.size() - 1), 0x68, 1).error().reason, Reason::outside);
  const OctetBuffer data = *from_hex("ffff 0000 0100");
  EXPECT_EQ(hash_algorithms_of({.data = data}).error().reason, Reason::outside);
  EXPECT_FALSE(hash_algorithms_of({.data = Octets(data).first(3)}));
}

TEST(NegotiateResponse, PutsEachFieldWhereItBelongs) {
  const OctetBuffer octets = *from_hex(
      "4100 0100 1103 0200 000102030405060708090a0b0c0d0e0f 44000000 00001000 00002000 00004000 0100000000000000"
      "0200000000000000 8000 0300 88000000 aabbcc");
  const auto response = decode_negotiate_response(octets);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->structure_size, 65);
  EXPECT_EQ(response->dialect_revision, dialect::k311);
  EXPECT_EQ(response->context_count, 2);
  EXPECT_EQ(response->capabilities, 0x44u);
  EXPECT_EQ(response->max_transact_size, 0x100000u);
  EXPECT_EQ(response->max_write_size, 0x400000u);
  EXPECT_EQ(response->system_time, 1u);
  EXPECT_EQ(response->security_buffer_offset, 0x80);
  EXPECT_EQ(response->security_buffer_length, 3);
  EXPECT_EQ(response->context_offset, 0x88u);
  EXPECT_EQ(to_hex(response->rest), "aabbcc");
  EXPECT_EQ(encoded(*response), octets);
}

TEST(WriteRequest, PutsEachFieldWhereItBelongs) {
  const OctetBuffer octets = *from_hex(
      "3100 7000 03000000 0807060504030201 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 01000000 00000200 8000 1000 02000000 "
      "aabbcc");
  const auto request = decode_write_request(octets);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->structure_size, 49);
  EXPECT_EQ(request->data_offset, 0x70);
  EXPECT_EQ(request->length, 3u);
  EXPECT_EQ(request->offset, 0x0102030405060708u);
  EXPECT_EQ(to_hex(request->file_id), "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
  EXPECT_EQ(request->channel, 1u);
  EXPECT_EQ(request->remaining_octets, 0x20000u);
  EXPECT_EQ(request->channel_info_offset, 0x80);
  EXPECT_EQ(request->channel_info_length, 0x10);
  EXPECT_EQ(request->flags, 2u);
  EXPECT_EQ(to_hex(request->rest), "aabbcc");
  EXPECT_EQ(encoded(*request), octets);
}

TEST(Body, IsRefusedWhereItEndsBeforeItsFields) {
  const OctetBuffer octets(64, 0xff);
  for (std::size_t length = 0; length <= octets.size(); ++length) {
    const Octets part = Octets(octets).first(length);
    EXPECT_EQ(decode_echo(part).has_value(), length >= 4) << length;
    EXPECT_EQ(decode_error(part).has_value(), length >= 8) << length;
    EXPECT_EQ(decode_write_request(part).has_value(), length >= 48) << length;
    EXPECT_EQ(decode_negotiate_request(part).has_value(), length >= 36) << length;
    EXPECT_EQ(decode_negotiate_response(part).has_value(), length >= 64) << length;
  }
}

TEST(Body, EncodesToTheOctetsThatItWasDecodedFrom) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    OctetBuffer octets(64 + random() % 40);
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    ASSERT_EQ(encoded(*decode_echo(octets)), octets);
    ASSERT_EQ(encoded(*decode_error(octets)), octets);
    ASSERT_EQ(encoded(*decode_write_request(octets)), octets);
    ASSERT_EQ(encoded(*decode_negotiate_request(octets)), octets);
    ASSERT_EQ(encoded(*decode_negotiate_response(octets)), octets);
  }
}

TEST(Compound, NamesTheNextElementAndPadsEach) {
  Compound message;
  for (std::uint64_t id = 1; id <= 3; ++id) message.add({.command = command::kEcho, .message_id = id}, Echo{});
  const OctetBuffer octets = message.finish();
  EXPECT_EQ(octets.size(), 3u * 72);
  const auto elements = elements_of(octets);
  ASSERT_TRUE(elements);
  ASSERT_EQ(elements->size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*elements)[i].header.message_id, i + 1);
    EXPECT_EQ((*elements)[i].header.next_command, i < 2 ? 72u : 0u);
    EXPECT_EQ((*elements)[i].octets.size(), 72u);
    EXPECT_EQ(to_hex((*elements)[i].body()), "0400000000000000");
  }
}

TEST(Compound, OfOneElementIsNotPadded) {
  Compound message;
  message.add({.command = command::kEcho}, Echo{});
  EXPECT_EQ(message.finish().size(), 68u);
}

TEST(Compound, WhoseChainLeavesTheMessageIsNone) {
  Compound message;
  for (int i = 0; i < 2; ++i) message.add({.command = command::kEcho}, Echo{});
  const OctetBuffer good = message.finish();
  const auto with_next = [&](std::uint32_t next) {
    OctetBuffer octets = good;
    store_little_endian(octets.data() + 20, next);
    return elements_of(octets);
  };
  EXPECT_TRUE(with_next(72));
  EXPECT_EQ(with_next(71).error().reason, Reason::unaligned);
  EXPECT_EQ(with_next(56).error().reason, Reason::outside) << "within its own header";
  EXPECT_EQ(with_next(152).error().reason, Reason::outside);
  EXPECT_EQ(with_next(0xfffffff8).error().reason, Reason::outside);
  EXPECT_EQ(with_next(88).error().reason, Reason::too_short) << "there is no room for a header";
  EXPECT_EQ(with_next(88).error().offset, good.size());
  EXPECT_EQ(with_next(64).error().reason, Reason::other_protocol) << "what is there is no header";
}

}  // namespace
}  // namespace wirelaw::smb2
