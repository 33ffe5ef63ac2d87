// SPDX-License-Identifier: Apache-2.0
// Later revisions of the document (reference/efa/revision.h). Each side is judged by the document that it follows, as
// far as that is known (tracker/document.h).
#pragma once

#include <string>

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns true if note_revision() must be called before the packet is judged. Most packets show nothing about their
// sender's document.
inline bool may_show_revision(const Layout& layout, const Document& document) {
  return !document.said && (!document.has(layout.since) || layout.type == PacketType::handshake);
}
void note_revision(const Packet& packet, const Layout& layout, Side sender, TraceState& state);
// Names the document by which each side was judged; empty if that was only the one of 2023-10.
std::string revisions_of(const TraceState& state);

// Judges a rule that the documents from `lifted` on no longer contain. A breach fails an endpoint that cannot follow
// those documents, and is a warning for one that may.
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
