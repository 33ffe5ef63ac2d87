// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every source of the command includes, precompiled (cmake/precompiled.h).
#pragma once

#include "harness/check/check.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
