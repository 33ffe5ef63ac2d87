// SPDX-License-Identifier: Apache-2.0
// The MPA Request and Reply Frames (RFC 5044, 7.1.1) with the enhanced connection establishment data that revision 2
// may put before the ULP's private data (RFC 6581, 6 and 9). Integers are big-endian on the wire.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"

namespace wirelaw::mpa {

// Octet offsets in a start frame, in wire order (RFC 5044, figure 8).
namespace layout {
inline constexpr std::size_t kKey = 0;                 // 16 octets
inline constexpr std::size_t kFlags = 16;              // 1: M, C, R, S from the high bit down; the rest reserved
inline constexpr std::size_t kRevision = 17;           // 1
inline constexpr std::size_t kPrivateDataLength = 18;  // 2: PD_Length
inline constexpr std::size_t kStartFrame = 20;         // octets before the private data
inline constexpr std::size_t kEnhanced = 4;            // octets of the enhanced data, at the head of the private data
}  // namespace layout

inline constexpr std::string_view kRequestKey = "MPA ID Req Frame";
inline constexpr std::string_view kReplyKey = "MPA ID Rep Frame";
inline constexpr std::size_t kMaxPrivateData = 512;
inline constexpr std::uint8_t kRevision1 = 1;  // RFC 5044
inline constexpr std::uint8_t kRevision2 = 2;  // RFC 6581

enum class FrameKind : std::uint8_t { request, reply };

// RFC 6581, 9. IRD and ORD are 14 bits; kNoNegotiation in either leaves it to the ULP (9.1).
struct EnhancedData {
  bool peer_to_peer = false;  // A
  bool rtr_send = false;      // B: a zero-length Send (the FULPDU of the text) as ready-to-receive
  std::uint16_t ird = 0;
  bool rtr_write = false;  // C
  bool rtr_read = false;   // D
  std::uint16_t ord = 0;
  friend constexpr bool operator==(const EnhancedData&, const EnhancedData&) = default;
};
inline constexpr std::uint16_t kNoNegotiation = 0x3fff;

EnhancedData decode_enhanced(std::uint32_t word);
std::uint32_t encode_enhanced(const EnhancedData& data);

// A start frame as on the wire: reserved bits, unknown revisions, and a private data length beyond the limit are kept.
// `key` is kept if it is neither of the two keys.
struct StartFrame {
  std::array<Octet, 16> key = {};
  bool markers = false;       // M: the sender requests to receive markers
  bool crc = false;           // C: the sender requests CRCs
  bool rejected = false;      // R
  bool enhanced = false;      // S (RFC 6581, 6); a reserved bit in revision 1
  std::uint8_t reserved = 0;  // the low four bits of the flags octet
  std::uint8_t revision = kRevision1;
  std::uint16_t private_data_length = 0;  // PD_Length, as received
  Octets private_data;                    // at most PD_Length octets; a view of the decoded octets

  std::optional<FrameKind> kind() const;  // determined by the key
  // Present if S is set and the four octets are there; S has this meaning only from revision 2 on.
  std::optional<EnhancedData> enhanced_data() const;
  // The private data after the enhanced data.
  Octets ulp_data() const;
};
std::array<Octet, 16> key_of(FrameKind kind);
// The kind of start frame whose key `octets` begin with.
std::optional<FrameKind> start_frame_in(Octets octets);

// The frame is incomplete. PD_Length gives its length; `needed` is the length of the whole frame, as far as it is
// known.
struct StartFrameShort {
  std::size_t needed = layout::kStartFrame;
};

// Decodes the frame at the beginning of `octets`, which has kStartFrame + private_data_length octets. Any octets
// decode, whatever their key: the caller judges them.
tl::expected<StartFrame, StartFrameShort> decode_start_frame(Octets octets);

// Appends the frame: PD_Length and the private data as given, whether they agree or not.
void encode_start_frame(const StartFrame& frame, OctetBuffer& out);
OctetBuffer encode_start_frame(const StartFrame& frame);

}  // namespace wirelaw::mpa
