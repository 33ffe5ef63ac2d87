// SPDX-License-Identifier: Apache-2.0
// Numbers of the pcapng format (draft-ietf-opsawg-pcapng) that the reader and the writer share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wirelaw::pcap::pcapng {

// Block types, section 4.
inline constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;  // reads the same in either byte order
inline constexpr std::uint32_t kInterfaceDescription = 1;
inline constexpr std::uint32_t kEnhancedPacket = 6;

inline constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;

// Option codes, sections 3.5 and 4.
inline constexpr std::uint16_t kOptionEnd = 0;
inline constexpr std::uint16_t kOptionComment = 1;
inline constexpr std::uint16_t kSectionApplication = 4;       // shb_userappl
inline constexpr std::uint16_t kInterfaceTimeResolution = 9;  // if_tsresol
inline constexpr std::uint8_t kNanoseconds = 9;               // its value: 10^-9 s
inline constexpr std::size_t kMaxOptionOctets = 65535;        // the length field has sixteen bits

// Everything is padded to 32 bits.
constexpr std::size_t padded(std::size_t length) {
  return (length + 3) & ~std::size_t{3};
}

}  // namespace wirelaw::pcap::pcapng
