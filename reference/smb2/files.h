// SPDX-License-Identifier: Apache-2.0
// The server's operations on open files ([MS-SMB2] 3.3.5.9 to 3.3.5.21): CREATE, CLOSE, FLUSH, READ,
// WRITE, QUERY_DIRECTORY, QUERY_INFO and SET_INFO. Locks are granted, and access is not checked: there is one client.
#pragma once

#include <map>
#include <optional>

#include "reference/smb2/chain.h"

namespace wirelaw::smb2 {

class Files {
 public:
  static constexpr std::size_t kMostOpen = 1024;

  // Limit for one READ or WRITE over a channel; 0: none.
  void set_largest_transfer(std::uint32_t octets) { largest_transfer_ = octets; }

  Result create(const Element& element, Chain& chain, bool is_pipe);
  Result close(const Element& element, Chain& chain);
  Result flush(const Element& element, Chain& chain);
  Result lock(const Element& element, Chain& chain);
  Result read(const Element& element, Chain& chain);
  Result write(const Element& element, Chain& chain);
  Result query_directory(const Element& element, Chain& chain);
  Result query_info(const Element& element, Chain& chain);
  Result set_info(const Element& element, Chain& chain);
  // Closes all open files of a session, or of one of its trees (0: all).
  void close_all(std::uint64_t session, std::uint32_t tree = 0);

  // Creates the volume when it is first used: a client that only negotiates needs none.
  Volume& volume() { return volume_ ? *volume_ : volume_.emplace(); }

 private:
  struct Open {
    NodeId node = 0;
    std::uint64_t session = 0;
    std::uint32_t tree = 0;
    bool deletes = false;
    // For a listing: the number of "." and ".." entries returned, and the last name after them.
    unsigned dots = 0;
    std::u16string last = {};
    bool begun = false;
    std::u16string pattern = {};
  };
  // The open file that a request names by its FileId.
  struct Named {
    Open* open = nullptr;
    Node* node = nullptr;
  };

  std::optional<Named> named(const FileId& file, Chain& chain);
  Result open_node(Node& node, const CreateRequest& request, std::uint32_t action, Chain& chain);
  void let_go(std::map<FileId, Open>::iterator open);
  Result move(const Named& named, bool is_fetch, std::uint32_t channel, std::optional<Octets> buffers,
              std::uint64_t offset, std::uint32_t octets, Chain& chain);
  std::optional<OctetBuffer> next_entry(Open& open, const Node& folder, std::uint8_t information_class,
                                        std::size_t room);

  std::optional<Volume> volume_;
  std::map<FileId, Open> open_;
  std::uint64_t next_ = 1;
  std::uint32_t largest_transfer_ = 0;
};

}  // namespace wirelaw::smb2
