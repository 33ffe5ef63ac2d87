// SPDX-License-Identifier: Apache-2.0
// The oracle of the iWARP conversation targets: traffic of an honest endpoint, captured right next to it, breaks no
// rule.
#pragma once

#include <array>
#include <memory>

#include "conformance/judge.h"
#include "conformance/observer.h"
#include "fuzz/damaged_capture.h"
#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

class RdmapTap {
 public:
  // Side a is the initiator. `honest`: the sides to judge.
  RdmapTap(Judged honest, bool extensions);

  void see(Side sender, Octets octets, Instant now);
  void see_end(Side sender, Ending ending, Instant now);
  void finish();
  // Also passes everything that it sees to `capture`.
  void show_to(DamagedCapture* capture) {
    capture_ = capture;
    for (const Side side : {Side::a, Side::b}) capture_->see(StreamPiece{.event = StreamEvent::opened, .sender = side});
  }

 private:
  void observe(const StreamPiece& piece);
  void check() const;

  std::unique_ptr<Observer> observer_;
  Judge judge_;
  std::array<std::uint64_t, 2> at_{};
  std::uint64_t pieces_ = 0;
  DamagedCapture* capture_ = nullptr;
};

}  // namespace wirelaw::fuzz
