// SPDX-License-Identifier: Apache-2.0
// Decides if a capture file contains all that was sent, for the judge's policy (conformance/judge.h).
#pragma once

#include <string>

#include "conformance/verdict.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

struct FileCompleteness {
  Completeness completeness = Completeness::unknown;
  std::string why;  // one line: the evidence for it or against it
};

// Lists the frames whose packet could not be read, such as "2 frames are malformed, 1 packet lacks fragments". Empty if
// there are none.
std::string lost_frames(const pcap::Counts& counts);

// Returns the completeness of a file that was read to its end. `said` is true if the user states that it is complete.
// `may_have_two_clocks` is the value of Checker::may_have_two_clocks().
FileCompleteness completeness_of(const pcap::PacketReader& file, bool said, bool may_have_two_clocks = false);

}  // namespace wirelaw
