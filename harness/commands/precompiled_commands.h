// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of the command includes, precompiled (cmake/precompiled.h).
#pragma once

#include "harness/check/check.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
