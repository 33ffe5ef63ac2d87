// SPDX-License-Identifier: Apache-2.0
// Real packets of the deployed provider are unchanged by decoding and encoding.
#include <gtest/gtest.h>
#include <test_paths.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "reference/efa/packet.h"

namespace wirelaw::efa {
namespace {

// The packets of a little-endian pcap file with LINKTYPE_WIRESHARK_UPPER_PDU: each record begins with big-endian tags.
std::vector<OctetBuffer> packets_of(const std::string& name) {
  std::ifstream in(std::filesystem::path(WIRELAW_SOURCE_DIR) / "corpora/captures/efa" / name, std::ios::binary);
  const OctetBuffer file{std::istreambuf_iterator<char>(in), {}};
  Reader reader(file);
  EXPECT_EQ(reader.little_endian<std::uint32_t>(), 0xa1b2c3d4u);
  reader.skip(16);
  EXPECT_EQ(reader.little_endian<std::uint32_t>(), 252u);
  std::vector<OctetBuffer> packets;
  while (reader.remaining() > 0) {
    reader.skip(8);
    const auto captured = reader.little_endian<std::uint32_t>();
    EXPECT_EQ(reader.little_endian<std::uint32_t>(), captured);
    Reader record(reader.octets(captured));
    while (record.big_endian<std::uint16_t>() != 0) record.skip(record.big_endian<std::uint16_t>());
    record.skip(2);
    EXPECT_TRUE(record.ok());
    packets.emplace_back(record.rest().begin(), record.rest().end());
  }
  return packets;
}

std::map<std::string, int> decode_all(const std::string& name) {
  std::map<std::string, int> types;
  for (const OctetBuffer& octets : packets_of(name)) {
    const auto packet = decode(octets);
    EXPECT_TRUE(packet) << packet.error().part;
    if (!packet) continue;
    EXPECT_EQ(encode(*packet), octets);
    EXPECT_EQ(header_octets(*packet) + packet->payload.size(), octets.size());
    EXPECT_EQ(packet->version, kVersion);
    EXPECT_EQ(packet->flags & ~packet->layout()->allowed, 0) << packet->layout()->name;
    ++types[std::string(packet->layout()->name)];
  }
  return types;
}

using Types = std::map<std::string, int>;

TEST(Captures, OfHandshakesComeOutTheSame) {
  EXPECT_EQ(decode_all("efa-1170-01-handshake.pcap"),
            (Types{{"HANDSHAKE", 6}, {"EAGER_MSGRTM", 2}, {"EAGER_TAGRTM", 1}}));
}

TEST(Captures, OfEagerMessagesComeOutTheSame) {
  EXPECT_EQ(decode_all("efa-1170-02-eager.pcap"), (Types{{"HANDSHAKE", 2}, {"EAGER_MSGRTM", 10}, {"EAGER_TAGRTM", 7}}));
}

TEST(Captures, OfWritesComeOutTheSame) {
  EXPECT_EQ(
      decode_all("efa-1170-05-write.pcap"),
      (Types{
          {"HANDSHAKE", 2}, {"EAGER_MSGRTM", 1}, {"EAGER_RTW", 8}, {"LONGCTS_RTW", 4}, {"CTS", 16}, {"CTSDATA", 57}}));
}

TEST(Captures, ShowARawAddressOfThirtySixOctets) {
  const std::vector<OctetBuffer> packets = packets_of("efa-1170-01-handshake.pcap");
  const auto first = decode(packets.at(0));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->raw_address.size(), 36u);
  const auto address = decode_raw_address(first->raw_address);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->gid[0], 0xfe);
  EXPECT_EQ(address->qpn, 0xd27c);
  const auto answer = decode(packets.at(2));
  EXPECT_EQ(connid_of(*answer), address->connid) << "the connid in the headers is that of the raw address (EFA/A-42)";
  EXPECT_TRUE(announces(answer->extra_info, Extra::delivery_complete));
}

TEST(Captures, ShowLongCtsDataOfExactlyTheLengthsThatTheirHeadersSay) {
  for (const OctetBuffer& octets : packets_of("efa-1170-05-write.pcap")) {
    const auto packet = decode(octets);
    if (packet->is(PacketType::ctsdata)) {
      EXPECT_EQ(packet->seg_length, packet->payload.size());
    }
    if (packet->is(PacketType::eager_rtw)) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < rma_iov_count(packet->rma_iov); ++i) sum += rma_iov_at(packet->rma_iov, i).len;
      EXPECT_EQ(sum, packet->payload.size());
    }
  }
}

}  // namespace
}  // namespace wirelaw::efa
