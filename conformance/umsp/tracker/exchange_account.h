// SPDX-License-Identifier: Apache-2.0
// The instructions between VMs that wait for a response (RFC 3018 6), so that a response can be compared with its
// request. Session and REQ_ID together name a request (4); the session is given by the identifier that the requester
// has assigned, which the response contains (UMSP/A12). 0 is the zero-session.
//
// No guesses are made. These requests match no response: one that was not seen, one that shares its REQ_ID with another
// waiting request, and one of a chain, whose response answers the whole chain (7.5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "conformance/trace.h"

namespace wirelaw::umsp {

// The parts of a request on which its response depends.
struct Asked {
  std::uint8_t opcode = 0;
  std::uint64_t index = 0;              // index of the message
  std::optional<std::uint64_t> length;  // octets requested, or traced by SYN
  std::uint32_t object = 0;             // number of the object concerned
  bool is_elsewhere = false;            // the message used another connection
};

struct Answered {
  bool waited = false;         // at least one request waited under this REQ_ID
  std::optional<Asked> asked;  // the request; empty if it is uncertain which one
};

class ExchangeAccount {
 public:
  // Adds a request of `asker`. An empty `asked` stands for a request of a chain, which only makes its REQ_ID ambiguous.
  // Returns false if the side has too many waiting requests; from then on no response to it matches.
  bool ask(Side asker, std::uint32_t session, std::uint32_t req_id, const std::optional<Asked>& asked);
  // Removes and returns the request that a response to `asker` answers.
  Answered answer(Side asker, std::uint32_t session, std::uint32_t req_id);
  // Called when a session to which `asker` assigned this identifier begins or ends.
  void forget(Side asker, std::uint32_t session);
  void clear();
  // Returns true if all requests seen from the side are kept.
  bool is_complete(Side asker) const { return !overflown_[asker == Side::a ? 0 : 1]; }

  std::size_t size() const { return waiting_[0].size() + waiting_[1].size(); }
  std::size_t memory() const;

 private:
  struct Waiting {
    std::optional<Asked> asked;  // empty: it is unknown which one
    std::uint64_t count = 0;     // number of requests under this REQ_ID
  };
  using BySession = std::map<std::uint64_t, Waiting>;  // key: SESSION_ID in the upper half, REQ_ID in the lower

  BySession& of(Side side) { return waiting_[side == Side::a ? 0 : 1]; }

  std::array<BySession, 2> waiting_;
  // True for a side that had too many at once: a dropped request may have had any REQ_ID.
  std::array<bool, 2> overflown_{};
};
inline constexpr std::size_t kMostAsked = 4096;  // waiting requests of one side

}  // namespace wirelaw::umsp
