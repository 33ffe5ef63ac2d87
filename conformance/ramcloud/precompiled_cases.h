// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every unit of cases and probes includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/ramcloud/probes/case_file.h"
