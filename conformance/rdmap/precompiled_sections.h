// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/rdmap/messages.h"
#include "conformance/rdmap/rules.h"
#include "conformance/rdmap/terminate_seen.h"
#include "conformance/section.h"
