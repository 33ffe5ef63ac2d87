// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 6.3 and 6.4: control transfer, and control of memory and code. Parameters declare the code that
// the VM runs.
#include <algorithm>

#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.3-control-transfer/rules.h"
#include "conformance/umsp/6.4-memory-control/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/vm_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kAllocated = 32;  // octets

OctetBuffer parameters() {
  return {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80};
}

bool returns(const std::optional<Received>& answer, Octets octets) {
  const auto data = VmProbe::data_of(answer, Opcode::return_control);
  return data && data->size() >= octets.size() && std::ranges::equal(Octets(*data).first(octets.size()), octets);
}
constexpr std::string_view kReturn = "RETURN with the parameters";

// ------------------------------------------------------------------------------------------------------- JUMP and CALL

std::optional<MemoryAddress> procedure(VmProbe& peer) {
  const auto address = peer.provides(ProfileFlag::control) ? peer.number("procedure") : std::nullopt;
  return address ? std::optional(peer.at(*address)) : std::nullopt;
}

void wrong_address_is_refused(VmProbe& peer) {
  const auto right = procedure(peer);
  if (!right) return;
  const MemoryAddress wrong = peer.at(peer.last_address());
  if (!peer.show(returns(peer.ask_good(call_to(*right, parameters())), parameters()), "CALL of the procedure failed"))
    return;
  peer.expect_refused(rule<"UMSP-6.3.1-12">, peer.ask(call_to(wrong, parameters())),
                      "CALL names an address without code.");
  peer.expect_refused(rule<"UMSP-6.3.1-12">, peer.ask(jump_to(wrong, parameters())),
                      "JUMP names an address without code.");
}

void jump_is_done(VmProbe& peer) {
  const auto right = procedure(peer);
  if (!right) return;
  const auto answer = peer.ask(jump_to(*right, parameters()));
  peer.require(rule<"UMSP-6.3.1-14">, answer && answer->is_positive(), "RSP with basic code 0", to_text(answer));
}

void exception_is_refused(VmProbe& peer) {
  if (!peer.provides(ProfileFlag::control)) return;
  const auto right = peer.move("move");
  const auto raising = right ? peer.move("move_raising") : std::nullopt;
  if (!raising) return;
  if (!peer.show(returns(peer.ask_good(call_to(*right, parameters())), parameters()), "CALL of moved code failed"))
    return;
  peer.expect_refused(rule<"UMSP-6.3.1-20">, peer.ask(call_to(*raising)), "The code ends with an exception.");
}

// ---------------------------------------------------------------------------------------------------------- moved code

void code_is_not_looked_into(VmProbe& peer) {
  const OctetBuffer code = peer.hexadecimal("move");
  if (!peer.ok() || !peer.provides(ProfileFlag::control)) return;
  const auto answer = peer.ask(mvcode(peer.session().vm, code));
  peer.require(rule<"UMSP-6.4.2-7">, answer && answer->is(Opcode::address), "ADDRESS", to_text(answer),
               "Only the VM interprets the code.");
}

void moved_code_runs(VmProbe& peer) {
  const auto at = peer.provides(ProfileFlag::control) ? peer.move("move") : std::nullopt;
  if (!at) return;
  const auto called = peer.ask(call_to(*at, parameters()));
  if (!peer.require(rule<"UMSP-6.4.2-12">, returns(called, parameters()), kReturn, to_text(called),
                    "CALL names moved code."))
    return;
  const auto jumped = peer.ask(jump_to(*at, parameters()));
  peer.require(rule<"UMSP-6.4.2-12">, jumped && jumped->is_positive(), "RSP with basic code 0", to_text(jumped),
               "JUMP names moved code.");
}

void run_code_is_not_looked_into(VmProbe& peer) {
  const OctetBuffer code = peer.hexadecimal("run");
  if (!peer.ok() || !peer.provides(ProfileFlag::control)) return;
  const auto answer = peer.ask(mvrun(peer.session().vm, code));
  peer.require(rule<"UMSP-6.4.5-6">, VmProbe::says_done(answer), "RETURN, or a positive RSP", to_text(answer),
               "Only the VM interprets the code.");
}

// MVCODE names a VM type that differs from the IUT's own in one bit.
void code_of_another_vm_is_not_run(VmProbe& peer) {
  const OctetBuffer code = peer.hexadecimal("move");
  if (!peer.ok() || !peer.provides(ProfileFlag::control)) return;
  const VmKind own = peer.session().vm;
  const auto moved = peer.ask(mvcode(own, code));
  if (!peer.show(moved && moved->is(Opcode::address), "MVCODE of the declared code was not served")) return;
  const VmKind other{static_cast<std::uint16_t>(own.type ^ 0x0100), own.version};
  peer.expect_refused(rule<"UMSP-6-38">, peer.ask(mvcode(other, code)), "The code is declared to be for another VM.");
}

// -------------------------------------------------------------------------------------------------------------- memory

// The IUT serves any address in the declared memory.
void any_address_is_served(VmProbe& peer) {
  peer.show_served(peer.session());
  for (std::uint64_t i = 1; i < 4 && peer.ok(); ++i) {
    const OctetBuffer octets = peer.fresh_word();
    peer.expect_done(rule<"UMSP-6.4-2">, peer.ask(peer.write_draft(peer.address() + i, octets)),
                     "Only the VM determines which addresses have memory.");
    peer.expect_written(rule<"UMSP-6.4-2">, peer.session(), peer.address() + i, octets,
                        "Only the VM determines which addresses have memory.");
  }
}

void allocated_memory_works(VmProbe& peer) {
  peer.show_served(peer.session());
  const auto at = peer.ok() && peer.provides(ProfileFlag::synchronizing) ? peer.allocate(kAllocated) : std::nullopt;
  if (!at) return;
  const Rule& judged = rule<"UMSP-6.4.1-5">;
  const OctetBuffer octets = peer.fresh(4), all(4, 0xff);
  peer.expect_done(judged, peer.ask(write_ext(*at, octets)), "WRITE_EXT writes allocated memory.");
  peer.expect_written(judged, peer.session(), at->value, octets, "REQ_DATA reads allocated memory.");
  peer.expect_done(judged, peer.ask(compare_ext(*at, octets)), "CMP_EXT compares with allocated memory.");
  const auto changed = peer.ask(synchronize(*at, OctetBuffer(4, static_cast<Octet>(octets[0] ^ 0xff)), all));
  peer.require(judged, changed && changed->is(Opcode::data), "DATA", to_text(changed), "SYN watches allocated memory.");
}

void address_is_that_of_the_first_octet(VmProbe& peer) {
  const auto at = peer.allocate(kAllocated);
  if (!at) return;
  const OctetBuffer octets = peer.fresh(kAllocated);
  peer.expect_done(rule<"UMSP-6.4.3-4">, peer.ask(write_ext(*at, octets)), "As many octets as requested begin there.");
  peer.expect_written(rule<"UMSP-6.4.3-4">, peer.session(), at->value, octets,
                      "As many octets as requested begin there.");
}

// If the IUT kept the memory of ended jobs, these jobs would need more than it has.
void memory_is_freed_with_the_job(VmProbe& peer) {
  constexpr int kJobs = 40;
  const auto octets = peer.number("allocation");
  OpenSession session = peer.session();
  for (int i = 0; i < kJobs && peer.ok() && octets; ++i) {
    const auto answer = peer.request(session, mem_alloc(static_cast<std::uint32_t>(*octets)));
    const bool got = answer && answer->is(Opcode::address);
    if (i == 0 && !peer.show(got, "MEM_ALLOC of the declared size was not served")) return;
    if (!peer.require(rule<"UMSP-6.4.4-5">, got, "ADDRESS, as in the first job", to_text(answer),
                      "Each earlier job has ended, and its allocations were freed."))
      return;
    peer.end_job(session);
    session = peer.other_session();
  }
}

void free_frees(VmProbe& peer) {
  const auto octets = peer.number("allocation");
  constexpr int kTimes = 40;
  for (int i = 0; i < kTimes && peer.ok() && octets; ++i) {
    const auto answer = peer.ask(mem_alloc(static_cast<std::uint32_t>(*octets)));
    const auto at = answer && answer->is(Opcode::address) ? address_in(answer->instruction) : std::nullopt;
    if (i == 0 && !peer.show(at.has_value(), "MEM_ALLOC of the declared size was not served")) return;
    if (!peer.require(rule<"UMSP-6.4.4-1">, at.has_value(), "ADDRESS, as at first", to_text(answer),
                      "All earlier allocations were freed."))
      return;
    if (!peer.show(VmProbe::says_done(peer.ask_good(free_memory(*at))), "FREE was refused")) return;
  }
}

const CaseRow kRows[] = {
    {"control/wrong-address-is-refused",
     {&rule<"UMSP-6.3.1-12">},
     "The IUT refuses JUMP and CALL to an address without code.",
     with<wrong_address_is_refused>()},
    {"control/jump-is-done",
     {&rule<"UMSP-6.3.1-14">},
     "The IUT sends a positive RSP for JUMP to a procedure.",
     with<jump_is_done>()},
    {"control/exception-is-refused",
     {&rule<"UMSP-6.3.1-20">},
     "The IUT refuses CALL of code that ends with an exception.",
     with<exception_is_refused>()},
    {"control/any-code-is-moved",
     {&rule<"UMSP-6.4.2-7">},
     "The IUT accepts MVCODE whatever octets the code has.",
     with<code_is_not_looked_into>()},
    {"control/moved-code-runs",
     {&rule<"UMSP-6.4.2-12">},
     "The IUT executes CALL and JUMP to code that was moved.",
     with<moved_code_runs>()},
    {"control/any-code-is-run",
     {&rule<"UMSP-6.4.5-6">},
     "The IUT accepts MVRUN whatever octets the code has.",
     with<run_code_is_not_looked_into>()},
    {"control/code-of-another-vm-is-refused",
     {&rule<"UMSP-6-38">},
     "The IUT refuses MVCODE of code for another VM.",
     with<code_of_another_vm_is_not_run>()},
    {"allocation/any-address-is-served",
     {&rule<"UMSP-6.4-2">},
     "The IUT serves memory at any address that it has.",
     with<any_address_is_served>()},
    {"allocation/memory-works",
     {&rule<"UMSP-6.4.1-5">},
     "The IUT writes, reads, compares and watches allocated memory.",
     with<allocated_memory_works>()},
    {"allocation/address-is-of-the-first-octet",
     {&rule<"UMSP-6.4.3-4">},
     "The IUT allocates all requested octets from the address on.",
     with<address_is_that_of_the_first_octet>()},
    {"allocation/freed-with-the-job",
     {&rule<"UMSP-6.4.4-5">},
     "The IUT frees a job's allocations when the job ends.",
     with<memory_is_freed_with_the_job>()},
    {"allocation/freed-by-free", {&rule<"UMSP-6.4.4-1">}, "The IUT allocates freed memory again.", with<free_frees>()},
};

}  // namespace

std::vector<Case> control_transfer_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
