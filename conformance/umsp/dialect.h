// SPDX-License-Identifier: Apache-2.0
// Keeps an instruction of UMSP valid when an edit changes it.
#pragma once

#include "conformance/dialect.h"

namespace wirelaw::umsp {

extern const edits::Dialect kDialect;

}  // namespace wirelaw::umsp
