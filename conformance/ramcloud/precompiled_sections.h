// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/sheet.h"
#include "conformance/ramcloud/tracker/facts.h"
