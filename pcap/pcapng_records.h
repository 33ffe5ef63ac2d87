// SPDX-License-Identifier: Apache-2.0
// The packets of a pcapng file, used in the buffer without a copy, like those of a pcap file (pcap_records.h): Enhanced
// Packet Blocks, in sections of either byte order, with interfaces of any link type and snap length. Blocks other than
// packets, interfaces and sections are skipped. If a block is odd, very long, cut off, or another kind of packet,
// libpcap reads it and all blocks after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pcap/frame.h"
#include "pcap/pcapng_format.h"
#include "pcap/pcapng_interface.h"
#include "pcap/record_buffer.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Returns the number of octets up to the end of the first Interface Description Block. libpcap reads as far when it
// opens a file. If the result is greater than head.size(), so many octets are needed to decide. 0 if the file is no
// pcapng, or an odd one.
std::size_t pcapng_head_length(Octets head);

class PcapngRecords {
 public:
  // Continues after `head`, which ends at pcapng_head_length(). Empty if libpcap must read the file. No frame has more
  // than `snap_length` octets.
  static std::optional<PcapngRecords> after(Octets head, std::uint32_t snap_length);

  // Sets the frame's octets, wire length and time. False if the next block with a packet, or one before it, is not
  // complete in the buffer, or not in order.
  bool take(RecordBuffer& from, Frame& frame) {
    while (!(swapped_ ? take_packet<true>(from, frame) : take_packet<false>(from, frame)))
      if (!take_other(from)) return false;
    return true;
  }
  // The options of the last packet, valid as long as its octets.
  Octets options() const { return options_; }
  bool swapped() const { return swapped_; }
  // If take() returned false: the number of octets that it needs; 0 if more would not help.
  std::size_t needed(Octets rest) const;
  // Blocks that were read here and that libpcap must read before the rest, because they affect later blocks.
  Octets untold() const { return untold_; }
  // The filters of all interfaces after the first one, in all sections (capture_filter.h).
  std::vector<std::string>& filters() { return filters_; }

 private:
  // Sections 3.1 and 4.3, in octets of the block.
  static constexpr std::size_t kType = 0, kLength = 4, kInterface = 8, kHigh = 12, kLow = 16, kCaptured = 20,
                               kOnWire = 24, kData = 28, kLeastPacket = kData + pcapng::kBlockEnd;

  PcapngRecords(bool swapped, std::uint32_t snap_length) : swapped_(swapped), most_(snap_length) {}

  template <bool kSwapped>
  bool take_packet(RecordBuffer& from, Frame& frame) {
    const std::size_t there = from.size();
    if (there < kLeastPacket) [[unlikely]]
      return false;
    const Octet* const at = from.begin();
    const auto word = [at](std::size_t offset) { return pcapng::load<std::uint32_t>(at + offset, kSwapped); };
    const std::size_t length = word(kLength), captured = word(kCaptured), interface = word(kInterface);
    if (word(kType) != pcapng::kEnhancedPacket || length > there || length % 4 != 0 ||
        captured + kLeastPacket > length || captured > most_ || interface >= interfaces_.size() ||
        word(length - pcapng::kBlockEnd) != length) [[unlikely]]
      return false;
    frame.interface = static_cast<std::uint32_t>(interface);
    frame.link_type = interfaces_[interface].link_type();
    frame.time_ns = interfaces_[interface].time_ns(std::uint64_t{word(kHigh)} << 32 | word(kLow));
    frame.octets = {at + kData, captured};
    frame.wire_length = std::max(word(kOnWire), static_cast<std::uint32_t>(captured));
    const std::size_t behind = kData + pcapng::padded(captured), end = length - pcapng::kBlockEnd;
    options_ = {at + behind, end - behind};
    from.take(length);
    return true;
  }
  bool take_other(RecordBuffer& from);
  bool begin_section(Octets block);
  bool add_interface(Octets block);

  bool swapped_;
  std::uint32_t most_;                       // most octets of a frame
  std::vector<PcapngInterface> interfaces_;  // interfaces of the section
  OctetBuffer untold_;
  std::vector<std::string> filters_;
  Octets options_;  // options of the last packet
};

}  // namespace wirelaw::pcap
