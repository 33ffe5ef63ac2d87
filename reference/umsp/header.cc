// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/header.h"

#include <array>

#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {
namespace {

// The second octet.
constexpr Octet kAsk = 0x80, kChn = 0x10, kExt = 0x08, kOprLength = 0x07;
constexpr unsigned kPckShift = 5;

Header flags_of(Octet octet, Form form) {
  return {.ask = (octet & kAsk) != 0,
          .pck = static_cast<Pck>(octet >> kPckShift & 3),
          .chn = (octet & kChn) != 0,
          .ext = (octet & kExt) != 0,
          .extended = (octet & kOprLength) == kExtendedLength,
          .opr_length = static_cast<std::uint16_t>(octet & kOprLength),
          .form = form};
}

// The octet after HEAD_LENGTH.
constexpr Octet kHsl = 0x80, kHob = 0x40, kHrz = 0x20, kShortCode = 0x1f;

}  // namespace

std::size_t header_octets(Octet flags, Form form) {
  return flags_of(flags, form).octets();
}

std::optional<Header> decode_header(Octets octets, Form form) {
  if (octets.size() < kLeastHeader) return std::nullopt;
  Header header = flags_of(octets[1], form);
  if (octets.size() < header.octets()) return std::nullopt;
  Reader reader(octets);
  header.opcode = reader.octet();
  reader.skip(1);
  if (header.extended) header.opr_length = reader.big_endian<std::uint16_t>();
  if (header.has_chain_fields()) {
    header.chain_number = reader.big_endian<std::uint16_t>();
    header.instr_number = reader.big_endian<std::uint16_t>();
  }
  if (header.has_session_id()) header.session_id = reader.big_endian<std::uint32_t>();
  if (header.has_req_id()) header.req_id = reader.big_endian<std::uint32_t>();
  return header;
}

void encode(const Header& header, OctetBuffer& out) {
  const unsigned length = header.is_extended() ? kExtendedLength : header.opr_length;
  const unsigned flags = (header.ask ? kAsk : 0u) | (static_cast<unsigned>(header.pck) & 3u) << kPckShift |
                         (header.chn ? kChn : 0u) | (header.ext ? kExt : 0u) | length;
  Writer writer(out);
  writer.octet(header.opcode).octet(static_cast<Octet>(flags));
  if (header.is_extended()) writer.big_endian(header.opr_length);
  if (header.has_chain_fields()) writer.big_endian(header.chain_number).big_endian(header.instr_number);
  if (header.has_session_id()) writer.big_endian(header.session_id);
  if (header.has_req_id()) writer.big_endian(header.req_id);
}

std::optional<Place> find_field(const Header& header, HeaderField field) {
  const std::array<std::pair<bool, std::uint8_t>, 5> variable{{{header.is_extended(), 2},
                                                               {header.has_chain_fields(), 2},
                                                               {header.has_chain_fields(), 2},
                                                               {header.has_session_id(), 4},
                                                               {header.has_req_id(), 4}}};
  if (field < HeaderField::opr_length_ext) return Place{field == HeaderField::opcode ? 0u : 1u, 1};
  const auto wanted = static_cast<std::size_t>(field) - static_cast<std::size_t>(HeaderField::opr_length_ext);
  std::size_t at = kLeastHeader;
  for (std::size_t i = 0; i < wanted; ++i) at += variable[i].first ? variable[i].second : 0u;
  if (!variable[wanted].first) return std::nullopt;
  return Place{at, variable[wanted].second};
}

// ------------------------------------------------------------------------------------------------ extension headers

std::optional<ExtensionHeader> decode_head(Octets octets) {
  if (octets.empty() || octets.size() < head_octets(octets[0])) return std::nullopt;
  Reader reader(octets);
  ExtensionHeader header{.hxt = head_octets(octets[0]) == 8};
  header.head_length = header.hxt ? reader.big_endian<std::uint32_t>() & 0x7fff'ffffu : reader.octet();
  const Octet flags = reader.octet();
  header.hsl = (flags & kHsl) != 0;
  header.hob = (flags & kHob) != 0;
  header.hrz = (flags & kHrz) != 0;
  header.head_code = flags & kShortCode;
  if (!header.hxt) return header;
  header.head_code = static_cast<std::uint16_t>(header.head_code << 8 | reader.octet());
  header.reserved = reader.big_endian<std::uint16_t>();
  return header;
}

void encode(const ExtensionHeader& header, OctetBuffer& out) {
  const unsigned bits = (header.hsl ? kHsl : 0u) | (header.hob ? kHob : 0u) | (header.hrz ? kHrz : 0u);
  const unsigned code = header.hxt ? header.head_code >> 8 : header.head_code;
  const auto flags = static_cast<Octet>(bits | (code & kShortCode));
  Writer writer(out);
  if (header.hxt)
    writer.big_endian(0x8000'0000u | header.head_length)
        .octet(flags)
        .octet(static_cast<Octet>(header.head_code))
        .big_endian(header.reserved);
  else
    writer.octet(static_cast<Octet>(header.head_length & 0x7f)).octet(flags);
  writer.octets(header.data);
}

ExtensionHeader make_extension(std::uint16_t head_code, bool hob, OctetBuffer& data) {
  if (data.size() % 2 != 0) data.push_back(0);
  ExtensionHeader header{
      .head_length = static_cast<std::uint32_t>(data.size() / 2), .hob = hob, .head_code = head_code, .data = data};
  header.hxt = !header.fits_short_form() || head_code == 31;  // 0 to 30 in the short form (UMSP/A18b)
  return header;
}

// ---------------------------------------------------------------------------------------------------------- context

std::string_view explain(ContextFlaw flaw) {
  static constexpr std::array<std::string_view, 6> kTexts{
      "PCK refers to an instruction before the first one",
      "PCK refers to the session of an instruction that belongs to none",
      "PCK refers to the chain of an instruction that belongs to none",
      "CHN is 1 where PCK says that there is no session",
      "PCK says that the instruction belongs to a chain, CHN that it does not",
      "INSTR_NUMBER would be the reserved 65535"};
  return kTexts[static_cast<std::size_t>(flaw)];
}

namespace {

void inherit_session(Membership& membership, const Context& context) {
  membership.session_id = context.session_id;
  if (!context.session_id)
    membership.flaw = context.empty ? ContextFlaw::no_previous : ContextFlaw::previous_sessionless;
}

void inherit_chain(Membership& membership, const Header& header, const Context& context) {
  if (membership.flaw) return;
  if (!header.chn) {
    membership.flaw = ContextFlaw::chain_without_flag;
    return;
  }
  membership.chain = context.chain;
  membership.number_void = controls_chain(header.opcode);
  if (!membership.chain) {
    membership.flaw = ContextFlaw::previous_chainless;
    return;
  }
  if (membership.number_void) return;
  ++membership.chain->instr_number;  // from 65535, which is reserved, to 0
  const bool exhausted = membership.chain->instr_number == kReservedInstrNumber || membership.chain->instr_number == 0;
  if (exhausted) membership.flaw = ContextFlaw::numbers_exhausted;
}

}  // namespace

Membership resolve(const Header& header, const Context& context) {
  Membership membership;
  switch (header.pck) {
    case Pck::no_session:
      if (header.chn) membership.flaw = ContextFlaw::chain_without_session;
      return membership;
    case Pck::own_session:
      membership.session_id = header.session_id;
      break;
    case Pck::same_session:
    case Pck::same_chain:
      inherit_session(membership, context);
      break;
  }
  if (header.has_chain_fields()) membership.chain = ChainPlace{header.chain_number, header.instr_number};
  if (header.pck == Pck::same_chain) inherit_chain(membership, header, context);
  return membership;
}

Membership follow(const Header& header, Context& context) {
  const Membership membership = resolve(header, context);
  context.empty = false;
  context.session_id = membership.session_id;
  context.chain = membership.chain;
  if (membership.session_id) context.older_session = membership.session_id;
  return membership;
}

}  // namespace wirelaw::umsp
