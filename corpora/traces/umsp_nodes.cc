// SPDX-License-Identifier: Apache-2.0
// RFC 3018: the meaning of an instruction, given what its two nodes have shown before. These traces are judged like
// captures: the nodes are known by their addresses. Side a is 192.0.2.1, side b is 192.0.2.2 and the JCP.
#include "corpora/traces/umsp_management.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_management;

constexpr std::size_t kGjidTask = 23;  // offset in SESSION_OPEN's operands: the CTID in the GJID
constexpr std::uint32_t kAddress = 0x1000;
constexpr std::uint16_t kVm = 49'200, kAnotherVm = 49'201;

umsp::Identifier task_at(Octet last_octet, std::uint32_t ltid) {
  const Octet node[] = {192, 0, 2, last_octet};
  return *umsp::make_identifier(umsp::kIpv4Memory32, node, ltid);
}
OctetBuffer codes_and(const umsp::Identifier& identifier) {
  return UmspOctets().u16(1).u16(0).identifier(identifier);
}
// a writes in its session with b.
void write(UmspTraceBuilder& builder) {
  builder.notify(Side::a, Opcode::write_4, UmspOctets().u32(kAddress).u32(0));
}
// Opens a session of the job that another node has begun, and of which a has a task.
void session_of_other_job(UmspTraceBuilder& builder) {
  OctetBuffer operands = UmspTraceBuilder::open_operands();
  const OctetBuffer ctid = UmspOctets().u32(kOtherJob);
  std::ranges::copy(ctid, operands.begin() + kGjidTask);
  builder.ask(Side::a, Opcode::session_open, std::move(operands), {}, UmspTraceBuilder::kSessionOfA);
  builder.session_accept();
}
void terminate(UmspTraceBuilder& builder) {
  builder.say(Side::a, Opcode::task_terminate, codes_and_ctid(kOtherTaskCtid));
}
OctetBuffer vms(std::initializer_list<std::uint16_t> types, bool is_notice, bool is_group = false) {
  UmspOctets all;
  if (is_notice) all.u16(0x0100).u16(0);
  if (is_group) all.u16(0).u16(7);
  for (const std::uint16_t type : types) all.u16(type).u16(1);
  return all;
}
void search(UmspTraceBuilder& builder, std::initializer_list<std::uint16_t> asked, OctetBuffer answer) {
  builder.open();
  builder.ask(Side::a, Opcode::vm_req, vms(asked, false));
  builder.ask(Side::b, Opcode::vm_notif, std::move(answer));
}
// Sends OBJ_GET_NAME for an object of range IV outside of sessions, and its response.
void name_of_object(UmspTraceBuilder& builder, Opcode answer, OctetBuffer operands, Extensions extensions = {}) {
  constexpr umsp::Header kAsk{
      .ask = true, .pck = Pck::own_session, .session_id = 0, .req_id = UmspTraceBuilder::kReqId};
  umsp::Header question = kAsk, response = kAsk;
  question.opcode = static_cast<std::uint8_t>(Opcode::obj_get_name);
  response.opcode = static_cast<std::uint8_t>(answer);
  builder.open();
  builder.send(Side::a, question, u32(0x5000'0001));
  builder.send(Side::b, response, std::move(operands), std::move(extensions));
}

// Opens a session of a job whose JCP is a third node.
void session_of_third(UmspTraceBuilder& builder, std::uint32_t id_of_a, std::uint32_t id_of_b) {
  constexpr std::size_t kLastOfAddress = 22;  // offset in SESSION_OPEN's operands
  OctetBuffer operands = UmspTraceBuilder::open_operands();
  operands[kLastOfAddress] = 3;
  builder.ask(Side::a, Opcode::session_open, std::move(operands), {}, id_of_a);
  builder.send(Side::b, {.opcode = static_cast<std::uint8_t>(Opcode::session_accept),
                         .ask = true,
                         .pck = Pck::own_session,
                         .session_id = id_of_a,
                         .req_id = id_of_b});
}
// Sends the first of two instructions of a transaction with a response.
void begin_transaction(UmspTraceBuilder& builder) {
  builder.chained(Side::a, Opcode::write_4, {2, 0}, UmspOctets().u32(kAddress).u32(0),
                  {{HeadCode::begin_tr, UmspOctets().u8(0x40).u8(0)}}, flip_ask);
}
void end_transaction(UmspTraceBuilder& builder) {
  builder.chained(Side::a, Opcode::write_4, {2, 1}, UmspOctets().u32(kAddress).u32(0), {{HeadCode::end_chain}});
}

constexpr UmspSample kSamples[] = {
    {"", "A node's task is asked for, checked and ended, and the JCP reports another one.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       task(builder);
       task_chk(builder);
       task_confirm(builder);
       builder.pause(60 * kSecond);
       state_req(builder);
       builder.say(Side::a, Opcode::task_state, state_operands(2, kOtherTaskCtid));
       builder.say(Side::b, Opcode::task_terminate_info, codes_and(opener()));
       session_of_other_job(builder);
       terminate(builder);
       builder.notify(Side::a, Opcode::session_abend);
       builder.session_open();
       builder.session_accept();
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
       builder.notify(Side::a, Opcode::session_abend);
     },
     "umsp-nodes"},
    {"", "A task is rejected, and registered later; then its node opens a session, and the job ends.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder);
       task(builder);
       session_of_other_job(builder);
       builder.say(Side::b, Opcode::job_completed_info, codes_and(task_at(2, kOtherJob)));
     },
     "umsp-nodes-rejected"},
    {"", "An object of a job is not found without a session.",
     [](UmspTraceBuilder& builder) { name_of_object(builder, Opcode::rsp, codes(kError)); }, "umsp-nodes-object"},
    {"", "A transaction is answered at its end.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       begin_transaction(builder);
       end_transaction(builder);
       builder.respond(Side::b);
     },
     "umsp-nodes-answers"},
    {"", "VM_NOTIF answers with the VM.", [](UmspTraceBuilder& builder) { search(builder, {kVm}, vms({kVm}, true)); },
     "umsp-nodes-vm"},
    {"", "VM_NOTIF answers with a group.",
     [](UmspTraceBuilder& builder) {
       search(builder, {kVm, kAnotherVm}, vms({kVm, kAnotherVm}, true, true));
     },
     "umsp-nodes-group"},

    {"UMSP-5.2-1",
     "A node opens a session of a job for which its TASK_REG was rejected.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task_reg(builder);
       task_reject(builder);
       session_of_other_job(builder);
     },
     {},
     Severity::warning},
    {"UMSP-5.2-6",
     "CONTROL_CONFIRM has a GJID with another node's address.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.control_req();
       builder.ask(Side::b, Opcode::control_confirm,
                   UmspOctets().identifier(task_at(3, UmspTraceBuilder::kControlTask)));
     },
     {},
     Severity::warning},
    {"UMSP-5.2.4-14", "TASK_CHK of a task that its node has ended is confirmed.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       terminate(builder);
       task_chk(builder);
       task_confirm(builder);
     }},
    {"UMSP-5.3.1-37", "A second session of a job is accepted, and not from its JCP.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       session_of_third(builder, UmspTraceBuilder::kSessionOfA, UmspTraceBuilder::kSessionOfB);
       session_of_third(builder, UmspTraceBuilder::kSessionOfA + 1, UmspTraceBuilder::kSessionOfB + 1);
     }},
    {"UMSP-5.5.1-13", "A node writes in a session of a task that it has ended.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       session_of_other_job(builder);
       terminate(builder);
       write(builder);
     }},
    {"UMSP-5.5.2-1",
     "TASK_TERMINATE_INFO goes to a node without a task.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       builder.say(Side::b, Opcode::task_terminate_info, codes_and(opener()));
     },
     {},
     Severity::warning},
    {"UMSP-5.5.2-2", "TASK_TERMINATE_INFO goes to the node whose task has ended.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       terminate(builder);
       builder.say(Side::b, Opcode::task_terminate_info, codes_and(task_at(1, kOtherTask)));
     }},
    {"UMSP-5.6.1-11", "A node writes in a session of a job that it has completed.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       control(builder);
       builder.session_open();
       builder.session_accept();
       builder.say(Side::a, Opcode::job_completed, codes_and_ctid(UmspTraceBuilder::kControlTask));
       write(builder);
     }},
    {"UMSP-5.6.2-2",
     "JOB_COMPLETED_INFO of a job that nothing has named.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       task(builder);
       builder.say(Side::b, Opcode::job_completed_info, codes_and(task_at(2, kOtherJob + 1)));
     },
     {},
     Severity::warning},
    {"UMSP-5.7.2-1",
     "STATE_REQ goes to a node without a task.",
     [](UmspTraceBuilder& builder) {
       builder.open();
       state_req(builder);
     },
     {},
     Severity::warning},
    {"UMSP-6.6-13", "An object of range IV is named without a session.",
     [](UmspTraceBuilder& builder) {
       name_of_object(builder, Opcode::object, UmspOctets().u32(0x5000'0001).u16(1).u16(1),
                      {{HeadCode::name, UmspOctets().text("queue"), false}});
     }},
    {"UMSP-7.5-8", "A transaction is answered before its end.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       begin_transaction(builder);
       builder.respond(Side::b);
       end_transaction(builder);
     }},
    {"UMSP-9.1-13", "VM_NOTIF names another VM than VM_REQ.",
     [](UmspTraceBuilder& builder) { search(builder, {kVm}, vms({kAnotherVm}, true)); }},
    {"UMSP-9.1-14", "VM_NOTIF names a group without one of the VMs in VM_REQ.",
     [](UmspTraceBuilder& builder) {
       search(builder, {kVm, kAnotherVm}, vms({kVm}, true, true));
     }},
    {"UMSP-9.2-23", "VM_NOTIF names one VM, and VM_REQ asks for a group.",
     [](UmspTraceBuilder& builder) {
       search(builder, {kVm, kAnotherVm}, vms({kVm}, true));
     }},
};

}  // namespace

std::span<const UmspSample> umsp_node_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
