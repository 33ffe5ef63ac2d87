// SPDX-License-Identifier: Apache-2.0
// One pair of peers in one scenario: the scripts that start them, the command that relays between them, and what came
// of it. The folder of a cell has all of it, so that anybody can run the cell again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/interop/interop_plan.h"
#include "reports/interop.h"

namespace wirelaw {

// Ports of one cell, which nobody uses.
struct CellPorts {
  std::uint16_t responder = 0, relay = 0;
};

struct CellRun {
  const InteropPlan& plan;
  const InteropPeer &initiator, &responder;
  const InteropScenario& scenario;
  std::filesystem::path folder;  // of the cell
  std::string program;           // this program
};

// Why the pair does not run in the scenario: one of them declares it. Empty: it runs.
std::string unsupported_reason(const CellRun& run);

// Creates the folder with the scripts of both peers, and gives the command for /bin/sh. The error is one line.
tl::expected<std::string, std::string> prepare_cell(const CellRun& run, const CellPorts& ports);

// What the command has left in the folder. `exit_status`: of the command, or -1 if it had to be ended.
InteropCell judge_cell(const CellRun& run, int exit_status);

}  // namespace wirelaw
