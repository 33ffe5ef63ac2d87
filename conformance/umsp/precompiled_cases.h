// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of cases and probes includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/umsp/probes/case_file.h"
