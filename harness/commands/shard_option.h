// SPDX-License-Identifier: Apache-2.0
// --shard I/N, and what a shard says of the run that it is of.
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

// The run: what the results depend on, whichever shard it is.
ShardRun run_of(const CaptureOptions& options);
ShardRun run_of(const TestCommand& command, Role iut);

}  // namespace wirelaw
