// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/party.h"

#include <algorithm>

#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

constexpr auto kSlice = std::chrono::milliseconds(50);  // time to look at one connection while waiting for the other

}  // namespace

Party::Party(CaseRun& run, unsigned node) : Line(run, {.node = node}), dialled_(run, Awaited{{node, false, kPort}}) {
  if (!dialled_.ok()) stop();
}

std::optional<Received> Party::next(Instant deadline) {
  while (ok()) {
    was_dialled_ = true;
    if (auto one = dialled_.next(now())) return one;
    const Instant until = std::min(deadline, in(kSlice));
    was_dialled_ = has_ended();
    if (auto one = has_ended() ? dialled_.next(until) : Line::next(until)) return one;
    // If both connections are over, nothing more arrives, and waiting passes no time.
    const bool is_over = has_ended() && (!dialled_.ok() || dialled_.has_ended());
    if (is_over || now() >= deadline) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace wirelaw::umsp
