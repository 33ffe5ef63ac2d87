// SPDX-License-Identifier: Apache-2.0
// The operation codes of RFC 3018, sections 4 to 9. A name with several codes, which depend on the length of a field or
// on whether the sender's VM is described, has one enumerator for each.
#pragma once

#include <cstdint>

namespace wirelaw::umsp {

enum class Opcode : std::uint8_t {
  rsp_p = 1,
  snd_cancel = 2,
  control_req = 3,
  control_confirm = 4,
  control_reject = 5,  // printed as 4 (UMSP/A1)
  task_reg_2 = 6,      // suffix: length of the CTID in octets
  task_reg_4 = 7,
  task_reg_8 = 8,
  task_confirm = 9,
  task_reject = 10,
  task_chk = 11,
  session_open = 12,
  session_accept = 13,
  session_reject = 14,
  session_close = 15,
  session_abend = 16,
  task_terminate = 17,
  task_terminate_info = 18,
  job_completed = 19,
  job_completed_info = 20,
  state_req = 21,
  task_state = 22,
  node_reload = 23,
  req_buf = 24,
  vm_req = 25,
  vm_notif = 26,

  rsp = 129,
  req_data_2 = 130,  // octets of the length field
  req_data_4 = 131,
  data = 132,
  write_2 = 133,  // octets of the address
  write_4 = 134,
  write_8 = 135,
  write_16 = 136,
  write_ext = 137,
  cmp_2 = 138,  // octets of the address
  cmp_4 = 139,
  cmp_8 = 140,
  cmp_16 = 141,
  cmp_ext = 142,
  jump = 143,
  jump_vm = 144,  // with the sender's VM
  call = 145,
  call_vm = 146,
  return_control = 147,
  mem_alloc = 148,
  mvcode = 149,
  address = 150,
  free = 151,
  mvrun = 152,
  syn_4 = 153,  // octets of the address
  syn_8 = 154,
  syn_16 = 155,
  nop = 156,
  exec_tr = 158,
  cancel_tr = 159,
  obj_req_data_2 = 192,  // octets of the length field
  obj_req_data_4 = 193,
  obj_write_2 = 194,  // octets of the offset
  obj_write_4 = 195,
  obj_write_8 = 196,
  obj_write_ext = 197,
  obj_data_cmp_2 = 198,  // octets of the offset
  obj_data_cmp_4 = 199,
  obj_data_cmp_8 = 200,
  obj_data_cmp_ext = 201,
  call_bnum = 202,
  call_bnum_vm = 203,
  call_bname = 204,
  call_bname_vm = 205,
  get_num_proc = 206,
  proc_num = 207,
  create = 208,  // NEW
  sys_new = 209,
  object = 210,
  destroy = 211,  // DELETE
  obj_seek = 212,
  obj_get_name = 213,
};

// The intervals of 3.1.
enum class OpcodeClass : std::uint8_t {
  management,  // 1 to 112
  exchange,    // 128 to 223, between VMs
  reserved,    // 0, 113 to 127, 224 to 255 (UMSP/A16)
};
constexpr OpcodeClass class_of(std::uint8_t opcode) {
  if (opcode >= 1 && opcode <= 112) return OpcodeClass::management;
  if (opcode >= 128 && opcode <= 223) return OpcodeClass::exchange;
  return OpcodeClass::reserved;
}

// SND_CANCEL, EXEC_TR and CANCEL_TR: they name a chain, but are not part of it; their INSTR_NUMBER is always 0 (4.2,
// 7.2).
constexpr bool controls_chain(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::snd_cancel) ||
         opcode == static_cast<std::uint8_t>(Opcode::exec_tr) || opcode == static_cast<std::uint8_t>(Opcode::cancel_tr);
}

// The codes of extension headers (5.7.1, 7, 8).
enum class HeadCode : std::uint8_t {
  inaction_time = 2,
  begin_sq = 3,
  begin_tr = 4,
  begin_frg = 5,
  end_chain = 6,
  set_mbase = 7,
  alignment = 8,
  msg = 9,
  name = 10,
  data = 11,
  life_time = 12,
};

}  // namespace wirelaw::umsp
