// SPDX-License-Identifier: Apache-2.0
#include "fuzz/capture_mutator.h"

#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/memory_file.h"
#include "pcap/packet_reader.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kRoom = 8192;

OctetBuffer octets_of(const std::string& name) {
  std::ifstream file(WIRELAW_SOURCE_DIR "/corpora/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

OctetBuffer mutated(const OctetBuffer& octets, std::uint32_t seed) {
  OctetBuffer buffer = octets;
  buffer.resize(kRoom);
  buffer.resize(mutate_capture(buffer, octets.size(), seed));
  return buffer;
}

TEST(CaptureMutator, LeavesAFileThatCanBeReadToItsEnd) {
  MemoryFile file;
  for (const char* const name : {"ramcloud/conforming/many-fragments.pcapng", "smbd/conforming/smbd-exchange.pcapng"}) {
    const OctetBuffer octets = octets_of(name);
    ASSERT_FALSE(octets.empty()) << name;
    std::size_t changed = 0, longer = 0, shorter = 0;
    for (std::uint32_t seed = 1; seed < 300; ++seed) {
      const OctetBuffer other = mutated(octets, seed);
      changed += other != octets;
      longer += other.size() > octets.size();
      shorter += other.size() < octets.size();
      auto reader = pcap::PacketReader::open(file.write(other));
      ASSERT_TRUE(reader) << name << ", seed " << seed;
      pcap::Datagram datagram;
      pcap::Segment segment;
      while (reader->next(datagram, segment) != pcap::Transport::none) {
      }
      EXPECT_FALSE(reader->reader().problem()) << name << ", seed " << seed;
    }
    EXPECT_GT(changed, 250u) << name;
    EXPECT_GT(longer, 20u) << name;
    EXPECT_GT(shorter, 20u) << name;
  }
}

TEST(CaptureMutator, LeavesAloneWhatIsNoCapture) {
  const OctetBuffer octets(100, 0x11);
  EXPECT_EQ(mutated(octets, 3), octets);
}

}  // namespace
}  // namespace wirelaw::fuzz
