// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.3: the base header, packet types, and complete packets.
#include "conformance/efa/1.3-base-header/base_header.h"

#include "conformance/efa/1.3-base-header/rules.h"
#include "conformance/efa/2.1-handshake/handshake_format.h"
#include "conformance/efa/3.1-req/req.h"
#include "conformance/efa/4.4-connid/connid.h"
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

namespace {

struct PartRow {
  std::string_view part;  // DecodeError::part
  const Rule* rule;
};
constexpr PartRow kParts[] = {
    {"header", &rule<"EFA-1.3-6">},
    {"rma_iov", &rule<"EFA-1.3-9">},
    {"read_iov", &rule<"EFA-1.3-9">},
};

void blame(Judge& judge, const Rule& rule, const DecodeError& error) {
  judge.require(rule, false, octets(error.offset, error.there),
                expected([&] { return fmt::format("{} octets of {}", error.needed, error.part); }), actual(error.there),
                "the packet ends before");
}

}  // namespace

void judge_whole(Judge& judge, const Message& message, const DecodeError& error, const TraceState& state) {
  const Layout& layout = *error.layout;
  for (const PartRow& row : kParts)
    if (error.part == row.part) return blame(judge, *row.rule, error);
  if (layout.type == PacketType::handshake) {
    judge_handshake_whole(judge, error, state.party(message.sender).document);
  } else if (layout.is_request()) {
    judge_request_whole(judge, message, error, state);
  } else {
    judge_connid_whole(judge, error);
  }
}

bool judge_type(Judge& judge, const Packet& packet, const Layout* layout, const Document& document) {
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
  judge.require(rule<"EFA-1.3-6">, true, {}, expected(""), actual(""));
  if (seen.layout.array == Array::rma_iov || seen.layout.behind == Array::read_iov)
    judge.require(rule<"EFA-1.3-9">, true, {}, expected(""), actual(""));
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

void judge_flags(Judge& judge, const SeenPacket& seen, const Document& document) {
  if (seen.layout.category == Category::req) return judge_request_flags(judge, seen);
  if (seen.layout.type == PacketType::handshake) return judge_handshake_flags(judge, seen, document);
  judge_undefined_flags(judge, rule<"EFA-1.3-7">, seen, seen.layout.allowed);
}

}  // namespace wirelaw::efa
