// SPDX-License-Identifier: Apache-2.0
// A peer that dies of several unusual events in a row: a fault that no single change of a conversation shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/script/language.h"
#include "harness/peers/peer.h"

namespace wirelaw::campaign {

// A message of the initiator: "DATA total_frags>2 frag_number=0".
struct Event {
  struct Condition {
    std::string field;
    char op = '=';  // = ! < >; '!' is any other number
    std::uint64_t number = 0;
  };
  std::string message;
  std::vector<Condition> conditions;

  bool matches(const script::Language& language, Octets message) const;
};

// Reads events, separated by ';'. The error is one line.
tl::expected<std::vector<Event>, std::string> events_of(std::string_view text);

// The peer receives and sends nothing more, on any connection, after the events came in this order on one connection.
// Other messages may come in between. The language outlives the peers.
MakePeer with_events(MakePeer make_peer, const script::Language& language, std::vector<Event> events);

}  // namespace wirelaw::campaign
