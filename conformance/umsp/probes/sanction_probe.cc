// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/sanction_probe.h"

namespace wirelaw::umsp {
namespace {

constexpr TaskId kNoTask = {0xdead, 4};

}  // namespace

SanctionProbe::SanctionProbe(CaseRun& run) : ExecutorProbe(run), jcp(run, 1) {
  if (ok() && !jcp.ok()) stop();
}

void SanctionProbe::open(const Identifier& gjid) {
  wanted = good_open(gjid);
  ours = new_session();
  send_good(first_open(wanted, ours));
}

std::optional<TaskReg> SanctionProbe::registration() {
  if (!ok()) return std::nullopt;
  const auto one = jcp.next_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8});
  const auto read =
      one ? TaskReg::read(one->instruction, 0, static_cast<std::uint8_t>(field_octets(memory_octets()))) : std::nullopt;
  if (!read) {
    inconclusive("the JCP of a job whose session opens got no TASK_REG");
    return std::nullopt;
  }
  req_id = one->req_id();
  task = *read;
  return read;
}

Draft SanctionProbe::confirm(std::uint64_t ctid) const {
  return TaskConfirm{format().task_id(ctid)}.draft();
}

void SanctionProbe::answer(Draft draft) {
  stimulates_own_rule();
  answer_good(std::move(draft));
}

void SanctionProbe::answer_good(Draft draft) {
  draft.req_id = req_id;
  jcp.send_good(draft);
}

std::optional<Received> SanctionProbe::opening_answer() {
  return next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
}

bool SanctionProbe::serve(std::optional<std::uint16_t> period) {
  open();
  if (!registration()) return false;
  Draft draft = confirm(0x4400 + ours);
  if (period) draft.extensions.push_back(inaction_extension(*period));
  answer_good(std::move(draft));
  const auto opened = finish();
  if (!opened) return false;
  session = *opened;
  show_served(session);
  return ok();
}

bool SanctionProbe::is_served() {
  const auto offered = ok() ? memory() : std::nullopt;
  return offered && read(session, offered->address, address_octets() == 2 ? 2 : 4).has_value();
}

std::optional<Received> SanctionProbe::state_of(TaskId ltid) {
  jcp.send_good(StateReq{ltid}.draft());
  return jcp.next_of({Opcode::task_state, Opcode::node_reload});
}

bool SanctionProbe::has_all_of_jcp() {
  return ok() && state_of(kNoTask).has_value();
}

bool SanctionProbe::has_all_of_opener() {
  if (!ok()) return false;
  send_good(first_open(good_open(), new_session()));
  return opening_answer().has_value();
}

}  // namespace wirelaw::umsp
