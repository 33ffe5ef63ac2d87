// SPDX-License-Identifier: Apache-2.0
// PEER_ERROR (4.10 of later documents): its sender gives up an operation in progress. ref_kind gives the meaning of
// op_id.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wirelaw::efa {

enum class RefKind : std::uint32_t {
  // An operation of the packet's receiver: its send_id if the sink sends the packet, its recv_id if the source does.
  ope_index = 0,
  msg_id = 1,       // a message of which a part has been sent
  msg_id_skip = 2,  // a message of which nothing will be sent: its msg_id is used up
};

struct RefKindInfo {
  RefKind kind;
  std::string_view name;
};
inline constexpr std::array<RefKindInfo, 3> kRefKinds{{
    {RefKind::ope_index, "OPE_INDEX"},
    {RefKind::msg_id, "MSG_ID"},
    {RefKind::msg_id_skip, "MSG_ID_SKIP"},
}};

// Returns an empty name if the value is not assigned.
constexpr std::string_view ref_kind_name(std::uint32_t value) {
  return value < kRefKinds.size() ? kRefKinds[value].name : std::string_view{};
}

// Causes: those of the device are below 4096, those of the provider from there on.
namespace cause {
inline constexpr std::uint32_t kBadAddress = 7;  // the remote address could not be read
inline constexpr std::uint32_t kGivenUp = 4127;  // the application, or the end of the endpoint, gave it up
}  // namespace cause

}  // namespace wirelaw::efa
