// SPDX-License-Identifier: Apache-2.0
// The two roles of a conversation, which every protocol and every layer shares. Each specification has its own words
// (Protocol::initiator and Protocol::responder in conformance/protocol.h):
//
//             initiator                                  responder
//   RDMAP     sends the MPA request (RFC 5044, 7.1)      sends the MPA reply
//   SMBD      initiator, ACTIVE ([MS-SMBD] 3.1.1.1)      listener, PASSIVE
//   EFA       requester: makes the call, sends the REQ   responder
//   UMSP      initiator of a session                     executor
//   RAMCloud  client                                     server
#pragma once

#include <cstdint>

namespace wirelaw {

// `any`: either role, or both. A rule binds it, a deviation can be committed by it.
enum class Role : std::uint8_t { any, initiator, responder };

constexpr Role other(Role role) {
  return role == Role::initiator ? Role::responder : Role::initiator;
}

// True if `roles` is this role, or any.
constexpr bool includes(Role roles, Role role) {
  return roles == Role::any || roles == role;
}

}  // namespace wirelaw
