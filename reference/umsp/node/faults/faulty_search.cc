// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/faults/faulty_search.h"

#include <algorithm>

#include "reference/umsp/node/session.h"

namespace wirelaw::umsp {

using enum SessionDeviation;

namespace {

constexpr std::uint16_t kGreatest = 0xffff;

bool has_other_headers(const Instruction& instruction) {
  return std::ranges::any_of(instruction.extensions, [](const ExtensionHeader& header) {
    return header.head_code != static_cast<std::uint16_t>(HeadCode::name);
  });
}

bool is_unusual(const Instruction& instruction) {
  const auto notif = VmNotif::read(instruction);
  if (!notif || instruction.operands.size() < 4) return true;
  const bool reserved = instruction.operands[2] != 0 || instruction.operands[3] != 0;
  const bool tcp_alone = notif->transport <= static_cast<std::uint16_t>(NodeTransport::several_tcp);
  return instruction.header.ask || !instruction.extensions.empty() || reserved || tcp_alone;
}

}  // namespace

void FaultySearch::on_request(const Origin& origin, const Instruction& instruction) {
  if (deviates(vm_req_unanswered)) return;
  if (deviates(vm_req_by_datagram_ignored) && origin.datagram) return;
  if (deviates(vm_req_without_ask_ignored) && !instruction.header.ask) return;
  if (deviates(vm_req_with_headers_ignored) && has_other_headers(instruction)) return;
  Search::on_request(origin, instruction);
}

void FaultySearch::respond(const Origin& origin, const Instruction& instruction, Codes codes) {
  Draft draft = codes_draft(Opcode::rsp_p, codes);
  draft.session_id = 0;
  draft.req_id = instruction.header.req_id;
  Search::send(origin, std::move(draft));
}

void FaultySearch::on_notification(const Origin& origin, const Instruction& instruction) {
  Search::on_notification(origin, instruction);
  if (deviates(vm_notif_answered)) respond(origin, instruction, {});
  if (deviates(unusual_vm_notif_refused) && is_unusual(instruction))
    respond(origin, instruction, codes_of(SessionError::malformed));
}

void FaultySearch::answer_name(const Origin& origin, const Instruction& instruction, std::string_view name) {
  if (!deviates(name_unanswered)) Search::answer_name(origin, instruction, name);
}

void FaultySearch::answer_all(const Origin& origin, const Instruction& instruction) {
  if (deviates(vm_req_for_all_unanswered)) return;
  if (!deviates(vms_in_one_notification)) return Search::answer_all(origin, instruction);
  std::vector<VmKind> all;
  for (const NamedVm& one : options_.vms) all.push_back(one.vm);
  notify(origin, instruction, all, {});
}

void FaultySearch::answer_one(const Origin& origin, const Instruction& instruction, VmKind wanted) {
  if (deviates(vm_req_for_one_gets_all)) return answer_all(origin, instruction);
  if (deviates(greatest_version_unnamed) && wanted.version == kGreatest && wanted != kZeroSessionVm)
    return notify(origin, instruction, {{wanted.type, 1}}, {});
  Search::answer_one(origin, instruction, wanted);
}

void FaultySearch::answer_group(const Origin& origin, const Instruction& instruction,
                                const std::vector<VmKind>& wanted) {
  if (deviates(vm_req_for_group_unanswered)) return;
  if (deviates(group_as_one_vm)) return notify(origin, instruction, {wanted.front()}, {});
  Search::answer_group(origin, instruction, wanted);
}

void FaultySearch::send(const Origin& origin, Draft draft) {
  if (deviates(vm_req_answered_by_tcp)) return out_.send(origin.from, std::move(draft));
  Search::send(origin, std::move(draft));
}

}  // namespace wirelaw::umsp
