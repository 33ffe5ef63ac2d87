// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of rules includes (cmake/precompiled.h).
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/sheet.h"
#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/pair.h"
