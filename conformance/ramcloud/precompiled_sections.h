// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"
#include "conformance/ramcloud/trace_state.h"
