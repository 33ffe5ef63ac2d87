// SPDX-License-Identifier: Apache-2.0
// DDP's error numbers (RFC 5041, 7.2), which RDMAP's Terminate carries with Layer 1.
#pragma once

#include <cstdint>

namespace wirelaw::ddp {

enum class ErrorType : std::uint8_t { local_catastrophic = 0, tagged_buffer = 1, untagged_buffer = 2, llp = 3 };

namespace tagged_error {
inline constexpr std::uint8_t kInvalidStag = 0x00;
inline constexpr std::uint8_t kBaseOrBounds = 0x01;
inline constexpr std::uint8_t kStagNotAssociated = 0x02;
inline constexpr std::uint8_t kToWrap = 0x03;
inline constexpr std::uint8_t kInvalidVersion = 0x04;
}  // namespace tagged_error

namespace untagged_error {
inline constexpr std::uint8_t kInvalidQn = 0x01;
inline constexpr std::uint8_t kNoBuffer = 0x02;  // invalid MSN: no buffer available
inline constexpr std::uint8_t kMsnRange = 0x03;  // invalid MSN: not in the legal range
inline constexpr std::uint8_t kInvalidMo = 0x04;
inline constexpr std::uint8_t kTooLong = 0x05;
inline constexpr std::uint8_t kInvalidVersion = 0x06;
}  // namespace untagged_error

}  // namespace wirelaw::ddp
