// SPDX-License-Identifier: Apache-2.0
// The part of SMB2 ([MS-SMB2] 2.2) with which a peer of SMB Direct answers without a session: the header, NEGOTIATE,
// ECHO, the WRITE request, and the error response. bodies.h has the rest, which needs a session. SMB2 itself is not
// judged.
//
// Decoding fails only if the octets are shorter than the fixed fields, or belong to another protocol. Values are kept
// as received, and the octets after the fixed fields as a whole: encode(decode(x)) == x for every x that decodes.
// Functions of their own decode lists, whose offset is in a field. Integers are little-endian (2.2).
#pragma once

#include <array>
#include <cstdint>
#include <tl/expected.hpp>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::smb2 {

// Values from [MS-ERREF] 2.3.1.
namespace status {
inline constexpr std::uint32_t kSuccess = 0x00000000;
inline constexpr std::uint32_t kBufferOverflow = 0x80000005;
inline constexpr std::uint32_t kNoMoreFiles = 0x80000006;
inline constexpr std::uint32_t kInvalidInfoClass = 0xC0000003;
inline constexpr std::uint32_t kInfoLengthMismatch = 0xC0000004;
inline constexpr std::uint32_t kInvalidParameter = 0xC000000D;
inline constexpr std::uint32_t kNoSuchFile = 0xC000000F;
inline constexpr std::uint32_t kInvalidDeviceRequest = 0xC0000010;
inline constexpr std::uint32_t kEndOfFile = 0xC0000011;
inline constexpr std::uint32_t kMoreProcessingRequired = 0xC0000016;
inline constexpr std::uint32_t kObjectNameNotFound = 0xC0000034;
inline constexpr std::uint32_t kObjectNameCollision = 0xC0000035;
inline constexpr std::uint32_t kObjectPathNotFound = 0xC000003A;
inline constexpr std::uint32_t kLogonFailure = 0xC000006D;
inline constexpr std::uint32_t kDiskFull = 0xC000007F;
inline constexpr std::uint32_t kInsufficientResources = 0xC000009A;
inline constexpr std::uint32_t kFileIsADirectory = 0xC00000BA;
inline constexpr std::uint32_t kNotSupported = 0xC00000BB;
inline constexpr std::uint32_t kNetworkNameDeleted = 0xC00000C9;
inline constexpr std::uint32_t kBadNetworkName = 0xC00000CC;
inline constexpr std::uint32_t kDirectoryNotEmpty = 0xC0000101;
inline constexpr std::uint32_t kNotADirectory = 0xC0000103;
inline constexpr std::uint32_t kFileClosed = 0xC0000128;
inline constexpr std::uint32_t kFsDriverRequired = 0xC000019C;
inline constexpr std::uint32_t kUserSessionDeleted = 0xC0000203;
inline constexpr std::uint32_t kNoHashOverlap = 0xC05D0000;  // STATUS_SMB_NO_PREAUTH_INTEGRITY_HASH_OVERLAP
}  // namespace status

// 2.2.1.2, Command
namespace command {
inline constexpr std::uint16_t kNegotiate = 0x0000;
inline constexpr std::uint16_t kSessionSetup = 0x0001;
inline constexpr std::uint16_t kLogoff = 0x0002;
inline constexpr std::uint16_t kTreeConnect = 0x0003;
inline constexpr std::uint16_t kTreeDisconnect = 0x0004;
inline constexpr std::uint16_t kCreate = 0x0005;
inline constexpr std::uint16_t kClose = 0x0006;
inline constexpr std::uint16_t kFlush = 0x0007;
inline constexpr std::uint16_t kRead = 0x0008;
inline constexpr std::uint16_t kWrite = 0x0009;
inline constexpr std::uint16_t kLock = 0x000A;
inline constexpr std::uint16_t kIoctl = 0x000B;
inline constexpr std::uint16_t kCancel = 0x000C;
inline constexpr std::uint16_t kEcho = 0x000D;
inline constexpr std::uint16_t kQueryDirectory = 0x000E;
inline constexpr std::uint16_t kQueryInfo = 0x0010;
inline constexpr std::uint16_t kSetInfo = 0x0011;
inline constexpr std::uint16_t kLast = 0x0012;  // OPLOCK_BREAK
}  // namespace command

// 2.2.1.2, Flags
namespace flag {
inline constexpr std::uint32_t kResponse = 0x00000001;  // SMB2_FLAGS_SERVER_TO_REDIR
inline constexpr std::uint32_t kRelated = 0x00000004;   // SMB2_FLAGS_RELATED_OPERATIONS
}  // namespace flag

// 2.2.3, Dialects
namespace dialect {
inline constexpr std::uint16_t k202 = 0x0202;
inline constexpr std::uint16_t k210 = 0x0210;
inline constexpr std::uint16_t k300 = 0x0300;
inline constexpr std::uint16_t k302 = 0x0302;
inline constexpr std::uint16_t k311 = 0x0311;
inline constexpr std::uint16_t kNone = 0xFFFF;  // nothing is negotiated (3.3.1.7)
}  // namespace dialect
inline constexpr std::uint16_t kDialects[] = {dialect::k202, dialect::k210, dialect::k300, dialect::k302,
                                              dialect::k311};

inline constexpr std::uint16_t kSigningEnabled = 0x0001;  // 2.2.3, SecurityMode
inline constexpr std::uint32_t kLargeMtu = 0x00000004;    // 2.2.3, Capabilities: SMB2_GLOBAL_CAP_LARGE_MTU

// Why octets cannot be decoded.
struct DecodeError {
  enum class Reason : std::uint8_t { too_short, other_protocol, outside, unaligned };
  Reason reason = Reason::too_short;
  std::size_t offset = 0;  // in the octets
};
template <class Result>
using Decoded = tl::expected<Result, DecodeError>;

inline constexpr std::size_t kHeaderOctets = 64;
inline constexpr std::size_t kAlignment = 8;  // after NextCommand (2.2.1.2), and for contexts (2.2.3)
constexpr std::size_t aligned(std::size_t octets) {
  return (octets + kAlignment - 1) / kAlignment * kAlignment;
}

using Guid = std::array<Octet, 16>;

// 2.2.1.2; in an asynchronous header (2.2.1.1), Reserved and TreeId are the AsyncId.
struct Header {
  std::uint16_t structure_size = 64;
  std::uint16_t credit_charge = 0;
  std::uint32_t status = status::kSuccess;  // in a request: ChannelSequence and Reserved, or zero
  std::uint16_t command = command::kNegotiate;
  std::uint16_t credits = 0;  // CreditRequest, CreditResponse
  std::uint32_t flags = 0;
  std::uint32_t next_command = 0;  // offset of the next element, relative to this header; 0: the last one
  std::uint64_t message_id = 0;
  std::uint32_t reserved = 0;
  std::uint32_t tree_id = 0;
  std::uint64_t session_id = 0;
  std::array<Octet, 16> signature = {};

  constexpr bool is_response() const { return (flags & flag::kResponse) != 0; }
};

// 2.2.28 and 2.2.29, which have the same fields
struct Echo {
  std::uint16_t structure_size = 4;
  std::uint16_t reserved = 0;
  Octets trailing = {};
};

// 2.2.21
struct WriteRequest {
  static constexpr std::size_t kFixedOctets = 48;
  std::uint16_t structure_size = 49;
  std::uint16_t data_offset = 0;  // relative to the header
  std::uint32_t length = 0;       // octets of data
  std::uint64_t offset = 0;       // in the file
  std::array<Octet, 16> file_id = {};
  std::uint32_t channel = 0;
  std::uint32_t remaining_octets = 0;
  std::uint16_t channel_info_offset = 0;  // relative to the header
  std::uint16_t channel_info_length = 0;
  std::uint32_t flags = 0;
  Octets rest = {};  // the data, or the channel's descriptors
};

// 2.2.3
struct NegotiateRequest {
  std::uint16_t structure_size = 36;
  std::uint16_t dialect_count = 0;
  std::uint16_t security_mode = 0;
  std::uint16_t reserved = 0;
  std::uint32_t capabilities = 0;
  Guid client_guid = {};
  std::uint32_t context_offset = 0;  // relative to the header; part of ClientStartTime if 3.1.1 is not offered
  std::uint16_t context_count = 0;
  std::uint16_t reserved2 = 0;
  Octets rest = {};  // Dialects, Padding, NegotiateContextList
};

// 2.2.4
struct NegotiateResponse {
  std::uint16_t structure_size = 65;
  std::uint16_t security_mode = 0;
  std::uint16_t dialect_revision = 0;
  std::uint16_t context_count = 0;
  Guid server_guid = {};
  std::uint32_t capabilities = 0;
  std::uint32_t max_transact_size = 0;
  std::uint32_t max_read_size = 0;
  std::uint32_t max_write_size = 0;
  std::uint64_t system_time = 0;
  std::uint64_t server_start_time = 0;
  std::uint16_t security_buffer_offset = 0;  // relative to the header
  std::uint16_t security_buffer_length = 0;
  std::uint32_t context_offset = 0;  // relative to the header
  Octets rest = {};                  // Buffer, Padding, NegotiateContextList
};

// 2.2.2
struct ErrorResponse {
  std::uint16_t structure_size = 9;
  std::uint8_t context_count = 0;
  std::uint8_t reserved = 0;
  std::uint32_t byte_count = 0;
  Octets data = {};  // one octet if ByteCount is 0
};

// 2.2.3.1
struct NegotiateContext {
  std::uint16_t type = 0;
  std::uint32_t reserved = 0;
  Octets data = {};
};
namespace context {
inline constexpr std::uint16_t kPreauthIntegrity = 0x0001;  // 2.2.3.1.1
inline constexpr std::uint16_t kSha512 = 0x0001;
}  // namespace context

// The views in a decoded structure refer to `octets`, and are valid as long as these. A body is what follows the
// header.
Decoded<Header> decode_header(Octets octets);
Decoded<Echo> decode_echo(Octets body);
Decoded<WriteRequest> decode_write_request(Octets body);
Decoded<NegotiateRequest> decode_negotiate_request(Octets body);
Decoded<NegotiateResponse> decode_negotiate_response(Octets body);
Decoded<ErrorResponse> decode_error(Octets body);

// Append to `out`.
void encode(const Header& header, OctetBuffer& out);
void encode(const Echo& body, OctetBuffer& out);
void encode(const WriteRequest& body, OctetBuffer& out);
void encode(const NegotiateRequest& body, OctetBuffer& out);
void encode(const NegotiateResponse& body, OctetBuffer& out);
void encode(const ErrorResponse& body, OctetBuffer& out);

// The dialects that a request offers.
Decoded<std::vector<std::uint16_t>> dialects_of(const NegotiateRequest& request);
// Returns `count` contexts; the first one is at `offset` in the message.
Decoded<std::vector<NegotiateContext>> contexts_of(Octets message, std::uint32_t offset, std::uint16_t count);
// 2.2.3.1.1: the hash algorithms in such a context.
Decoded<std::vector<std::uint16_t>> hash_algorithms_of(const NegotiateContext& preauth);
// Encodes one context at an aligned offset; returns the data of 2.2.3.1.1 with SHA-512 only.
void encode(const NegotiateContext& context, OctetBuffer& out);
OctetBuffer preauth_data(Octets salt);

}  // namespace wirelaw::smb2
