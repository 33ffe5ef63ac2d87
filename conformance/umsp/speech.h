// SPDX-License-Identifier: Apache-2.0
// What the two sides of an honest UMSP connection send next.
#pragma once

#include <memory>

#include "conformance/script/language.h"

namespace wirelaw::umsp {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

}  // namespace wirelaw::umsp
