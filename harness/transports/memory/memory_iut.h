// SPDX-License-Identifier: Apache-2.0
// An IUT in memory. Each case gets a fresh peer on a fresh network with virtual time. Both are seeded from the run's
// seed and the case's id, so a case behaves the same, no matter which others run.
#pragma once

#include <functional>
#include <memory>

#include "conformance/protocol.h"
#include "harness/environment.h"
#include "harness/transports/memory/virtual_network.h"

namespace wirelaw {

struct MemoryOptions {
  Framing framing = kDatagrams;
  NetworkFaults network_faults;
  std::uint64_t seed = 1;
  std::string name = "memory:";
  bool pair = false;  // for a peer that is driven through verbs: each connection has a consumer at the other end as
                      // well
};

// The transport for messages of this protocol in memory: its first one, or the one of this name.
Framing memory_framing(const Protocol& protocol, std::string_view over = {});

std::unique_ptr<Iut> make_memory_iut(MakePeer make_peer, MemoryOptions options);

}  // namespace wirelaw
