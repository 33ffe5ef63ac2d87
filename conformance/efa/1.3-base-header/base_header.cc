// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.3: the base header, packet types, and complete packets.
#include "conformance/efa/1.3-base-header/base_header.h"

#include "conformance/efa/1.3-base-header/rules.h"
#include "conformance/efa/2.1-handshake/handshake_format.h"
#include "conformance/efa/3.1-req/req.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void check_base_header(Judge& judge, const Message& message, const BaseHeaderFact& fact) {
  judge.require(rule<"EFA-1.3-1">, fact.octets >= kBaseHeader, octets(0, message.octets.size()),
                expected("at least 4 octets"), actual(fact.octets), "the packet ends in its base header");
  if (fact.is_low_octet_first)
    judge.advise(rule<"EFA-1.3-10">, *fact.is_low_octet_first, octets(2, 2), expected("the low octet first"),
                 actual([&] { return fmt::format("{:02x} {:02x}", message.octets[2], message.octets[3]); }),
                 "as they are these octets are no packet; with the high octet first they are one");
}

// -------------------------------------------------------------------------------------------------------- whole

void blame_short(Judge& judge, const Rule& rule, const DecodeError& error) {
  judge.require(rule, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

void judge_whole(Judge& judge, const Message& message, const DecodeError& error, const SenderFact& sender) {
  const Layout& layout = *error.layout;
  if (error.part == "header")
    blame_short(judge, rule<"EFA-1.3-6">, error);
  else if (error.part == "rma_iov" || error.part == "read_iov")
    blame_short(judge, rule<"EFA-1.3-9">, error);
  else if (layout.type == PacketType::handshake)
    judge_handshake_whole(judge, error, sender.document);
  else if (layout.is_request())
    judge_request_whole(judge, message, error, sender);
  else
    blame_short(judge, rule<"EFA-4.4-7">, error);
}

bool judge_type(Judge& judge, const Packet& packet, const Layout* layout, Revisions document) {
  const auto got = actual(packet.type);
  const bool named = layout != nullptr;
  const bool known = named && layout->assignment != Assignment::later && document.has(layout->since);
  const bool assigned = judge.require(rule<"EFA-1.3-3">, known, octets(0, 1),
                                      expected("an ID of table 1.2, or 145 or 146"), got, [&]() -> std::string {
                                        if (!named) return "the document does not assign it";
                                        return fmt::format("{} of later documents", layout->name);
                                      });
  if (!assigned) return false;
  judge.require(rule<"EFA-1.3-4">, layout->assignment != Assignment::deprecated, octets(0, 1),
                expected("a type that is in use"), got, layout->name);
  judge.require(rule<"EFA-1.3-5">, layout->assignment != Assignment::reserved, octets(0, 1),
                expected("a type that is not reserved"), got);
  judge.require(rule<"EFA-1.3-2">, packet.version == kVersion, octets(1, 1), expected(kVersion),
                actual(packet.version));
  return layout->has_format();
}

// ------------------------------------------------------------------------------------------------- format, flags

void judge_format(Judge& judge, const SeenPacket& seen) {
  keeps(judge, rule<"EFA-1.3-6">);
  if (seen.layout.array == Array::rma_iov || seen.layout.behind == Array::read_iov) keeps(judge, rule<"EFA-1.3-9">);
  if (seen.layout.category == Category::req || seen.layout.data != Data::none ||
      seen.layout.type == PacketType::handshake)
    return;
  judge.require(rule<"EFA-1.3-8">, seen.payload_octets() == 0, seen.payload(), expected("no octets after the header"),
                actual(seen.payload_octets()), [&] { return fmt::format("of {}", seen.layout.name); });
}

namespace {

std::string names_of(std::uint16_t flags) {
  std::string text;
  for (unsigned bit = 0; bit < 16; ++bit)
    if ((flags >> bit & 1) != 0) text += fmt::format("{}bit {}", text.empty() ? "" : ", ", bit);
  return text;
}

}  // namespace

void blame_undefined_flags(Judge& judge, const Rule& rule, const SeenPacket& seen, std::uint16_t defined) {
  const auto undefined = static_cast<std::uint16_t>(seen.packet.flags & ~unsigned{defined});
  require(judge, rule, false, seen, Field::flags,
          expected([&] { return fmt::format("no bit outside 0x{:04x}", defined); }), actual(hex(seen.packet.flags)),
          [&] { return names_of(undefined) + " set"; });
}

void judge_flags(Judge& judge, const SeenPacket& seen, Revisions document) {
  if (seen.layout.category == Category::req) return judge_request_flags(judge, seen);
  if (seen.layout.type == PacketType::handshake) return judge_handshake_flags(judge, seen, document);
  judge_undefined_flags(judge, rule<"EFA-1.3-7">, seen, seen.layout.allowed);
}

}  // namespace wirelaw::efa
