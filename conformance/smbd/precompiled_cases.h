// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of cases and probes includes (cmake/precompiled.h).
#pragma once

#include "conformance/smbd/cases/case_file.h"
#include "conformance/smbd/cases/turns.h"
