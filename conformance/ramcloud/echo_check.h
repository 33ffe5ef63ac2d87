// SPDX-License-Identifier: Apache-2.0
// A response of a server that echoes is a request of the client with the same token: one fragment of each number, all
// with the same totalFrags (RAMCLOUD/R33).
#pragma once

#include <memory>

#include "conformance/echo_check.h"

namespace wirelaw::ramcloud {

std::unique_ptr<EchoCheck> make_echo_check();

}  // namespace wirelaw::ramcloud
