// SPDX-License-Identifier: Apache-2.0
// Honest job management of UMSP (RFC 3018, section 5) for the traces. Side b is the JCP. Side a has its own job under
// it, and a task of another job, at the request of a third node.
#pragma once

#include <utility>

#include "corpora/traces/umsp_builder.h"

namespace wirelaw::corpora::umsp_management {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;
using umsp::Pck;

inline constexpr std::uint32_t kOtherJob = 0x21;        // CTID of the other job's first task
inline constexpr std::uint32_t kOtherTask = 0xa2;       // LTID of a's task of the other job
inline constexpr std::uint32_t kOtherTaskCtid = 0x22;   // CTID that b assigns to that task
inline constexpr std::uint16_t kError = 0x0102;         // not the header of a GJID
inline constexpr std::uint32_t kProfile = 0x0000'0100;  // the job's life is not limited; version 1
inline constexpr std::int64_t kSecond = 1'000'000'000;

// GTID of the third node's task.
inline umsp::Identifier opener() {
  constexpr Octet kNode[] = {192, 0, 2, 3};
  return *umsp::make_identifier(umsp::kIpv4Memory32, kNode, 0xc1);
}

// --- extension headers
inline UmspExtension inaction_time(std::uint16_t half_seconds) {
  return {HeadCode::inaction_time, UmspOctets().u16(half_seconds)};
}
inline UmspExtension job_name() {
  return {HeadCode::name, UmspOctets().text("survey"), false};
}
inline UmspExtension message() {
  return {HeadCode::msg, UmspOctets().text("no room"), false};
}

// --- operands
inline OctetBuffer control_operands(std::uint32_t profile = kProfile) {
  return UmspOctets().u32(profile).u32(UmspTraceBuilder::kTaskOfA);
}
inline OctetBuffer codes(std::uint16_t basic) {
  return UmspOctets().u16(basic).u16(0);
}
inline OctetBuffer codes_and_ctid(std::uint32_t ctid) {
  return UmspOctets().u16(1).u16(0).u32(ctid);
}
inline OctetBuffer task_operands(std::uint32_t first_ctid = kOtherJob, std::uint32_t ltid = kOtherTask) {
  return UmspOctets().u32(first_ctid).identifier(opener()).u32(ltid);
}
inline OctetBuffer u32(std::uint32_t value) {
  return UmspOctets().u32(value);
}
inline OctetBuffer state_operands(std::uint8_t state, std::uint32_t ctid, std::uint32_t reserved = 0) {
  return UmspOctets().u8(state).u24(reserved).u32(ctid);
}

// --- edits that make an honest instruction violate a rule
inline void flip_ask(Instruction& one) {
  one.header.ask = !one.header.ask;
  one.header.req_id = one.header.ask ? UmspTraceBuilder::kReqId : 0;
}
// Puts the instruction into the session of open_session().
inline void in_session_from_a(Instruction& one) {
  one.header.pck = Pck::own_session;
  one.header.session_id = UmspTraceBuilder::kSessionOfB;
}
inline void in_session_from_b(Instruction& one) {
  one.header.pck = Pck::own_session;
  one.header.session_id = UmspTraceBuilder::kSessionOfA;
}

// --- exchanges
using Extensions = std::vector<UmspExtension>;

// Side b becomes the JCP of a's own job.
inline void control(UmspTraceBuilder& builder) {
  builder.control_req();
  builder.control_confirm();
}
// Requests of a that need a response, each with the REQ_ID of its response.
inline void task_reg(UmspTraceBuilder& builder, Extensions extensions = {}, const UmspTraceBuilder::Edit& edit = {}) {
  builder.ask(Side::a, Opcode::task_reg_4, task_operands(), std::move(extensions), UmspTraceBuilder::kReqId, edit);
}
inline void task_chk(UmspTraceBuilder& builder, const UmspTraceBuilder::Edit& edit = {}) {
  builder.ask(Side::a, Opcode::task_chk, task_operands(), {}, UmspTraceBuilder::kReqId, edit);
}
inline void task_confirm(UmspTraceBuilder& builder, Extensions extensions = {}, const UmspTraceBuilder::Edit& edit = {},
                         std::uint32_t ctid = kOtherTaskCtid) {
  builder.ask(Side::b, Opcode::task_confirm, u32(ctid), std::move(extensions), UmspTraceBuilder::kReqId, edit);
}
inline void task_reject(UmspTraceBuilder& builder, Extensions extensions = {}, const UmspTraceBuilder::Edit& edit = {},
                        std::uint16_t error = kError) {
  builder.ask(Side::b, Opcode::task_reject, codes(error), std::move(extensions), UmspTraceBuilder::kReqId, edit);
}
inline void task(UmspTraceBuilder& builder, Extensions of_request = {}) {
  task_reg(builder, std::move(of_request));
  task_confirm(builder);
}
inline void state_req(UmspTraceBuilder& builder, std::uint32_t ltid = kOtherTask,
                      const UmspTraceBuilder::Edit& edit = {}) {
  builder.say(Side::b, Opcode::state_req, u32(ltid), {}, edit);
}

}  // namespace wirelaw::corpora::umsp_management
