// SPDX-License-Identifier: Apache-2.0
// The packets of a pcapng file, taken where they lie in the buffer, as those of a pcap file are (pcap_records.h):
// Enhanced Packet Blocks, in sections of either byte order, with the interfaces that each describes: any links and
// snap lengths. What is neither packet, interface nor section is passed over. Whatever is odd, very long, cut off, or
// of another kind of packet is left to libpcap, and with it everything after it.
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

// How many of a file's first octets there are up to the end of its first Interface Description Block, which is as far
// as libpcap reads when it opens one. More than `head` holds: so many are needed to decide. 0 if it is no pcapng,
// or an odd one.
std::size_t pcapng_head_length(Octets head);

class PcapngRecords {
 public:
  // After `head`, which ends where pcapng_head_length() sets. Nothing if it is left to libpcap. No frame has more than
  // `snap_length` octets.
  static std::optional<PcapngRecords> after(Octets head, std::uint32_t snap_length);

  // Fills in octets, their length on the wire and the time; false if the next block with a packet, or one in front
  // of it, is not there as a whole, and in order.
  bool take(RecordBuffer& from, Frame& frame) {
    while (!(swapped_ ? take_packet<true>(from, frame) : take_packet<false>(from, frame)))
      if (!take_other(from)) return false;
    return true;
  }
  // The options of the packet that was taken last, as long as its octets are there.
  Octets options() const { return options_; }
  bool swapped() const { return swapped_; }
  // If take() was false: how many octets it takes; 0 if more would not help.
  std::size_t needed(Octets rest) const;
  // The blocks that were taken and change what follows, of which libpcap does not know: it is to read them before the
  // rest.
  Octets untold() const { return untold_; }
  // The filters of the interfaces after the first one, of all sections (capture_filter.h).
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
  std::uint32_t most_;                       // octets of a frame
  std::vector<PcapngInterface> interfaces_;  // the section's interfaces
  OctetBuffer untold_;
  std::vector<std::string> filters_;
  Octets options_;  // the last packet's options
};

}  // namespace wirelaw::pcap
