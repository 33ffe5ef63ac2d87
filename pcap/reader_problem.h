// SPDX-License-Identifier: Apache-2.0
// Converts libpcap's errors to messages that tell the user what to do.
#pragma once

#include <cstdint>
#include <string>

#include "pcap/problem.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Explains why the file that begins with `head` could not be opened. `early` says why its octets ended early; empty if
// they did not.
Problem explain_refusal(const std::string& path, Octets head, const std::string& early, const std::string& libpcap);

// Explains why the file cannot be read after frame `frames`.
Problem explain_break(const std::string& path, std::uint64_t frames, const std::string& early,
                      const std::string& libpcap);

}  // namespace wirelaw::pcap
