// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, section 5.7: a JCP checks that its nodes are active.
#include "corpora/traces/umsp_management.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_management;

constexpr std::uint16_t kPeriod = 120;  // half seconds

void task_state(UmspTraceBuilder& builder, OctetBuffer operands = state_operands(1, kOtherTaskCtid),
                const UmspTraceBuilder::Edit& edit = {}, std::vector<UmspExtension> extensions = {}) {
  builder.say(Side::a, Opcode::task_state, std::move(operands), std::move(extensions), edit);
}

void node_reload(UmspTraceBuilder& builder, OctetBuffer operands = u32(kOtherTask),
                 const UmspTraceBuilder::Edit& edit = {}, std::vector<UmspExtension> extensions = {}) {
  builder.say(Side::a, Opcode::node_reload, std::move(operands), std::move(extensions), edit);
}

// b asks for the state of a's task.
void asked(UmspTraceBuilder& builder) {
  builder.open();
  state_req(builder);
}
void asked_in_session(UmspTraceBuilder& builder) {
  builder.open_session();
  state_req(builder);
}

constexpr UmspSample kSamples[] = {
    {"", "A node is asked for its state after each silence, and says at last that it was reloaded.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder, {inaction_time(kPeriod)});
       builder.pause(60 * kSecond);
       state_req(builder);
       task_state(builder, state_operands(2, kOtherTaskCtid));
       builder.pause(60 * kSecond);
       state_req(builder);
       node_reload(builder);
     },
     "umsp-activity"},
    {"", "The JCP sets the inaction time, and refuses one.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder, {inaction_time(4)});
       task_reject(builder, {inaction_time(kPeriod), message()});
       task_reg(builder);
       task_confirm(builder, {inaction_time(kPeriod)});
     },
     "umsp-inaction-time"},

    {"UMSP-5.7.1-1", "_INACTION_TIME with two words.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder, {{HeadCode::inaction_time, UmspOctets().u16(kPeriod).u16(0)}});
     }},
    {"UMSP-5.7.1-3", "_INACTION_TIME with HOB 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder, {{HeadCode::inaction_time, UmspOctets().u16(kPeriod), false}});
     }},
    {"UMSP-5.7.1-7",
     "_INACTION_TIME in a TASK_TERMINATE.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {inaction_time(kPeriod)});
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-8",
     "A second task is registered with _INACTION_TIME.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.ask(Side::a, Opcode::task_reg_4, task_operands(kOtherJob + 1, kOtherTask + 1), {inaction_time(kPeriod)});
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-9",
     "STATE_REQ to a node that has registered with the period 0.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder, {inaction_time(0)});
       builder.pause(60 * kSecond);
       state_req(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-11", "TASK_REJECT refuses a period that TASK_REG has not set.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder, {inaction_time(kPeriod)});
     }},
    {"UMSP-5.7.1-12", "TASK_CONFIRM sets a period beside that of TASK_REG.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder, {inaction_time(kPeriod)});
       task_confirm(builder, {inaction_time(kPeriod)});
     }},

    {"UMSP-5.7.2-2", "STATE_REQ names a session.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       state_req(builder, kOtherTask, in_session_from_b);
     }},
    {"UMSP-5.7.2-4", "STATE_REQ with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       state_req(builder, kOtherTask, flip_ask);
     }},
    {"UMSP-5.7.2-5", "STATE_REQ with an extension header.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::state_req, u32(kOtherTask), {message()});
     }},
    {"UMSP-5.7.2-6", "STATE_REQ with three words of operands.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::state_req, UmspOctets().u64(kOtherTask).u32(0));
     }},
    {"UMSP-5.7.2-9",
     "STATE_REQ a second after the task's confirmation, with an inaction time of a minute.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder, {inaction_time(kPeriod)});
       builder.pause(kSecond);
       state_req(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.2-16",
     "STATE_REQ for a task whose job the JCP has reported to be completed.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()));
       state_req(builder, UmspTraceBuilder::kTaskOfA);
     },
     {},
     Severity::warning},

    {"UMSP-5.7.3-2",
     "TASK_STATE for which nothing has asked.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_state(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.3-3", "TASK_STATE names a session.",
     [](UmspTraceBuilder& builder) {
       asked_in_session(builder);
       task_state(builder, state_operands(1, kOtherTaskCtid), in_session_from_a);
     }},
    {"UMSP-5.7.3-5", "TASK_STATE with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       task_state(builder, state_operands(1, kOtherTaskCtid), flip_ask);
     }},
    {"UMSP-5.7.3-6", "TASK_STATE with an extension header.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       task_state(builder, state_operands(1, kOtherTaskCtid), {}, {message()});
     }},
    {"UMSP-5.7.3-7", "TASK_STATE with four words of operands.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       task_state(builder, UmspOctets().octets(state_operands(1, 0)).u64(kOtherTaskCtid));
     }},
    {"UMSP-5.7.3-9", "TASK_STATE with the state code 5.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       task_state(builder, state_operands(5, kOtherTaskCtid));
     }},
    {"UMSP-5.7.3-16", "TASK_STATE with a reserved octet that is not zero.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       task_state(builder, state_operands(1, kOtherTaskCtid, 1));
     }},
    {"UMSP-5.7.3-17",
     "TASK_STATE with another CTID than the task was confirmed with.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       state_req(builder);
       task_state(builder, state_operands(1, kOtherTaskCtid + 1));
     },
     {},
     Severity::warning},

    {"UMSP-5.7.4-2",
     "NODE_RELOAD for which nothing has asked.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       node_reload(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.4-3", "NODE_RELOAD names a session.",
     [](UmspTraceBuilder& builder) {
       asked_in_session(builder);
       node_reload(builder, u32(kOtherTask), in_session_from_a);
     }},
    {"UMSP-5.7.4-5", "NODE_RELOAD with REQ_ID.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       node_reload(builder, u32(kOtherTask), flip_ask);
     }},
    {"UMSP-5.7.4-6", "NODE_RELOAD with an extension header.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       node_reload(builder, u32(kOtherTask), {}, {message()});
     }},
    {"UMSP-5.7.4-7", "NODE_RELOAD with three words of operands.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       node_reload(builder, UmspOctets().u64(kOtherTask).u32(0));
     }},
    {"UMSP-5.7.4-9",
     "NODE_RELOAD with another LTID than that of STATE_REQ.",
     [](UmspTraceBuilder& builder) {
       asked(builder);
       node_reload(builder, u32(kOtherTask + 1));
     },
     {},
     Severity::warning},
};

}  // namespace

std::span<const UmspSample> umsp_activity_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
