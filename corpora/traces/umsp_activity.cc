// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, section 5.7: a JCP checks that its nodes are active.
#include "corpora/traces/umsp_management.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_management;

constexpr std::uint16_t kPeriod = 120;  // half seconds

void task_state(UmspTraceBuilder& script, OctetBuffer operands = state_operands(1, kOtherTaskCtid),
                const UmspTraceBuilder::Edit& edit = {}, std::vector<UmspExtension> extensions = {}) {
  script.say(Side::a, Opcode::task_state, std::move(operands), std::move(extensions), edit);
}

void node_reload(UmspTraceBuilder& script, OctetBuffer operands = u32(kOtherTask),
                 const UmspTraceBuilder::Edit& edit = {}, std::vector<UmspExtension> extensions = {}) {
  script.say(Side::a, Opcode::node_reload, std::move(operands), std::move(extensions), edit);
}

// b asks for the state of a's task.
void asked(UmspTraceBuilder& script) {
  script.open();
  state_req(script);
}
void asked_in_session(UmspTraceBuilder& script) {
  script.open_session();
  state_req(script);
}

constexpr UmspSample kSamples[] = {
    {"", "A node is asked for its state after each silence, and says at last that it was reloaded.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script, {inaction_time(kPeriod)});
       script.pause(60 * kSecond);
       state_req(script);
       task_state(script, state_operands(2, kOtherTaskCtid));
       script.pause(60 * kSecond);
       state_req(script);
       node_reload(script);
     },
     "umsp-activity"},
    {"", "The JCP sets the inaction time, and refuses one.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script, {inaction_time(4)});
       task_reject(script, {inaction_time(kPeriod), message()});
       task_reg(script);
       task_confirm(script, {inaction_time(kPeriod)});
     },
     "umsp-inaction-time"},

    {"UMSP-5.7.1-1", "_INACTION_TIME with two words.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script, {{HeadCode::inaction_time, UmspOctets().u16(kPeriod).u16(0)}});
     }},
    {"UMSP-5.7.1-3", "_INACTION_TIME with HOB 0.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script, {{HeadCode::inaction_time, UmspOctets().u16(kPeriod), false}});
     }},
    {"UMSP-5.7.1-7",
     "_INACTION_TIME in a TASK_TERMINATE.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid), {inaction_time(kPeriod)});
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-8",
     "A second task is registered with _INACTION_TIME.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       script.ask(Side::a, Opcode::task_reg_4, task_operands(kOtherJob + 1, kOtherTask + 1), {inaction_time(kPeriod)});
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-9",
     "STATE_REQ to a node that has registered with the period 0.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script, {inaction_time(0)});
       script.pause(60 * kSecond);
       state_req(script);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.1-11", "TASK_REJECT refuses a period that TASK_REG has not set.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script);
       task_reject(script, {inaction_time(kPeriod)});
     }},
    {"UMSP-5.7.1-12", "TASK_CONFIRM sets a period beside that of TASK_REG.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_reg(script, {inaction_time(kPeriod)});
       task_confirm(script, {inaction_time(kPeriod)});
     }},

    {"UMSP-5.7.2-2", "STATE_REQ names a session.",
     [](UmspTraceBuilder& script) {
       script.open_session();
       state_req(script, kOtherTask, in_session_from_b);
     }},
    {"UMSP-5.7.2-4", "STATE_REQ with REQ_ID.",
     [](UmspTraceBuilder& script) {
       script.open();
       state_req(script, kOtherTask, flip_ask);
     }},
    {"UMSP-5.7.2-5", "STATE_REQ with an extension header.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::b, Opcode::state_req, u32(kOtherTask), {message()});
     }},
    {"UMSP-5.7.2-6", "STATE_REQ with three words of operands.",
     [](UmspTraceBuilder& script) {
       script.open();
       script.say(Side::b, Opcode::state_req, UmspOctets().u64(kOtherTask).u32(0));
     }},
    {"UMSP-5.7.2-9",
     "STATE_REQ a second after the task's confirmation, with an inaction time of a minute.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script, {inaction_time(kPeriod)});
       script.pause(kSecond);
       state_req(script);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.2-16",
     "STATE_REQ for a task whose job the JCP has reported to be completed.",
     [](UmspTraceBuilder& script) {
       script.open();
       control(script);
       script.say(Side::b, Opcode::job_completed_info, UmspOctets().identifier(UmspTraceBuilder::job()));
       state_req(script, UmspTraceBuilder::kTaskOfA);
     },
     {},
     Severity::warning},

    {"UMSP-5.7.3-2",
     "TASK_STATE for which nothing has asked.",
     [](UmspTraceBuilder& script) {
       script.open();
       task_state(script);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.3-3", "TASK_STATE names a session.",
     [](UmspTraceBuilder& script) {
       asked_in_session(script);
       task_state(script, state_operands(1, kOtherTaskCtid), in_session_from_a);
     }},
    {"UMSP-5.7.3-5", "TASK_STATE with REQ_ID.",
     [](UmspTraceBuilder& script) {
       asked(script);
       task_state(script, state_operands(1, kOtherTaskCtid), flip_ask);
     }},
    {"UMSP-5.7.3-6", "TASK_STATE with an extension header.",
     [](UmspTraceBuilder& script) {
       asked(script);
       task_state(script, state_operands(1, kOtherTaskCtid), {}, {message()});
     }},
    {"UMSP-5.7.3-7", "TASK_STATE with four words of operands.",
     [](UmspTraceBuilder& script) {
       asked(script);
       task_state(script, UmspOctets().octets(state_operands(1, 0)).u64(kOtherTaskCtid));
     }},
    {"UMSP-5.7.3-9", "TASK_STATE with the state code 5.",
     [](UmspTraceBuilder& script) {
       asked(script);
       task_state(script, state_operands(5, kOtherTaskCtid));
     }},
    {"UMSP-5.7.3-16", "TASK_STATE with a reserved octet that is not zero.",
     [](UmspTraceBuilder& script) {
       asked(script);
       task_state(script, state_operands(1, kOtherTaskCtid, 1));
     }},
    {"UMSP-5.7.3-17",
     "TASK_STATE with another CTID than the task was confirmed with.",
     [](UmspTraceBuilder& script) {
       script.open();
       task(script);
       state_req(script);
       task_state(script, state_operands(1, kOtherTaskCtid + 1));
     },
     {},
     Severity::warning},

    {"UMSP-5.7.4-2",
     "NODE_RELOAD for which nothing has asked.",
     [](UmspTraceBuilder& script) {
       script.open();
       node_reload(script);
     },
     {},
     Severity::warning},
    {"UMSP-5.7.4-3", "NODE_RELOAD names a session.",
     [](UmspTraceBuilder& script) {
       asked_in_session(script);
       node_reload(script, u32(kOtherTask), in_session_from_a);
     }},
    {"UMSP-5.7.4-5", "NODE_RELOAD with REQ_ID.",
     [](UmspTraceBuilder& script) {
       asked(script);
       node_reload(script, u32(kOtherTask), flip_ask);
     }},
    {"UMSP-5.7.4-6", "NODE_RELOAD with an extension header.",
     [](UmspTraceBuilder& script) {
       asked(script);
       node_reload(script, u32(kOtherTask), {}, {message()});
     }},
    {"UMSP-5.7.4-7", "NODE_RELOAD with three words of operands.",
     [](UmspTraceBuilder& script) {
       asked(script);
       node_reload(script, UmspOctets().u64(kOtherTask).u32(0));
     }},
    {"UMSP-5.7.4-9",
     "NODE_RELOAD with another LTID than that of STATE_REQ.",
     [](UmspTraceBuilder& script) {
       asked(script);
       node_reload(script, u32(kOtherTask + 1));
     },
     {},
     Severity::warning},
};

}  // namespace

std::span<const UmspSample> umsp_activity_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
