// SPDX-License-Identifier: Apache-2.0
// Finds the request that a response answers (RFC 3018 4), on this connection or on another one of the two nodes
// (UMSP/B31).
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
  // Called when one request was answered.
  void answer() const {
    if (--at->second.count == 0) of->erase(at);
  }
};

bool is_rsp(const Seen& seen);  // RSP or RSP_P

// The number of the session that an identifier of `owner` names, or kNoSession; empty if it is unknown.
std::optional<std::uint64_t> session_of(const Seen& seen, Side owner);

// Finds the request of the other side with this REQ_ID, in the session to which `owner` has assigned the SESSION_ID.
// RSP and RSP_P of a session may answer a request of each other's class if there is none of their own.
FoundRequest find_request(const Seen& seen, Side owner);
// Same, for the SESSION_ID that the response must use.
FoundRequest find_request(const Seen& seen);

// The request of the other side whose REQ_ID this response repeats; nullptr if none is known.
const ObservedRequest* find_answered(const Seen& seen);
// True if every request that this side could have answered was seen. If find_answered() then finds none, there was
// none, unless it came on another connection (3.4).
bool knows_requests(const Seen& seen);

// Returns true if the request used UDP and the response TCP, or the reverse, and no other request has its REQ_ID.
bool is_over_other_transport(const Seen& seen);

// Notes a request whose SESSION_ID its receiver has not been seen to assign.
void note_guess(const Seen& seen);
// Returns true if the response may answer another request with this REQ_ID: one for which the other side guessed the
// identifier of this session, or one of an earlier session with the same identifier.
bool was_guessed(const Seen& seen);

// From now on the identifier of `owner` refers to this session. Requests of the owner in the session that had the
// identifier before may still be answered if the other side has not ended that session.
void name_session(Connection& connection, Side owner, std::uint32_t id, std::uint64_t number);
// The other side has answered the opening of the new session, so it will not answer requests of the former session.
void forget_left(Connection& connection, Side owner, std::uint32_t id);

// An answer was sent after its request had passed (knowledge.h). Called before the checks.
void note_answered(const Seen& seen);

// Returns true if a request of the other side with this opcode waits on any connection.
bool has_request(const Seen& seen, Opcode opcode);

}  // namespace wirelaw::umsp
