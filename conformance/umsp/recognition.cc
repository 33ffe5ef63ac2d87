// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/recognition.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/umsp/address.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

bool is_faultless(const Instruction& instruction) {
  const Layout* const layout = layout_of(instruction);
  const Header& header = instruction.header;
  return layout != nullptr && layout->allows_ask(header.ask) && layout->allows_pck(header.pck) &&
         layout->allows_chn(header.chn) && layout->allows_ext(header.ext) &&
         layout->length.contains(header.opr_length) && !locate(instruction).flaw;
}

// True if the instruction has the values that are fixed for its kind, in addition to those that make it faultless.
bool has_fixed_values(const Instruction& instruction) {
  const OperandView view = locate(instruction);
  const auto value = [&](Operand operand) { return value_of(view, operand, instruction.operands); };
  const auto names_node = [&](Operand operand) {
    const Located* const located = view.find(operand);
    if (located == nullptr) return false;
    const auto identifier = decode_identifier(octets_of(*located, instruction.operands));
    return identifier && is_assigned(identifier->format);
  };
  switch (static_cast<Opcode>(instruction.opcode())) {
    case Opcode::control_req: {
      constexpr std::uint64_t kReservedAndVersion = 0x7fff, kVersion1 = 0x0100;  // in the last 15 bits of the profile
      return (value(Operand::control_profile).value_or(0) & kReservedAndVersion) == kVersion1;
    }
    case Opcode::session_open: {
      constexpr std::uint64_t kS5 = 0x0400'0000, kS31 = 1, kS16To19 = 0xf000, kVersion1 = 0x1000;
      const std::uint64_t required = value(Operand::required_profile).value_or(0);
      return (required & (kS5 | kS31)) == 0 && (required & kS16To19) == kVersion1 && names_node(Operand::gjid);
    }
    case Opcode::task_reg_2:
    case Opcode::task_reg_4:
    case Opcode::task_reg_8:
      return names_node(Operand::gtid);
    default:
      return false;
  }
}

// ---------------------------------------------------------------------------------------------------- other protocols

struct Prefix {
  std::string_view octets;
  std::size_t at = 0;
};
// SSH (RFC 4253, 4.2), HTTP (RFC 9112, 2; RFC 9113, 3.4), and SMB after the length of NetBIOS or direct TCP ([MS-SMB2]
// 2.1).
constexpr Prefix kOthers[] = {{"SSH-"},       {"GET "},       {"POST "},      {"PUT "},      {"HEAD "},  {"OPTIONS "},
                              {"DELETE "},    {"PATCH "},     {"TRACE "},     {"CONNECT "},  {"PRI * "}, {"HTTP/"},
                              {"\xffSMB", 4}, {"\xfeSMB", 4}, {"\xfdSMB", 4}, {"\xfcSMB", 4}};

bool has(Octets octets, const Prefix& prefix) {
  return octets.size() >= prefix.at + prefix.octets.size() &&
         std::ranges::equal(octets.subspan(prefix.at, prefix.octets.size()), prefix.octets,
                            [](Octet octet, char c) { return octet == static_cast<Octet>(c); });
}

// True for a TLS record (RFC 8446, 5.1): its type, a version from SSL 3.0 to TLS 1.3, and a valid length.
bool is_tls(Octets octets) {
  constexpr std::size_t kHeader = 5, kVersion = 1, kLength = 3;
  constexpr Octet kFirstType = 20, kLastType = 23;
  constexpr std::uint16_t kFirstVersion = 0x0300, kLastVersion = 0x0304, kLongest = (1u << 14) + 2048;
  if (octets.size() < kHeader || octets[0] < kFirstType || octets[0] > kLastType) return false;
  const auto version = load_big_endian<std::uint16_t>(octets.data() + kVersion);
  const auto length = load_big_endian<std::uint16_t>(octets.data() + kLength);
  return version >= kFirstVersion && version <= kLastVersion && length > 0 && length <= kLongest;
}

// True for a DNS query or response, or one of NetBIOS names: the four counts, and a first name of labels with its type
// and class.
bool is_dns(Octets octets) {
  constexpr std::size_t kHeader = 12, kCounts = 4, kLongestLabel = 63, kTypeAndClass = 4;
  constexpr unsigned kMostRecords = 64;
  constexpr std::uint16_t kInternet = 1, kAny = 255, kUnicastAnswer = 0x8000;  // class field values (RFC 6762, 18.12)
  if (octets.size() < kHeader) return false;
  unsigned records = 0;
  for (std::size_t at = kCounts; at < kHeader; at += 2) records += load_big_endian<std::uint16_t>(octets.data() + at);
  if (records == 0 || records > kMostRecords) return false;
  std::size_t at = kHeader;
  while (at < octets.size() && octets[at] != 0) {
    if (octets[at] > kLongestLabel) return false;
    at += octets[at] + std::size_t{1};
  }
  if (at + 1 + kTypeAndClass > octets.size()) return false;
  const auto type = load_big_endian<std::uint16_t>(octets.data() + at + 1);
  const std::uint16_t name_class = load_big_endian<std::uint16_t>(octets.data() + at + 3) & ~kUnicastAnswer;
  return type != 0 && (name_class == kInternet || name_class == kAny);
}

// Padding, or a test pattern. The opcode, length and operands of a real instruction are not all the same octet.
bool is_one_octet_repeated(Octets octets) {
  constexpr std::size_t kEnough = 16;
  return octets.size() >= kEnough &&
         std::ranges::all_of(octets.first(kEnough), [&](Octet one) { return one == octets[0]; });
}

bool is_plainly_other(Octets octets, bool is_stream) {
  if (is_one_octet_repeated(octets)) return true;
  constexpr std::size_t kLengthOfDns = 2;  // precedes it in a stream (RFC 1035, 4.2.2)
  if (is_tls(octets) || std::ranges::any_of(kOthers, [&](const Prefix& one) { return has(octets, one); })) return true;
  if (!is_stream) return is_dns(octets);
  return octets.size() > kLengthOfDns && is_dns(octets.subspan(kLengthOfDns));
}

// ----------------------------------------------------------------------------------------------- what a side has sent

// Counts the instructions of a side, as their lengths delimit them.
struct SideWords {
  std::size_t faultless = 0;
  std::size_t faulty = 0;     // defined by the document, with a fault
  std::size_t undefined = 0;  // not defined by the document
  bool fits = true;           // instructions with a fault have a length that the document prints for them
  bool broken = false;        // they cannot be delimited, or a datagram ends inside one
  bool partial = false;       // the last one is not complete yet
  bool spoken = false;

  std::size_t wrong() const { return faulty + undefined; }
  bool is_clean() const { return faultless > 0 && wrong() == 0 && !broken; }
};

// The very first instruction has none before it whose session it could inherit.
void read(const Head& head, bool is_stream, SideWords& words) {
  words.spoken = true;
  Octets octets = head.octets;
  for (bool is_first = head.from_start; !octets.empty(); is_first = false) {
    const auto extent = instruction_octets(octets, kObserved);
    if (!extent) {
      words.broken = true;
      return;
    }
    if (!extent->complete || extent->octets > octets.size()) {
      (is_stream ? words.partial : words.broken) = true;
      return;
    }
    const auto instruction = decode(octets, kObserved);
    const Layout* const layout = find_layout(octets[0]);
    if (!instruction || layout == nullptr) {
      ++words.undefined;
    } else {
      const Header& header = instruction->header;
      const bool names_itself = header.pck == Pck::no_session || header.pck == Pck::own_session;
      ++(is_faultless(*instruction) && (names_itself || !is_first) ? words.faultless : words.faulty);
      words.fits &= layout->length.contains(header.opr_length) || layout->printed.contains(header.opr_length);
    }
    octets = octets.subspan(static_cast<std::size_t>(extent->octets));
  }
}

bool holds_beginning(Octets octets) {
  for (std::size_t at = 0; at < octets.size(); ++at)
    if (begins_at(octets.subspan(at)) == Beginning::yes) return true;
  return false;
}

// Weighs a connection that was made to the port, or datagrams to it, seen from the beginning.
Plausible weigh_from_start(const SideWords& one, const SideWords& two, bool is_all) {
  constexpr std::size_t kEnoughOfOneSide = 3;
  if (one.is_clean() && two.is_clean()) return Plausible::yes;
  for (const SideWords* words : {&one, &two})
    if (words->is_clean() && (!words->partial || words->faultless >= kEnoughOfOneSide)) return Plausible::yes;
  const std::size_t right = one.faultless + two.faultless, wrong = one.wrong() + two.wrong();
  const bool agree = one.faultless > 0 && two.faultless > 0;
  const bool several = std::max(one.faultless, two.faultless) > 1;
  const bool is_broken = one.broken || two.broken;
  if (!is_broken && (agree || several) && right > wrong && wrong > 0) return Plausible::yes;
  if (!is_all) return Plausible::undecided;
  for (const SideWords* words : {&one, &two})
    if (words->is_clean() && words->faultless > 1 && !is_broken) return Plausible::yes;
  // Only one side has sent anything, and everything that it sent is a defined instruction.
  const bool is_alone = one.spoken != two.spoken;
  const bool are_defined = right + wrong > 0 && one.undefined + two.undefined == 0;
  const bool is_exact = !is_broken && !one.partial && !two.partial;
  return is_alone && are_defined && is_exact && one.fits && two.fits ? Plausible::yes : Plausible::no;
}

// The port may be a client's own, or the beginning is unknown, so everything that is seen has to be right.
Plausible weigh_weakly(const SideWords& one, const SideWords& two, bool is_all) {
  if (one.is_clean() && two.is_clean()) return Plausible::yes;
  const SideWords& spoken = one.spoken ? one : two;
  const bool is_alone = one.spoken != two.spoken;
  const bool is_enough = spoken.faultless > 1 || (is_all && !spoken.partial);
  if (is_alone && spoken.is_clean() && is_enough) return Plausible::yes;
  return is_all ? Plausible::no : Plausible::undecided;
}

}  // namespace

Plausible weigh(const Opening& opening) {
  std::array<SideWords, 2> said;
  bool from_start = true, is_other = false, is_found = false;
  for (const Head& head : opening.heads) {
    SideWords& words = said[head.sender == Side::b];
    read(head, opening.is_stream, words);
    is_other |= is_plainly_other(head.octets, opening.is_stream);
    from_start &= head.from_start;
    is_found |= !head.from_start && holds_beginning(head.octets);
  }
  if (is_other) return Plausible::no;
  const bool is_strong = opening.to_port && from_start;
  if (opening.is_certain) return is_strong ? Plausible::yes : Plausible::no;
  if (is_found) return Plausible::yes;
  return is_strong ? weigh_from_start(said[0], said[1], opening.is_all)
                   : weigh_weakly(said[0], said[1], opening.is_all);
}

Plausible is_plausible(Octets first) {
  if (first.size() < kLeastHeader) return Plausible::undecided;
  const Octet flags = first[1];
  const Layout* const layout = find_layout(first[0]);
  if (layout == nullptr || !layout->allows_pck(static_cast<Pck>(flags >> 5 & 3)) ||
      !layout->allows_ask(flags >> 7 != 0))
    return Plausible::no;
  const auto header = decode_header(first);
  if (!header) return Plausible::undecided;
  const bool fits = layout->length.contains(header->opr_length) || layout->printed.contains(header->opr_length);
  return fits ? Plausible::yes : Plausible::no;
}

std::size_t begins_in(Octets octets) {
  const auto instruction = decode(octets, kObserved);
  if (!instruction || instruction->header.pck != Pck::no_session) return Protocol::kNotHere;
  return is_faultless(*instruction) && has_fixed_values(*instruction) ? 0 : Protocol::kNotHere;
}

Beginning begins_at(Octets octets) {
  constexpr std::size_t kMost = std::size_t{8} << 10;  // octets; longer instructions are not believed
  std::optional<std::uint32_t> session;
  for (Octets rest = octets;;) {
    if (rest.empty()) return Beginning::undecided;
    if (find_layout(rest[0]) == nullptr) return Beginning::no;
    if (rest.size() < kLeastHeader) return Beginning::undecided;
    if (static_cast<Pck>(rest[1] >> 5 & 3) != Pck::own_session) return Beginning::no;
    const auto extent = instruction_octets(rest, kObserved);
    if (!extent || extent->octets > kMost) return Beginning::no;
    if (!extent->complete || extent->octets > rest.size()) return Beginning::undecided;
    const auto instruction = decode(rest, kObserved);
    if (!instruction || !is_faultless(*instruction)) return Beginning::no;
    if (session) return *session == instruction->header.session_id ? Beginning::yes : Beginning::no;
    session = instruction->header.session_id;
    if (*session == kZeroSession) return Beginning::no;
    rest = rest.subspan(static_cast<std::size_t>(extent->octets));
  }
}

}  // namespace wirelaw::umsp
