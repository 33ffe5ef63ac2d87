// SPDX-License-Identifier: Apache-2.0
// What nearly every unit of rules includes, precompiled (cmake/precompiled.h).
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/sheet.h"
#include "conformance/smbd/tracker/facts.h"
