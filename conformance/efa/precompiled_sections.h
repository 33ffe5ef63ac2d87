// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/sheet.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"
