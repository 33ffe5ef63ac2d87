// SPDX-License-Identifier: Apache-2.0
// Precompiled headers that nearly every unit of rules includes (cmake/precompiled.h).
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/sheet.h"
#include "conformance/smbd/tracker/facts.h"
