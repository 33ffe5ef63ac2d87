// SPDX-License-Identifier: Apache-2.0
// The instructions between VMs that wait for a response (RFC 3018 6), so that a response can be compared with what it
// answers. Session and REQ_ID together name a request (4); the session is named by the identifier that the requester
// has given to it, as the response names it (UMSP/A12), and 0 is the zero-session.
//
// Nothing is assumed: a request that was not seen, one that shares its REQ_ID with another that waits, and one of a
// chain, the response to which is that of the whole chain (7.5), match no response.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "conformance/trace.h"

namespace wirelaw::umsp {

// What of a request the response to it depends on.
struct Asked {
  std::uint8_t opcode = 0;
  std::uint64_t index = 0;              // of the message
  std::optional<std::uint64_t> length;  // octets that it asks for
  std::uint32_t object = 0;             // number of the object that it is about
  bool is_elsewhere = false;            // the message is one of another connection
};

struct Answered {
  bool waited = false;         // a request, at least one, under this REQ_ID
  std::optional<Asked> asked;  // where it is certain which one
};

class ExchangeAccount {
 public:
  // A request of `asker`. Nothing: that of a chain, which only keeps its REQ_ID from naming another one. False where
  // the side has more that wait than are kept: no response to it matches from then on.
  bool ask(Side asker, std::uint32_t session, std::uint32_t req_id, const std::optional<Asked>& asked);
  // What a response to `asker` answers; it waits no more.
  Answered answer(Side asker, std::uint32_t session, std::uint32_t req_id);
  // A session that `asker` calls so ends or begins.
  void forget(Side asker, std::uint32_t session);
  void clear();
  // All requests of the side that were seen are kept.
  bool is_complete(Side asker) const { return !overflown_[asker == Side::a ? 0 : 1]; }

  std::size_t size() const { return waiting_[0].size() + waiting_[1].size(); }
  std::size_t memory() const;

 private:
  struct Waiting {
    std::optional<Asked> asked;  // nothing: which one is not known
    std::uint64_t count = 0;     // under this REQ_ID
  };
  using BySession = std::map<std::uint64_t, Waiting>;  // SESSION_ID and REQ_ID, one behind the other

  BySession& of(Side side) { return waiting_[side == Side::a ? 0 : 1]; }

  std::array<BySession, 2> waiting_;
  // Of a side that had too many at once: what was dropped could answer to any REQ_ID.
  std::array<bool, 2> overflown_{};
};
inline constexpr std::size_t kMostAsked = 4096;  // of one side

}  // namespace wirelaw::umsp
