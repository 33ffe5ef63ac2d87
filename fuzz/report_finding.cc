// SPDX-License-Identifier: Apache-2.0
#include "fuzz/report_finding.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "reference/octets/hex.h"

namespace wirelaw::fuzz {

void report(const Finding& finding) {
  fmt::print(stderr,
             "\nbroken: an honest endpoint is found to break {} ({}): {}\n  message {} of {}, octets {}+{} [{}]\n"
             "  expected: {}\n  actual: {}\n  {}\n",
             finding.rule->id, to_string(finding.severity), finding.rule->summary, finding.message, finding.sender,
             finding.offset, finding.length, to_hex(finding.octets), finding.expected, finding.actual,
             finding.explanation);
  std::abort();
}

bool tracing() {
  static const bool kTracing = std::getenv("WIRELAW_FUZZ_TRACE") != nullptr;
  return kTracing;
}

void print(const Protocol& protocol, const Message& message) {
  const Decoded decoded = protocol.decode(message.octets);
  fmt::print(stderr, "{:4} {} {}{}\n", message.index, message.sender == Side::a ? "->" : "<-", decoded.summary,
             decoded.error);
}

void print(const StreamPiece& piece) {
  static constexpr std::string_view kEvents[] = {"opened", "octets", "gap", "closed", "reset"};  // as StreamEvent
  fmt::print(stderr, "{:4} {} {} at {}{}, {} octets, {} missing: {}\n", piece.frame,
             piece.sender == Side::a ? "->" : "<-", kEvents[static_cast<std::size_t>(piece.event)], piece.offset,
             piece.from_start ? "" : " from the middle", piece.octets.size(), piece.missing,
             to_hex(piece.octets.first(std::min<std::size_t>(piece.octets.size(), 24))));
}

}  // namespace wirelaw::fuzz
