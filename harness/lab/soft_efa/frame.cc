// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/frame.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace wirelaw::soft_efa {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic{'W', 'L', 's', 'o', 'f', 't', 'E', '1'};

template <typename T>
void put(T value, std::uint8_t* to) {
  for (std::size_t i = 0; i < sizeof value; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

template <typename T>
T get(const std::uint8_t* from) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) value |= static_cast<T>(static_cast<T>(from[i]) << (8 * i));
  return value;
}

bool carries_data(FrameKind kind) {
  return kind == FrameKind::read_data || kind == FrameKind::write_data;
}

}  // namespace

bool operator==(const Frame& a, const Frame& b) {
  const auto fields = [](const Frame& f) {
    return std::tie(f.kind, f.reason, f.flags, f.qkey, f.reply_qkey, f.token, f.address, f.offset, f.key, f.length,
                    f.total, f.immediate);
  };
  return fields(a) == fields(b) && std::ranges::equal(a.data, b.data);
}

void encode(const Frame& frame, std::span<std::uint8_t, kFrameHeader> out) {
  std::ranges::copy(kMagic, out.begin());
  out[8] = static_cast<std::uint8_t>(frame.kind);
  out[9] = static_cast<std::uint8_t>(frame.reason);
  out[10] = frame.flags;
  out[11] = 0;
  put(frame.qkey, &out[12]);
  put(frame.reply_qkey, &out[16]);
  put(frame.token, &out[20]);
  put(frame.address, &out[24]);
  put(frame.offset, &out[32]);
  put(frame.key, &out[40]);
  put(frame.length, &out[44]);
  put(frame.total, &out[48]);
  std::memcpy(&out[52], &frame.immediate, sizeof frame.immediate);
}

std::optional<Frame> decode(std::span<const std::uint8_t> octets) {
  if (octets.size() < kFrameHeader || !std::equal(kMagic.begin(), kMagic.end(), octets.begin())) return std::nullopt;
  const std::uint8_t kind = octets[8];
  const std::uint8_t reason = octets[9];
  if (kind < static_cast<std::uint8_t>(FrameKind::read) || kind > static_cast<std::uint8_t>(FrameKind::refused) ||
      reason > static_cast<std::uint8_t>(Reach::no_access))
    return std::nullopt;
  Frame frame{.kind = static_cast<FrameKind>(kind), .reason = static_cast<Reach>(reason), .flags = octets[10]};
  frame.qkey = get<std::uint32_t>(&octets[12]);
  frame.reply_qkey = get<std::uint32_t>(&octets[16]);
  frame.token = get<std::uint32_t>(&octets[20]);
  frame.address = get<std::uint64_t>(&octets[24]);
  frame.offset = get<std::uint64_t>(&octets[32]);
  frame.key = get<std::uint32_t>(&octets[40]);
  frame.length = get<std::uint32_t>(&octets[44]);
  frame.total = get<std::uint32_t>(&octets[48]);
  std::memcpy(&frame.immediate, &octets[52], sizeof frame.immediate);
  if (frame.length > kSegment) return std::nullopt;
  if (octets.size() - kFrameHeader != (carries_data(frame.kind) ? frame.length : 0)) return std::nullopt;
  frame.data = octets.subspan(kFrameHeader);
  return frame;
}

}  // namespace wirelaw::soft_efa
