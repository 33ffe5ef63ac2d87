// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of cases and probes includes (cmake/precompiled.h).
#pragma once

#include "conformance/rdmap/probes/message_cases.h"
#include "conformance/rdmap/probes/responder_probe.h"
#include "conformance/rdmap/sheet.h"
