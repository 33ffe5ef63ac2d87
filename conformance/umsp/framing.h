// SPDX-License-Identifier: Apache-2.0
// What scripts have to know of UMSP's streams: an instruction says itself how long it is (RFC 3018 3.1), and TCP
// carries it as it is.
#pragma once

#include <memory>

#include "conformance/script/framing.h"

namespace wirelaw::umsp {

std::unique_ptr<script::Framing> make_framing();

}  // namespace wirelaw::umsp
