// SPDX-License-Identifier: Apache-2.0
// SMB Direct's messages ([MS-SMBD] 2.2), decoded and encoded. No field gives the message type: it follows from the
// message's place on the connection, so there is one decoder for each.
//
// Decoding fails only if the octets are shorter than the fixed fields. Reserved fields, versions, flags and lengths are
// kept as received, and so are octets after the last field (rulings SMBD/A20 and SMBD/A21): encode(decode(x)) == x for
// every x that decodes. "A…" are the rulings on points that the text leaves open.
#pragma once

#include <cstdint>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

inline constexpr std::uint16_t kVersion1 = 0x0100;  // 1.7

// NT status codes of Negotiate Response (3.1.5.6).
namespace status {
inline constexpr std::uint32_t kSuccess = 0x00000000;
inline constexpr std::uint32_t kInsufficientResources = 0xC000009A;
inline constexpr std::uint32_t kNotSupported = 0xC00000BB;
}  // namespace status
// [MS-ERREF] 2.3: the two highest bits are the severity.
constexpr bool is_error(std::uint32_t nt_status) {
  return nt_status >> 30 == 3;
}

// The limits that a receiver enforces (3.1.5.6, 3.1.5.7), and the values that a sender should use (3.1.5.4).
inline constexpr std::uint32_t kLeastMaxReceiveSize = 128;
inline constexpr std::uint32_t kLeastMaxFragmentedSize = 131'072;
inline constexpr std::uint32_t kUsualDataOffset = 24;
inline constexpr std::uint32_t kDataAlignment = 8;
inline constexpr std::size_t kNegotiateReceive = 512;  // minimum size of the first receive in octets (3.1.4.1, 3.1.7.2)

// 2.2.1
struct NegotiateRequest {
  std::uint16_t min_version = kVersion1;
  std::uint16_t max_version = kVersion1;
  std::uint16_t reserved = 0;
  std::uint16_t credits_requested = 0;
  std::uint32_t preferred_send_size = 0;
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_fragmented_size = 0;
  Octets trailing = {};  // after the message
};

// 2.2.2
struct NegotiateResponse {
  std::uint16_t min_version = kVersion1;
  std::uint16_t max_version = kVersion1;
  std::uint16_t negotiated_version = 0;
  std::uint16_t reserved = 0;
  std::uint16_t credits_requested = 0;
  std::uint16_t credits_granted = 0;
  std::uint32_t status = status::kSuccess;
  std::uint32_t max_read_write_size = 0;
  std::uint32_t preferred_send_size = 0;
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_fragmented_size = 0;
  Octets trailing = {};  // after the message
};

// 2.2.3. The octets after the fixed fields are in three parts, each of which may be empty. DataOffset and DataLength
// divide them as far as these fit the message; an encoder writes the parts as given.
struct DataTransfer {
  std::uint16_t credits_requested = 0;
  std::uint16_t credits_granted = 0;
  std::uint16_t flags = 0;
  std::uint16_t reserved = 0;
  std::uint32_t remaining_data_length = 0;
  std::uint32_t data_offset = 0;
  std::uint32_t data_length = 0;
  Octets padding = {};   // up to DataOffset (SMBD/A1)
  Octets buffer = {};    // DataLength octets; fewer if DataOffset or DataLength point into the header or past the end
  Octets trailing = {};  // after the data (SMBD/A20)

  constexpr bool requests_response() const { return (flags & flag::kResponseRequested) != 0; }
  // The message has no data: it grants credits, requests them, or keeps the connection alive.
  constexpr bool is_empty() const { return data_length == 0; }
  // Length of the whole message.
  constexpr std::size_t octets() const {
    return describe(MessageType::data_transfer).octets + padding.size() + buffer.size() + trailing.size();
  }
  // The sums of 3.1.5.8, which would wrap in 32 bits.
  constexpr std::uint64_t data_end() const { return std::uint64_t{data_offset} + data_length; }
  constexpr std::uint64_t announced() const { return std::uint64_t{data_length} + remaining_data_length; }
};

// 2.2.3.1
struct BufferDescriptorV1 {
  std::uint64_t offset = 0;
  std::uint32_t token = 0;
  std::uint32_t length = 0;
  friend constexpr bool operator==(const BufferDescriptorV1&, const BufferDescriptorV1&) = default;
};

// Why octets cannot be decoded. The only reason is that they are shorter than the fixed fields.
struct DecodeError {
  MessageType expected;
  std::size_t offset;  // length of the octets
  std::size_t needed;  // length of the shortest such message
};

// The views in a decoded message refer to `octets`, and are valid as long as these.
tl::expected<NegotiateRequest, DecodeError> decode_negotiate_request(Octets octets);
tl::expected<NegotiateResponse, DecodeError> decode_negotiate_response(Octets octets);
tl::expected<DataTransfer, DecodeError> decode_data_transfer(Octets octets);
// Decodes the first descriptor of an array; the next one begins describe(MessageType::buffer_descriptor_v1).octets
// after it.
tl::expected<BufferDescriptorV1, DecodeError> decode_buffer_descriptor(Octets octets);

OctetBuffer encode(const NegotiateRequest& message);
OctetBuffer encode(const NegotiateResponse& message);
OctetBuffer encode(const DataTransfer& message);
OctetBuffer encode(const BufferDescriptorV1& descriptor);
// Appends to `out`.
void encode(const DataTransfer& message, OctetBuffer& out);
void encode(const BufferDescriptorV1& descriptor, OctetBuffer& out);

}  // namespace wirelaw::smbd
