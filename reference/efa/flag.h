// SPDX-License-Identifier: Apache-2.0
// The bits of the base header's `flags`. Each packet type has its own flags; one is universal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/efa/revision.h"

namespace wirelaw::efa {

namespace flag {
inline constexpr std::uint16_t kRawAddress = 0x0001;       // REQ (table 3.1): REQ_OPT_RAW_ADDR_HDR
inline constexpr std::uint16_t kCqData = 0x0002;           // REQ: REQ_OPT_CQ_DATA_HDR
inline constexpr std::uint16_t kMsg = 0x0004;              // REQ
inline constexpr std::uint16_t kTagged = 0x0008;           // REQ
inline constexpr std::uint16_t kRma = 0x0010;              // REQ; deployed senders leave it clear (EFA/A-09)
inline constexpr std::uint16_t kAtomic = 0x0020;           // REQ
inline constexpr std::uint16_t kReadNack = 0x2000;         // LONGCTS_RTM after a READ_NACK, as deployed (EFA/A-15)
inline constexpr std::uint16_t kConnid = 0x8000;           // universal (table 1.4): CONNID_HDR
inline constexpr std::uint16_t kHostId = 0x0001;           // HANDSHAKE (table 2.3)
inline constexpr std::uint16_t kDeviceVersion = 0x0002;    // HANDSHAKE
inline constexpr std::uint16_t kUserRecvQp = 0x0004;       // HANDSHAKE, later documents
inline constexpr std::uint16_t kHmem = 0x0008;             // HANDSHAKE, later documents
inline constexpr std::uint16_t kCtsEmulatedRead = 0x0080;  // CTS (3.2)
inline constexpr std::uint16_t kRequestOptional = kRawAddress | kCqData | kConnid;
}  // namespace flag

// The packets that share a set of flags.
enum class FlagSet : std::uint8_t { universal, request, handshake, cts };

struct FlagInfo {
  FlagSet set;
  std::uint16_t bit;
  std::string_view name;       // name in the document
  std::string_view dissected;  // name after "efa_rdm.flags."
  Revision since = Revision::v2023_10;
};

std::span<const FlagInfo> all_flags();
// Returns the flag of the set, or the universal one, for this single bit; nullptr if it has no name.
const FlagInfo* find_flag(FlagSet set, std::uint16_t bit);

}  // namespace wirelaw::efa
