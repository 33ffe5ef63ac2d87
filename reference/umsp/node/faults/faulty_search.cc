// SPDX-License-Identifier: Apache-2.0
// A search for VMs that commits deviations.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"
#include "reference/umsp/node/session.h"

namespace wirelaw::umsp {
namespace {

using enum SessionDeviation;

constexpr std::uint16_t kGreatest = 0xffff;

bool is_unusual(const Instruction& instruction) {
  const auto notif = VmNotif::read(instruction);
  if (!notif || instruction.operands.size() < 4) return true;
  const bool reserved = instruction.operands[2] != 0 || instruction.operands[3] != 0;
  const bool tcp_alone = notif->transport <= static_cast<std::uint16_t>(NodeTransport::several_tcp);
  return instruction.header.ask || !instruction.extensions.empty() || reserved || tcp_alone;
}

class FaultySearch final : public Search {
 public:
  FaultySearch(SearchOptions options, Outbox& out, const SessionDeviations& deviations)
      : Search(std::move(options), out), deviations_(deviations) {}

 private:
  void on_request(const Origin& origin, const Instruction& instruction) override {
    const Arrived received{.instruction = instruction, .datagram = origin.datagram};
    if (!ignores(session_edits(), deviations_, received)) Search::on_request(origin, instruction);
  }

  void respond(const Origin& origin, const Instruction& instruction, Codes codes) {
    Draft draft = codes_draft(Opcode::rsp_p, codes);
    draft.session_id = 0;
    draft.req_id = instruction.header.req_id;
    Search::send(origin, std::move(draft));
  }

  void on_notification(const Origin& origin, const Instruction& instruction) override {
    Search::on_notification(origin, instruction);
    if (answers(session_edits(), deviations_, instruction.opcode())) respond(origin, instruction, {});
    if (deviates(unusual_vm_notif_refused) && is_unusual(instruction))
      respond(origin, instruction, codes_of(SessionError::malformed));
  }

  void answer_name(const Origin& origin, const Instruction& instruction, std::string_view name) override {
    if (!deviates(name_unanswered)) Search::answer_name(origin, instruction, name);
  }

  void answer_all(const Origin& origin, const Instruction& instruction) override {
    if (deviates(vm_req_for_all_unanswered)) return;
    if (!deviates(vms_in_one_notification)) return Search::answer_all(origin, instruction);
    std::vector<VmKind> all;
    for (const NamedVm& one : options_.vms) all.push_back(one.vm);
    notify(origin, instruction, all, {});
  }

  void answer_one(const Origin& origin, const Instruction& instruction, VmKind wanted) override {
    if (deviates(vm_req_for_one_gets_all)) return answer_all(origin, instruction);
    if (deviates(greatest_version_unnamed) && wanted.version == kGreatest && wanted != kZeroSessionVm)
      return notify(origin, instruction, {{wanted.type, 1}}, {});
    Search::answer_one(origin, instruction, wanted);
  }

  void answer_group(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& wanted) override {
    if (deviates(vm_req_for_group_unanswered)) return;
    if (deviates(group_as_one_vm)) return notify(origin, instruction, {wanted.front()}, {});
    Search::answer_group(origin, instruction, wanted);
  }

  void send(const Origin& origin, Draft draft) override {
    if (deviates(vm_req_answered_by_tcp)) return out_.send(origin.from, std::move(draft));
    Search::send(origin, std::move(draft));
  }
  bool deviates(SessionDeviation deviation) const { return deviations_.has(deviation); }
  SessionDeviations deviations_;
};

}  // namespace

std::unique_ptr<Search> make_search(const SearchOptions& options, Outbox& out, const SessionDeviations& deviations) {
  return std::make_unique<FaultySearch>(options, out, deviations);
}

}  // namespace wirelaw::umsp
