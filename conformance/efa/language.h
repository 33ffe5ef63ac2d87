// SPDX-License-Identifier: Apache-2.0
// EFA RDM in scripts: the places of all fields, and two honest endpoints.
#pragma once

#include "conformance/script/language.h"

namespace wirelaw::efa {

extern const script::Language kLanguage;

}  // namespace wirelaw::efa
