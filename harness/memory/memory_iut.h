// SPDX-License-Identifier: Apache-2.0
// An IUT in memory: each case meets a fresh peer over a fresh network with virtual time, both seeded from the run's
// seed and the case's id, so that a case behaves the same whichever others run.
#pragma once

#include <functional>
#include <memory>

#include "conformance/protocol.h"
#include "harness/environment.h"
#include "harness/memory/virtual_network.h"

namespace wirelaw {

using MakePeer = std::function<std::unique_ptr<Peer>(std::uint64_t seed)>;

struct MemoryOptions {
  std::string_view transport = "udp";  // "tcp": a stream network
  Impairments impairments;
  std::uint64_t seed = 1;
  std::string name = "memory:";
  bool pair = false;  // of a peer that is driven through verbs: a consumer has the other end of each connection as well
};

// What carries this protocol in memory: the first of its carriages.
std::string_view memory_transport(const Protocol& protocol);

std::unique_ptr<Iut> make_memory_iut(MakePeer make_peer, MemoryOptions options);

}  // namespace wirelaw
