// SPDX-License-Identifier: Apache-2.0
// Runs the cases of a protocol against its reference peer in memory:
//
//   auto run = run_in_memory(ramcloud::kProtocol, {.iut = Role::responder}, {.deviations = {"no-ack"}});
//   run->results.cases …
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/runner.h"
#include "harness/transports/memory/virtual_network.h"

namespace wirelaw {

struct MemoryRun {
  std::vector<std::string> deviations = {};  // by name; see wirelaw serve PROTOCOL --list-deviations
  std::vector<std::string> settings = {};    // settings of the reference peer, by name
  IutParameters parameters = {};             // parameters of the peer (ReferencePeer::parameters)
  std::optional<Service> application = {};   // the peer's application, if it is not the declared one
  NetworkFaults network_faults = {};
  std::uint64_t seed = 1;
  std::string name = "memory:";
  bool pair = false;  // MemoryOptions::pair
};

// The error is one line for the user. The peer's application is the one that options.application declares,
// unless the memory run has another.
tl::expected<RunOutcome, std::string> run_in_memory(const Protocol& protocol, const RunOptions& options,
                                                    const MemoryRun& memory = {}, Recording* recording = nullptr,
                                                    const RunProgress& progress = {});

}  // namespace wirelaw
