// SPDX-License-Identifier: Apache-2.0
// A conversation in a capture as a seed of fuzz_PROTOCOL_trace.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "conformance/protocol.h"
#include "reference/octets/octets.h"

namespace wirelaw::campaign {

struct TraceSeed {
  std::string target;  // "fuzz_ramcloud_trace"
  OctetBuffer octets;  // corpora/formats/records.h
};

// Makes a seed from the flow that has the most packets. The error is one line.
tl::expected<TraceSeed, std::string> trace_seed_of(const std::string& capture, const Protocol& protocol);

}  // namespace wirelaw::campaign
