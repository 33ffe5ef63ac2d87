// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/volume.h"

#include <algorithm>
#include <utility>

namespace wirelaw::smb2 {
namespace {

constexpr std::uint64_t kBegan = 133'485'408'000'000'000;  // the beginning of 2024: no clock is read here
constexpr std::size_t kFilesOfMany = 150;
constexpr std::size_t kOctetsOfFile = std::size_t{1} << 20, kPeriod = std::size_t{1} << 16;  // its content

std::u16string folder_of(const std::u16string& path) {
  const auto cut = path.rfind(u'\\');
  return cut == std::u16string::npos ? std::u16string{} : path.substr(0, cut);
}

std::u16string inside(const Node& folder, std::u16string_view name) {
  return folder.path.empty() ? std::u16string(name) : folder.path + u'\\' + std::u16string(name);
}

}  // namespace

std::u16string_view Node::name() const {
  const auto cut = path.rfind(u'\\');
  return std::u16string_view(path).substr(cut == std::u16string::npos ? 0 : cut + 1);
}

Volume::Volume() {
  const NodeId id = next_++;
  nodes_[id] = {
      .id = id, .is_folder = true, .created = kBegan, .accessed = kBegan, .written = kBegan, .changed = kBegan};
  paths_[{}] = id;
  add(u"many", true);
  for (std::size_t i = 0; i < kFilesOfMany; ++i) {
    std::u16string name = u"many\\a file whose name is long enough to fill listings ";
    for (const std::size_t unit : {i / 100, i / 10 % 10, i % 10}) name += static_cast<char16_t>(u'0' + unit);
    add(name, false);
  }
  Node* const file = add(u"octets", false);
  if (file == nullptr || !resize(*file, kOctetsOfFile)) return;
  for (std::size_t i = 0; i < kPeriod; ++i) file->data[i] = static_cast<Octet>(i + i / 256 * 5);
  for (std::size_t at = kPeriod; at < kOctetsOfFile; at += kPeriod)
    std::copy_n(file->data.begin(), kPeriod, file->data.begin() + static_cast<std::ptrdiff_t>(at));
}

Node* Volume::find(const std::u16string& path) {
  const auto found = paths_.find(path);
  return found == paths_.end() ? nullptr : &nodes_.at(found->second);
}

Node* Volume::find(NodeId id) {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : &found->second;
}

bool Volume::has_folder_for(const std::u16string& path) {
  const Node* const folder = find(folder_of(path));
  return folder != nullptr && folder->is_folder;
}

Node* Volume::add(const std::u16string& path, bool is_folder) {
  if (nodes_.size() >= kMostNodes || path.size() > kLongestPath || find(path) != nullptr || !has_folder_for(path))
    return nullptr;
  const NodeId id = next_++;
  Node& made = nodes_[id] = {.id = id,
                             .path = path,
                             .is_folder = is_folder,
                             .created = kBegan,
                             .accessed = kBegan,
                             .written = kBegan,
                             .changed = kBegan};
  if (made.name().empty() || made.name().size() > kLongestName) {
    nodes_.erase(id);
    return nullptr;
  }
  paths_[path] = id;
  return &made;
}

bool Volume::remove(NodeId id) {
  const Node* const node = find(id);
  if (node == nullptr || node->path.empty() || (node->is_folder && has_children(*node))) return false;
  octets_ -= node->data.size();
  paths_.erase(node->path);
  nodes_.erase(id);
  return true;
}

bool Volume::rename(NodeId id, const std::u16string& path) {
  Node* const node = find(id);
  if (node == nullptr || node->path.empty() || path.size() > kLongestPath || find(path) != nullptr ||
      !has_folder_for(path) || (node->is_folder && has_children(*node)))
    return false;
  const std::u16string before = std::exchange(node->path, path);
  if (node->name().empty() || node->name().size() > kLongestName) {
    node->path = before;
    return false;
  }
  paths_.erase(before);
  paths_[path] = id;
  return true;
}

bool Volume::resize(Node& node, std::uint64_t octets) {
  if (octets > kMostOctets || octets_ - node.data.size() + octets > kMostOctets) return false;
  octets_ = octets_ - node.data.size() + static_cast<std::size_t>(octets);
  node.data.resize(static_cast<std::size_t>(octets));
  return true;
}

Octets Volume::read(const Node& node, std::uint64_t offset, std::size_t most) const {
  if (offset >= node.data.size()) return {};
  const Octets rest = Octets(node.data).subspan(static_cast<std::size_t>(offset));
  return rest.first(std::min(rest.size(), most));
}

void Volume::write(Node& node, std::uint64_t offset, Octets octets) {
  if (offset > node.data.size() || node.data.size() - offset < octets.size()) return;
  std::ranges::copy(octets, node.data.begin() + static_cast<std::ptrdiff_t>(offset));
}

const Node* Volume::next_in(const Node& folder, std::u16string_view behind) const {
  const std::u16string prefix = inside(folder, {});
  auto at = paths_.upper_bound(inside(folder, behind));
  for (; at != paths_.end() && at->first.starts_with(prefix); ++at) {
    const std::u16string_view name = std::u16string_view(at->first).substr(prefix.size());
    if (!name.empty() && name.find(u'\\') == std::u16string_view::npos) return &nodes_.at(at->second);
  }
  return nullptr;
}

}  // namespace wirelaw::smb2
