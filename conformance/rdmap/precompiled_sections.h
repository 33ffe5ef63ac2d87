// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"
#include "conformance/rdmap/sheet.h"
