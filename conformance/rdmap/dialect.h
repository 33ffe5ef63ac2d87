// SPDX-License-Identifier: Apache-2.0
// Keeps the FPDUs and start frames of an iWARP stream valid when an edit changes them.
#pragma once

#include "conformance/dialect.h"

namespace wirelaw::rdmap {

extern const edits::Dialect kDialect;

}  // namespace wirelaw::rdmap
