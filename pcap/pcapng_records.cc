// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcapng_records.h"

#include "pcap/capture_filter.h"

namespace wirelaw::pcap {
namespace {

// Offsets in a Section Header Block, in octets (section 4.1), and its minimum length.
constexpr std::size_t kMagic = 8, kMajor = 12, kMinor = 14, kLeastSection = 28;

constexpr std::size_t kMostBlock = std::size_t{1} << 20;   // libpcap reads longer blocks
constexpr std::size_t kMostUntold = std::size_t{1} << 16;  // libpcap reads sections with more octets of interfaces

bool is_sane(std::size_t length) {
  return length >= pcapng::kLeastBlock && length % 4 == 0 && length <= kMostBlock;
}

bool is_packet(std::uint32_t type) {
  return type == pcapng::kEnhancedPacket || type == pcapng::kSimplePacket || type == pcapng::kPacket;
}

// Returns true if the section that begins here has the other byte order. Empty if no section begins here.
std::optional<bool> is_swapped(Octets head) {
  if (head.size() < kMajor || load_native<std::uint32_t>(head.data()) != pcapng::kSectionHeader) return std::nullopt;
  const auto magic = load_native<std::uint32_t>(head.data() + kMagic);
  if (magic == pcapng::kByteOrderMagic) return false;
  if (magic == reversed(pcapng::kByteOrderMagic)) return true;
  return std::nullopt;
}

bool is_known_section(Octets block, bool swapped) {
  return block.size() >= kLeastSection &&
         pcapng::load<std::uint32_t>(block.data() + kMagic, swapped) == pcapng::kByteOrderMagic &&
         pcapng::load<std::uint16_t>(block.data() + kMajor, swapped) == 1 &&
         pcapng::load<std::uint16_t>(block.data() + kMinor, swapped) == 0;
}

// Returns the complete block at the front, if its lengths at both ends agree. Empty otherwise.
Octets block_at(Octets octets, bool swapped) {
  if (octets.size() < pcapng::kLeastBlock) return {};
  const std::size_t length = pcapng::load<std::uint32_t>(octets.data() + sizeof(std::uint32_t), swapped);
  if (!is_sane(length) || length > octets.size()) return {};
  const Octet* const end = octets.data() + length - pcapng::kBlockEnd;
  return pcapng::load<std::uint32_t>(end, swapped) == length ? octets.first(length) : Octets{};
}

}  // namespace

std::size_t pcapng_head_length(Octets head) {
  if (head.size() < kMajor) return kMajor;
  const std::optional<bool> swapped = is_swapped(head);
  if (!swapped) return 0;
  for (std::size_t at = 0;;) {
    if (head.size() - at < pcapng::kBlockHead) return at + pcapng::kBlockHead;
    const auto type = pcapng::load<std::uint32_t>(head.data() + at, *swapped);
    const auto length = pcapng::load<std::uint32_t>(head.data() + at + sizeof type, *swapped);
    if (!is_sane(length) || is_packet(type) || (type == pcapng::kSectionHeader) != (at == 0)) return 0;
    at += length;
    if (type == pcapng::kInterfaceDescription || at > head.size()) return at;
  }
}

std::optional<PcapngRecords> PcapngRecords::after(Octets head, std::uint32_t snap_length) {
  const std::optional<bool> swapped = is_swapped(head);
  if (!swapped || pcapng_head_length(head) != head.size()) return std::nullopt;
  if (!is_known_section(block_at(head, *swapped), *swapped)) return std::nullopt;
  PcapngRecords records(*swapped, snap_length);
  for (Octets rest = head;;) {
    const Octets block = block_at(rest, *swapped);
    if (block.empty()) return std::nullopt;
    rest = rest.subspan(block.size());
    if (!rest.empty()) continue;
    const auto interface = PcapngInterface::read(block, *swapped);
    if (!interface) return std::nullopt;
    records.interfaces_.push_back(*interface);
    return records;
  }
}

std::size_t PcapngRecords::needed(Octets rest) const {
  if (rest.size() < pcapng::kBlockHead) return pcapng::kLeastBlock;
  const bool swapped = is_swapped(rest).value_or(swapped_);
  const std::size_t length = pcapng::load<std::uint32_t>(rest.data() + kLength, swapped);
  return is_sane(length) && length > rest.size() ? length : 0;
}

// Takes a block that is no packet. Returns false if the next block has a packet, is incomplete, or is invalid.
bool PcapngRecords::take_other(RecordBuffer& from) {
  const std::optional<bool> section = is_swapped(from.rest());
  const Octets block = block_at(from.rest(), section.value_or(swapped_));
  if (block.empty()) return false;
  const auto type = pcapng::load<std::uint32_t>(block.data() + kType, swapped_);
  if (is_packet(type)) return false;
  if (type == pcapng::kInterfaceDescription && !add_interface(block)) return false;
  if (type == pcapng::kSectionHeader && !begin_section(block)) return false;
  from.take(block.size());
  return true;
}

bool PcapngRecords::begin_section(Octets block) {
  const bool swapped = is_swapped(block).value_or(swapped_);
  if (!is_known_section(block, swapped) || block.size() > kMostUntold) return false;
  swapped_ = swapped;
  interfaces_.clear();
  untold_.assign(block.begin(), block.end());
  return true;
}

bool PcapngRecords::add_interface(Octets block) {
  const auto interface = PcapngInterface::read(block, swapped_);
  if (!interface || untold_.size() + block.size() > kMostUntold) return false;
  constexpr std::uint32_t kUnlimited = 262144;  // libpcap's value for 0
  most_ = std::max(most_, interface->snap_length() == 0 ? kUnlimited : std::min(interface->snap_length(), kUnlimited));
  interfaces_.push_back(*interface);
  add_capture_filter(block, swapped_, filters_);
  untold_.insert(untold_.end(), block.begin(), block.end());
  return true;
}

}  // namespace wirelaw::pcap
