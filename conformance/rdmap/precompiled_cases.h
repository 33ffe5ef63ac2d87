// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of cases and probes includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/rdmap/probes/message_cases.h"
#include "conformance/rdmap/probes/responder_probe.h"
#include "conformance/rdmap/sheet.h"
