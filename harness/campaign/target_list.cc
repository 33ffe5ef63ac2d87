// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/target_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kList = "targets", kEngine = "# engine ";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

// NAME|SEEDS|REGRESSIONS|DICTIONARY|OPTIONS|RUNS|WHAT; relative paths are relative to the list's folder.
std::optional<FuzzTarget> target_of(const std::string& line, const fs::path& folder) {
  std::vector<std::string> columns = split(line, '|');
  columns.resize(7);
  const std::string& name = columns[0];
  // A name must be that of a file in this folder.
  if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) return std::nullopt;
  const auto path = [&](const std::string& one) { return one.empty() ? fs::path() : folder / one; };
  FuzzTarget target{.name = name,
                    .what = columns[6],
                    .program = folder / name,
                    .seeds = path(columns[1]),
                    .regressions = path(columns[2]),
                    .dictionary = path(columns[3]),
                    .options = split(columns[4], ' ')};
  std::error_code failed;
  if (!fs::exists(target.dictionary, failed)) target.dictionary.clear();
  return target;
}

}  // namespace

const FuzzTarget* TargetFolder::find(std::string_view name) const {
  const auto found = std::ranges::find(targets, name, &FuzzTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

tl::expected<TargetFolder, std::string> read_target_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::path path = fs::exists(folder / "fuzz" / kList, failed) ? folder / "fuzz" : folder;
  std::ifstream in(path / kList);
  TargetFolder read{.path = fs::absolute(path, failed), .engine = {}, .targets = {}};
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kEngine))
      read.engine = line.substr(kEngine.size());
    else if (auto target = target_of(line, read.path); target && !line.starts_with('#'))
      read.targets.push_back(std::move(*target));
  }
  if (read.targets.empty())
    return tl::unexpected(fmt::format(
        "{}: has no list of fuzz targets; name a folder that the preset fuzz was built in", folder.string()));
  return read;
}

std::vector<fs::path> target_places(const fs::path& program_folder) {
  std::vector<fs::path> places{program_folder / "fuzz", program_folder / "../../fuzz",
                               program_folder / "../../../fuzz/fuzz", program_folder / "../lib/wirelaw/fuzz"};
  std::error_code failed;
  for (fs::directory_iterator one(program_folder / "../lib", failed), end; !failed && one != end; one.increment(failed))
    places.push_back(one->path() / "wirelaw/fuzz");
  return places;
}

tl::expected<TargetFolder, std::string> find_target_folder(const std::vector<fs::path>& places) {
  std::optional<TargetFolder> replays;
  for (const fs::path& place : places) {
    auto read = read_target_folder(place);
    if (!read) continue;
    if (read->can_fuzz()) return read;
    if (!replays) replays = std::move(*read);
  }
  if (replays) return *std::move(replays);
  return tl::unexpected(std::string(
      "there are no fuzz targets beside this program; build the preset fuzz, or name its folder with --programs"));
}

}  // namespace wirelaw::campaign
