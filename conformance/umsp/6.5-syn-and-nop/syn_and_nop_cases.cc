// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 6.5: SYN, which waits for a change of memory, and NOP.
#include "conformance/umsp/6.5-syn-and-nop/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kWatched = 4;  // octets
const OctetBuffer kInitial{0x10, 0x20, 0x30, 0x40};

// Four octets of the offered memory, and a SYN for them.
class Watched {
 public:
  explicit Watched(VmProbe& peer) : peer_(peer) {
    if (peer.provides(ProfileFlag::synchronizing))
      peer.show(VmProbe::says_done(peer.ask_good(write_ext(at(), kInitial))), "WRITE_EXT was not served");
  }

  void watch(const OctetBuffer& initial, const OctetBuffer& mask) {
    const Draft draft = peer_.asking(peer_.session(), synchronize(at(), initial, mask));
    req_id_ = *draft.req_id;
    peer_.send(draft);
  }
  // Changes the octets without a response.
  void change(const OctetBuffer& octets) { peer_.send(VmProbe::in(peer_.session(), write_ext(at(), octets))); }
  bool is_silent() { return peer_.is_silent({Opcode::data, Opcode::rsp, Opcode::rsp_p}); }
  std::optional<Received> answer() { return peer_.answer_to(peer_.session(), req_id_); }
  bool is_reported(const OctetBuffer& octets) {
    const auto data = VmProbe::data_of(answer(), Opcode::data);
    return data && data->size() >= kWatched && std::equal(octets.begin(), octets.end(), data->begin());
  }

 private:
  MemoryAddress at() const { return peer_.at(peer_.address()); }

  VmProbe& peer_;
  std::uint32_t req_id_ = 0;
};

const OctetBuffer kAll(kWatched, 0xff);
const OctetBuffer kLastOctet{0, 0, 0, 0xff};
const OctetBuffer kFirstChanged{0x11, 0x20, 0x30, 0x40}, kLastChanged{0x10, 0x20, 0x30, 0x41};

void reports_once(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kInitial, kAll);
  memory.change(kFirstChanged);
  if (!peer.ok() || !peer.show(memory.answer().has_value(), "a change was not reported")) return;
  memory.change(kLastChanged);
  peer.require(rule<"UMSP-6.5.1-1">, memory.is_silent(), "nothing more", "another response", "A change was reported.");
}

void difference_is_a_change(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kLastChanged, kAll);
  const auto answer = memory.answer();
  peer.require(rule<"UMSP-6.5.1-8">, answer && answer->is(Opcode::data), "DATA at once", to_text(answer),
               "The memory differs from the initial data.");
}

void bits_of_mask_count(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kInitial, kLastOctet);
  memory.change(kLastChanged);
  const auto answer = memory.answer();
  peer.require(rule<"UMSP-6.5.1-9">, answer && answer->is(Opcode::data), "DATA", to_text(answer),
               "Bits that are 1 in the mask have changed.");
}

void other_bits_do_not_count(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kInitial, kLastOctet);
  memory.change(kFirstChanged);
  if (!peer.require(rule<"UMSP-6.5.1-10">, memory.is_silent(), "nothing", "a response",
                    "Only bits that are 0 in the mask have changed."))
    return;
  memory.change(kLastChanged);
  peer.show(memory.answer().has_value(), "a change was not reported");
}

void wrong_address_is_refused(VmProbe& peer) {
  Watched memory(peer);
  const auto answer = peer.ask(synchronize(peer.at(peer.last_address()), kInitial, kAll));
  peer.expect_refused(rule<"UMSP-6.5.1-11">, answer, "There are no four octets at the last address.");
}

void unchanged_is_not_reported(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kInitial, kAll);
  if (!peer.require(rule<"UMSP-6.5.1-12">, memory.is_silent(), "nothing", "a response", "Nothing has changed.")) return;
  memory.change(kFirstChanged);
  peer.show(memory.answer().has_value(), "a change was not reported");
}

void change_is_reported(VmProbe& peer) {
  Watched memory(peer);
  memory.watch(kInitial, kAll);
  memory.change(kFirstChanged);
  peer.require(rule<"UMSP-6.5.1-13">, memory.is_reported(kFirstChanged), "DATA with the written octets",
               "other octets");
}

// ----------------------------------------------------------------------------------------------------------------- NOP

void nop_of_any_length(VmProbe& peer) {
  for (const std::size_t words : {0u, 1u, 6u, 7u, 300u}) {
    peer.expect_done(rule<"UMSP-6.5.2-1">, peer.ask(draft_of(Opcode::nop, OctetBuffer(words * 4))),
                     "NOP may have operands, which have no meaning.");
    if (!peer.ok()) return;
  }
}

void nop_with_headers(VmProbe& peer) {
  constexpr auto kUnknown = static_cast<HeadCode>(200);
  peer.show(VmProbe::says_done(peer.ask_good(draft_of(Opcode::nop))), "NOP was refused");
  const OwnedExtension kHeaders[] = {text_extension(HeadCode::msg, "NOP does nothing"),
                                     text_extension(HeadCode::name, "nothing"),
                                     {HeadCode::alignment, OctetBuffer(4)},
                                     {HeadCode::life_time, {0xff, 0xff}},
                                     {kUnknown, {1, 2}}};
  for (const OwnedExtension& header : kHeaders) {
    if (!peer.ok()) return;
    Draft nop = draft_of(Opcode::nop);
    nop.extensions.push_back(header);
    peer.expect_done(rule<"UMSP-6.5.2-3">, peer.ask(nop), "NOP may have any extension headers.");
  }
}

const CaseRow kRows[] = {
    {"syn/reports-once",
     {&rule<"UMSP-6.5.1-1">},
     "The IUT reports the first of several changes.",
     with<reports_once>()},
    {"syn/difference-is-a-change",
     {&rule<"UMSP-6.5.1-8">},
     "The IUT reports memory that differs from the initial data at once.",
     with<difference_is_a_change>()},
    {"syn/bits-of-the-mask-count",
     {&rule<"UMSP-6.5.1-9">},
     "The IUT reports a change of bits that are 1 in the mask.",
     with<bits_of_mask_count>()},
    {"syn/other-bits-do-not-count",
     {&rule<"UMSP-6.5.1-10">},
     "The IUT does not report a change of bits that are 0 in the mask.",
     with<other_bits_do_not_count>()},
    {"syn/wrong-address-is-refused",
     {&rule<"UMSP-6.5.1-11">},
     "The IUT refuses SYN of octets that do not exist.",
     with<wrong_address_is_refused>()},
    {"syn/unchanged-is-not-reported",
     {&rule<"UMSP-6.5.1-12">},
     "The IUT sends nothing while nothing changes.",
     with<unchanged_is_not_reported>()},
    {"syn/change-is-reported",
     {&rule<"UMSP-6.5.1-13">},
     "The IUT reports the data after the change.",
     with<change_is_reported>()},
    {"nop/any-length",
     {&rule<"UMSP-6.5.2-1">},
     "The IUT accepts NOP with and without operands.",
     with<nop_of_any_length>()},
    {"nop/any-headers",
     {&rule<"UMSP-6.5.2-3">},
     "The IUT accepts NOP with and without extension headers.",
     with<nop_with_headers>()},
};

}  // namespace

std::vector<Case> syn_and_nop_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
