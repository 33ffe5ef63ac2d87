// SPDX-License-Identifier: Apache-2.0
// Two conforming EFA RDM endpoints, as used in scripts.
#pragma once

#include <memory>

#include "conformance/script/language.h"

namespace wirelaw::efa {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

}  // namespace wirelaw::efa
