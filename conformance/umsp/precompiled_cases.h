// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of cases and probes includes (cmake/precompiled.h).
#pragma once

#include "conformance/umsp/probes/case_file.h"
