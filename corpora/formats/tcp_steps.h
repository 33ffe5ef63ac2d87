// SPDX-License-Identifier: Apache-2.0
// The inputs of fuzz_tcp: eight octets of settings, and steps of twelve octets that are a segment each. A segment
// carries the octets that its sender's stream has at these sequence numbers, so that all segments agree unless a step
// says otherwise. Any octets are a valid input.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kTcpSettingsOctets = 8, kTcpStepOctets = 12;
inline constexpr std::size_t kTcpMostPayload = 256;

namespace tcp_control {
inline constexpr Octet kSideB = 0x01;  // sent by side b, else by side a
inline constexpr Octet kSyn = 0x02, kFin = 0x04, kRst = 0x08, kAck = 0x10;
inline constexpr Octet kDiffers = 0x20;  // the payload differs from the stream
}  // namespace tcp_control

struct TcpStep {
  Octet control = 0;
  Octet cut = 0;             // number of octets that the snap length cuts off
  std::uint16_t length = 0;  // payload length, modulo kTcpMostPayload
  std::uint32_t offset = 0;  // offset of the payload in the sender's stream; for a SYN: added to its sequence number
  std::uint32_t ack = 0;     // acknowledged offset in the other stream
};

struct TcpSteps {
  std::uint32_t isn_a = 0, isn_b = 0;
  std::vector<TcpStep> steps;
};

TcpSteps read_tcp_steps(Octets input);
OctetBuffer write_tcp_steps(const TcpSteps& conversation);

// The octet of a side's stream at an offset, which wraps as sequence numbers do.
[[gnu::always_inline]] constexpr Octet tcp_octet(bool side_b, std::uint32_t offset) {
  const std::uint32_t mixed = (offset + (side_b ? 0x80000000U : 0U)) * 0x9e3779b1U;
  return static_cast<Octet>((mixed ^ mixed >> 15) >> 8);
}

// Fills `out` with the octets of the stream from an offset on; `out` has room for them. Not instrumented by sanitizers,
// which would take most of a target's time.
#ifdef __clang__
[[clang::no_sanitize("address", "undefined", "coverage")]]
#endif
inline void
fill_tcp_octets(Octet* out, std::size_t octets, bool side_b, std::uint32_t offset) {
  for (std::uint32_t i = 0; i < octets; ++i) out[i] = tcp_octet(side_b, offset + i);
}

}  // namespace wirelaw::corpora
