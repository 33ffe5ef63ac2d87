// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/link.h"

#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

// Flags in the first octet of _BEGIN_TR's DATA.
constexpr std::uint64_t kTre = 0x80, kTrr = 0x40, kTrt = 0x20;
constexpr std::size_t kCompleteAddress = 16;

void flaw(ChainLink& link, ChainRefusal refusal) {
  if (!link.flaw) link.flaw = refusal;
}

// One header begins a chain, in the instruction with number 0.
void begin(ChainLink& link, ChainKind kind) {
  if (link.begins != ChainKind::unknown || link.number != 0) flaw(link, ChainRefusal::malformed);
  link.begins = kind;
}

std::optional<std::uint64_t> value(const ExtensionHeader& header, Operand operand) {
  return value_of(locate(header), operand, header.data);
}

void read_terms(ChainLink& link, const ExtensionHeader& header) {
  begin(link, ChainKind::transaction);
  const auto flags = value(header, Operand::transaction_flags);
  const auto time = value(header, Operand::time_tr);
  // The document defines nothing that TRT could mean.
  if (!flags || !time || (*flags & kTrt) != 0) return flaw(link, ChainRefusal::malformed);
  link.terms = {(*flags & kTre) != 0, (*flags & kTrr) != 0, static_cast<std::uint8_t>(*time)};
}

void read_parent(ChainLink& link, const ExtensionHeader& header) {
  begin(link, ChainKind::fragments);
  const auto chain = value(header, Operand::parent_chain_number);
  const auto instruction = value(header, Operand::parent_instr_number);
  if (chain && instruction)
    link.parent = ChainPlace{static_cast<std::uint16_t>(*chain), static_cast<std::uint16_t>(*instruction)};
}

// The local part of the base (7.6): a complete address ends with it.
void read_base(ChainLink& link, const ExtensionHeader& header, std::uint8_t address_octets) {
  ++link.bases;
  const OperandView view = locate(header);
  const Located* const place = view.find(Operand::memory_base);
  if (place == nullptr || address_octets <= 2) return flaw(link, ChainRefusal::base);
  const std::uint64_t number = number_of(octets_of(*place, header.data));
  const std::uint64_t most = address_octets >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << address_octets * 8) - 1;
  if (place->length != kCompleteAddress && number > most) return flaw(link, ChainRefusal::base);
  link.base = number & most;
}

void read_life_time(ChainLink& link, const ExtensionHeader& header) {
  const auto life_time = value(header, Operand::life_time);
  if (!life_time) return flaw(link, ChainRefusal::header);
  link.life_time = static_cast<std::uint32_t>(*life_time);
}

}  // namespace

ChainLink read_link(const Instruction& instruction, std::uint16_t number, std::uint8_t address_octets) {
  ChainLink link{.number = number};
  for (const ExtensionHeader& header : instruction.extensions) {
    switch (static_cast<HeadCode>(header.head_code)) {
      case HeadCode::begin_sq:
        begin(link, ChainKind::sequence);
        break;
      case HeadCode::begin_tr:
        read_terms(link, header);
        break;
      case HeadCode::begin_frg:
        read_parent(link, header);
        break;
      case HeadCode::end_chain:
        link.ends = true;
        break;
      case HeadCode::set_mbase:
        read_base(link, header, address_octets);
        break;
      case HeadCode::life_time:
        read_life_time(link, header);
        break;
      default:
        if (header.hob && find_extension(header.head_code) == nullptr) flaw(link, ChainRefusal::header);
    }
  }
  return link;
}

OctetBuffer encode(const TransactionTerms& terms) {
  const std::uint64_t flags = (terms.obligatory ? kTre : 0) | (terms.after_sending ? kTrr : 0);
  return {static_cast<Octet>(flags), terms.time};
}

}  // namespace wirelaw::umsp
