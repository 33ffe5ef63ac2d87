// SPDX-License-Identifier: Apache-2.0
// The file of `wirelaw interop`: which peers meet which, and in which scenarios.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/protocol.h"

namespace wirelaw {

// The word for a command of our own: the reference peer of the protocol.
inline constexpr std::string_view kReference = "reference";

struct InteropPeer {
  std::string name;
  std::string initiator, responder;  // commands, for /bin/sh; empty: it has no such role
  std::string options;               // of the reference
  std::vector<std::string> features;
  std::string revision;
  std::map<std::string, std::string, std::less<>> unsupported;  // by scenario: why
};

struct InteropScenario {
  std::string name;
  // What the initiator is asked for, by name: "requests", "octets", "parallel", "idle", "teardown".
  std::map<std::string, std::string, std::less<>> values;
  std::uint64_t sessions = 1;  // that many initiators at once
  std::string restart;         // "initiator", "responder", or empty
  std::string network, faults;
  std::uint64_t seed = 1;
  std::uint64_t seconds = 60;  // that a cell may take
  bool completes = true;       // the data has to arrive
};

struct InteropPlan {
  const Protocol* protocol = nullptr;
  std::string transport;                         // the scheme of URIs: "udp"
  std::string responder_address, relay_address;  // where they listen
  std::vector<InteropPeer> peers;
  std::vector<InteropScenario> scenarios;
};

// `name` is the file's, for messages; a path in it is seen from its folder. The error is one line.
tl::expected<InteropPlan, std::string> parse_interop(const std::string& name, std::string_view toml);

// The environment variable by which a command may ask for a value, besides {requests}: "WIRELAW_REQUESTS".
std::string variable_of(std::string_view value);

}  // namespace wirelaw
