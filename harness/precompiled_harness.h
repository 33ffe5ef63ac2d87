// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every source in this folder and its subfolders includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/protocol.h"
#include "harness/case_runner.h"
#include "harness/flow_tap.h"
#include "harness/runner.h"
