// SPDX-License-Identifier: Apache-2.0
// Converts libpcap's errors to messages that tell the user what to do.
#pragma once

#include <cstdint>
#include <string>

#include "pcap/problem.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// The file that begins with `head` could not be opened. `early`: why its octets ended early, if they did.
Problem explain_refusal(const std::string& path, Octets head, const std::string& early, const std::string& libpcap);

// The file was read up to and with frame `frames`, and cannot be read further.
Problem explain_break(const std::string& path, std::uint64_t frames, const std::string& early,
                      const std::string& libpcap);

}  // namespace wirelaw::pcap
