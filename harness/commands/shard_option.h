// SPDX-License-Identifier: Apache-2.0
// --shard I/N, and a shard's record of the run that it belongs to.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tl/expected.hpp>

#include "harness/commands/capture_options.h"
#include "harness/commands/test_command.h"
#include "harness/shard/share_json.h"

namespace wirelaw {

void add_shard_option(CLI::App& command, std::string& shard, std::string description);

// Without the option, the whole run. The error is one line that names the option.
tl::expected<Shard, std::string> understand_shard(const std::string& shard);

// Returns the options of the run that results depend on; they are the same for all shards.
ShardRun run_of(const CaptureOptions& options);
ShardRun run_of(const TestCommand& command, Role iut);

}  // namespace wirelaw
