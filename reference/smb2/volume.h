// SPDX-License-Identifier: Apache-2.0
// The storage of a file server: files and folders in memory, limited in number and size. A path has no leading
// backslash; that of the root is empty. Names are compared by their octets.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::smb2 {

using NodeId = std::uint64_t;

struct Node {
  NodeId id = 0;
  std::u16string path = {};
  bool is_folder = false;
  std::uint32_t attributes = 0;  // FILE_ATTRIBUTE_…, without DIRECTORY and NORMAL
  std::uint64_t created = 0, accessed = 0, written = 0, changed = 0;  // 100 ns since 1601
  OctetBuffer data = {};

  std::u16string_view name() const;
};

class Volume {
 public:
  static constexpr std::size_t kMostNodes = 4096;
  static constexpr std::size_t kMostOctets = std::size_t{64} << 20;
  static constexpr std::size_t kLongestName = 255, kLongestPath = 1024;  // in units of UTF-16

  // Creates a folder `many`, whose listing is long, and a file `octets` of 1 MiB, for clients that only read.
  Volume();

  // Pointers are invalid after a node is added or removed.
  Node* find(const std::u16string& path);
  Node* find(NodeId id);
  Node& root() { return nodes_.begin()->second; }
  // Returns nullptr if the folder does not exist, the name is invalid, or there is no room.
  Node* add(const std::u16string& path, bool is_folder);
  // Removes a file or an empty folder.
  bool remove(NodeId id);
  // Renames to a path that does not exist, in a folder that does.
  bool rename(NodeId id, const std::u16string& path);
  // Returns false if there is no room.
  bool resize(Node& node, std::uint64_t octets);
  // Returns up to `most` octets from `offset` on, limited by the end of the file.
  Octets read(const Node& node, std::uint64_t offset, std::size_t most) const;
  // The range must be within the file.
  void write(Node& node, std::uint64_t offset, Octets octets);
  // Returns the first entry of a folder after this name.
  const Node* next_in(const Node& folder, std::u16string_view behind) const;
  bool has_children(const Node& folder) const { return next_in(folder, {}) != nullptr; }

  std::size_t octets() const { return octets_; }
  std::size_t nodes() const { return nodes_.size(); }

 private:
  bool has_folder_for(const std::u16string& path);

  std::map<NodeId, Node> nodes_;
  std::map<std::u16string, NodeId> paths_;
  NodeId next_ = 1;
  std::size_t octets_ = 0;
};

}  // namespace wirelaw::smb2
