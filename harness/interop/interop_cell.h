// SPDX-License-Identifier: Apache-2.0
// One pair of peers in one scenario: the scripts that start them, the command that relays between them, and the result.
// The folder of a cell contains all of it, so that anybody can run the cell again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/interop/interop_plan.h"
#include "reports/interop.h"

namespace wirelaw {

// Ports of one cell, which no other program uses.
struct CellPorts {
  std::uint16_t responder = 0, relay = 0;
};

struct CellRun {
  const InteropPlan& plan;
  const InteropPeer &initiator, &responder;
  const InteropScenario& scenario;
  std::filesystem::path folder;  // the cell's folder
  std::string program;           // path of this program
};

// Returns why a peer declares the scenario unsupported. Empty: the pair runs it.
std::string unsupported_reason(const CellRun& run);

// Creates the folder with the scripts of both peers, and returns the command for /bin/sh. The error is one line.
tl::expected<std::string, std::string> prepare_cell(const CellRun& run, const CellPorts& ports);

// Judges the files that the command left in the folder. `exit_status` is the command's, or -1 if it had to be killed.
InteropCell judge_cell(const CellRun& run, int exit_status);

}  // namespace wirelaw
