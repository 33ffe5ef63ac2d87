// SPDX-License-Identifier: Apache-2.0
// The Terminate header (RFC 5040, 4.8, figures 7 to 10), with the codes of every layer: RDMAP's own, DDP's (RFC 5041,
// 7.2) and MPA's (RFC 5044, 8; RFC 6581, 8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

enum class Layer : std::uint8_t { rdma = 0, ddp = 1, llp = 2 };

// Layer, error type and code: one row of figure 9 and its continuations.
struct ErrorCode {
  std::uint8_t layer = 0;  // four bits
  std::uint8_t etype = 0;  // four bits
  std::uint8_t code = 0;
  friend constexpr auto operator<=>(const ErrorCode&, const ErrorCode&) = default;
};

// Names of the rows, to be used instead of numbers.
namespace error {
inline constexpr ErrorCode kLocalCatastrophic{0, 0, 0};  // any code
inline constexpr ErrorCode kInvalidStag{0, 1, 0x00};
inline constexpr ErrorCode kBaseOrBounds{0, 1, 0x01};
inline constexpr ErrorCode kAccessRights{0, 1, 0x02};
inline constexpr ErrorCode kStagNotAssociated{0, 1, 0x03};
inline constexpr ErrorCode kToWrap{0, 1, 0x04};
inline constexpr ErrorCode kProtectionCannotInvalidate{0, 1, 0x09};
inline constexpr ErrorCode kProtectionUnspecified{0, 1, 0xff};
inline constexpr ErrorCode kInvalidVersion{0, 2, 0x05};
inline constexpr ErrorCode kUnexpectedOpcode{0, 2, 0x06};
inline constexpr ErrorCode kCatastrophicStream{0, 2, 0x07};
inline constexpr ErrorCode kCatastrophicGlobal{0, 2, 0x08};
inline constexpr ErrorCode kOperationCannotInvalidate{0, 2, 0x09};
inline constexpr ErrorCode kOperationUnspecified{0, 2, 0xff};
inline constexpr ErrorCode kDdpLocalCatastrophic{1, 0, 0x00};
inline constexpr ErrorCode kDdpInvalidStag{1, 1, 0x00};
inline constexpr ErrorCode kDdpBaseOrBounds{1, 1, 0x01};
inline constexpr ErrorCode kDdpStagNotAssociated{1, 1, 0x02};
inline constexpr ErrorCode kDdpToWrap{1, 1, 0x03};
inline constexpr ErrorCode kDdpTaggedVersion{1, 1, 0x04};
inline constexpr ErrorCode kDdpInvalidQn{1, 2, 0x01};
inline constexpr ErrorCode kDdpNoBuffer{1, 2, 0x02};
inline constexpr ErrorCode kDdpMsnRange{1, 2, 0x03};
inline constexpr ErrorCode kDdpInvalidMo{1, 2, 0x04};
inline constexpr ErrorCode kDdpTooLong{1, 2, 0x05};
inline constexpr ErrorCode kDdpUntaggedVersion{1, 2, 0x06};
inline constexpr ErrorCode kMpaConnectionLost{2, 0, 0x01};
inline constexpr ErrorCode kMpaCrc{2, 0, 0x02};
inline constexpr ErrorCode kMpaMarker{2, 0, 0x03};
inline constexpr ErrorCode kMpaStartFrame{2, 0, 0x04};
inline constexpr ErrorCode kMpaLocalCatastrophic{2, 0, 0x05};
inline constexpr ErrorCode kMpaInsufficientIrd{2, 0, 0x06};
inline constexpr ErrorCode kMpaNoMatchingRtr{2, 0, 0x07};
}  // namespace error

// A row with its names, for users and for the rules; nullptr if no specification has it. RDMAP's local catastrophic
// error accepts any code (RFC 6580, 3.1). DDP's EType 3 is reserved for the LLP, which uses Layer 2 instead.
struct ErrorRow {
  ErrorCode error;
  std::string_view type_name;  // "Remote Protection Error"
  std::string_view name;       // "Base or bounds violation"
};
const ErrorRow* find_error(const ErrorCode& error);
std::span<const ErrorRow> errors();
std::string to_string(const ErrorCode& error);  // "0/1/01 (Remote Protection Error: Base or bounds violation)"

// A Terminate as it follows the DDP header. Reserved bits and unexpected octets at its end are kept.
struct Terminate {
  ErrorCode error;
  bool has_length = false;               // M
  bool has_ddp_header = false;           // D
  bool has_rdma_header = false;          // R
  std::uint16_t reserved = 0;            // 13 bits
  std::uint16_t ddp_segment_length = 0;  // present if M or D is set
  Octets ddp_header;                     // the terminated one: 14 octets if its T bit is set, else 18
  Octets rdma_header;                    // the terminated one: 28 octets
  Octets tail;                           // remaining octets
  // The Terminate is shorter than its HdrCt bits announce; octets of an incomplete part are in the tail.
  bool cut = false;
  bool length_missing = false;  // `cut` within the DDP Segment Length
};

std::optional<Terminate> decode_terminate(Octets payload);  // nothing if shorter than four octets
// Appends the Terminate to `out`, with the spans as given. encode(decode_terminate(x)) == x for every x that decodes.
void encode(const Terminate& terminate, OctetBuffer& out);

}  // namespace wirelaw::rdmap
