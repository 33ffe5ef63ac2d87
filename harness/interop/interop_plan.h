// SPDX-License-Identifier: Apache-2.0
// The plan file of `wirelaw interop`: which pairs of peers run, and in which scenarios.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/protocol.h"

namespace wirelaw {

// The word that is written instead of a command: the protocol's reference peer.
inline constexpr std::string_view kReference = "reference";

struct InteropPeer {
  std::string name;
  std::string initiator, responder;  // commands for /bin/sh; empty: the peer does not have this role
  std::string options;               // options of the reference peer
  std::vector<std::string> features;
  std::string revision;
  std::map<std::string, std::string, std::less<>> unsupported;  // the reason, by scenario
  std::size_t line = 0;                                         // in the file
};

struct InteropScenario {
  std::string name;
  // The initiator's task, by name: "requests", "octets", "parallel", "idle", "teardown".
  std::map<std::string, std::string, std::less<>> values;
  std::uint64_t sessions = 1;  // number of initiators at the same time
  std::string restart;         // the peer to restart: "initiator", "responder", or empty for none
  std::string network, faults;
  std::uint64_t seed = 1;
  std::uint64_t seconds = 60;  // time limit of a cell
  bool completes = true;       // the cell passes only if the data arrives
  std::size_t line = 0;        // in the file
};

struct InteropPlan {
  const Protocol* protocol = nullptr;
  std::string transport;                         // the scheme of URIs, for example "udp"
  std::string responder_address, relay_address;  // addresses at which they listen
  bool is_transparent = false;  // the relay is the wire: the initiator connects to the responder's address
  std::vector<InteropPeer> peers;
  std::vector<InteropScenario> scenarios;
};

// Checks of what a plan says to other commands. Each returns what is wrong, or nothing. The plan has its protocol and
// transport.
struct InteropChecks {
  std::function<std::string(const InteropPlan& plan, const InteropPeer& peer)> reference_options = {};
  std::function<std::string(const InteropPlan& plan, const std::string& network)> network = {};
  std::function<std::string(const InteropPlan& plan, const std::string& path)> faults = {};
};

// `name` is the file's name, for messages. Relative paths in the file start at its folder. The error is one line.
tl::expected<InteropPlan, std::string> parse_interop(const std::string& name, std::string_view toml,
                                                     const InteropChecks& checks = {});

// Options that a reference initiator gets, before its own.
std::string initiator_options(const Protocol& protocol, std::string_view seed);

// Returns the environment variable that passes a value to a command, for example "WIRELAW_REQUESTS" for {requests}.
std::string variable_of(std::string_view value);

}  // namespace wirelaw
