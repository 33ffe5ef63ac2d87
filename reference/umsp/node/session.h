// SPDX-License-Identifier: Apache-2.0
// A session connection of a node (RFC 3018 5.3), and its events for the application.
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
  admitting,  // the first SESSION_OPEN has arrived, and the JCP is being asked (5.2)
  opening,    // SESSION_OPENs are being exchanged
  open,
  closing,  // this side has sent SESSION_CLOSE, and waits without a limit (5.4)
  agreed,   // this side has agreed to close; lasts thirty seconds
};

// All functions that a node supports.
inline constexpr std::uint32_t kWholeProfile =
    with_field(kFunctionFlags & ~bit_of(ProfileFlag::border), kDataLengthFirst, kDataLengthBits, kDataLengthAny);

// An application's requirements for a session.
struct SessionWish {
  VmKind vm = {};                         // the other side's VM; zeros: it chooses
  std::uint32_t profile = kWholeProfile;  // functions that the other side must provide
  unsigned insists = 0;                   // number of repeated requests if less is provided
  bool takes_less = true;                 // then accepts fewer functions
};

struct Session {
  std::uint32_t id = 0;                  // assigned by this side
  std::optional<std::uint32_t> peer_id;  // assigned by the other side
  NodeAddress peer;
  std::optional<LinkId> link = {};  // last link that was used; another one may be used if it ends
  Identifier gjid;
  std::uint64_t task = 0;  // LTID on this node
  bool initiator = false;  // this side has opened it
  SessionPhase phase = SessionPhase::opening;
  unsigned opens = 0;     // number of SESSION_OPENs from both sides
  SessionWish wish = {};  // the initiator's wish
  OpeningId opening = 0;  // while `admitting`
  bool again = false;     // opened by the JCP, and replaces another one
  std::optional<Instant> due = {};
  std::optional<SessionOpen> sent = {}, received = {};  // last one from either side
  // Once the session is open:
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
// The other side does not agree to close the session.
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
// The opening of a session by the other side has failed. For the node only.
struct OpeningFailed {
  std::uint64_t task;
};
using SessionEvent = std::variant<SessionOpened, SessionRefused, ClosingRefused, SessionEnded, OpeningFailed>;

// This node's error codes: the document assigns none.
enum class SessionError : std::uint16_t {
  malformed = 1,
  version = 2,    // UMSP version
  vm = 3,         // the node does not have it
  profile = 4,    // not provided
  second = 5,     // another session of this job exists between the two nodes
  job = 6,        // the JCP has not confirmed the task
  room = 7,       // no more sessions
  handshake = 8,  // out of order, or longer than eight steps
  headers = 9,    // more than thirty extension headers, or an obligatory one that cannot be processed
  window = 10,    // data that do not fit the session window
};
constexpr Codes codes_of(SessionError error) {
  return {static_cast<std::uint16_t>(error), 0};
}

}  // namespace wirelaw::umsp
