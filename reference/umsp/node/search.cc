// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/search.h"

#include <algorithm>

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kGreatest = 0xffff;

}  // namespace

bool Search::receive(const Origin& origin, const Instruction& instruction) {
  const auto opcode = static_cast<Opcode>(instruction.opcode());
  if (opcode == Opcode::vm_req) on_request(origin, instruction);
  if (opcode == Opcode::vm_notif) on_notification(origin, instruction);
  return opcode == Opcode::vm_req || opcode == Opcode::vm_notif;
}

void Search::seek(NodeAddress to, const VmReq& wanted, bool by_datagram) {
  by_datagram ? out_.send_datagram(to, wanted.draft()) : out_.send(to, wanted.draft());
}

// Checks the name in addition to the operands (9.1).
void Search::on_request(const Origin& origin, const Instruction& instruction) {
  const auto request = VmReq::read(instruction);
  const auto name = name_of(instruction);
  if (request && !(name && request->vms.empty())) answer_operands(origin, instruction, *request);
  if (name) answer_name(origin, instruction, *name);
}

void Search::answer_operands(const Origin& origin, const Instruction& instruction, const VmReq& request) {
  if (request.vms.empty()) return answer_all(origin, instruction);
  if (request.vms.size() == 1) return answer_one(origin, instruction, request.vms.front());
  answer_group(origin, instruction, request.vms);
}

void Search::answer_name(const Origin& origin, const Instruction& instruction, std::string_view name) {
  for (const NamedVm& one : options_.vms)
    if (!one.name.empty() && one.name == name) notify(origin, instruction, {one.vm}, one.name);
  for (const VmGroup& group : options_.groups)
    if (!group.name.empty() && group.name == name) notify(origin, instruction, listed(group), group.name);
}

void Search::answer_all(const Origin& origin, const Instruction& instruction) {
  for (const NamedVm& one : options_.vms) notify(origin, instruction, {one.vm}, one.name);
  for (const VmGroup& group : options_.groups) notify(origin, instruction, listed(group), group.name);
}

// A later version executes the code of an earlier one (9).
void Search::answer_one(const Origin& origin, const Instruction& instruction, VmKind wanted) {
  if (wanted == kZeroSessionVm) {
    if (options_.zero_session) notify(origin, instruction, {*options_.zero_session}, {});
    return;
  }
  for (const VmGroup& group : options_.groups)
    if (wanted == VmKind{0, group.number}) return notify(origin, instruction, listed(group), group.name);
  for (const NamedVm& one : options_.vms)
    if (one.vm.type == wanted.type && (wanted.version == kGreatest || wanted.version <= one.vm.version))
      return notify(origin, instruction, {one.vm}, one.name);
}

void Search::answer_group(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& wanted) {
  const auto has_all = [&wanted](const VmGroup& group) {
    return std::ranges::all_of(wanted, [&group](VmKind vm) {
      return std::ranges::any_of(group.members, [vm](VmKind member) {
        return member.type == vm.type && (vm.version == kGreatest || vm.version <= member.version);
      });
    });
  };
  for (const VmGroup& group : options_.groups)
    if (has_all(group)) notify(origin, instruction, listed(group), group.name);
}

void Search::notify(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& vms,
                    std::string_view name) {
  for (const NodeTransport transport : options_.transports) {
    Draft draft = VmNotif{static_cast<std::uint16_t>(transport), vms}.draft();
    if (instruction.header.ask) draft.req_id = instruction.header.req_id;
    if (!name.empty()) draft.extensions.push_back(text_extension(HeadCode::name, name));
    send(origin, std::move(draft));
  }
}

void Search::send(const Origin& origin, Draft draft) {
  if (origin.datagram)
    out_.send_datagram(origin.from, std::move(draft), origin.link);
  else
    out_.send(origin.from, std::move(draft), origin.link);
}

std::vector<VmKind> Search::listed(const VmGroup& group) {
  std::vector<VmKind> vms{{0, group.number}};
  vms.insert(vms.end(), group.members.begin(), group.members.end());
  return vms;
}

void Search::on_notification(const Origin& origin, const Instruction& instruction) {
  const auto notif = VmNotif::read(instruction);
  if (!notif) return;
  const KnownVm known{origin.from, notif->transport, notif->vms, std::string(name_of(instruction).value_or(""))};
  if (std::ranges::find(known_, known) != known_.end()) return;
  known_.push_back(known);
  if (known_.size() > options_.most_known) known_.pop_front();
}

}  // namespace wirelaw::umsp
