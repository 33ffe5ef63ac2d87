// SPDX-License-Identifier: Apache-2.0
// The next instructions of two conforming sides of a UMSP connection.
#pragma once

#include <memory>

#include "conformance/script/language.h"

namespace wirelaw::umsp {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

}  // namespace wirelaw::umsp
