// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/packets_of.h"

#include <fstream>
#include <iterator>

namespace wirelaw::lab {
namespace {

constexpr std::uint16_t kEnd = 0, kSourcePort = 25, kDestinationPort = 26;

RecordedPacket read_record(Reader record) {
  RecordedPacket packet;
  for (auto tag = record.big_endian<std::uint16_t>(); tag != kEnd; tag = record.big_endian<std::uint16_t>()) {
    Reader value(record.octets(record.big_endian<std::uint16_t>()));
    if (tag == kSourcePort) packet.from = static_cast<std::uint16_t>(value.big_endian<std::uint32_t>());
    if (tag == kDestinationPort) packet.to = static_cast<std::uint16_t>(value.big_endian<std::uint32_t>());
  }
  record.skip(2);
  packet.octets.assign(record.rest().begin(), record.rest().end());
  return packet;
}

}  // namespace

std::vector<RecordedPacket> packets_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const OctetBuffer octets{std::istreambuf_iterator<char>(in), {}};
  Reader reader(octets);
  reader.skip(24);
  std::vector<RecordedPacket> packets;
  while (reader.remaining() >= 16) {
    reader.skip(8);
    const auto captured = reader.little_endian<std::uint32_t>();
    reader.skip(4);
    if (reader.remaining() < captured) break;
    packets.push_back(read_record(Reader(reader.octets(captured))));
  }
  return packets;
}

}  // namespace wirelaw::lab
