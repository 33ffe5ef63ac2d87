// SPDX-License-Identifier: Apache-2.0
// The application of a node in the UMSP conversation targets: it begins jobs, opens and closes sessions, and writes
// into the memory of the other side (corpora/formats/umsp_steps.h).
#pragma once

#include <optional>

#include "reference/umsp/node/node.h"

namespace wirelaw::fuzz {

class UmspCalls {
 public:
  // `control`: the control point at which jobs are registered; `executor`: the node to which sessions are opened.
  UmspCalls(umsp::Node& node, umsp::NodeAddress self, umsp::NodeAddress control, umsp::NodeAddress executor)
      : node_(node), self_(self), control_(control), executor_(executor) {}

  // The first octet selects the call (umsp_steps.h, Act), the others are data.
  void act(Octets octets, Instant now);
  void on(const umsp::NodeEvent& event);

 private:
  void write(Octet how, Octets data, Instant now);
  void plain_write(Octets data, Instant now);
  const umsp::Session* find_session() const;

  umsp::Node& node_;
  umsp::NodeAddress self_, control_, executor_;
  std::optional<umsp::Identifier> job_;
  std::uint32_t session_ = 0;
  std::uint32_t requests_ = 0;
};

}  // namespace wirelaw::fuzz
