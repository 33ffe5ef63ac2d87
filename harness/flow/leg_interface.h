// SPDX-License-Identifier: Apache-2.0
// The interfaces in the recording of a transparent relay. The same packet passes two of them: it comes from one peer,
// and, unless the relay loses it, goes to the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wirelaw {

inline constexpr std::size_t kLegs = 2;

// The number of the interface in the pcapng section.
enum class LegInterface : std::uint32_t { from_initiator, to_initiator, from_responder, to_responder };

// Their names in the recording, by number.
inline constexpr std::array<std::string_view, 4> kLegInterfaces = {"from the initiator", "to the initiator",
                                                                   "from the responder", "to the responder"};

constexpr bool is_leg_interface(std::uint32_t interface) {
  return interface < kLegInterfaces.size();
}
// 0: the leg of the initiator, 1: of the responder.
constexpr std::uint8_t leg_of(std::uint32_t interface) {
  return interface < static_cast<std::uint32_t>(LegInterface::from_responder) ? 0 : 1;
}
constexpr bool is_from_peer(std::uint32_t interface) {
  return interface % 2 == 0;
}

}  // namespace wirelaw
