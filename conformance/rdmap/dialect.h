// SPDX-License-Identifier: Apache-2.0
// What keeps the FPDUs and start frames of an iWARP stream right where an edit changes them.
#pragma once

#include "conformance/dialect.h"

namespace wirelaw::rdmap {

extern const edits::Dialect kDialect;

}  // namespace wirelaw::rdmap
