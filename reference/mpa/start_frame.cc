// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/start_frame.h"

#include <algorithm>
#include <cstring>

namespace wirelaw::mpa {
namespace {

// The flags octet (RFC 5044, figure 8; S by RFC 6581, 6).
constexpr unsigned kM = 0x80, kC = 0x40, kR = 0x20, kS = 0x10, kReserved = 0x0f;

// The enhanced data (RFC 6581, 9).
constexpr std::uint32_t kA = 1u << 31, kB = 1u << 30, kRtrWrite = 1u << 15, kRtrRead = 1u << 14;
constexpr std::uint32_t kDepth = 0x3fff;
constexpr unsigned kIrdShift = 16;

constexpr std::size_t kKeyOctets = std::tuple_size_v<decltype(StartFrame::key)>;

bool begins_with(Octets octets, std::string_view key) {
  return octets.size() >= key.size() && std::memcmp(octets.data(), key.data(), key.size()) == 0;
}

}  // namespace

EnhancedData decode_enhanced(std::uint32_t word) {
  return {.peer_to_peer = (word & kA) != 0,
          .rtr_send = (word & kB) != 0,
          .ird = static_cast<std::uint16_t>(word >> kIrdShift & kDepth),
          .rtr_write = (word & kRtrWrite) != 0,
          .rtr_read = (word & kRtrRead) != 0,
          .ord = static_cast<std::uint16_t>(word & kDepth)};
}

std::uint32_t encode_enhanced(const EnhancedData& data) {
  return (data.peer_to_peer ? kA : 0) | (data.rtr_send ? kB : 0) | (data.ird & kDepth) << kIrdShift |
         (data.rtr_write ? kRtrWrite : 0) | (data.rtr_read ? kRtrRead : 0) | (data.ord & kDepth);
}

std::array<Octet, 16> key_of(FrameKind kind) {
  const std::string_view text = kind == FrameKind::request ? kRequestKey : kReplyKey;
  std::array<Octet, kKeyOctets> key{};
  std::ranges::transform(text, key.begin(), [](char c) { return static_cast<Octet>(c); });
  return key;
}

std::optional<FrameKind> start_frame_in(Octets octets) {
  if (begins_with(octets, kRequestKey)) return FrameKind::request;
  if (begins_with(octets, kReplyKey)) return FrameKind::reply;
  return std::nullopt;
}

std::optional<FrameKind> StartFrame::kind() const {
  return start_frame_in(key);
}

std::optional<EnhancedData> StartFrame::enhanced_data() const {
  if (!enhanced || revision < kRevision2 || private_data.size() < layout::kEnhanced) return std::nullopt;
  return decode_enhanced(load_big_endian<std::uint32_t>(private_data.data()));
}

Octets StartFrame::ulp_data() const {
  return enhanced_data() ? private_data.subspan(layout::kEnhanced) : private_data;
}

tl::expected<StartFrame, StartFrameShort> decode_start_frame(Octets octets) {
  if (octets.size() < layout::kStartFrame) return tl::unexpected(StartFrameShort{});
  const Octet flags = octets[layout::kFlags];
  StartFrame frame{.markers = (flags & kM) != 0,
                   .crc = (flags & kC) != 0,
                   .rejected = (flags & kR) != 0,
                   .enhanced = (flags & kS) != 0,
                   .reserved = static_cast<std::uint8_t>(flags & kReserved),
                   .revision = octets[layout::kRevision],
                   .private_data_length = load_big_endian<std::uint16_t>(octets.data() + layout::kPrivateDataLength)};
  std::ranges::copy(octets.subspan(layout::kKey, kKeyOctets), frame.key.begin());
  const std::size_t whole = layout::kStartFrame + frame.private_data_length;
  if (octets.size() < whole) return tl::unexpected(StartFrameShort{.needed = whole});
  frame.private_data = octets.subspan(layout::kStartFrame, frame.private_data_length);
  return frame;
}

void encode_start_frame(const StartFrame& frame, OctetBuffer& out) {
  const unsigned flags = (frame.markers ? kM : 0) | (frame.crc ? kC : 0) | (frame.rejected ? kR : 0) |
                         (frame.enhanced ? kS : 0) | (frame.reserved & kReserved);
  Writer(out)
      .octets(frame.key)
      .octet(static_cast<Octet>(flags))
      .octet(frame.revision)
      .big_endian(frame.private_data_length)
      .octets(frame.private_data);
}

OctetBuffer encode_start_frame(const StartFrame& frame) {
  OctetBuffer out;
  out.reserve(layout::kStartFrame + frame.private_data.size());
  encode_start_frame(frame, out);
  return out;
}

}  // namespace wirelaw::mpa
