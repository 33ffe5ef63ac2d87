// SPDX-License-Identifier: Apache-2.0
// The judge of RAMCloud RPC as oracle.
#pragma once

#include "conformance/ramcloud/ramcloud.h"
#include "fuzz/datagram_tap.h"

namespace wirelaw::fuzz {

// `silence`: whether there is a reason why the server has not answered (RAMCLOUD/R43). `unseen`: whether the client has
// sent what did not come as far as the tap, which is then no complete source of what the client did.
inline Tap ramcloud_tap(Honest honest, std::function<bool()> silence, std::function<bool()> unseen) {
  // The observer looks at its memory every 256 packets: at most 16 KiB each for a fragment with a number that was never
  // this high.
  constexpr std::size_t kSlack = std::size_t{256} * (std::size_t{16} << 10);
  // A client that is sent a response before the tap has seen its session opened takes it once the session is open, and
  // acknowledges what the observer could place nowhere.
  const auto argued = [silence = std::move(silence), unseen = std::move(unseen)](const Finding& finding) {
    if (finding.rule->id == "RAMCLOUD-old-23") return unseen();
    if (finding.severity != Severity::warning) return false;
    return finding.rule->id == "RAMCLOUD-ack-9" || (finding.rule->id == "RAMCLOUD-session-9" && silence());
  };
  return Tap(ramcloud::kProtocol, honest, {.slack = kSlack}, argued);
}

}  // namespace wirelaw::fuzz
