// SPDX-License-Identifier: Apache-2.0
// RDMAP in DDP's fields, and RDMAP's own headers (RFC 5040, 4), with the extensions of RFC 7306. Integers are
// big-endian on the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/ddp/segment.h"
#include "reference/octets/octets.h"

namespace wirelaw::rdmap {

// RFC 5040, figure 4; 8 to 11 by RFC 7306 (RFC 6580, 3.4).
enum class Opcode : std::uint8_t {
  write = 0,
  read_request = 1,
  read_response = 2,
  send = 3,
  send_invalidate = 4,
  send_se = 5,
  send_se_invalidate = 6,
  terminate = 7,
  immediate_data = 8,
  immediate_data_se = 9,
  atomic_request = 10,
  atomic_response = 11,
};

// The control field: the first RsvdULP octet (4.1, figure 3).
struct Control {
  std::uint8_t version = 1;   // RV, two bits: 1 in RFC 5040, 0 in the RDMA Consortium's version
  std::uint8_t reserved = 0;  // two bits
  std::uint8_t opcode = 0;    // four bits, assigned or not
  constexpr bool is(Opcode wanted) const { return opcode == static_cast<std::uint8_t>(wanted); }
  friend constexpr bool operator==(const Control&, const Control&) = default;
};
constexpr Control decode_control(std::uint8_t rsvd_ulp) {
  return {.version = static_cast<std::uint8_t>(rsvd_ulp >> 6),
          .reserved = static_cast<std::uint8_t>(rsvd_ulp >> 4 & 3),
          .opcode = static_cast<std::uint8_t>(rsvd_ulp & 15)};
}
constexpr std::uint8_t encode_control(const Control& control) {
  return static_cast<std::uint8_t>((control.version & 3) << 6 | (control.reserved & 3) << 4 | (control.opcode & 15));
}
constexpr Control control_of(Opcode opcode) {
  return {.opcode = static_cast<std::uint8_t>(opcode)};
}

inline constexpr std::uint32_t kSendQueue = 0;
inline constexpr std::uint32_t kReadRequestQueue = 1;
inline constexpr std::uint32_t kTerminateQueue = 2;
inline constexpr std::uint32_t kAtomicResponseQueue = 3;  // RFC 7306

// One row of figures 4 and 5 combined.
struct OpcodeRow {
  Opcode opcode;
  std::string_view name;  // as in Wireshark: "Send with Invalidate"
  bool tagged;
  std::uint32_t queue;        // for untagged messages only
  bool invalidate_stag;       // the Invalidate STag field is valid; else it is zero
  std::size_t header_octets;  // size of the RDMAP header; 0: none (a Terminate's is at least this long)
  bool ulp_payload;           // may carry ULP payload
  bool extension;             // RFC 7306
};
const OpcodeRow* find_opcode(std::uint8_t opcode);  // nullptr if it is reserved
std::span<const OpcodeRow> opcodes();

// RFC 5040, 4.4, figure 6.
struct ReadRequest {
  std::uint32_t sink_stag = 0;
  std::uint64_t sink_to = 0;
  std::uint32_t size = 0;  // RDMARDSZ
  std::uint32_t source_stag = 0;
  std::uint64_t source_to = 0;
  friend constexpr bool operator==(const ReadRequest&, const ReadRequest&) = default;
};
namespace layout {
inline constexpr std::size_t kSinkStag = 0;     // 4 octets, relative to the end of the DDP header
inline constexpr std::size_t kSinkTo = 4;       // 8
inline constexpr std::size_t kReadSize = 12;    // 4
inline constexpr std::size_t kSourceStag = 16;  // 4
inline constexpr std::size_t kSourceTo = 20;    // 8
inline constexpr std::size_t kReadRequest = 28;

inline constexpr std::size_t kTerminateControl = 0;  // 4: Layer, EType, Error Code, HdrCt, 13 bits reserved
inline constexpr std::size_t kTerminate = 4;
inline constexpr std::size_t kDdpSegmentLength = 4;  // 2, if any; the terminated headers after it
inline constexpr std::size_t kDdpSegmentLengthOctets = 2;

// RFC 7306: figures 4, 6 and 7.
inline constexpr std::size_t kAtomicOpcode = 0;        // 4: 28 bits reserved, AOpCode
inline constexpr std::size_t kAtomicIdentifier = 4;    // 4
inline constexpr std::size_t kAtomicStag = 8;          // 4
inline constexpr std::size_t kAtomicTo = 12;           // 8
inline constexpr std::size_t kAtomicData = 20;         // 8
inline constexpr std::size_t kAtomicDataMask = 28;     // 8
inline constexpr std::size_t kAtomicCompare = 36;      // 8
inline constexpr std::size_t kAtomicCompareMask = 44;  // 8
inline constexpr std::size_t kAtomicRequest = 52;
inline constexpr std::size_t kOriginalIdentifier = 0;  // 4
inline constexpr std::size_t kOriginalValue = 4;       // 8
inline constexpr std::size_t kAtomicResponse = 12;
inline constexpr std::size_t kImmediateData = 8;
}  // namespace layout
std::optional<ReadRequest> decode_read_request(Octets payload);  // nothing if shorter than its header
void encode(const ReadRequest& request, OctetBuffer& out);

// RFC 7306, 5.2.1 and 5.2.2. AOpCode values: kFetchAdd, kCmpSwap; others are kept.
struct AtomicRequest {
  std::uint32_t reserved_and_opcode = 0;  // 28 bits reserved, four of AOpCode
  std::uint32_t request_identifier = 0;
  std::uint32_t stag = 0;
  std::uint64_t to = 0;
  std::uint64_t data = 0;  // add or swap data
  std::uint64_t data_mask = 0;
  std::uint64_t compare = 0;
  std::uint64_t compare_mask = 0;
  friend constexpr bool operator==(const AtomicRequest&, const AtomicRequest&) = default;
};
// Figure 5 and the registry of 10.1. The text also mentions a Swap, but assigns no value to it: 1 is reserved.
inline constexpr std::uint8_t kFetchAdd = 0, kCmpSwap = 2;
constexpr std::uint8_t atomic_opcode(const AtomicRequest& request) {
  return static_cast<std::uint8_t>(request.reserved_and_opcode & 15);
}
std::optional<AtomicRequest> decode_atomic_request(Octets payload);
void encode(const AtomicRequest& request, OctetBuffer& out);
struct AtomicResponse {
  std::uint32_t request_identifier = 0;
  std::uint64_t original_value = 0;
  friend constexpr bool operator==(const AtomicResponse&, const AtomicResponse&) = default;
};
std::optional<AtomicResponse> decode_atomic_response(Octets payload);
void encode(const AtomicResponse& response, OctetBuffer& out);

}  // namespace wirelaw::rdmap
