// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, sections 5, 5.1 and 5.6: jobs begin and end.
#include "corpora/traces/umsp_management.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_management;

void control_req_with(UmspTraceBuilder& builder, std::uint32_t profile) {
  builder.open();
  builder.ask(Side::a, Opcode::control_req, control_operands(profile));
}

// b's answer to a CONTROL_REQ.
void answer(UmspTraceBuilder& builder, Opcode opcode, OctetBuffer operands, const UmspTraceBuilder::Edit& edit = {}) {
  builder.control_req();
  builder.ask(Side::b, opcode, std::move(operands), {}, UmspTraceBuilder::kReqId, edit);
}

void reject(UmspTraceBuilder& builder, OctetBuffer operands, const UmspTraceBuilder::Edit& edit = {}) {
  answer(builder, Opcode::control_reject, std::move(operands), edit);
}

constexpr std::uint32_t kAnotherReqId = UmspTraceBuilder::kReqId + 1;

constexpr UmspSample kSamples[] = {
    {"", "A job is put under the JCP, has a session there, and ends.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::control_req, control_operands(), {job_name(), inaction_time(120)});
       builder.control_confirm();
       builder.session_open();
       builder.session_accept();
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask), {message()});
       builder.notify(Side::a, Opcode::session_abend);
     },
     "umsp-job"},
    {"", "A job ends, and another one begins and ends under the same GJID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       for (int i = 0; i < 2; ++i) {
         control(builder);
         builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
       }
     },
     "umsp-job-again"},
    {"", "The JCP refuses a job: with the profile that it allows, and by OPCODE 4.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.ask(Side::b, Opcode::control_reject, UmspOctets().u16(kError).u16(0).u32(0x003c'0100),
                   {inaction_time(120), message()});
       builder.control_req();
       builder.ask(Side::b, Opcode::control_confirm, codes(kError));
     },
     "umsp-job-refused"},
    {"", "The JCP reports the ends of jobs, with codes and without them.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()));
       builder.say(Side::b, Opcode::job_completed_info, UmspOctets().u16(1).u16(0).identifier(UmspTraceBuilder::job()),
                   {message()});
     },
     "umsp-job-reported"},

    {"UMSP-5-14",
     "A task is registered with the LTID of an active task of another job.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.ask(Side::a, Opcode::task_reg_4, task_operands(kOtherJob + 1, kOtherTask));
     },
     {},
     Severity::warning},
    {"UMSP-5-18",
     "The JCP puts a job under its control by the CTID of a task of the node.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_confirm(builder, {}, {}, UmspTraceBuilder::kControlTask);
       control(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5-26", "A CTID of 32 bits is in a field of 8 octets, of which the first are not zero.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       task_reg(builder);
       builder.ask(Side::b, Opcode::task_confirm, UmspOctets().u32(1).u32(kOtherTaskCtid));
     }},
    {"UMSP-5.1-2",
     "A session of the job is opened with another LTID than CONTROL_REQ has named.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       OctetBuffer operands = UmspTraceBuilder::open_operands();
       operands.back() ^= 1;
       builder.ask(Side::a, Opcode::session_open, std::move(operands), {}, UmspTraceBuilder::kSessionOfA);
     },
     {},
     Severity::warning},

    {"UMSP-5.1.1-2", "CONTROL_REQ names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.control_req(in_session_from_a);
     }},
    {"UMSP-5.1.1-4", "CONTROL_REQ without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req(flip_ask);
     }},
    {"UMSP-5.1.1-6", "CONTROL_REQ with four words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.ask(Side::a, Opcode::control_req, UmspOctets().u32(kProfile).u64(UmspTraceBuilder::kTaskOfA).u32(0));
     }},
    {"UMSP-5.1.1-12",
     "CMT is set.",
     [](UmspTraceBuilder& builder) { control_req_with(builder, 0x0000'8100); },
     {},
     Severity::warning},
    {"UMSP-5.1.1-14", "CONTROL_REQ of version 2.",
     [](UmspTraceBuilder& builder) { control_req_with(builder, 0x0000'0200); }},
    {"UMSP-5.1.1-15", "A reserved bit beside VERSION is set.",
     [](UmspTraceBuilder& builder) { control_req_with(builder, 0x0000'1100); }},
    {"UMSP-5.1.1-16", "A bit of the profile's last octet is set.",
     [](UmspTraceBuilder& builder) { control_req_with(builder, 0x0000'0101); }},
    {"UMSP-5.1.1-27", "CONTROL_REQ is answered by TASK_CONFIRM.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       answer(builder, Opcode::task_confirm, u32(UmspTraceBuilder::kControlTask));
     }},

    {"UMSP-5.1.2-1", "CONTROL_CONFIRM for which nothing has asked.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_confirm();
     },
     "unasked", Severity::warning},
    {"UMSP-5.1.2-1", "CONTROL_REQ is confirmed twice.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.control_confirm();
     }},
    {"UMSP-5.1.2-2", "CONTROL_CONFIRM names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.control_req();
       builder.control_confirm(in_session_from_b);
     }},
    {"UMSP-5.1.2-4", "CONTROL_CONFIRM without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.control_confirm(flip_ask);
     }},
    {"UMSP-5.1.2-7", "CONTROL_CONFIRM with five words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       answer(builder, Opcode::control_confirm, UmspOctets().identifier(UmspTraceBuilder::job()).u24(0).u64(0));
     }},
    {"UMSP-5.1.2-8", "CONTROL_CONFIRM with a word behind the GJID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       answer(builder, Opcode::control_confirm, UmspOctets().identifier(UmspTraceBuilder::job()).u24(0).u32(0));
     }},
    {"UMSP-5.1.2-9",
     "CONTROL_CONFIRM has another REQ_ID than the CONTROL_REQ that waits.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.control_confirm([](Instruction& confirm) { confirm.header.req_id = kAnotherReqId; });
     },
     {},
     Severity::warning},

    {"UMSP-5.1.3-1", "CONTROL_REQ is confirmed, and then refused.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.ask(Side::b, Opcode::control_reject, codes(kError));
     }},
    {"UMSP-5.1.3-4", "CONTROL_REJECT names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       reject(builder, codes(kError), in_session_from_b);
     }},
    {"UMSP-5.1.3-6", "CONTROL_REJECT without REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       reject(builder, codes(kError), flip_ask);
     }},
    {"UMSP-5.1.3-9", "CONTROL_REJECT with three words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       reject(builder, UmspOctets().u16(kError).u16(0).u32(kProfile).u32(0));
     }},
    {"UMSP-5.1.3-10",
     "CONTROL_REJECT has another REQ_ID than the CONTROL_REQ that waits.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       reject(builder, codes(kError), [](Instruction& reject) { reject.header.req_id = kAnotherReqId; });
     },
     {},
     Severity::warning},
    {"UMSP-5.1.3-11", "CONTROL_REJECT with a basic error code of 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       reject(builder, codes(0));
     }},
    {"UMSP-5.1.3-14", "The profile of CONTROL_REJECT has a reserved bit set.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       reject(builder, UmspOctets().u16(kError).u16(0).u32(kProfile | 1));
     }},

    {"UMSP-5.6.1-1",
     "A node that has registered a task of the job reports that the job has ended.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(kOtherJob));
     },
     {},
     Severity::warning},
    {"UMSP-5.6.1-2", "JOB_COMPLETED names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask), {},
                   in_session_from_a);
     }},
    {"UMSP-5.6.1-4", "JOB_COMPLETED with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask), {}, flip_ask);
     }},
    {"UMSP-5.6.1-6", "JOB_COMPLETED with one word of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::job_completed, codes(1));
     }},
    {"UMSP-5.6.1-9",
     "JOB_COMPLETED names a task that is not the first of its job.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(kOtherTaskCtid));
     },
     {},
     Severity::warning},
    {"UMSP-5.6.1-12",
     "A session of the job is opened behind JOB_COMPLETED.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
       builder.session_open();
     },
     {},
     Severity::warning},
    {"UMSP-5.6.1-12", "A job is completed twice.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
     },
     "twice", Severity::warning},
    {"UMSP-5.6.2-1", "A node reports to its JCP that the job has ended which the JCP controls.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.say(Side::a, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()));
     }},
    {"UMSP-5.6.2-3", "JOB_COMPLETED_INFO names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()), {},
                   in_session_from_b);
     }},
    {"UMSP-5.6.2-5", "JOB_COMPLETED_INFO with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()), {}, flip_ask);
     }},
    {"UMSP-5.6.2-7", "JOB_COMPLETED_INFO without operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::job_completed_info, {});
     }},
    {"UMSP-5.6.2-9", "JOB_COMPLETED_INFO with codes alone.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::job_completed_info, codes(kError));
     }},
};

constexpr UmspDatagramSample kDatagrams[] = {
    {"UMSP-5-3", "A job is put under the JCP by a datagram.", [](UmspDatagrams& builder) { builder.control_req(); }},
};

}  // namespace

std::span<const UmspSample> umsp_job_samples() {
  return kSamples;
}

std::span<const UmspDatagramSample> umsp_job_datagrams() {
  return kDatagrams;
}

}  // namespace wirelaw::corpora
