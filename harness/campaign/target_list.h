// SPDX-License-Identifier: Apache-2.0
// The project's own fuzz targets, as built: a folder with the programs and their list, `targets`, which
// cmake/Fuzz.cmake writes from fuzz/targets.txt.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw::campaign {

struct FuzzTarget {
  std::string name, what;
  std::filesystem::path program, seeds, regressions, dictionary;  // a dictionary that is not there is empty
  std::vector<std::string> options;                               // "max_len=8192"
};

struct TargetFolder {
  std::filesystem::path path;
  std::string engine;  // "libfuzzer", "replay", …
  std::vector<FuzzTarget> targets;

  bool can_fuzz() const { return engine == "libfuzzer"; }
  const FuzzTarget* find(std::string_view name) const;
};

// `path` is the folder itself, or a build tree, which contains it as `fuzz`. The error is one line.
tl::expected<TargetFolder, std::string> read_target_folder(const std::filesystem::path& folder);

// The default search path for targets of a program in `program_folder`, in order: the same folder, its own build tree,
// the build tree of the preset fuzz next to that one, and the folder of installed packages.
std::vector<std::filesystem::path> target_places(const std::filesystem::path& program_folder);

// Returns the first of the places whose targets can fuzz; else the first that has any targets. The error explains how
// to get them.
tl::expected<TargetFolder, std::string> find_target_folder(const std::vector<std::filesystem::path>& places);

}  // namespace wirelaw::campaign
