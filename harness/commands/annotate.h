// SPDX-License-Identifier: Apache-2.0
// A capture written back as pcapng, with the findings as comments of the packets that they are about.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "conformance/verdict.h"

namespace wirelaw {

// A pcapng keeps everything: its comments, its interfaces, the name of its writer. If a capture breaks off, its
// complete parts are written. The error is one line.
tl::expected<void, std::string> annotate(const std::string& capture, const std::string& pcapng,
                                         std::span<const Finding> findings);

}  // namespace wirelaw
