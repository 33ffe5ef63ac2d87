// SPDX-License-Identifier: Apache-2.0
// Judges capture files in several processes of this machine, with results that are those of one. Processes, since what
// judges knows no threads, and what a process has judged is a value (harness/shard/share.h) as the result of a shard
// is.
//
//   several files ─ each by one process, but for those that are too big for one
//   a big file ──── read by every process, each of which follows all flows and judges its part of them
//
// Where the result could differ from that of one process (more state than one would have kept, or a process that has
// died), all is judged once more by one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/check_files.h"

namespace wirelaw {

inline constexpr std::uint64_t kMostJobs = 256;

// `watcher` may have progress alone, which is that of this process.
FileResults check_files_by(std::uint64_t jobs, std::span<const std::string> files, const CheckOptions& options,
                           const FileWatcher& watcher = {});

// Who judges what, by the octets of the files: the parts of each process, this one's first.
std::vector<std::vector<FilePart>> plan_of(std::uint64_t jobs, std::span<const std::uint64_t> octets);

}  // namespace wirelaw
