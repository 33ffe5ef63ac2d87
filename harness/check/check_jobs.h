// SPDX-License-Identifier: Apache-2.0
// Judges capture files in several processes on this machine, with the results of a single one. It uses processes
// because the judge is not thread-safe, and because the result of a process is a value (harness/shard/share.h), like
// that of a shard.
//
//   several files ─ each by one process, except those that are too big for one
//   a big file ──── read by every process; each follows all flows and judges its part of them
//
// If the result could differ from that of one process (more state than one would have kept, or a process that died),
// one process judges everything again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/check_files.h"

namespace wirelaw {

inline constexpr std::uint64_t kMostJobs = 256;

// `watcher` may have only `progress`, which gets the progress of this process.
FileResults check_files_by(std::uint64_t jobs, std::span<const std::string> files, const CheckOptions& options,
                           const FileWatcher& watcher = {});

// Divides the work by the size of the files: the parts of each process, this one's first.
std::vector<std::vector<FilePart>> plan_of(std::uint64_t jobs, std::span<const std::uint64_t> octets);

}  // namespace wirelaw
