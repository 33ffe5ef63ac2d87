// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every source of campaigns includes, precompiled (cmake/precompiled.h).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/campaign/finding.h"
#include "harness/campaign/trial.h"
