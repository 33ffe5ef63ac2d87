// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/operand.h"

namespace wirelaw::umsp {
namespace {

constexpr BitRow kControlProfile[] = {{0, 16, "job_life_time", "lifetime of the job in seconds, 0 without an end"},
                                      {16, 1, "cmt", "several JCP: reserved"},
                                      {17, 3, "reserved_3", "zero when sent"},
                                      {20, 4, "version", "of UMSP: 1"},
                                      {24, 8, "reserved_8", "zero when sent"}};

// 5.3.4. S16 to S19 are the version of UMSP in the profile that is required, the job's priority in the sender's.
constexpr BitRow kProfile[] = {{0, 1, "s0", "fragmented instructions"},
                               {1, 1, "s1", "sequences"},
                               {2, 1, "s2", "transactions"},
                               {3, 1, "s3", "exchange without a session"},
                               {4, 1, "s4", "exchange in a session"},
                               {5, 1, "s5", "reserved"},
                               {6, 1, "s6", "addresses of 16 octets in exchange instructions"},
                               {7, 1, "s7", "short headers of instructions"},
                               {8, 1, "s8", "extended headers of instructions"},
                               {9, 1, "s9", "extension headers of up to 254 octets of data"},
                               {10, 1, "s10", "extension headers of more data"},
                               {11, 5, "s11_s15", "most words of data in operands, less one; all ones without a limit"},
                               {16, 4, "s16_s19", "version of UMSP, or priority of the job"},
                               {20, 1, "s20", "parts begin at multiples of four octets"},
                               {21, 1, "s21", "procedures have names"},
                               {22, 1, "s22", "objects have names"},
                               {23, 1, "s23", "RSP is sent"},
                               {24, 1, "s24", "reading and comparing"},
                               {25, 1, "s25", "writing"},
                               {26, 1, "s26", "transfer of control"},
                               {27, 1, "s27", "synchronizing"},
                               {28, 1, "s28", "objects"},
                               {29, 1, "s29", "memory of objects"},
                               {30, 1, "s30", "MVRUN without a session"},
                               {31, 1, "s31", "reserved"}};

// 7.2.1; the figure prints TRS for TRT (UMSP/A34).
constexpr BitRow kTransaction[] = {{0, 1, "tre", "executed also when time or session end"},
                                   {1, 1, "trr", "executed without EXEC_TR"},
                                   {2, 1, "trt", "special processing: 0"},
                                   {3, 5, "reserve", "zero when sent"}};

using Op = Operand;
using Kind = OperandKind;

constexpr OperandInfo kInfos[] = {
    {Op::basic_return_code, "basic_return_code", Kind::code, "0 of a positive response"},
    {Op::additional_return_code, "additional_return_code", Kind::code, "which error it is"},
    {Op::basic_error_code, "basic_error_code", Kind::code, "never 0"},
    {Op::additional_error_code, "additional_error_code", Kind::code, "which error it is"},
    {Op::basic_termination_code, "basic_termination_code", Kind::code, "0 of a normal end"},
    {Op::additional_termination_code, "additional_termination_code", Kind::code, "details of the end"},
    {Op::basic_completion_code, "basic_completion_code", Kind::code, "0 of a normal end"},
    {Op::additional_completion_code, "additional_completion_code", Kind::code, "details of the end"},

    {Op::control_profile, "control_profile", Kind::flags, "what the job asks of the JCP", kControlProfile},
    {Op::ltid, "ltid", Kind::address, "locally task identifier"},
    {Op::ctid, "ctid", Kind::address, "control task identifier"},
    {Op::gjid, "gjid", Kind::identifier, "globally job identifier"},
    {Op::gtid, "gtid", Kind::identifier, "globally task identifier"},
    {Op::required_vm_type, "required_vm_type", Kind::number, "type of the addressee's VM; 0 of a group"},
    {Op::required_vm_version, "required_vm_version", Kind::number, "version of the addressee's VM"},
    {Op::required_profile, "required_profile", Kind::flags, "connection profile asked of the addressee", kProfile},
    {Op::sender_vm_type, "sender_vm_type", Kind::number, "type of the sender's VM; 0 of a group"},
    {Op::sender_vm_version, "sender_vm_version", Kind::number, "version of the sender's VM"},
    {Op::sender_profile, "sender_profile", Kind::flags, "connection profile that the sender offers", kProfile},
    {Op::window, "window", Kind::number, "blocks of 256 octets in the sender's buffer for the session"},
    {Op::state, "state", Kind::code, "of the task"},
    {Op::reserved, "reserved", Kind::reserved, "zero when sent"},
    {Op::buffer_size, "buffer_size", Kind::number, "octets of all instructions of the chain"},

    {Op::transport, "transport", Kind::code, "how the VM can be reached"},
    {Op::vm_type, "vm_type", Kind::number, "type of a VM; 0 of a group"},
    {Op::vm_version, "vm_version", Kind::number, "version of a VM"},

    {Op::length, "length", Kind::number, "octets asked for"},
    {Op::memory_address, "memory_address", Kind::address, "in the addressee's memory"},
    {Op::data, "data", Kind::octets, "immediate data"},
    {Op::zero, "zero", Kind::reserved, "always 0"},
    {Op::data_length, "data_length", Kind::number, "octets of data without their padding"},
    {Op::parameters_length, "parameters_length", Kind::number, "words of parameters"},
    {Op::parameters, "parameters", Kind::octets, "of a call"},
    {Op::memory_size, "memory_size", Kind::number, "octets to allocate"},
    {Op::code, "code", Kind::octets, "executable code"},
    {Op::initial_data, "initial_data", Kind::octets, "what the memory is compared with"},
    {Op::mask, "mask", Kind::octets, "ones where a change matters"},

    {Op::object_number, "object_number", Kind::code, "of the object"},
    {Op::object_version, "object_version", Kind::number, "0 where it does not matter"},
    {Op::object_realization, "object_realization", Kind::number, "0 where it does not matter"},
    {Op::offset, "offset", Kind::address, "in the object's data"},
    {Op::procedure_number, "procedure_number", Kind::number, "of the object's procedure"},

    {Op::inaction_period, "inaction_period", Kind::number, "in half seconds"},
    {Op::transaction_flags, "transaction_flags", Kind::flags, "how the transaction is executed", kTransaction},
    {Op::time_tr, "time_tr", Kind::number, "life of the transaction in units of two seconds, 0 without an end"},
    {Op::parent_chain_number, "parent_chain_number", Kind::number, "chain that the fragmented instruction belongs to"},
    {Op::parent_instr_number, "parent_instr_number", Kind::number, "its number in that chain"},
    {Op::memory_base, "memory_base", Kind::address, "base of the chain's short addresses"},
    {Op::alignment, "alignment", Kind::reserved, "zeros"},
    {Op::text, "text", Kind::text, "of a message"},
    {Op::name, "name", Kind::text, "of a job, an object, a procedure or a VM"},
    {Op::life_time, "life_time", Kind::number, "in units of 1.024 milliseconds"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kInfos); ++i)
    if (static_cast<std::size_t>(kInfos[i].operand) != i) return false;
  return std::size(kInfos) == kOperands;
}
static_assert(in_order(), "a row for each operand, in their order");

}  // namespace

std::span<const OperandInfo> all_operands() {
  return kInfos;
}

const OperandInfo& describe(Operand operand) {
  return kInfos[static_cast<std::size_t>(operand)];
}

}  // namespace wirelaw::umsp
