// SPDX-License-Identifier: Apache-2.0
// The judge of RAMCloud RPC as oracle.
#pragma once

#include "conformance/ramcloud/ramcloud.h"
#include "fuzz/datagram_tap.h"

namespace wirelaw::fuzz {

// `silence`: returns whether the server has a reason for not answering (RAMCLOUD/R43). `unseen`: returns whether a
// packet of the client was lost before the tap, which then is no complete source for the client.
inline Tap ramcloud_tap(Honest honest, std::function<bool()> silence, std::function<bool()> unseen) {
  // The observer checks its memory every 256 packets. A fragment with a new highest number may add at most 16 KiB.
  constexpr std::size_t kSlack = std::size_t{256} * (std::size_t{16} << 10);
  // A client may get a response before the tap has seen its session opened. It accepts the response once the session is
  // open, and acknowledges fragments that the observer could not assign.
  const auto argued = [silence = std::move(silence), unseen = std::move(unseen)](const Finding& finding) {
    if (finding.rule->id == "RAMCLOUD-old-23") return unseen();
    if (finding.severity != Severity::warning) return false;
    return finding.rule->id == "RAMCLOUD-ack-9" || (finding.rule->id == "RAMCLOUD-session-9" && silence());
  };
  return Tap(ramcloud::kProtocol, honest, {.slack = kSlack}, argued);
}

}  // namespace wirelaw::fuzz
