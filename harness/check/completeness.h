// SPDX-License-Identifier: Apache-2.0
// Decides if a capture file contains all that was sent, for the judge's policy (conformance/judge.h).
#pragma once

#include <string>

#include "conformance/verdict.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

struct FileCompleteness {
  Completeness completeness = Completeness::unknown;
  std::string why;  // one line: how that is known, or what speaks against it
};

// The frames whose packet could not be read, "2 frames are malformed, 1 packet lacks fragments"; empty if there are
// none.
std::string lost_frames(const pcap::Counts& counts);

// The completeness of a file that has been read to its end. `said`: the user says that it is complete.
// `may_have_two_clocks`: Checker::may_have_two_clocks().
FileCompleteness completeness_of(const pcap::PacketReader& file, bool said, bool may_have_two_clocks = false);

}  // namespace wirelaw
