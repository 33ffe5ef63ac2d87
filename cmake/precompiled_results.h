// SPDX-License-Identifier: Apache-2.0
// Further precompiled headers for the sources that write results, and for the command.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cmake/precompiled.h"
#include "reports/output.h"
#include "reports/report.h"
