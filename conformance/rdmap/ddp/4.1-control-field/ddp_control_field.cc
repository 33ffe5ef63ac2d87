// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 4.1: the DDP control field. L can be judged only over several segments: see untagged_messages.cc
// and tagged_messages.cc.
#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {

namespace {

void judge_version(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  const Agreed& agreed = seen.connection.agreement;
  const bool first = !seen.from.version;
  if (first) seen.from.version = header.version;
  const bool changed = header.version != *seen.from.version;
  if (header.version != ddp::kVersion)
    seen.blame(header.tagged ? error::kDdpTaggedVersion : error::kDdpUntaggedVersion);
  // Once a side has changed its version, that is its fault, whatever the value.
  if (!first && !judge.require(rule<"DDP-4.1-13">, !changed, field::kDdpControl, expected(*seen.from.version),
                               actual(header.version), "the segments before it had another version"))
    return;
  if (!agreed.is_assumed() && agreed.revision > 0)
    judge.require(rule<"DDP-4.1-12">, header.version == ddp::kVersion, field::kDdpControl, expected(ddp::kVersion),
                  actual(header.version));
}

}  // namespace

void judge_ddp_control(Judge& judge, Seen& seen) {
  judge.require(rule<"DDP-4.1-10">, seen.header.reserved == 0, field::kDdpControl, expected(0),
                actual(seen.header.reserved), "bits 2 to 5 of the octet");
  judge_version(judge, seen);
}

}  // namespace wirelaw::rdmap
