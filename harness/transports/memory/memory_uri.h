// SPDX-License-Identifier: Apache-2.0
// memory:?loss=P&…: the reference peer in memory, and the faults of its network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/transports/memory/virtual_network.h"
#include "harness/uri.h"

namespace wirelaw {

inline constexpr std::string_view kMemoryForm =
    "memory:?loss=P&duplication=P&reordering=P&cut=OCTETS&delay=MILLISECONDS[-MILLISECONDS]&seed=N&verbs&pair"
    "&over=TRANSPORT&setting=NAME, each P from 0 to 1";

struct MemoryUri {
  NetworkFaults network_faults;
  std::optional<std::uint64_t> seed;
  std::string over;    // the transport whose properties messages have; empty: the first one of the protocol
  bool verbs = false;  // the peer is an RDMA device, which cases may drive
  std::vector<std::string> settings = {};  // settings of the reference peer, by name
  bool pair = false;                       // same, with a consumer at the other end of each connection
};

// The error describes what is wrong with it.
tl::expected<MemoryUri, std::string> parse_memory_uri(const Uri& uri);

}  // namespace wirelaw
