// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"
#include "conformance/efa/revision.h"
#include "conformance/efa/sheet.h"
#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"
