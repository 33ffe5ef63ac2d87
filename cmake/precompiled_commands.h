// SPDX-License-Identifier: Apache-2.0
// The same for the units of the command.
#pragma once

#include <CLI/CLI.hpp>

#include "cmake/precompiled.h"
