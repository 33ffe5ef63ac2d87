// SPDX-License-Identifier: Apache-2.0
#include "pcap/mpacket_builder.h"

#include <zlib.h>

#include <array>

#include "pcap/frame_builder.h"

namespace wirelaw::pcap::testing {
namespace {

constexpr std::array<Octet, 4> kStart{0xe6, 0x4c, 0x7f, 0xb3}, kContinuation{0x61, 0x52, 0x9e, 0x2a};

// The frame check sequence of the frame's first octets. A fragment before the last ends with mCRC: two of its octets
// are inverted.
OctetBuffer check_of(const OctetBuffer& frame, std::size_t length, bool is_mcrc) {
  const auto crc = static_cast<std::uint32_t>(::crc32(0, frame.data(), static_cast<uInt>(length)));
  OctetBuffer four(4);
  store_little_endian(four.data(), is_mcrc ? crc ^ 0xffff : crc);
  return four;
}

OctetBuffer preamble(std::size_t octets) {
  return OctetBuffer(octets, 0x55);
}

}  // namespace

OctetBuffer express_mpacket(const OctetBuffer& frame) {
  return preamble(7) + OctetBuffer{0xd5} + frame + check_of(frame, frame.size(), false);
}

std::vector<OctetBuffer> mpacket_fragments(const OctetBuffer& frame, std::vector<std::size_t> ends,
                                           std::size_t number) {
  std::vector<OctetBuffer> all;
  ends.push_back(frame.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const OctetBuffer start = i == 0 ? preamble(7) + OctetBuffer{kStart[number % 4]}
                                     : preamble(6) + OctetBuffer{kContinuation[number % 4], kStart[(i - 1) % 4]};
    const auto at = [&](std::size_t octet) { return frame.begin() + static_cast<std::ptrdiff_t>(octet); };
    all.push_back(start + OctetBuffer(at(begin), at(ends[i])) + check_of(frame, ends[i], i + 1 < ends.size()));
    begin = ends[i];
  }
  return all;
}

}  // namespace wirelaw::pcap::testing
