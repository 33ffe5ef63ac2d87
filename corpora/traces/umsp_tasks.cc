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
     [](UmspTraceBuilder& script) {
       script.open();
       control(script);
       task_reg(script);
       script.ask(Side::b, Opcode::task_confirm, UmspOctets().u64(kOtherTaskCtid), {job_name()});
       task_chk(script);
       task_confirm(script);
       script.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {message()});
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {message()});
       task_reg(script);  // the task begins and ends again
       task_confirm(script);
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
     },
     "umsp-task"},
    {"", "Tasks are refused; a node asks by each OPCODE of TASK_REG.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.ask(Side::a, Opcode::task_reg_2, UmspOctets().u16(kOtherJob).identifier(opener()).u32(kOtherTask));
       task_reject(script, {message()});
       script.ask(Side::a, Opcode::task_reg_8, long_task_operands());
       task_reject(script);
       task_chk(script);
       task_reject(script);
     },
     "umsp-task-refused"},

    {"UMSP-5.2.1-2",
     "TASK_REG has the OPCODE for 8 octets, and the JCP's CTIDs have 4.",
     [](UmspTraceBuilder& script) {
       script.open();
       control(script);
       script.ask(Side::a, Opcode::task_reg_8, long_task_operands());
     },
     {},
     Severity::warning},
    {"UMSP-5.2.1-3", "TASK_REG names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       task_reg(script, {}, in_session_from_a);
     }},
    {"UMSP-5.2.1-5", "TASK_REG without REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script, {}, flip_ask);
     }},
    {"UMSP-5.2.1-7", "TASK_REG with one word of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.ask(Side::a, Opcode::task_reg_4, u32(kOtherJob));
     }},
    {"UMSP-5.2.1-8", "TASK_REG with an address header of no node.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.ask(Side::a, Opcode::task_reg_4, UmspOctets().u32(kOtherJob).u64(0).u64(kOtherTask));
     }},
    {"UMSP-5.2.1-16",
     "A second task of the same job is registered.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       script.ask(Side::a, Opcode::task_reg_4, task_operands(kOtherJob, kOtherTask + 1));
     },
     {},
     Severity::warning},
    {"UMSP-5.2.1-22", "TASK_REG is answered by CONTROL_REJECT.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       script.ask(Side::b, Opcode::control_reject, codes(kError));
     }},

    {"UMSP-5.2.2-1", "TASK_CONFIRM for which nothing has asked.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_confirm(script);
     },
     "unasked", Severity::warning},
    {"UMSP-5.2.2-1", "TASK_REG is confirmed twice.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       task_confirm(script);
     }},
    {"UMSP-5.2.2-2", "TASK_CONFIRM names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       task_reg(script);
       task_confirm(script, {}, in_session_from_b);
     }},
    {"UMSP-5.2.2-4", "TASK_CONFIRM without REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_confirm(script, {}, flip_ask);
     }},
    {"UMSP-5.2.2-7", "TASK_CONFIRM with three words of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       script.ask(Side::b, Opcode::task_confirm, UmspOctets().u64(kOtherTaskCtid).u32(0));
     }},
    {"UMSP-5.2.2-9",
     "TASK_CONFIRM has another REQ_ID than the TASK_REG that waits.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_confirm(script, {}, with_another_req_id);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.2-10",
     "TASK_CHK is confirmed with another CTID than TASK_REG was.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       task_chk(script);
       task_confirm(script, {}, {}, kOtherTaskCtid + 1);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.2-11",
     "A task gets the CTID of the job that the JCP controls for the node.",
     [](UmspTraceBuilder& script) {
       script.open();
       control(script);
       task_reg(script);
       task_confirm(script, {}, {}, UmspTraceBuilder::kControlTask);
     },
     {},
     Severity::warning},

    {"UMSP-5.2.3-1", "TASK_REG is confirmed, and then refused.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       task_reject(script);
     }},
    {"UMSP-5.2.3-3", "TASK_REJECT names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       task_reg(script);
       task_reject(script, {}, in_session_from_b);
     }},
    {"UMSP-5.2.3-5", "TASK_REJECT without REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_reject(script, {}, flip_ask);
     }},
    {"UMSP-5.2.3-8", "TASK_REJECT with two words of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       script.ask(Side::b, Opcode::task_reject, UmspOctets().u16(kError).u16(0).u32(0));
     }},
    {"UMSP-5.2.3-9",
     "TASK_REJECT has another REQ_ID than the TASK_REG that waits.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_reject(script, {}, with_another_req_id);
     },
     {},
     Severity::warning},
    {"UMSP-5.2.3-10", "TASK_REJECT with a basic error code of 0.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_reject(script, {}, {}, 0);
     }},

    {"UMSP-5.2.4-5", "TASK_CHK names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       task_chk(script, in_session_from_a);
     }},
    {"UMSP-5.2.4-7", "TASK_CHK without REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_chk(script, flip_ask);
     }},
    {"UMSP-5.2.4-9", "TASK_CHK with nine words of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.ask(Side::a, Opcode::task_chk, UmspOctets().octets(long_task_operands()).u24(0).u64(0).u32(0));
     }},
    {"UMSP-5.2.4-10",
     "TASK_CHK has a CTID of 8 octets, and the JCP's CTIDs have 4.",
     [](UmspTraceBuilder& script) {
       script.open();
       control(script);
       script.ask(Side::a, Opcode::task_chk, long_task_operands());
     },
     {},
     Severity::warning},
    {"UMSP-5.2.4-12", "TASK_CHK is answered by CONTROL_CONFIRM.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_chk(script);
       script.control_confirm();
     }},

    {"UMSP-5.5.1-3", "TASK_TERMINATE names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {}, in_session_from_a);
     }},
    {"UMSP-5.5.1-5", "TASK_TERMINATE with REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {}, flip_ask);
     }},
    {"UMSP-5.5.1-7", "TASK_TERMINATE with one word of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::a, Opcode::task_terminate, codes(1));
     }},
    {"UMSP-5.5.1-10",
     "TASK_TERMINATE names the first task of the job, and not the node's own.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherJob));
     },
     {},
     Severity::warning},
    {"UMSP-5.5.1-10", "A task ends twice.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
     },
     "twice", Severity::warning},
    {"UMSP-5.5.2-4", "TASK_TERMINATE_INFO names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       script.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {}, in_session_from_b);
     }},
    {"UMSP-5.5.2-6", "TASK_TERMINATE_INFO with REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::b, Opcode::task_terminate_info, terminate_info_operands(), {}, flip_ask);
     }},
    {"UMSP-5.5.2-8", "TASK_TERMINATE_INFO with one word of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::b, Opcode::task_terminate_info, codes(1));
     }},
    {"UMSP-5.5.2-9", "TASK_TERMINATE_INFO with a word behind the GTID.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::b, Opcode::task_terminate_info, UmspOctets().octets(terminate_info_operands()).u24(0).u32(0));
     }},
};

}  // namespace

std::span<const UmspSample> umsp_task_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
