// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_base_header(Judge& judge, const Message& message, const BaseHeaderFact& fact);
// Judges a packet that does not decode.
void judge_whole(Judge& judge, const Message& message, const DecodeError& error, const SenderFact& sender);
// The packet ends before its part, which breaks the rule.
void blame_short(Judge& judge, const Rule& rule, const DecodeError& error);
// Returns false if the sender's document has no format for the type. Then `layout` may be nullptr.
bool judge_type(Judge& judge, const Packet& packet, const Layout* layout, Revisions document);
void judge_format(Judge& judge, const SeenPacket& seen);
void judge_flags(Judge& judge, const SeenPacket& seen, Revisions document);
// The flags outside `defined` break the rule.
void blame_undefined_flags(Judge& judge, const Rule& rule, const SeenPacket& seen, std::uint16_t defined);
inline void judge_undefined_flags(Judge& judge, const Rule& rule, const SeenPacket& seen, std::uint16_t defined) {
  if ((seen.packet.flags & ~unsigned{defined}) == 0) [[likely]]
    keeps(judge, rule);
  else
    blame_undefined_flags(judge, rule, seen, defined);
}

}  // namespace wirelaw::efa
