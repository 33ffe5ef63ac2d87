// SPDX-License-Identifier: Apache-2.0
// Two honest nodes of UMSP with long delays between them, whose sessions use several TCP connections, and a capture on
// the path (fuzz/delayed_network.h). The capture is judged as complete from its first frame, and from any later one: no
// rule at MUST level may fail.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fuzz/delayed_network.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

struct UmspDelayedConversation {
  Path path;
  unsigned connections = 1;     // maximum number between the two nodes
  bool remote_control = false;  // the executing node is the control point
  Octets steps;                 // each octet: a pause, the node that acts after it, and its action
};

class UmspDelayed {
 public:
  explicit UmspDelayed(const UmspDelayedConversation& conversation);
  ~UmspDelayed();
  UmspDelayed(const UmspDelayed&) = delete;
  UmspDelayed& operator=(const UmspDelayed&) = delete;

  std::size_t frames() const;
  std::uint64_t instructions() const;  // number of calls that have arrived
  // The MUST rules that fail if the capture begins with this frame.
  std::vector<std::string> failed_musts(std::size_t first_frame) const;

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace wirelaw::fuzz
