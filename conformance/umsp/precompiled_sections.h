// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/section.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"
#include "conformance/umsp/sessions.h"
