// SPDX-License-Identifier: Apache-2.0
#include "fuzz/capture_mutator.h"

#include <algorithm>
#include <random>
#include <vector>

#include "pcap/pcapng_format.h"

// Defined by libFuzzer and by engines with its interface; null elsewhere.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace wirelaw::fuzz {
namespace {

namespace format = pcap::pcapng;

// Offsets in an Enhanced Packet Block, in octets; section 4.3.
constexpr std::size_t kLow = 16, kCaptured = 20, kData = 28;
// Octets of Ethernet, IPv4 and UDP headers, which are changed less often; TCP's headers are longer.
constexpr std::size_t kHeaders = 42;

using Blocks = std::vector<OctetBuffer>;

// Splits a file in this machine's byte order into blocks; ignores octets after the last whole block.
Blocks split(Octets octets) {
  Blocks blocks;
  while (octets.size() >= format::kLeastBlock) {
    const std::size_t length = load_native<std::uint32_t>(octets.data() + 4);
    if (length < format::kLeastBlock || length % 4 != 0 || length > octets.size()) break;
    blocks.emplace_back(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length));
    octets = octets.subspan(length);
  }
  return blocks;
}

bool is_packet(const OctetBuffer& block) {
  if (load_native<std::uint32_t>(block.data()) != format::kEnhancedPacket) return false;
  if (block.size() < kData + format::kBlockEnd) return false;
  return load_native<std::uint32_t>(block.data() + kCaptured) <= block.size() - kData - format::kBlockEnd;
}

class Mutation {
 public:
  Mutation(Blocks& blocks, std::uint32_t seed) : blocks_(blocks), random_(seed) { find_packets(); }

  void apply() {
    if (packets_.empty()) return;
    switch (below(8)) {
      case 0:
        blocks_.erase(at(any()));
        return find_packets();
      case 1: {
        const OctetBuffer one = blocks_[any()];
        blocks_.insert(at(any()), one);
        return find_packets();
      }
      case 2:
        return std::swap(blocks_[any()], blocks_[any()]);
      case 3:
        return cut(blocks_[any()]);
      case 4:
        return set_time(blocks_[any()]);
      default:
        return set_octets(blocks_[any()]);
    }
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  void find_packets() {
    packets_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (is_packet(blocks_[i])) packets_.push_back(i);
  }
  std::size_t any() { return packets_[below(packets_.size())]; }
  Blocks::iterator at(std::size_t index) { return blocks_.begin() + static_cast<std::ptrdiff_t>(index); }

  // Captures less of the packet than its length on the wire.
  void cut(OctetBuffer& block) {
    const std::uint32_t captured = load_native<std::uint32_t>(block.data() + kCaptured);
    if (captured == 0) return;
    const auto left = static_cast<std::uint32_t>(below(captured));
    OctetBuffer shorter(block.begin(), block.begin() + kData + static_cast<std::ptrdiff_t>(left));
    shorter.resize(format::padded(shorter.size()));
    const auto length = static_cast<std::uint32_t>(shorter.size() + format::kBlockEnd);
    shorter.resize(length);
    store_native(shorter, 4, length);
    store_native(shorter, kCaptured, left);
    store_native(shorter, length - format::kBlockEnd, length);
    block = std::move(shorter);
  }
  void set_time(OctetBuffer& block) {
    const auto low = load_native<std::uint32_t>(block.data() + kLow);
    const std::uint32_t by = std::uint32_t{1} << below(32);
    store_native(block, kLow, below(2) == 0 ? low + by : low - by);
  }
  void set_octets(OctetBuffer& block) {
    const std::size_t captured = load_native<std::uint32_t>(block.data() + kCaptured);
    if (captured == 0) return;
    const std::size_t first = captured > kHeaders && below(4) > 0 ? kHeaders : 0;
    const std::size_t offset = first + below(captured - first);
    const std::size_t length = std::min<std::size_t>(std::size_t{1} << below(4), captured - offset);
    Octet* const there = block.data() + kData + offset;
    static constexpr Octet kValues[] = {0x00, 0x01, 0x02, 0x7f, 0x80, 0xff};
    switch (below(4)) {
      case 0:
        there[length - 1] = static_cast<Octet>(there[length - 1] + 1);
        return;
      case 1:
        there[length - 1] = static_cast<Octet>(there[length - 1] - 1);
        return;
      case 2:
        std::fill_n(there, length, kValues[below(std::size(kValues))]);
        return;
      default:
        copy_from(blocks_[any()], offset, there, length);
    }
  }
  // Copies octets from one packet to the same offset of another.
  static void copy_from(const OctetBuffer& block, std::size_t offset, Octet* to, std::size_t length) {
    const std::size_t captured = load_native<std::uint32_t>(block.data() + kCaptured);
    if (captured < offset + length) return;
    const OctetBuffer octets(block.begin() + static_cast<std::ptrdiff_t>(kData + offset),
                             block.begin() + static_cast<std::ptrdiff_t>(kData + offset + length));
    std::copy(octets.begin(), octets.end(), to);
  }
  static void store_native(OctetBuffer& block, std::size_t at, std::uint32_t value) {
    std::copy_n(reinterpret_cast<const Octet*>(&value), sizeof value, block.begin() + static_cast<std::ptrdiff_t>(at));
  }

  Blocks& blocks_;
  std::vector<std::size_t> packets_;
  std::minstd_rand random_;
};

}  // namespace

std::size_t mutate_capture(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  constexpr unsigned kOwnInstead = 4;  // one time in this many, libFuzzer's own mutation is used
  if (LLVMFuzzerMutate != nullptr && seed % kOwnInstead == 0)
    return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  Blocks blocks = split(Octets(buffer).first(size));
  if (std::ranges::none_of(blocks, is_packet))
    return LLVMFuzzerMutate != nullptr ? LLVMFuzzerMutate(buffer.data(), size, buffer.size()) : size;
  Mutation mutation(blocks, seed);
  for (std::size_t times = 1 + mutation.below(4); times > 0; --times) mutation.apply();
  size = 0;
  for (const OctetBuffer& block : blocks) {
    if (buffer.size() - size < block.size()) break;
    std::copy(block.begin(), block.end(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
    size += block.size();
  }
  return size;
}

}  // namespace wirelaw::fuzz
