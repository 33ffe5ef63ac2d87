// SPDX-License-Identifier: Apache-2.0
// Judges capture files.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/check/check.h"
#include "harness/shard/share.h"
#include "pcap/packet_reader.h"

namespace wirelaw {

struct FileWatcher {
  // Called from time to time with the counts of the present file.
  std::function<void(const pcap::Counts& counts)> progress = {};
  // Called for each datagram or segment before it is judged.
  std::function<void(const pcap::Datagram* datagram, const pcap::Segment* segment)> read = {};
  // Called for each message that an observer finds in a stream, before it judges it.
  std::function<void(const Message& message, const Flow& flow, Checker& checker)> found = {};
  // Called for each datagram and each segment after it was judged, and with null pointers when a file's flows have
  // ended. Returns false to stop reading.
  std::function<bool(const pcap::Datagram* datagram, const pcap::Segment* segment, const Flow* flow, Checker& checker)>
      judged = {};
  // Called for a file that could not be read completely.
  std::function<void(const InputProblem& problem)> broken = {};
};

// The results for the files. Everything that could be read before a problem was judged.
struct FileResults {
  Results results;
  // The reasons why not everything requested was judged: a file that could not be read to its end, an implementation
  // under test that never appeared, or nothing to judge at all. Each is in results.problems, too.
  std::vector<InputProblem> incomplete;
  bool is_idle = false;  // messages were judged, but no rule could have failed; `incomplete` states this, too
  std::vector<std::size_t> input_of_finding;  // index into results.inputs, for each of results.findings
  std::optional<Share> share;                 // if the run has several shards (CheckOptions::shard)
  bool fits_one = true;  // one process would have had room for all flows that several have followed
};

FileResults check_files(std::span<const std::string> files, const CheckOptions& options,
                        const FileWatcher& watcher = {});

// --- judging by parts

// A file of the run, and the part of it that this process judges.
struct FilePart {
  std::uint64_t place = 0;  // index among the files
  Shard part;
};
// `parts` are in the order of their places.
Share judge_parts(std::span<const std::string> files, std::span<const FilePart> parts, const CheckOptions& options,
                  const FileWatcher& watcher = {});

// Joins the results for all files. The error is one line: the parts are not from one run.
tl::expected<FileResults, std::string> results_of_shares(std::vector<Share> shares, const CheckOptions& options);

}  // namespace wirelaw
