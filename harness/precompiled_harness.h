// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of this folder and those below it includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/protocol.h"
#include "harness/case_runner.h"
#include "harness/flow_tap.h"
#include "harness/runner.h"
