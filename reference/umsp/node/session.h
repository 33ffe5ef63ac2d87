// SPDX-License-Identifier: Apache-2.0
// A session connection of a node (RFC 3018 5.3), and what its application learns of sessions.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "reference/endpoint.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/links.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/node/task_event.h"
#include "reference/umsp/profile.h"

namespace wirelaw::umsp {

enum class SessionPhase : std::uint8_t {
  admitting,  // the first SESSION_OPEN has come, and the JCP is being asked (5.2)
  opening,    // SESSION_OPEN goes to and fro
  open,
  closing,  // this side has sent SESSION_CLOSE, and waits as long as it takes (5.4)
  agreed,   // this side has agreed to close: thirty seconds
};

// All that a node can do.
inline constexpr std::uint32_t kWholeProfile =
    with_field(kFunctionFlags & ~bit_of(ProfileFlag::border), kDataLengthFirst, kDataLengthBits, kDataLengthAny);

// What an application requests from a session.
struct SessionWish {
  VmKind vm = {};                         // for the other side; zeros: it chooses
  std::uint32_t profile = kWholeProfile;  // functions that it must provide
  unsigned insists = 0;                   // asks again so often if less is provided
  bool takes_less = true;                 // and then takes what there is
};

struct Session {
  std::uint32_t id = 0;                  // the number that this side has assigned to it
  std::optional<std::uint32_t> peer_id;  // and the other one
  NodeAddress peer;
  std::optional<LinkId> link = {};  // over which it was last spoken; another one may do, and before that the latest
  Identifier gjid;
  std::uint64_t task = 0;  // the LTID on this node
  bool initiator = false;  // this side has opened it
  SessionPhase phase = SessionPhase::opening;
  unsigned opens = 0;     // SESSION_OPENs of both sides
  SessionWish wish = {};  // the initiator's wish
  OpeningId opening = 0;  // while it is `admitting`
  bool again = false;     // from the JCP, in the place of another one
  std::optional<Instant> due = {};
  std::optional<SessionOpen> sent = {}, received = {};  // the last one of either side
  // Once it is open:
  std::uint32_t own_profile = 0, peer_profile = 0;
  std::uint16_t own_window = 0, peer_window = 0;  // blocks of 256 octets
  VmKind own_vm = {}, peer_vm = {};

  bool is_in_use() const {
    return phase == SessionPhase::open || phase == SessionPhase::closing || phase == SessionPhase::agreed;
  }
};

struct SessionOpened {
  std::uint32_t id;
  std::uint64_t task;
};
struct SessionRefused {
  std::uint32_t id;
  Codes codes;
};
// The other side does not agree to close it.
struct ClosingRefused {
  std::uint32_t id;
  Codes codes;
};
struct SessionEnded {
  std::uint32_t id;
  std::uint64_t task;
  Codes codes;
  bool by_peer;
};
// A session that the other side had begun to open is not opened. For the node alone.
struct OpeningFailed {
  std::uint64_t task;
};
using SessionEvent = std::variant<SessionOpened, SessionRefused, ClosingRefused, SessionEnded, OpeningFailed>;

// This node's error codes: the document assigns none.
enum class SessionError : std::uint16_t {
  malformed = 1,
  version = 2,    // UMSP version
  vm = 3,         // not here
  profile = 4,    // not provided
  second = 5,     // there is a session of this job between the two nodes
  job = 6,        // the JCP has not confirmed the task
  room = 7,       // no more sessions
  handshake = 8,  // out of turn, or longer than eight steps
  headers = 9,    // more than thirty extension headers, or one that must be processed and cannot be
  window = 10,    // data that do not fit the session window
};
constexpr Codes codes_of(SessionError error) {
  return {static_cast<std::uint16_t>(error), 0};
}

}  // namespace wirelaw::umsp
