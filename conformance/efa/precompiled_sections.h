// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/efa/reads.h"
#include "conformance/efa/rules.h"
