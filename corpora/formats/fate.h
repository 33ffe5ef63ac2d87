// SPDX-License-Identifier: Apache-2.0
// The common part of all scripted conversations: how a field deviates from its honest value, and what happens to a
// packet.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

// How a field differs from its honest value. Values from kHonestFrom on are honest as well, so that most octets are.
enum class Fault : std::uint8_t { none, one_more, one_less, zero, ones, mirrored, other_session, no_value };
inline constexpr unsigned kHonestFrom = 8;

// What happens to a packet between the observer and its receiver, two bits each.
enum class Fate : std::uint8_t { arrives, lost, doubled, held };

}  // namespace wirelaw::corpora
