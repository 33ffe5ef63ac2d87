// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1: connection setup.
#include "conformance/rdmap/mpa/7.1-setup/rules.h"
#include "conformance/rdmap/mpa/checks.h"

namespace wirelaw::rdmap {

void check_roles(Judge& judge, const StartFrameFact& fact) {
  if (!fact.before) return;
  const bool both_initiate =
      fact.frame.kind() == mpa::FrameKind::request && fact.before->kind == mpa::FrameKind::request;
  judge.advise(rule<"MPA-7.1-3">, !both_initiate, field::kKey, expected("one Request Frame"),
               actual(both_initiate ? "two" : "one"), "both sides have started as Initiator");
}

}  // namespace wirelaw::rdmap
