// SPDX-License-Identifier: Apache-2.0
// Judges capture files.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/check/check.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

struct FileWatcher {
  // Called now and then with what was read of the present file.
  std::function<void(const pcap::Counts& counts)> progress = {};
  // Called for each message that an observer finds in a stream, before it judges it.
  std::function<void(const Message& message, const Flow& flow, Checker& checker)> found = {};
  // Called for each datagram and each segment, after it was judged, and once more without one when a file's flows have
  // ended. False ends the reading.
  std::function<bool(const pcap::Datagram* datagram, const pcap::Segment* segment, const Flow* flow, Checker& checker)>
      judged = {};
};

// What came of the files. What could be read before a problem was judged.
struct FileResults {
  Results results;
  // Why not all was judged that was asked for: a file that could not be read to its end, an implementation under test
  // that never showed, or nothing to judge at all. Each is in results.problems, too.
  std::vector<InputProblem> incomplete;
};

FileResults check_files(std::span<const std::string> files, const CheckOptions& options,
                        const FileWatcher& watcher = {});

}  // namespace wirelaw
