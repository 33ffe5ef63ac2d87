// SPDX-License-Identifier: Apache-2.0
// Names that the rule sheets of iWARP use. Each folder is a document: rdmap (RFC 5040), ddp (RFC 5041), mpa (RFC 5044),
// ece (RFC 6581: enhanced connection establishment), rdmapx (RFC 7306), rdmasec (RFC 5042). Each section that has
// rules has a folder in it.
//
// If a row names no role, every role that the rule binds and that can deviate does. If a breach needs more than the
// usual setup of the peer, the row names the circumstances, separated by blanks: "no-crc", "markers",
// "needs-reads" and "extended" are settings of the reference peer, "rfc7306" is the feature that it declares, "verbs" a
// consumer above it while the tester speaks the wire, and "pair" consumers at both ends.
#pragma once

#include "conformance/sheet.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {

struct Words : SheetWords {
  using enum Deviation;
  static constexpr Role initiator = Role::initiator;
  static constexpr Role responder = Role::responder;
};

}  // namespace wirelaw::rdmap
