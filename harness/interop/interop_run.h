// SPDX-License-Identifier: Apache-2.0
// Runs all cells of a plan, several at the same time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "harness/interop/interop_plan.h"
#include "reports/interop.h"

namespace wirelaw {

struct InteropOptions {
  std::filesystem::path folder;    // will contain a folder for each cell
  std::string program;             // path of this program
  std::size_t jobs = 1;            // cells that run at the same time
  std::string only;                // pattern that selects scenarios; empty: all
  const std::atomic<int>& signal;  // ends the run if it is not 0
  std::function<void(const InteropCell&, std::size_t done, std::size_t all)> ended = {};
};

// The error, one line, says which cell could not be prepared.
tl::expected<InteropResults, std::string> run_interop(const InteropPlan& plan, const InteropOptions& options);

}  // namespace wirelaw
