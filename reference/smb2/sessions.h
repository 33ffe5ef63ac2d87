// SPDX-License-Identifier: Apache-2.0
// Sessions of a connection, and the shares to which they are connected ([MS-SMB2] 3.3.5.5 to 3.3.5.8). Every client
// gets a session, as a guest or anonymous. Every share is the same volume, except IPC$, which has no files.
#pragma once

#include <map>
#include <set>

#include "reference/smb2/bodies.h"
#include "reference/smb2/chain.h"

namespace wirelaw::smb2 {

class Sessions {
 public:
  static constexpr std::size_t kMost = 16, kMostTrees = 64;

  Result set_up(const Element& element, Chain& chain);
  Result log_off(const Chain& chain);
  Result connect(const Element& element, Chain& chain);
  Result disconnect(const Chain& chain);

  bool has(std::uint64_t session) const;  // true if the session is complete
  bool has(std::uint64_t session, std::uint32_t tree) const;
  bool is_pipe(std::uint64_t session, std::uint32_t tree) const;

 private:
  struct Session {
    bool is_complete = false;
    std::map<std::uint32_t, bool> trees = {};  // by TreeId; true for IPC$
  };

  std::map<std::uint64_t, Session> sessions_;
  std::uint64_t next_ = 1;
  std::uint32_t next_tree_ = 1;
};

}  // namespace wirelaw::smb2
