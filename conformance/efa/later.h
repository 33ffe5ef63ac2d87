// SPDX-License-Identifier: Apache-2.0
// What later revisions of the document add (reference/efa/revision.h), and what they allow. Each side is judged by the
// document that it follows, as far as that is known (state/document.h).
#pragma once

#include <string>

#include "conformance/efa/rules.h"

namespace wirelaw::efa {

// later_revision.cc: what a packet shows of its sender's document. Before it is judged.
// Of most packets there is nothing to note.
inline bool may_show_revision(const Layout& layout, const Document& document) {
  return !document.said && (!document.has(layout.since) || layout.type == PacketType::handshake);
}
void note_revision(const Packet& packet, const Layout& layout, Side sender, TraceState& state);
// Which document each side was judged by, where it is not the one of 2023-10 alone; empty where there is nothing to
// say.
std::string revisions_of(const TraceState& state);

// later_handshake.cc: 2.1 and 4.8
SectionRules later_handshake_rules();
void judge_later_handshake(Judge& judge, const SeenPacket& seen, const TraceState& state);
// Of a REQ packet: whether what it is goes to this queue pair.
void judge_default_queue_pair(Judge& judge, const SeenPacket& seen, TraceState& state);

// later_read_nack.cc: 4.7, of writes
SectionRules later_read_nack_rules();
void note_refused_write(const SeenPacket& seen, const Exchange& write, TraceState& state);
void note_long_write(Judge& judge, const SeenPacket& seen, TraceState& state);
void finish_refused_writes(Judge& judge, const TraceState& state);

// later_peer_error.cc: 4.10
SectionRules later_peer_error_rules();
void judge_peer_error(Judge& judge, const SeenPacket& seen, TraceState& state);
// Whether the packet is of an operation that one side has given up: it is judged no further. None is before there was
// a PEER_ERROR.
bool is_given_up(Judge& judge, const SeenPacket& seen, TraceState& state);

// Of a rule that the document of `lifted`, and those behind it, no longer have: its breach is one where the endpoint
// cannot follow them, and a warning where it may.
template <class E, class A, class W>
bool require_before(Revision lifted, const Document& document, Judge& judge, const Rule& rule, bool holds,
                    OctetRange where, const Expected<E>& e, const Actual<A>& a, const W& why) {
  if (document.has(lifted)) return true;
  if (!document.may_have(lifted)) return judge.require(rule, holds, where, e, a, why);
  return judge.advise(rule, holds, where, e, a, [&] {
    return fmt::format(
        "{}; the document of {} allows it, and nothing shows which one this endpoint follows: say it "
        "by --revision",
        say(why), describe(lifted).name);
  });
}

}  // namespace wirelaw::efa
