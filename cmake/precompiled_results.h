// SPDX-License-Identifier: Apache-2.0
// The same for what writes results down, and for the command.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cmake/precompiled.h"
#include "reports/output.h"
#include "reports/report.h"
