// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/beginnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/script/script_file.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using Done = tl::expected<void, std::string>;

constexpr std::size_t kMostSeeds = 100'000;

// Sorted by name, so that each reading of the folder gives the same order.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator one(folder, failed), end; !failed && one != end; one.increment(failed))
    if (one->is_regular_file(failed)) files.push_back(one->path());
  std::ranges::sort(files);
  return files;
}

void add(const CapturedConversation& conversation, Beginnings& beginnings) {
  if (std::ranges::count(beginnings.conversations, conversation.id, &CapturedConversation::id) == 0)
    beginnings.conversations.push_back(conversation);
}

// An entry of a corpus, or a finding.
Done add_json(const fs::path& file, Beginnings& beginnings) {
  const auto json = read_json(file.string());
  if (!json) return tl::unexpected(json.error());
  const auto input = json->find("input");
  if (input == json->end()) return {};  // statistics, and the like
  auto seed = input_of(*input);
  if (!seed) return tl::unexpected(fmt::format("{}: {}", file.string(), seed.error()));
  if (const auto conversation = json->find(kCapturedKey); conversation != json->end())
    if (const auto read = conversation_of(*conversation)) add(*read, beginnings);
  if (beginnings.seeds.size() < kMostSeeds && std::ranges::count(beginnings.seeds, *seed) == 0)
    beginnings.seeds.push_back(std::move(*seed));
  return {};
}

}  // namespace

Done add_capture(const std::string& capture, const Protocol& carried, Role iut, Beginnings& beginnings) {
  const auto conversations = conversations_in(capture, carried, iut);
  if (!conversations) return tl::unexpected(conversations.error());
  for (const CapturedConversation& one : *conversations) add(one, beginnings);
  return {};
}

Done add_folder(const std::string& folder, const Protocol& carried, Role iut, Beginnings& beginnings) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return tl::unexpected(fmt::format("{}: is no folder", folder));
  const std::size_t before = beginnings.seeds.size() + beginnings.conversations.size();
  std::vector<fs::path> folders{folder, fs::path(folder) / "corpus"};
  for (fs::directory_iterator one(fs::path(folder) / "findings", failed), end; !failed && one != end;
       one.increment(failed))
    folders.push_back(one->path());
  std::ranges::sort(folders.begin() + 2, folders.end());
  if (fs::exists(fs::path(folder) / kBeginningsFile, failed)) {
    const auto json = read_json((fs::path(folder) / kBeginningsFile).string());
    if (!json) return tl::unexpected(json.error());
    const auto theirs = beginnings_of(*json);
    if (!theirs) return tl::unexpected(fmt::format("{}: {}", folder, theirs.error()));
    for (const CapturedConversation& one : theirs->conversations) add(one, beginnings);
  }
  for (const fs::path& one : folders)
    for (const fs::path& file : files_in(one)) {
      const bool is_capture = (file.extension() == ".pcapng" || is_script(file.string())) && one == folder;
      if (is_capture)
        if (auto added = add_capture(file.string(), carried, iut, beginnings); !added) return added;
      if (file.extension() != ".json" || file.filename() == kBeginningsFile) continue;
      if (auto added = add_json(file, beginnings); !added) return added;
    }
  if (beginnings.seeds.size() + beginnings.conversations.size() == before)
    return tl::unexpected(fmt::format("{}: holds no input, finding, capture or script", folder));
  return {};
}

Json to_json(const Beginnings& beginnings) {
  Json conversations = Json::array(), seeds = Json::array();
  for (const CapturedConversation& one : beginnings.conversations) conversations.push_back(to_json(one));
  for (const Input& one : beginnings.seeds) seeds.push_back(to_json(one));
  return {{"conversations", std::move(conversations)}, {"seeds", std::move(seeds)}};
}

tl::expected<Beginnings, std::string> beginnings_of(const Json& json) {
  Beginnings beginnings;
  if (const auto conversations = json.find("conversations"); conversations != json.end() && conversations->is_array())
    for (const Json& one : *conversations) {
      auto conversation = conversation_of(one);
      if (!conversation) return tl::unexpected(conversation.error());
      add(*conversation, beginnings);
    }
  if (const auto seeds = json.find("seeds"); seeds != json.end() && seeds->is_array())
    for (const Json& one : *seeds) {
      auto seed = input_of(one);
      if (!seed) return tl::unexpected(seed.error());
      beginnings.seeds.push_back(std::move(*seed));
    }
  return beginnings;
}

}  // namespace wirelaw::campaign
