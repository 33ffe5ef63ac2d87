// SPDX-License-Identifier: Apache-2.0
// The subject of results, for the title of a report: "RAMCloud RPC, server: udp://192.0.2.1:7000".
#pragma once

#include <string>

#include "conformance/verdict.h"

namespace wirelaw {

std::string subject_of(const Results& results);

}  // namespace wirelaw
