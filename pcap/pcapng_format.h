// SPDX-License-Identifier: Apache-2.0
// Numbers of the pcapng format (draft-ietf-opsawg-pcapng) that the reader and the writer share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::pcapng {

// Block types, section 4.
inline constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;  // reads the same in either byte order
inline constexpr std::uint32_t kInterfaceDescription = 1;
inline constexpr std::uint32_t kPacket = 2;  // obsolete
inline constexpr std::uint32_t kSimplePacket = 3;
inline constexpr std::uint32_t kNameResolution = 4;
inline constexpr std::uint32_t kInterfaceStatistics = 5;
inline constexpr std::uint32_t kEnhancedPacket = 6;

inline constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;

// Option codes, sections 3.5 and 4.
inline constexpr std::uint16_t kOptionEnd = 0;
inline constexpr std::uint16_t kOptionComment = 1;
inline constexpr std::uint16_t kSectionApplication = 4;            // shb_userappl
inline constexpr std::uint16_t kInterfaceName = 2;                 // if_name
inline constexpr std::uint16_t kInterfaceTimeResolution = 9;       // if_tsresol
inline constexpr std::uint16_t kInterfaceFilter = 11;              // if_filter
inline constexpr std::uint16_t kInterfaceTimeOffset = 14;          // if_tsoffset
inline constexpr std::uint8_t kNanoseconds = 9;                    // its value: 10^-9 s
inline constexpr std::uint16_t kStatisticsReceived = 4;            // isb_ifrecv
inline constexpr std::uint16_t kStatisticsDroppedByInterface = 5;  // isb_ifdrop
inline constexpr std::uint16_t kStatisticsDroppedBySystem = 7;     // isb_osdrop
inline constexpr std::uint16_t kStatisticsDelivered = 8;           // isb_usrdeliv
inline constexpr std::size_t kMaxOptionOctets = 65535;             // the length field has sixteen bits

// Octets of a block before its body (type and length) and after it (length again); section 3.1.
inline constexpr std::size_t kBlockHead = 8, kBlockEnd = 4, kLeastBlock = kBlockHead + kBlockEnd;

// All fields are padded to 32 bits.
constexpr std::size_t padded(std::size_t length) {
  return (length + 3) & ~std::size_t{3};
}

// Reads a number in the byte order of the section. `swapped`: not this machine's byte order.
template <class Int>
constexpr Int load(const Octet* at, bool swapped) {
  const Int value = load_native<Int>(at);
  return swapped ? reversed(value) : value;
}

}  // namespace wirelaw::pcap::pcapng
