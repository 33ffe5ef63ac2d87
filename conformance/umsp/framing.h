// SPDX-License-Identifier: Apache-2.0
// Framing of UMSP's streams for scripts. An instruction declares its own length (RFC 3018 3.1), and TCP carries it
// unchanged.
#pragma once

#include <memory>

#include "conformance/script/framing.h"

namespace wirelaw::umsp {

std::unique_ptr<script::Framing> make_framing();

}  // namespace wirelaw::umsp
