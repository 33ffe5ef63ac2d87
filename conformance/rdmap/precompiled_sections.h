// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of rules includes (cmake/precompiled.h).
#pragma once

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"
#include "conformance/rdmap/sheet.h"
