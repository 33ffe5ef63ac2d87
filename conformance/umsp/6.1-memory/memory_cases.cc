// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.1 and 6.2: memory is read, written and compared.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/umsp/6.1-memory/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kLess = 0xffff, kEqual = 0, kMore = 1;

// Sends the instruction once with an address in memory, and once with one outside it.
using MakeDraft = Draft (*)(VmProbe& peer, std::uint64_t address);
template <MakeDraft kMake>
void refused_where_nothing_is(VmProbe& peer, const Rule& judged) {
  if (!peer.ok() || !peer.show(VmProbe::says_done(peer.ask_good(kMake(peer, peer.address()))),
                               "the same with the offered memory was not executed"))
    return;
  peer.expect_refused(judged, peer.ask(kMake(peer, peer.last_address())), "There are no octets at the last address.");
}
template <MakeDraft kMake>
void executed_is_done(VmProbe& peer, const Rule& judged) {
  const OctetBuffer before = peer.fresh(4);
  peer.ask(write_ext(peer.at(peer.address()), before));
  if (peer.ok()) peer.expect_done(judged, peer.ask(kMake(peer, peer.address())), "The offered memory exists.");
}

Draft reading(VmProbe& peer, std::uint64_t address) {
  return peer.read_draft(address, 4);
}
Draft writing(VmProbe& peer, std::uint64_t address) {
  return peer.write_draft(address, peer.fresh_word());
}
Draft writing_any(VmProbe& peer, std::uint64_t address) {
  return write_ext(peer.at(address), peer.fresh(3));
}
Draft comparing(VmProbe& peer, std::uint64_t address) {
  return peer.compare_draft(address, peer.fresh_word());
}

// -------------------------------------------------------------------------------------------------- data of any length

void padding_is_not_written(VmProbe& peer) {
  OctetBuffer octets{0x11, 0x22, 0x33, 0x44};
  if (!peer.show(VmProbe::says_done(peer.ask_good(write_ext(peer.at(peer.address()), octets))), "WRITE_EXT failed"))
    return;
  for (std::size_t count = 1; count <= 3 && peer.ok(); ++count) {
    for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(count * 16 + i + 0x80);
    peer.ask(write_ext(peer.at(peer.address()), Octets(octets).first(count)));
    peer.expect_written(rule<"UMSP-6.1.4-11">, peer.session(), peer.address(), octets,
                        "Only the counted octets are written.");
  }
}

void padding_is_not_compared(VmProbe& peer) {
  const OctetBuffer octets{0x11, 0x22, 0x33, 0x44};
  if (!peer.show(VmProbe::says_done(peer.ask_good(write_ext(peer.at(peer.address()), octets))), "WRITE_EXT failed"))
    return;
  for (std::size_t count = 1; count <= 3; ++count) {
    const auto answer = peer.ask(compare_ext(peer.at(peer.address()), Octets(octets).first(count)));
    if (!peer.require(rule<"UMSP-6.2.2-11">, answer && answer->is_positive() && answer->codes().additional == kEqual,
                      "RSP: equal", to_text(answer), "Only the counted octets are compared."))
      return;
  }
}

// --------------------------------------------------------------------------------------------------------- comparisons

// The first octet of the operand, and the additional return code that it leads to. Memory has `kThere`.
struct Outcome {
  Octet given;
  std::uint16_t additional;
};
constexpr Octet kThere = 0x80;  // it would be the lowest value if octets were signed
constexpr Outcome kOutcomes[] = {{0x81, kLess}, {kThere, kEqual}, {0x7f, kMore}};

template <std::uint16_t kExpected>
void comparison(VmProbe& peer, const Rule& judged) {
  const OctetBuffer there(peer.word(), kThere);
  if (!peer.ok() || !peer.show(peer.write(peer.session(), peer.address(), there), "WRITE was not served")) return;
  for (const Outcome& one : kOutcomes) {
    if (one.additional != kExpected) continue;
    OctetBuffer given = there;
    given.front() = one.given;
    const auto answer = peer.compare(peer.address(), given);
    peer.require(judged, answer && answer->is_positive() && answer->codes().additional == kExpected,
                 fmt::format("RSP with additional code {}", kExpected),
                 answer ? fmt::format("{} and additional code {}", to_text(answer), answer->codes().additional)
                        : to_text(answer));
  }
}

void any_outcome_is_positive(VmProbe& peer) {
  const OctetBuffer there(peer.word(), kThere);
  if (!peer.ok() || !peer.show(peer.write(peer.session(), peer.address(), there), "WRITE was not served")) return;
  for (const Outcome& one : kOutcomes) {
    const auto answer = peer.compare(peer.address(), OctetBuffer(peer.word(), one.given));
    if (!peer.require(rule<"UMSP-6.2.3-2">, answer && answer->is_positive(), "RSP with basic code 0", to_text(answer)))
      return;
  }
}

const CaseRow kRows[] = {
    {"memory/what-is-not-there-is-not-read",
     {&rule<"UMSP-6.1.1-10">},
     "The IUT refuses REQ_DATA of octets that do not exist.",
     with<VmProbe>([](VmProbe& peer) { refused_where_nothing_is<reading>(peer, rule<"UMSP-6.1.1-10">); })},
    {"memory/write-is-done",
     {&rule<"UMSP-6.1.3-12">},
     "The IUT sends a positive RSP for an executed WRITE.",
     with<VmProbe>([](VmProbe& peer) { executed_is_done<writing>(peer, rule<"UMSP-6.1.3-12">); })},
    {"memory/write-is-refused",
     {&rule<"UMSP-6.1.3-13">},
     "The IUT sends a negative RSP for a WRITE to where no memory is.",
     with<VmProbe>([](VmProbe& peer) { refused_where_nothing_is<writing>(peer, rule<"UMSP-6.1.3-13">); })},
    {"memory/write-ext-is-done",
     {&rule<"UMSP-6.1.4-13">},
     "The IUT sends a positive RSP for an executed WRITE_EXT.",
     with<VmProbe>([](VmProbe& peer) { executed_is_done<writing_any>(peer, rule<"UMSP-6.1.4-13">); })},
    {"memory/write-ext-is-refused",
     {&rule<"UMSP-6.1.4-14">},
     "The IUT sends a negative RSP for a WRITE_EXT to where no memory is.",
     with<VmProbe>([](VmProbe& peer) { refused_where_nothing_is<writing_any>(peer, rule<"UMSP-6.1.4-14">); })},
    {"memory/padding-is-not-written",
     {&rule<"UMSP-6.1.4-11">},
     "The IUT writes only as many octets as WRITE_EXT counts.",
     with<padding_is_not_written>()},
    {"memory/padding-is-not-compared",
     {&rule<"UMSP-6.2.2-11">},
     "The IUT compares only as many octets as CMP_EXT counts.",
     with<padding_is_not_compared>()},
    {"memory/any-comparison-is-positive",
     {&rule<"UMSP-6.2.3-2">},
     "The IUT answers a comparison positively whatever its result.",
     with<any_outcome_is_positive>()},
    {"memory/less",
     {&rule<"UMSP-6.2.3-3">},
     "The IUT reports -1 for memory that is less.",
     with<VmProbe>([](VmProbe& peer) { comparison<kLess>(peer, rule<"UMSP-6.2.3-3">); })},
    {"memory/equal",
     {&rule<"UMSP-6.2.3-6">},
     "The IUT reports 0 for memory that is equal.",
     with<VmProbe>([](VmProbe& peer) { comparison<kEqual>(peer, rule<"UMSP-6.2.3-6">); })},
    {"memory/more",
     {&rule<"UMSP-6.2.3-7">},
     "The IUT reports 1 for memory that is greater.",
     with<VmProbe>([](VmProbe& peer) { comparison<kMore>(peer, rule<"UMSP-6.2.3-7">); })},
    {"memory/what-is-not-there-is-not-compared",
     {&rule<"UMSP-6.2.3-8">},
     "The IUT refuses a comparison with octets that do not exist.",
     with<VmProbe>([](VmProbe& peer) { refused_where_nothing_is<comparing>(peer, rule<"UMSP-6.2.3-8">); })},
};

}  // namespace

std::vector<Case> memory_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
