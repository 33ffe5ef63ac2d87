// SPDX-License-Identifier: Apache-2.0
// Another node of ours in a job. The IUT sends to it over the connection that we have made, or over one that it makes
// to our port, as it likes (RFC 3018 3.4). Needs a tester with several addresses.
#pragma once

#include "conformance/umsp/probes/line.h"

namespace wirelaw::umsp {

class Party final : public Line {
 public:
  // `node` is 1 or higher.
  Party(CaseRun& run, unsigned node);

  // The next instruction of either connection.
  using Line::next;
  std::optional<Received> next(Instant deadline) override;
  // True if the last instruction came over a connection that the IUT has made. Its order relative to instructions on
  // the other connection is not known.
  bool was_dialled() const { return was_dialled_; }

 private:
  Line dialled_;
  bool was_dialled_ = false;
};

}  // namespace wirelaw::umsp
