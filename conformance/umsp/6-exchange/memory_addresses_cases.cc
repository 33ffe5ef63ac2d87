// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6: the form of memory addresses in instructions, inside and outside of chains.
#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kRead = 4;  // octets

// Sends REQ_DATA with this address field after a length of four octets, and returns the data.
std::optional<OctetBuffer> read_by(VmProbe& peer, Octets field) {
  OctetBuffer operands;
  Writer(operands).big_endian(kRead).octets(field);
  return VmProbe::data_of(peer.ask(draft_of(Opcode::req_data_4, operands)), Opcode::data);
}
OctetBuffer field_of(std::uint64_t address, std::uint8_t octets) {
  OctetBuffer field;
  put(field, MemoryAddress{address, octets});
  return field;
}

// Skips the case unless the node's addresses have this number of octets.
bool has_addresses(VmProbe& peer, std::size_t octets) {
  if (peer.ok() && peer.memory_octets() != octets)
    peer.skip(octets == 3 ? "needs an IUT whose addresses have three octets"
                          : "needs an IUT whose addresses have two octets");
  return peer.ok();
}
// Skips the case unless the address also has a short form of two octets.
bool has_shorter_form(VmProbe& peer) {
  if (peer.ok() && (peer.memory_octets() == 2 || peer.address() > 0xffff))
    peer.skip("needs an IUT with memory below 0x10000 and addresses of more than two octets");
  return peer.ok();
}

// Writes new data with full local addresses, and returns them.
OctetBuffer prepare(VmProbe& peer) {
  const OctetBuffer octets = peer.fresh(kRead);
  bool written = true;
  for (std::size_t i = 0; written && peer.ok() && i < kRead; i += peer.word())
    written = peer.write(peer.session(), peer.address() + i, Octets(octets).subspan(i, peer.word()));
  peer.show(written, "a WRITE to the offered memory failed");
  return octets;
}

void length_selects_format(VmProbe& peer) {
  const OctetBuffer there = prepare(peer);
  const auto complete = peer.complete(peer.address());
  if (!complete || !peer.show(read_by(peer, field_of(peer.address(), peer.memory_octets() == 8 ? 8 : 4)) == there,
                              "REQ_DATA by a local address was not served"))
    return;
  peer.require(rule<"UMSP-6-2">, read_by(peer, complete->octets) == there, "DATA as written at that address",
               "an answer to another REQ_DATA", "REQ_DATA of five words has a complete address of sixteen octets.");
}

// A field of four octets has a shorter address in its last octets.
template <std::size_t kOctets>
void short_one_is_last(VmProbe& peer) {
  if (!has_addresses(peer, kOctets)) return;
  const Rule& judged = kOctets == 3 ? rule<"UMSP-6-22"> : rule<"UMSP-6-24">;
  const OctetBuffer there = peer.fresh(kRead);
  const auto written = peer.ask(write_ext(peer.at(peer.address()), there));
  peer.expect_done(judged, written, "The address is in the last octets of its field.");
  peer.require(judged, read_by(peer, field_of(peer.address(), 4)) == there, "DATA as written at that address",
               "another answer", "The address is in the last octets of its field.");
}

template <std::size_t kOctets>
void octets_before_are_zero(VmProbe& peer) {
  if (!has_addresses(peer, kOctets)) return;
  const OctetBuffer there = prepare(peer);
  if (!peer.show(read_by(peer, field_of(peer.address(), 4)) == there, "REQ_DATA of four octets was not served")) return;
  const std::uint64_t longer = peer.address() | std::uint64_t{1} << 8 * kOctets;
  peer.require(kOctets == 3 ? rule<"UMSP-6-23"> : rule<"UMSP-6-25">, read_by(peer, field_of(longer, 4)) != there,
               "a refusal", "the memory at the address without the preceding octets",
               "The octets before a shorter address are 0.");
}

void short_is_filled_up(VmProbe& peer) {
  if (!has_shorter_form(peer)) return;
  const OctetBuffer there = prepare(peer);
  const auto answer = peer.ask(req_data(MemoryAddress{peer.address(), 2}, kRead));
  peer.require(rule<"UMSP-6-29">, VmProbe::data_of(answer, Opcode::data) == there, "DATA as written at that address",
               to_text(answer), "Zeros precede an address of two octets.");
}

void longer_is_not_executed(VmProbe& peer) {
  if (peer.ok() && peer.memory_octets() == 8) return peer.skip("needs an IUT whose addresses have less than 8 octets");
  const OctetBuffer there = prepare(peer);
  if (!peer.show(read_by(peer, field_of(peer.address(), 4)) == there, "REQ_DATA was not served")) return;
  peer.require(rule<"UMSP-6-30">, read_by(peer, field_of(peer.address(), 8)) != there, "a refusal", "DATA",
               "An address of eight octets is longer than those of the node.");
}

// ----------------------------------------------------------------------------------------------------------- in chains

constexpr std::uint16_t kChain = 7;
constexpr std::uint64_t kDisplacement = 8;

// Sends a sequence that writes two octets to a 2-octet address.
std::optional<Received> write_in_sequence(VmProbe& peer, std::optional<std::uint64_t> base, std::uint64_t address,
                                          Octets octets) {
  Draft first = peer.asking(peer.session(), draft_of(Opcode::nop));
  first.chain = ChainPlace{kChain, 0};
  first.extensions.push_back({.head_code = HeadCode::begin_sq});
  if (base) first.extensions.push_back({HeadCode::set_mbase, field_of(*base, peer.memory_octets() == 8 ? 8 : 4)});
  Draft last = VmProbe::in(peer.session(), write_data(MemoryAddress{address, 2}, octets));
  last.chain = ChainPlace{kChain, 1};
  last.extensions.push_back({.head_code = HeadCode::end_chain});
  peer.send_together({first, last});
  return peer.answer_to(peer.session(), *first.req_id);
}

void short_is_displacement(VmProbe& peer) {
  if (!has_shorter_form(peer) || !peer.provides(ProfileFlag::sequences)) return;
  prepare(peer);
  const OctetBuffer octets = peer.fresh(2);
  write_in_sequence(peer, peer.address(), kDisplacement, octets);
  peer.expect_written(rule<"UMSP-6-26">, peer.session(), peer.address() + kDisplacement, octets,
                      "An address of two octets counts from the base of the chain.");
}

void without_base_nothing_is_executed(VmProbe& peer) {
  if (!has_shorter_form(peer) || !peer.provides(ProfileFlag::sequences)) return;
  const OctetBuffer there = prepare(peer);
  write_in_sequence(peer, std::nullopt, peer.address(), OctetBuffer{there[1], there[0]});
  if (!peer.expect_unwritten(rule<"UMSP-6-28">, peer.session(), peer.address(), there,
                             "A short address in a chain without a base is wrong."))
    return;
  const OctetBuffer octets = peer.fresh(2);
  write_in_sequence(peer, peer.address(), 0, octets);
  peer.show(peer.read(peer.session(), peer.address(), 2) == octets, "a chain with a base was not executed");
}

const CaseRow kRows[] = {
    {"address/length-selects-the-format",
     {&rule<"UMSP-6-2">},
     "The IUT reads a complete address of sixteen octets from REQ_DATA of five words.",
     with<length_selects_format>()},
    {"address/three-octets-are-the-last",
     {&rule<"UMSP-6-22">},
     "The IUT reads an address of 24 bits from the last octets of its field.",
     with<short_one_is_last<3>>()},
    {"address/octet-before-three-is-zero",
     {&rule<"UMSP-6-23">},
     "The IUT reads a nonzero octet before 24 bits as part of the address.",
     with<octets_before_are_zero<3>>()},
    {"address/two-octets-are-the-last",
     {&rule<"UMSP-6-24">},
     "The IUT reads an address of 16 bits from the last octets of its field.",
     with<short_one_is_last<2>>()},
    {"address/octets-before-two-are-zero",
     {&rule<"UMSP-6-25">},
     "The IUT reads nonzero octets before 16 bits as part of the address.",
     with<octets_before_are_zero<2>>()},
    {"address/short-is-filled-up",
     {&rule<"UMSP-6-29">},
     "The IUT accepts an address of two octets although its own are longer.",
     with<short_is_filled_up>()},
    {"address/longer-is-refused",
     {&rule<"UMSP-6-30">},
     "The IUT refuses an address that is longer than its own.",
     with<longer_is_not_executed>()},
    {"address/short-counts-from-the-base",
     {&rule<"UMSP-6-26">},
     "The IUT counts an address of two octets in a chain from the chain's base.",
     with<short_is_displacement>()},
    {"address/short-without-base-is-refused",
     {&rule<"UMSP-6-28">},
     "The IUT refuses a short address in a chain without a base.",
     with<without_base_nothing_is_executed>()},
};

}  // namespace

std::vector<Case> memory_addresses_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
