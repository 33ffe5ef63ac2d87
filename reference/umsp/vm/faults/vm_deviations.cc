// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/faults/vm_deviations.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/deviation_rows.h"
#include "reference/umsp/operands.h"
#include "reference/umsp/vm/faults/vm_edit.h"
#include "reference/umsp/vm/return_code.h"

namespace wirelaw::umsp {
namespace {

using enum VmDeviation;
using enum VmSide;
using enum Opcode;

constexpr std::uint16_t kSaidLess = 0xffff, kSaidMore = 1;

// --- the responses that an edit concerns
template <Opcode first, Opcode last = first>
bool is_to(const Response& one) {
  return one.asked >= first && one.asked <= last;
}
template <Opcode first, Opcode last = first>
bool done(const Response& one) {
  return !one.refused && is_to<first, last>(one);
}
template <Opcode first, Opcode last = first>
bool refused(const Response& one) {
  return one.refused && is_to<first, last>(one);
}
bool compared(const Response& one) {
  return done<cmp_2, cmp_ext>(one) || done<obj_data_cmp_2, obj_data_cmp_ext>(one);
}
template <std::uint16_t outcome>
bool compared_as(const Response& one) {
  return compared(one) && one.number() == outcome;
}
bool unequal(const Response& one) {
  return compared(one) && one.number() != 0;
}
bool sought_without_session(const Response& one) {
  return !one.in_session && is_to<obj_seek>(one);
}

// --- valid instructions that are refused
bool has_high_octet(const Request& one) {
  return std::ranges::find(one.data, Octet{0xff}) != one.data.end();
}
bool makes_object(const Request& one) {
  return one.is(create, sys_new);
}
// True if the instruction uses memory with code.
bool is_about_code(const Request& one, const TaskMemory& memory) {
  const Area* area = one.has(Operand::memory_address) ? memory.find(one.address, 1) : nullptr;
  return area != nullptr && area->kind == AreaKind::code;
}

// --- edits
void replace(Response& one, Draft other) {
  other.req_id = one.draft().req_id;
  one.draft() = std::move(other);
}
void confirm(Response& one) {
  replace(one, draft_of(rsp));
}
void answer(Response& one, ReturnCode basic, std::uint64_t additional) {
  Draft draft = draft_of(rsp);
  Writer(draft.operands)
      .big_endian(static_cast<std::uint16_t>(basic))
      .big_endian(static_cast<std::uint16_t>(additional));
  replace(one, std::move(draft));
}
void deny(Response& one) {
  answer(one, ReturnCode::unsupported, 0);
}
template <std::uint16_t outcome>
void compare(Response& one) {
  answer(one, ReturnCode::done, outcome);
}
void deny_unequal(Response& one) {
  answer(one, ReturnCode::exception, one.number());
}
void add_four(Response& one) {
  const std::uint64_t address = one.number() + 4;
  OctetBuffer& operands = one.draft().operands;
  for (std::size_t i = 0; i < operands.size(); ++i)
    operands[operands.size() - 1 - i] = static_cast<Octet>(address >> i * 8);
}
void send_zeros(Response& one) {
  replace(one, draft_of(data, OctetBuffer(4)));
}
void send_return(Response& one) {
  replace(one, draft_of(return_control));
}
void send_object(Response& one) {
  constexpr std::uint32_t kMadeUp = 0x5000'00ff;
  OctetBuffer operands;
  Writer(operands).big_endian(kMadeUp).big_endian(std::uint32_t{0});
  replace(one, draft_of(object, std::move(operands)));
}

constexpr VmEdit response(bool (*where)(const Response&), void (*edit)(Response&)) {
  return {.where = where, .edit = edit};
}
constexpr VmEdit refusal(bool (*refuses)(const Request&, const TaskMemory&)) {
  return {.refuses = refuses};
}

// In the order of the enumeration. A deviation that needs more than an edit has its functions beside this file.
constexpr std::array<DeviationEntry<VmDeviation, VmEdit, VmSide>, kVmDeviationCount> kRows{{
    {opr_length_ignored, executes, "6-2",
     "Takes the address of REQ_DATA for one of four octets, whatever OPR_LENGTH says."},
    {req_id_checked, executes, "6-7", "Refuses an instruction whose REQ_ID is not above that of the one before."},
    {answers_responses, executes, "6-12", "Answers responses by RSP."},
    {repeats_requests, asks, "6-15", "Sends what its threads ask for twice."},
    {times_out_syn, executes, "6-16", "Refuses SYN when the data have not changed for as long as its patience."},
    {thread_waits_for_ever, asks, "6-17", "Has no timeout for what its threads ask for."},
    {one_memory_for_all, executes, "6-19", "Writes to the memory of all tasks at once."},
    {other_jobs_memory, executes, "6-20", "Executes everything in the first task, whatever the session."},
    {address24_first, executes, "6-22", "Takes a 24-bit address from the first three of four octets."},
    {address24_octet_ignored, executes, "6-23", "Passes over an octet before a 24-bit address that is not 0."},
    {address16_first, executes, "6-24", "Takes a 16-bit address from the first two of four octets."},
    {address16_octets_ignored, executes, "6-25", "Passes over octets before a 16-bit address that are not 0."},
    {base_ignored, executes, "6-26", "Fills short addresses up with zeros in chains with a base, too."},
    {short_without_base, executes, "6-28", "Fills short addresses up with zeros in chains without a base."},
    {short_not_filled, executes, "6-29", "Pads short addresses at the end instead of the beginning."},
    {longer_cut, executes, "6-30", "Takes the end of an address that is too long."},
    {sender_vm_ignored, executes, "6-36", "Takes parameters of any VM for its own."},
    {parameters_least_first, executes, "6-37", "Takes parameters without a VM for those of version 1."},
    {code_of_any_vm, executes, "6-38", "Takes code of other VMs for its own."},
    {smaller_versions_refused, executes, "9", "Refuses code of earlier versions of its VM."},
    {words_converted, executes, "6-39", "Turns the octets of each word round when it writes."},
    {req_data_refused_as_data, executes, "6.1.1-10", "Sends four zeros where there are no data to be sent.",
     response(refused<req_data_2, req_data_4>, send_zeros)},
    {data_length_checked, asks, "6.1.2-2", "Accepts no DATA with fewer words of operands than requested."},
    {write_done_negative, executes, "6.1.3-12", "Executes WRITE and refuses it.",
     response(done<write_2, write_16>, deny)},
    {write_refused_positive, executes, "6.1.3-13", "Does not execute WRITE, but reports that it has.",
     response(refused<write_2, write_16>, confirm)},
    {write_padding, executes, "6.1.4-11", "Writes the padding of WRITE_EXT."},
    {write_ext_done_negative, executes, "6.1.4-13", "Executes WRITE_EXT and refuses it.",
     response(done<write_ext>, deny)},
    {write_ext_refused_positive, executes, "6.1.4-14", "Does not execute WRITE_EXT, but reports that it has.",
     response(refused<write_ext>, confirm)},
    {cmp_padding, executes, "6.2.2-11", "Compares the padding of CMP_EXT."},
    {cmp_unequal_negative, executes, "6.2.3-2", "Refuses a comparison of data that are not equal.",
     response(unequal, deny_unequal)},
    {cmp_less_is_more, executes, "6.2.3-3", "Says of memory that is less that it is more.",
     response(compared_as<kSaidLess>, compare<kSaidMore>)},
    {cmp_empty_is_less, asks, "6.2.3-5", "Takes a positive answer without operands for less."},
    {cmp_equal_is_more, executes, "6.2.3-6", "Says of memory that is equal that it is more.",
     response(compared_as<0>, compare<kSaidMore>)},
    {cmp_more_is_less, executes, "6.2.3-7", "Says of memory that is more that it is less.",
     response(compared_as<kSaidMore>, compare<kSaidLess>)},
    {cmp_refused_positive, executes, "6.2.3-8", "Says equal where nothing can be compared.",
     response(refused<cmp_2, cmp_ext>, confirm)},
    {jump_bad_address_taken, executes, "6.3.1-12", "Says of JUMP and CALL to a wrong address that they are done.",
     response(refused<jump, call_vm>,
              [](Response& one) { return is_to<jump, jump_vm>(one) ? confirm(one) : send_return(one); })},
    {jump_refused, executes, "6.3.1-14", "Refuses JUMP, and does it.", response(done<jump, jump_vm>, deny)},
    {return_data_demanded, asks, "6.3.1-19", "Takes RETURN without values for a refusal."},
    {exception_returns, executes, "6.3.1-20", "Sends RETURN for a thread that has ended by an exception."},
    {exception_silent, executes, "6.3.1-20", "Sends nothing for a thread that has ended by an exception."},
    {return_length_checked, asks, "6.3.2-2", "Takes RETURN with more octets than were sent for a refusal."},
    {return_in_own_format, executes, "6.3.2-5", "Returns values in its own format, whatever that of the parameters."},
    {code_apart, executes, "6.4-1", "Has no code at the addresses that data are read from.",
     refusal([](auto& one, auto& memory) { return one.is(req_data_2, req_data_4) && is_about_code(one, memory); })},
    {alignment_demanded, executes, "6.4-2", "Refuses addresses that are no multiple of four.",
     refusal([](auto& one, auto&) { return one.address % 4 != 0; })},
    {allocates_nothing, executes, "6.4.1-5", "Gives addresses without memory."},
    {code_looked_into, executes, "6.4.2-7", "Refuses to move code with an octet of 0xff.",
     refusal([](auto& one, auto&) { return one.is(mvcode) && has_high_octet(one); })},
    {moved_code_not_run, executes, "6.4.2-12", "Refuses to run code that was moved.",
     refusal([](auto& one, auto& memory) { return one.is(jump, call_vm) && is_about_code(one, memory); })},
    {address_behind, executes, "6.4.3-4", "Gives the address of the fifth octet of new memory.",
     response(done<mem_alloc>, add_four)},
    {free_ignored, executes, "6.4.4-1", "Frees nothing on FREE, but reports that it has."},
    {task_end_keeps_memory, executes, "6.4.4-5", "Keeps the memory of a task that has ended."},
    {run_code_looked_into, executes, "6.4.5-6", "Refuses to run code with an octet of 0xff.",
     refusal([](auto& one, auto&) { return one.is(mvrun) && has_high_octet(one); })},
    {run_code_kept, executes, "6.4.5-11", "Keeps the memory of code that has run."},
    {syn_reports_again, executes, "6.5.1-1", "Sends DATA for each change of what is watched."},
    {syn_initial_ignored, executes, "6.5.1-8", "Waits for a change of the current memory, not of the initial data."},
    {syn_mask_inverted, executes, "6.5.1-9", "Watches the bits that are 0 in the mask."},
    {syn_mask_ignored, executes, "6.5.1-10", "Watches all bits."},
    {syn_bad_address_silent, executes, "6.5.1-11", "Sends nothing for SYN with a wrong address.",
     response(refused<syn_4, syn_16>, [](Response& one) { one.execution = {}; })},
    {syn_reports_unchanged, executes, "6.5.1-12", "Sends DATA that have not changed."},
    {syn_never_reports, executes, "6.5.1-13", "Sends nothing when the data change."},
    {syn_reports_old_data, executes, "6.5.1-13", "Sends the initial data when the data change."},
    {nop_operands_refused, executes, "6.5.2-1", "Refuses NOP with operands.",
     refusal([](auto& one, auto&) { return one.is(nop) && !one.instruction.operands.empty(); })},
    {nop_headers_refused, executes, "6.5.2-3", "Refuses NOP with extension headers.",
     refusal([](auto& one, auto&) { return one.is(nop) && !one.instruction.extensions.empty(); })},
    {common_objects_hidden, executes, "6.6-11", "Gives no access to objects of the ranges I to III without a session."},
    {transient_objects_shared, executes, "6.6-12, 6.6.4.1-10", "Gives all jobs access to objects of the range IV."},
    {transient_objects_without_session, executes, "6.6-13",
     "Gives access to objects of the range IV without a session."},
    {offset_from_four, executes, "6.6-14", "Counts offsets from four octets after the beginning of an object."},
    {object_beyond_addresses, executes, "6.6-16", "Makes objects longer than its addresses can number."},
    {realization_exact, executes, "6.6-18", "Knows no realization of an object but the latest.",
     refusal([](auto& one, auto&) {
       return one.object != nullptr && one.version.realization != 0 &&
              one.version.realization != one.object->version().realization;
     })},
    {any_version_refused, executes, "6.6-20", "Refuses instructions for any version of an object.",
     refusal([](auto& one, auto&) {
       return one.object != nullptr && one.has(Operand::object_version) && one.version.realization == 0;
     })},
    {user_objects_made, executes, "6.6.4-1", "Makes objects of the range II."},
    {objects_not_made, executes, "6.6.4-3", "Refuses NEW and SYS_NEW.",
     refusal([](auto& one, auto&) { return makes_object(one); })},
    {pointers_kept, executes, "6.6.4-4", "Keeps pointers to nodes that are gone."},
    {number_nearest, executes, "6.6.4-6", "Takes the object with the next lower number where there is none of this."},
    {object_names_refused, executes, "6.6.4-7", "Refuses to make objects with names.",
     refusal([](auto& one, auto&) { return makes_object(one) && !one.name.empty(); })},
    {user_objects_named, executes, "6.6.4-8", "Has names for objects of the ranges I and II."},
    {number_twice, executes, "6.6.4-9", "Gives a new object the number of another one of the task."},
    {name_twice, executes, "6.6.4-10, 6.6.5-4", "Makes objects with names that others have."},
    {new_demands_name, executes, "6.6.4.1-8", "Refuses to make objects without names.",
     refusal([](auto& one, auto&) { return makes_object(one) && one.name.empty(); })},
    {sys_new_of_one_job, executes, "6.6.4.1-9", "Gives other jobs no access to objects of SYS_NEW."},
    {new_refused_positive, executes, "6.6.4.1-12", "Answers by OBJECT where no object can be made.",
     response(refused<create, sys_new>, send_object)},
    {new_looked_into, executes, "6.6.4.1-14", "Refuses NEW and SYS_NEW with an octet of 0xff in their data.",
     refusal([](auto& one, auto&) { return makes_object(one) && has_high_octet(one); })},
    {new_without_session, executes, "6.6.4.1-18", "Makes objects without a session."},
    {new_of_any_vm, executes, "6.6.4.1-19", "Makes objects for other VMs."},
    {new_version_filled, executes, "6.6.4.1-20",
     "Gives an object without version and realization version 1 and realization 1."},
    {new_name_lost, executes, "6.6.4.1-21", "Does not register the name of a new object."},
    {task_end_keeps_objects, executes, "6.6.4.1-23", "Keeps the objects of a task that has ended."},
    {deletes_of_others, executes, "6.6.4.3-4", "Deletes objects of other jobs."},
    {name_leads_elsewhere, executes, "6.6.5-3", "Finds another object than that of the name."},
    {name_of_jobs_shared, executes, "6.6.5-5", "Makes objects of SYS_NEW with names that other jobs' objects have."},
    {get_name_refused, executes, "6.6.5-6, 6.6.5.2-3", "Refuses OBJ_GET_NAME.",
     refusal([](auto& one, auto&) { return one.is(obj_get_name); })},
    {seek_refused, executes, "6.6.5.1-3", "Refuses OBJ_SEEK.",
     refusal([](auto& one, auto&) { return one.is(obj_seek); })},
    {seek_missing_found, executes, "6.6.5.1-4", "Answers OBJ_SEEK by OBJECT where there is none of this name.",
     response(refused<obj_seek>, send_object)},
    {seek_without_session_ignored, executes, "6.6.5.1-6", "Does not answer OBJ_SEEK without a session.",
     response(sought_without_session, [](Response& one) { one.execution.response.reset(); })},
    {seek_without_session_in_jobs, executes, "6.6.5.1-7", "Finds objects of all jobs without a session."},
    {seek_other_req_id, executes, "6.6.5.1-8", "Answers OBJ_SEEK without a session with the next REQ_ID.",
     response(sought_without_session, [](Response& one) { ++*one.draft().req_id; })},
    {get_name_missing_found, executes, "6.6.5.2-6",
     "Answers OBJ_GET_NAME by OBJECT where there is none of this number.",
     response(refused<obj_get_name>, send_object)},
    {obj_req_data_refused_as_data, executes, "6.6.1.1-11", "Sends four zeros where an object has no data to be sent.",
     response(refused<obj_req_data_2, obj_req_data_4>, send_zeros)},
    {obj_write_done_negative, executes, "6.6.1.2-12", "Executes OBJ_WRITE and refuses it.",
     response(done<obj_write_2, obj_write_8>, deny)},
    {obj_write_refused_positive, executes, "6.6.1.2-13", "Does not execute OBJ_WRITE, but reports that it has.",
     response(refused<obj_write_2, obj_write_8>, confirm)},
    {obj_write_padding, executes, "6.6.1.3-11", "Writes the padding of OBJ_WRITE_EXT."},
    {obj_write_ext_done_negative, executes, "6.6.1.3-13", "Executes OBJ_WRITE_EXT and refuses it.",
     response(done<obj_write_ext>, deny)},
    {obj_write_ext_refused_positive, executes, "6.6.1.3-14", "Does not execute OBJ_WRITE_EXT, but reports that it has.",
     response(refused<obj_write_ext>, confirm)},
    {obj_cmp_padding, executes, "6.6.2.2-11", "Compares the padding of OBJ_DATA_CMP_EXT."},
    {obj_cmp_refused_positive, executes, "6.6.2.1, 6.2.3-8", "Says equal where nothing of an object can be compared.",
     response(refused<obj_data_cmp_2, obj_data_cmp_ext>, confirm)},
    {call_bnum_missing_returns, executes, "6.6.3.1-10",
     "Answers CALL_BNUM by RETURN where there is no such object or procedure.",
     response(refused<call_bnum, call_bnum_vm>, send_return)},
    {call_bname_missing_returns, executes, "6.6.3.2-9",
     "Answers CALL_BNAME by RETURN where there is no such object or procedure.",
     response(refused<call_bname, call_bname_vm>, send_return)},
    {user_procedures_named, executes, "6.6.3.2-11",
     "Knows procedures of objects of the ranges I and II by their names."},
    {user_procedures_not_called, executes, "6.6.3.2-12", "Refuses CALL_BNUM of objects of the ranges I and II.",
     refusal([](auto& one, auto&) { return one.is(call_bnum, call_bnum_vm) && !may_have_names(one.object->number); })},
    {allocates_without_session, executes, "5.8", "Allocates memory without a session."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const VmDeviationInfo> all_vm_deviations() {
  return kDeviations;
}

std::span<const VmEdit> vm_edits() {
  return kEdits;
}

}  // namespace wirelaw::umsp
