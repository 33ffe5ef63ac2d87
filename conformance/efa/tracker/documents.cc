// SPDX-License-Identifier: Apache-2.0
// Determines from its packets which revision of the document an endpoint follows (EFA/A-90).
#include <fmt/format.h>

#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {

namespace {

void note_handshake_signs(const Packet& packet, const Layout& layout, Document& document) {
  for (const OptionalHeader& header : layout.optional)
    if (packet.has(header.flag))
      document.show(header.since, [&] { return fmt::format("{} in its HANDSHAKE", header.name); });
  for (const ExtraInfo& extra : all_extras())
    if (announces(packet.extra_info, extra.id))
      document.show(extra.first, [&] { return fmt::format("{} in its HANDSHAKE", extra.name); });
    else if (extra.baseline)
      document.lack(*extra.baseline);
}

std::string document_of(const Document& document) {
  if (document.sign.empty()) return "2023-10";
  return fmt::format("{} ({})", describe(document.least).name, document.sign);
}

}  // namespace

void note_revision(const Packet& packet, const Layout* layout, Side sender, TraceState& state) {
  Document& document = state.party(sender).document;
  if (layout == nullptr || document.said) return;
  if (!document.has(layout->since)) document.show(layout->since, [&] { return fmt::format("its {}", layout->name); });
  if (layout->type == PacketType::handshake) note_handshake_signs(packet, *layout, document);
}

std::string revisions_of(const TraceState& state) {
  const Document& a = state.party(Side::a).document;
  const Document& b = state.party(Side::b).document;
  if (a.said) return fmt::format("judged by the document of {}, as declared (--revision)", describe(a.least).name);
  if (a.sign.empty() && b.sign.empty()) return {};
  if (a.least == b.least) return fmt::format("judged by the document of {}", document_of(a));
  return fmt::format("judged by the documents of {} and {}, as each side shows it", document_of(a), document_of(b));
}

}  // namespace wirelaw::efa
