// SPDX-License-Identifier: Apache-2.0
// EFA RDM in scripts: the offsets of all fields, and two conforming endpoints.
#pragma once

#include "conformance/script/language.h"

namespace wirelaw::efa {

extern const script::Language kLanguage;

}  // namespace wirelaw::efa
