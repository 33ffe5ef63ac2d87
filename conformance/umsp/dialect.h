// SPDX-License-Identifier: Apache-2.0
// What keeps an instruction of UMSP right where an edit changes it.
#pragma once

#include "conformance/dialect.h"

namespace wirelaw::umsp {

extern const edits::Dialect kDialect;

}  // namespace wirelaw::umsp
