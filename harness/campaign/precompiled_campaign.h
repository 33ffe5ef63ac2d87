// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of campaigns includes, precompiled (cmake/precompiled.h).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/campaign/finding.h"
#include "harness/campaign/trial.h"
