// SPDX-License-Identifier: Apache-2.0
// Which request a response answers (RFC 3018 4): one of this connection, or of another one of the two nodes (UMSP/B31).
#pragma once

#include <map>

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

using Requests = std::map<RequestKey, ObservedRequest>;

struct FoundRequest {
  Requests* of = nullptr;  // nullptr: there is none
  Requests::iterator at = {};

  explicit operator bool() const { return of != nullptr; }
  const RequestKey& key() const { return at->first; }
  const ObservedRequest& request() const { return at->second; }
  // One was answered.
  void answer() const {
    if (--at->second.count == 0) of->erase(at);
  }
};

bool is_management(const Seen& seen);
bool is_rsp(const Seen& seen);  // RSP or RSP_P

// The number of the session that an identifier of `owner` names, or kNoSession; nothing where it is not known.
std::optional<std::uint64_t> session_of(const Seen& seen, Side owner);

// The request of the other side that has this REQ_ID, and is of the session that `owner` calls so. RSP and RSP_P of a
// session may answer one of the other's class, where there is none of their own.
FoundRequest find_request(const Seen& seen, Side owner);
// Of what the response names as it has to.
FoundRequest find_request(const Seen& seen);

// What the response answers went over UDP and this over TCP, or the other way round, and nothing else has its REQ_ID.
bool is_over_other_transport(const Seen& seen);

// A request that names a session of which its receiver has not been seen to give that identifier.
void note_guess(const Seen& seen);
// The other side has guessed the identifier of this session for a request with this REQ_ID, or had another session of
// this name, in which it has sent such a request: what is answered may be that.
bool was_guessed(const Seen& seen);

// The identifier of `owner` names this session from now on. What the owner has asked in a session that it named before,
// and that the other side has not ended, may still be answered.
void name_session(Connection& connection, Side owner, std::uint32_t id, std::uint64_t number);
// The other side of the session has answered its new opening: it does not answer what came before that any more.
void forget_left(Connection& connection, Side owner, std::uint32_t id);

// Whether any such request of the other side waits, wherever it came.
bool has_request(const Seen& seen, Opcode opcode);

}  // namespace wirelaw::umsp
