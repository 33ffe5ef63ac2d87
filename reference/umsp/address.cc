// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/address.h"

#include <algorithm>

#include "reference/octets/hex.h"

namespace wirelaw::umsp {
namespace {

std::uint64_t big_endian(Octets octets) {
  std::uint64_t value = 0;
  for (const Octet octet : octets) value = value << 8 | octet;
  return value;
}

void store(std::uint64_t value, std::span<Octet> out) {
  for (std::size_t i = out.size(); i-- > 0; value >>= 8) out[i] = static_cast<Octet>(value);
}

bool fits(std::uint64_t value, std::size_t octets) {
  return octets >= 8 || value >> (octets * 8) == 0;
}

std::string hexadecimal(std::uint64_t value, std::size_t octets) {
  std::array<Octet, 8> stored{};
  store(value, std::span(stored).first(octets));
  return "0x" + to_hex(Octets(stored).first(octets));
}

std::string node_text(AddressFormat format, Octets node) {
  if (!is_assigned(format)) return "0x" + to_hex(node);
  std::string text;
  for (const Octet octet : node) text += (text.empty() ? "" : ".") + std::to_string(octet);
  return text;
}

std::optional<PartsFlaw> check(AddressFormat format, Octets node, std::uint64_t memory) {
  if (flaw_of(format)) return PartsFlaw::format;
  if (node.size() != format.node_octets()) return PartsFlaw::node;
  if (!fits(memory, format.memory_octets())) return PartsFlaw::memory;
  return std::nullopt;
}

}  // namespace

std::optional<FormatFlaw> flaw_of(AddressFormat format) {
  if (format.addr_length == 0) return FormatFlaw::no_node;
  if (format.octets() > kAddressOctets) return FormatFlaw::too_long;
  return std::nullopt;
}

std::string_view explain(FormatFlaw flaw) {
  return flaw == FormatFlaw::no_node ? "ADDR_LENGTH is 0" : "NODE_ADDR and MEM_ADDR do not fit into 16 octets";
}

std::string to_string(AddressFormat format) {
  return "N " + std::to_string(format.addr_length) + '-' + std::to_string(format.net_type) + '-' +
         std::to_string(format.addr_code);
}

Octets Address::free() const {
  return flaw_of(format()) ? Octets{} : Octets(octets).subspan(1, format().free_octets());
}

Octets Address::node() const {
  return flaw_of(format()) ? Octets{} : Octets(octets).subspan(1 + format().free_octets(), format().node_octets());
}

std::uint64_t Address::memory() const {
  return flaw_of(format()) ? 0 : big_endian(Octets(octets).last(format().memory_octets()));
}

bool Address::uses_free() const {
  return std::ranges::any_of(free(), [](Octet octet) { return octet != 0; });
}

std::optional<Address> decode_address(Octets octets) {
  if (octets.size() < kAddressOctets) return std::nullopt;
  Address address;
  std::ranges::copy(octets.first(kAddressOctets), address.octets.begin());
  return address;
}

tl::expected<Address, PartsFlaw> make_address(AddressFormat format, Octets node, std::uint64_t memory, Octets free) {
  if (const auto flaw = check(format, node, memory)) return tl::unexpected(*flaw);
  if (free.size() > format.free_octets()) return tl::unexpected(PartsFlaw::free);
  Address address;
  const std::span<Octet> out(address.octets);
  out[0] = encode(format);
  std::ranges::copy(free, out.subspan(1 + format.free_octets() - free.size()).begin());
  std::ranges::copy(node, out.subspan(1 + format.free_octets()).begin());
  store(memory, out.last(format.memory_octets()));
  return address;
}

std::string to_string(const Address& address) {
  const AddressFormat format = address.format();
  if (const auto flaw = flaw_of(format))
    return to_string(format) + " (" + std::string(explain(*flaw)) + ") " + to_hex(address.octets);
  std::string text = to_string(format) + ' ' + node_text(format, address.node()) + " memory " +
                     hexadecimal(address.memory(), format.memory_octets());
  if (address.uses_free()) text += " free 0x" + to_hex(address.free());
  return text;
}

std::string explain(const IdentifierError& error) {
  using enum IdentifierError::Problem;
  if (error.problem == no_node) return std::string(explain(FormatFlaw::no_node));
  if (error.problem == too_long) return std::string(explain(FormatFlaw::too_long));
  return "the identifier has " + std::to_string(error.needed) + " octets by its header, " +
         std::to_string(error.there) + " are there";
}

tl::expected<Identifier, IdentifierError> decode_identifier(Octets octets) {
  using enum IdentifierError::Problem;
  if (octets.empty()) return tl::unexpected(IdentifierError{truncated, 1, 0});
  Identifier identifier{.format = decode_format(octets[0])};
  const std::size_t needed = identifier.octets();
  if (const auto flaw = flaw_of(identifier.format))
    return tl::unexpected(IdentifierError{*flaw == FormatFlaw::no_node ? no_node : too_long, needed, octets.size()});
  if (octets.size() < needed) return tl::unexpected(IdentifierError{truncated, needed, octets.size()});
  std::ranges::copy(octets.subspan(1, identifier.format.node_octets()), identifier.node_octets.begin());
  identifier.task = big_endian(octets.first(needed).last(identifier.format.memory_octets()));
  return identifier;
}

void encode(const Identifier& identifier, OctetBuffer& out) {
  std::array<Octet, 8> task{};
  store(identifier.task, task);
  Writer writer(out);
  writer.octet(encode(identifier.format)).octets(identifier.node());
  writer.octets(Octets(task).last(identifier.format.memory_octets()));
}

OctetBuffer encode(const Identifier& identifier) {
  OctetBuffer out;
  encode(identifier, out);
  return out;
}

tl::expected<Identifier, PartsFlaw> make_identifier(AddressFormat format, Octets node, std::uint64_t task) {
  if (const auto flaw = check(format, node, task)) return tl::unexpected(*flaw);
  Identifier identifier{.format = format, .task = task};
  std::ranges::copy(node, identifier.node_octets.begin());
  return identifier;
}

tl::expected<Identifier, PartsFlaw> identifier_of(const Address& address) {
  return make_identifier(address.format(), address.node(), address.memory());
}

Address address_of(const Identifier& identifier) {
  return make_address(identifier.format, identifier.node(), identifier.task).value_or(Address{});
}

std::string to_string(const Identifier& identifier) {
  const AddressFormat format = identifier.format;
  return to_string(format) + ' ' + node_text(format, identifier.node()) + " task " +
         hexadecimal(identifier.task, format.memory_octets());
}

}  // namespace wirelaw::umsp
