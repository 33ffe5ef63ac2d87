// SPDX-License-Identifier: Apache-2.0
// What an honest sender says next, if a line takes a part of the message away or the conversation begins again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/protocol.h"
#include "conformance/script/conversation.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"
#include "reference/efa/packet.h"
#include "reference/efa/raw_address.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The messages of a script, without the openings and ends of its connections.
std::vector<OctetBuffer> messages_of(const std::string& text) {
  const auto file = script_of(text, "x.wirelaw");
  EXPECT_TRUE(file) << (file ? "" : file.error());
  if (!file) return {};
  const ScriptPart& part = file->parts.front();
  const auto spoken = script::speak(part.part, *part.language);
  EXPECT_TRUE(spoken) << (spoken ? "" : one_line(spoken.error(), "x.wirelaw"));
  std::vector<OctetBuffer> messages;
  if (!spoken) return messages;
  for (const script::Spoken& one : spoken->spoken)
    if (one.kind == script::Spoken::Kind::message) messages.push_back(one.octets);
  return messages;
}

std::string summary_of(std::string_view protocol, Octets message) {
  return find_protocol(protocol)->decode(message).summary;
}

std::vector<std::string> differences_of(const std::string& text) {
  const auto file = script_of(text, "x.wirelaw");
  if (!file) return {file.error()};
  auto differences = differences_from_marks(*file, file->parts.front());
  return differences ? std::move(*differences) : std::vector{differences.error()};
}

efa::Packet packet_of(const OctetBuffer& message) {
  const auto packet = efa::decode(message);
  EXPECT_TRUE(packet);
  return packet ? *packet : efa::Packet{};
}

TEST(HonestParts, ACountOfZeroTakesTheElementsAway) {
  const std::string greeted = "protocol efa\n";
  const auto none = messages_of(greeted + "a EAGER_RTW rma_iov_count=0");
  const auto named = messages_of(greeted + "a EAGER_RTW rma_iov[0].len=16 rma_iov_count=0");
  const auto one = messages_of(greeted + "a EAGER_RTW");
  constexpr std::size_t kElement = 24;
  EXPECT_EQ(none.back().size() + kElement, one.back().size());
  EXPECT_EQ(named.back().size(), one.back().size());
  EXPECT_EQ(packet_of(none.back()).rma_iov_count, 0u);
  EXPECT_EQ(packet_of(one.back()).rma_iov_count, 1u);
  const auto unread = messages_of(greeted + "a LONGREAD_RTW read_iov_count=0");
  EXPECT_EQ(unread.back().size() + kElement, messages_of(greeted + "a LONGREAD_RTW").back().size());
}

TEST(HonestParts, AClearedFlagTakesItsHeaderAway) {
  const auto bare = messages_of("protocol efa\nbare\na EAGER_MSGRTM flags.raw_addr_hdr=0");
  EXPECT_TRUE(packet_of(bare.back()).raw_address.empty());
  EXPECT_EQ(packet_of(bare.back()).payload.size(), 16u);
  const auto unidentified = messages_of("protocol efa\na EAGER_MSGRTM flags.connid_hdr=0");
  const auto identified = messages_of("protocol efa\na EAGER_MSGRTM");
  EXPECT_EQ(unidentified.back().size() + 4, identified.back().size());
  const auto greeting = messages_of("protocol efa\nbare\na EAGER_MSGRTM\nb HANDSHAKE flags.connid_hdr=0");
  EXPECT_EQ(greeting.back().size(), 16u);
  const auto kept = messages_of("protocol efa\na EAGER_MSGRTM connid=5 flags.connid_hdr=0");
  EXPECT_EQ(kept.back().size(), identified.back().size());
}

TEST(HonestParts, AnotherConnectionOverDatagramsHasItsOwnAddress) {
  for (const auto& [nodes, port] : {std::pair{"", 31'201u}, {"nodes 192.0.2.1:4000 192.0.2.2:21200 2\n", 4'000u}}) {
    const auto messages = messages_of(fmt::format("protocol efa\n{}bare\na#2 EAGER_MSGRTM", nodes));
    const auto address = efa::decode_raw_address(packet_of(messages.back()).raw_address);
    ASSERT_TRUE(address);
    EXPECT_EQ(address->qpn, port);
  }
  EXPECT_THAT(differences_of("protocol efa\na EAGER_MSGRTM\na#2 EAGER_MSGRTM\nb#2 HANDSHAKE\na#2 HANDSHAKE\n"),
              IsEmpty());
}

TEST(HonestParts, ATerminateWithoutABitLacksThePart) {
  const std::string lines = "protocol rdmap\na ReadRequest\nb Terminate layer=0 etype=1 errcode=1";
  const std::size_t whole = messages_of(lines).back().size();
  constexpr std::size_t kLength = 2, kDdp = 18, kRead = 28;
  EXPECT_EQ(messages_of(lines + " hdrct_m=0").back().size(), whole);  // the length is there with D, too
  EXPECT_EQ(messages_of(lines + " hdrct_r=0").back().size() + kRead, whole);
  EXPECT_EQ(messages_of(lines + " hdrct_m=0 hdrct_d=0 hdrct_r=0").back().size() + kLength + kDdp + kRead, whole);
}

TEST(HonestParts, MpaStartsAgainAfterARejection) {
  EXPECT_THAT(differences_of("protocol rdmap\n"
                             "bare\n"
                             "a MpaRequest crc_flag=1\n"
                             "b MpaReply rej_flag=1\n"
                             "a MpaRequest rev=2 marker_flag=1 crc_flag=0\n"
                             "b MpaReply marker_flag=1 crc_flag=0\n"
                             "a Write size=0\n"
                             "a Send size=2000\n"
                             "b Send size=2000\n"
                             "b Write size=3000\n"),
              IsEmpty());
  const auto messages =
      messages_of("protocol rdmap\nbare\na MpaRequest\nb MpaReply rej_flag=1\na MpaRequest rev=2\nb MpaReply\n");
  EXPECT_THAT(summary_of("rdmap", messages.back()), HasSubstr("MPA Reply Frame revision 2"));
}

TEST(HonestParts, AStatusThatIsNoErrorAccepts) {
  for (const std::string_view status : {"0x00000103", "0x80000005"}) {
    const auto messages =
        messages_of(fmt::format("protocol smbd\nbare\na NegotiateRequest\nb NegotiateResponse status={}", status));
    constexpr std::size_t kSend = 2 + 18, kResponse = 32;
    ASSERT_GE(messages.back().size(), kSend + kResponse);
    EXPECT_THAT(summary_of("smbd", Octets(messages.back()).subspan(kSend, kResponse)),
                HasSubstr(fmt::format("Negotiate Response status {}", status)));
  }
}

TEST(HonestParts, AValueMayBeLessThanTheHonestOne) {
  const auto messages =
      messages_of("protocol efa\na EAGER_MSGRTM\na EAGER_MSGRTM msg_id-=1\na EAGER_MSGRTM msg_id-=3-1\n");
  EXPECT_EQ(packet_of(messages[messages.size() - 2]).msg_id, 1u);
  EXPECT_EQ(packet_of(messages.back()).msg_id, 1u);
}

}  // namespace
}  // namespace wirelaw
