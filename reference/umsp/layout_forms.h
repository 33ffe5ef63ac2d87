// SPDX-License-Identifier: Apache-2.0
// The forms of operands in the rows of the table in layout.cc.
#pragma once

#include "reference/umsp/layout.h"

namespace wirelaw::umsp::layout_forms {

constexpr OperandRow fixed(Operand operand, std::uint8_t octets) {
  return {.operand = operand, .width = Width::fixed, .octets = octets};
}
constexpr OperandRow local(Operand operand, std::span<const std::uint8_t> lengths, Owner owner) {
  return {.operand = operand, .width = Width::local, .lengths = lengths, .owner = owner};
}
constexpr OperandRow by(Width width, Operand operand) {
  return {.operand = operand, .width = width};
}

// After an identifier of any length, padding could be part of the last operand: the longest reading is tried first
// (UMSP/A21).
inline constexpr std::uint8_t k842[] = {8, 4, 2};
inline constexpr std::uint8_t k482[] = {4, 8, 2};
inline constexpr std::uint8_t k48[] = {4, 8};
inline constexpr std::uint8_t k4816[] = {4, 8, 16};
inline constexpr std::uint8_t k24816[] = {2, 4, 8, 16};

using enum Operand;

// ------------------------------------------------------------------------------------------------- codes, identifiers
inline constexpr OperandRow kReturnCodes[] = {fixed(basic_return_code, 2), fixed(additional_return_code, 2)};
inline constexpr OperandRow kErrorCodes[] = {fixed(basic_error_code, 2), fixed(additional_error_code, 2)};
inline constexpr OperandRow kErrorProfile[] = {fixed(basic_error_code, 2), fixed(additional_error_code, 2),
                                               fixed(control_profile, 4)};
inline constexpr OperandRow kTerminationCodes[] = {fixed(basic_termination_code, 2),
                                                   fixed(additional_termination_code, 2)};
inline constexpr OperandRow kControlReq[] = {fixed(control_profile, 4), local(ltid, k48, Owner::ltid)};
inline constexpr OperandRow kGjid[] = {by(Width::identifier, gjid)};
inline constexpr OperandRow kTaskReg2[] = {fixed(ctid, 2), by(Width::identifier, gtid), local(ltid, k842, Owner::ltid)};
inline constexpr OperandRow kTaskReg4[] = {fixed(ctid, 4), by(Width::identifier, gtid), local(ltid, k842, Owner::ltid)};
inline constexpr OperandRow kTaskReg8[] = {fixed(ctid, 8), by(Width::identifier, gtid), local(ltid, k842, Owner::ltid)};
inline constexpr OperandRow kTaskChk[] = {local(ctid, k482, Owner::ctid), by(Width::identifier, gtid),
                                          local(ltid, k842, Owner::ltid)};
inline constexpr OperandRow kCtid[] = {local(ctid, k48, Owner::ctid)};
inline constexpr OperandRow kLtid[] = {local(ltid, k48, Owner::ltid)};
inline constexpr OperandRow kSessionOpen[] = {
    fixed(required_vm_type, 2), fixed(required_vm_version, 2), fixed(required_profile, 4),
    fixed(sender_vm_type, 2),   fixed(sender_vm_version, 2),   fixed(sender_profile, 4),
    fixed(window, 2),           by(Width::identifier, gjid),   local(ltid, k48, Owner::ltid)};
inline constexpr OperandRow kTaskTerminate[] = {fixed(basic_termination_code, 2), fixed(additional_termination_code, 2),
                                                local(ctid, k48, Owner::ctid)};
inline constexpr OperandRow kTaskTerminateInfo[] = {fixed(basic_termination_code, 2),
                                                    fixed(additional_termination_code, 2), by(Width::identifier, gtid)};
inline constexpr OperandRow kJobCompleted[] = {fixed(basic_completion_code, 2), fixed(additional_completion_code, 2),
                                               local(ctid, k48, Owner::ctid)};
inline constexpr OperandRow kJobCompletedInfo[] = {fixed(basic_completion_code, 2),
                                                   fixed(additional_completion_code, 2), by(Width::identifier, gjid)};
// One word: one reserved octet and a CTID of two. More: three, and a CTID of four or eight (5.7.3).
inline constexpr OperandRow kTaskStateShort[] = {fixed(state, 1), fixed(reserved, 1), fixed(ctid, 2)};
inline constexpr OperandRow kTaskState[] = {fixed(state, 1), fixed(reserved, 3), local(ctid, k48, Owner::ctid)};
inline constexpr OperandRow kBufferSize[] = {fixed(buffer_size, 4)};

inline constexpr OperandRow kVm[] = {fixed(vm_type, 2), fixed(vm_version, 2)};
inline constexpr OperandRow kVmReq[] = {{.operand = vm_type, .width = Width::rest, .element = kVm}};
inline constexpr OperandRow kVmNotif[] = {
    fixed(transport, 2), fixed(reserved, 2), {.operand = vm_type, .width = Width::rest, .element = kVm}};

// ------------------------------------------------------------------------------------------------------------- memory
inline constexpr OperandRow kReqData2[] = {fixed(length, 2), local(memory_address, k24816, Owner::address)};
inline constexpr OperandRow kReqData4[] = {fixed(length, 4), local(memory_address, k4816, Owner::address)};
inline constexpr OperandRow kData[] = {by(Width::rest, data)};
inline constexpr OperandRow kAddressData2[] = {fixed(memory_address, 2), fixed(data, 2)};
inline constexpr OperandRow kAddressData4[] = {fixed(memory_address, 4), by(Width::rest, data)};
inline constexpr OperandRow kAddressData8[] = {fixed(memory_address, 8), by(Width::rest, data)};
inline constexpr OperandRow kAddressData16[] = {fixed(memory_address, 16), by(Width::rest, data)};
inline constexpr OperandRow kDataExt[] = {fixed(zero, 1), fixed(data_length, 3), by(Width::counted, data),
                                          local(memory_address, k4816, Owner::address)};
inline constexpr OperandRow kJump[] = {local(memory_address, k4816, Owner::address), fixed(parameters_length, 2),
                                       by(Width::words, parameters)};
inline constexpr OperandRow kJumpVm[] = {fixed(sender_vm_type, 2), fixed(sender_vm_version, 2),
                                         local(memory_address, k4816, Owner::address), fixed(parameters_length, 2),
                                         by(Width::words, parameters)};
inline constexpr OperandRow kMemorySize[] = {fixed(memory_size, 4)};
inline constexpr OperandRow kCode[] = {fixed(vm_type, 2), fixed(vm_version, 2), by(Width::rest, code)};
inline constexpr OperandRow kAddress[] = {local(memory_address, k4816, Owner::address)};
inline constexpr OperandRow kSyn4[] = {fixed(memory_address, 4), by(Width::half, initial_data), by(Width::rest, mask)};
inline constexpr OperandRow kSyn8[] = {fixed(memory_address, 8), by(Width::half, initial_data), by(Width::rest, mask)};
inline constexpr OperandRow kSyn16[] = {fixed(memory_address, 16), by(Width::half, initial_data),
                                        by(Width::rest, mask)};

// ------------------------------------------------------------------------------------------------------------ objects
inline constexpr OperandRow kNumber = fixed(object_number, 4);
inline constexpr OperandRow kVersion = fixed(object_version, 2);
inline constexpr OperandRow kRealization = fixed(object_realization, 2);
inline constexpr OperandRow kOffset48 = local(offset, k48, Owner::address);

inline constexpr OperandRow kObjReqData2[] = {kNumber, kVersion, kRealization, fixed(length, 2), fixed(offset, 2)};
inline constexpr OperandRow kObjReqData4[] = {kNumber, kVersion, kRealization, fixed(length, 4), kOffset48};
inline constexpr OperandRow kOffsetData2[] = {kNumber, kVersion, kRealization, fixed(offset, 2), fixed(data, 2)};
inline constexpr OperandRow kOffsetData4[] = {kNumber, kVersion, kRealization, fixed(offset, 4), by(Width::rest, data)};
inline constexpr OperandRow kOffsetData8[] = {kNumber, kVersion, kRealization, fixed(offset, 8), by(Width::rest, data)};
inline constexpr OperandRow kObjectDataExt[] = {
    kNumber, kVersion, kRealization, fixed(zero, 1), fixed(data_length, 3), by(Width::counted, data), kOffset48};
inline constexpr OperandRow kCallBnum[] = {kNumber, kVersion, kRealization, fixed(procedure_number, 4),
                                           by(Width::rest, parameters)};
inline constexpr OperandRow kCallBnumVm[] = {
    fixed(sender_vm_type, 2),   fixed(sender_vm_version, 2), kNumber, kVersion, kRealization,
    fixed(procedure_number, 4), by(Width::rest, parameters)};
inline constexpr OperandRow kCallBname[] = {kNumber, kVersion, kRealization, by(Width::rest, parameters)};
inline constexpr OperandRow kCallBnameVm[] = {
    fixed(sender_vm_type, 2),   fixed(sender_vm_version, 2), kNumber, kVersion, kRealization,
    by(Width::rest, parameters)};
inline constexpr OperandRow kObject[] = {kNumber, kVersion, kRealization};
inline constexpr OperandRow kProcNum[] = {kNumber, kVersion, kRealization, fixed(procedure_number, 4)};
inline constexpr OperandRow kNew[] = {fixed(vm_type, 2), fixed(vm_version, 2), kVersion, kRealization,
                                      by(Width::rest, data)};
inline constexpr OperandRow kObjectNumber[] = {kNumber};

// -------------------------------------------------------------------------------------------------- extension headers
inline constexpr OperandRow kInactionTime[] = {fixed(inaction_period, 2)};
inline constexpr OperandRow kBeginTr[] = {fixed(transaction_flags, 1), fixed(time_tr, 1)};
inline constexpr OperandRow kBeginFrg[] = {fixed(parent_chain_number, 2), fixed(parent_instr_number, 2)};
inline constexpr OperandRow kSetMbase[] = {local(memory_base, k4816, Owner::address)};
inline constexpr OperandRow kAlignment[] = {by(Width::rest, alignment)};
inline constexpr OperandRow kText[] = {by(Width::rest, text)};
inline constexpr OperandRow kName[] = {by(Width::rest, name)};
inline constexpr OperandRow kLifeTime2[] = {fixed(life_time, 2)};
inline constexpr OperandRow kLifeTime4[] = {fixed(life_time, 4)};

// -------------------------------------------------------------------------------------------------- one form, or more
template <const auto& Rows>
inline constexpr FormRow kOnly[] = {Rows};
template <const auto& First, const auto& Second>
inline constexpr FormRow kEither[] = {First, Second};
template <const auto& Rows>
inline constexpr FormRow kNoneOr[] = {{}, Rows};
inline constexpr FormRow kNone[] = {{}};

}  // namespace wirelaw::umsp::layout_forms
