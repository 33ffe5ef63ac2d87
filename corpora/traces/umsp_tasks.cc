// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, sections 5.2 and 5.5: tasks begin and end.
#include "corpora/traces/umsp_management.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_management;

constexpr std::uint32_t kAnotherReqId = UmspTraceBuilder::kReqId + 1;

void with_another_req_id(Instruction& one) {
  one.header.req_id = kAnotherReqId;
}

// Seven words of operands: a CTID of 8 octets, padded with leading zeros.
OctetBuffer long_task_operands() {
  return UmspOctets().u64(kOtherJob).identifier(opener()).u32(kOtherTask);
}

OctetBuffer terminate_info_operands() {
  return UmspOctets().u16(1).u16(0).identifier(opener());
}

constexpr UmspSample kSamples[] = {
    {"", "A task of another node's job is registered, checked and ended, at a JCP that controls a job of the node too.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       task_reg(builder);
       builder.ask(Side::b, Opcode::task_confirm, UmspOctets().u64(kOtherTaskCtid), {job_name()});
       task_chk(builder);
       task_confirm(builder);
       builder.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {message()});
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {message()});
       task_reg(builder);  // the task begins and ends again
       task_confirm(builder);
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
     },
     "umsp-task"},
    {"", "Tasks are refused; a node asks by each OPCODE of TASK_REG.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::task_reg_2, UmspOctets().u16(kOtherJob).identifier(opener()).u32(kOtherTask));
       task_reject(builder, {message()});
       builder.ask(Side::a, Opcode::task_reg_8, long_task_operands());
       task_reject(builder);
       task_chk(builder);
       task_reject(builder);
     },
     "umsp-task-refused"},

    {"UMSP-5.2.1-2",
     "TASK_REG has the OPCODE for 8 octets, and the JCP's CTIDs have 4.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.ask(Side::a, Opcode::task_reg_8, long_task_operands());
     },
     {},
     Severity::warning},
    {"UMSP-5.2.1-3", "TASK_REG names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       task_reg(builder, {}, in_session_from_a);
     }},
    {"UMSP-5.2.1-5", "TASK_REG without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder, {}, flip_ask);
     }},
    {"UMSP-5.2.1-7", "TASK_REG with one word of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::task_reg_4, u32(kOtherJob));
     }},
    {"UMSP-5.2.1-8", "TASK_REG with an address header of no node.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::task_reg_4, UmspOctets().u32(kOtherJob).u64(0).u64(kOtherTask));
     }},
    {"UMSP-5.2.1-16",
     "A second task of the same job is registered.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.ask(Side::a, Opcode::task_reg_4, task_operands(kOtherJob, kOtherTask + 1));
     },
     {},
     Severity::warning},
    {"UMSP-5.2.1-22", "TASK_REG is answered by CONTROL_REJECT.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       builder.ask(Side::b, Opcode::control_reject, codes(kError));
     }},

    {"UMSP-5.2.2-1", "TASK_CONFIRM for which nothing has asked.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_confirm(builder);
     },
     "unasked", Severity::warning},
    {"UMSP-5.2.2-1", "TASK_REG is confirmed twice.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       task_confirm(builder);
     }},
    {"UMSP-5.2.2-2", "TASK_CONFIRM names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       task_reg(builder);
       task_confirm(builder, {}, in_session_from_b);
     }},
    {"UMSP-5.2.2-4", "TASK_CONFIRM without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_confirm(builder, {}, flip_ask);
     }},
    {"UMSP-5.2.2-7", "TASK_CONFIRM with three words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       builder.ask(Side::b, Opcode::task_confirm, UmspOctets().u64(kOtherTaskCtid).u32(0));
     }},
    {"UMSP-5.2.2-9",
     "TASK_CONFIRM has another REQ_ID than the TASK_REG that waits.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_confirm(builder, {}, with_another_req_id);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.2-10",
     "TASK_CHK is confirmed with another CTID than TASK_REG was.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       task_chk(builder);
       task_confirm(builder, {}, {}, kOtherTaskCtid + 1);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.2-11",
     "A task gets the CTID of the job that the JCP controls for the node.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       task_reg(builder);
       task_confirm(builder, {}, {}, UmspTraceBuilder::kControlTask);
     },
     {},
     Severity::warning},

    {"UMSP-5.2.3-1", "TASK_REG is confirmed, and then refused.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       task_reject(builder);
     }},
    {"UMSP-5.2.3-3", "TASK_REJECT names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       task_reg(builder);
       task_reject(builder, {}, in_session_from_b);
     }},
    {"UMSP-5.2.3-5", "TASK_REJECT without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder, {}, flip_ask);
     }},
    {"UMSP-5.2.3-8", "TASK_REJECT with two words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       builder.ask(Side::b, Opcode::task_reject, UmspOctets().u16(kError).u16(0).u32(0));
     }},
    {"UMSP-5.2.3-9",
     "TASK_REJECT has another REQ_ID than the TASK_REG that waits.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder, {}, with_another_req_id);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.3-10", "TASK_REJECT with a basic error code of 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder, {}, {}, 0);
     }},

    {"UMSP-5.2.4-5", "TASK_CHK names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       task_chk(builder, in_session_from_a);
     }},
    {"UMSP-5.2.4-7", "TASK_CHK without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_chk(builder, flip_ask);
     }},
    {"UMSP-5.2.4-9", "TASK_CHK with nine words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::task_chk, UmspOctets().octets(long_task_operands()).u24(0).u64(0).u32(0));
     }},
    {"UMSP-5.2.4-10",
     "TASK_CHK has a CTID of 8 octets, and the JCP's CTIDs have 4.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.ask(Side::a, Opcode::task_chk, long_task_operands());
     },
     {},
     Severity::warning},
    {"UMSP-5.2.4-12", "TASK_CHK is answered by CONTROL_CONFIRM.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_chk(builder);
       builder.control_confirm();
     }},

    {"UMSP-5.5.1-3", "TASK_TERMINATE names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {}, in_session_from_a);
     }},
    {"UMSP-5.5.1-5", "TASK_TERMINATE with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {}, flip_ask);
     }},
    {"UMSP-5.5.1-7", "TASK_TERMINATE with one word of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::task_terminate, codes(1));
     }},
    {"UMSP-5.5.1-10",
     "TASK_TERMINATE names the first task of the job, and not the node's own.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherJob));
     },
     {},
     Severity::warning},
    {"UMSP-5.5.1-10", "A task ends twice.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
     },
     "twice", Severity::warning},
    {"UMSP-5.5.2-4", "TASK_TERMINATE_INFO names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {}, in_session_from_b);
     }},
    {"UMSP-5.5.2-6", "TASK_TERMINATE_INFO with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {}, flip_ask);
     }},
    {"UMSP-5.5.2-8", "TASK_TERMINATE_INFO with one word of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::task_terminate_info, codes(1));
     }},
    {"UMSP-5.5.2-9", "TASK_TERMINATE_INFO with a word behind the GTID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::task_terminate_info, UmspOctets().octets(terminate_info_operands()).u24(0).u32(0));
     }},
};

}  // namespace

std::span<const UmspSample> umsp_task_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
