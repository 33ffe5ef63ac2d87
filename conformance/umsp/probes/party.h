// SPDX-License-Identifier: Apache-2.0
// Another node of ours in a job: what the IUT has for it comes over the connection that we have made, or over one that
// the IUT makes to our port, as it likes (RFC 3018 3.4). Needs a tester with several addresses.
#pragma once

#include "conformance/umsp/probes/line.h"

namespace wirelaw::umsp {

class Party final : public Line {
 public:
  // `node` from 1 on.
  Party(CaseRun& run, unsigned node);

  // Of either connection.
  using Line::next;
  std::optional<Received> next(Instant deadline) override;
  // The last one came over a connection that the IUT has made: whether it was sent before or after what is on the other
  // one is not known.
  bool was_dialled() const { return was_dialled_; }

 private:
  Line dialled_;
  bool was_dialled_ = false;
};

}  // namespace wirelaw::umsp
