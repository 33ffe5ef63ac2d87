// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/search_probe.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr unsigned kTries = 10;  // number of datagrams: nothing else shows whether they arrive (UMSP/B44)

}  // namespace

std::string to_text(const Notices& notices) {
  return notices.empty() ? "no VM_NOTIF" : std::to_string(notices.size()) + " VM_NOTIF, none of these";
}

Draft request_for(std::vector<VmKind> vms, std::string_view name) {
  Draft draft = VmReq{std::move(vms)}.draft();
  if (!name.empty()) draft.extensions.push_back(text_extension(HeadCode::name, name));
  return draft;
}

bool lists(const Notices& notices, VmKind vm) {
  return std::ranges::any_of(notices, [vm](const Notice& one) { return one.is_about(vm); });
}

Wanted one_that(std::function<bool(const Notice& one)> holds) {
  return [holds = std::move(holds)](const Notices& notices) { return std::ranges::any_of(notices, holds); };
}

Wanted list_of(VmKind vm) {
  return [vm](const Notices& notices) { return lists(notices, vm); };
}

// Reads all notices, so that none is left for the next request. The first may take the time to answer, the others the
// time of silence.
void SearchProbe::add_notices(Notices& all) {
  Instant deadline = in(run().answer_time());
  while (const auto one = next(deadline)) {
    const auto notif = one->is(Opcode::vm_notif) ? VmNotif::read(one->instruction) : std::nullopt;
    if (!notif) continue;
    all.push_back({notif->transport, notif->vms, std::string(name_of(one->instruction).value_or(""))});
    deadline = in(run().silence_time());
  }
}

Notices SearchProbe::answers(Draft draft, bool with_id, const Wanted& are_wanted) {
  Notices all;
  const auto is_enough = [&] { return !all.empty() && (!are_wanted || are_wanted(all)); };
  for (unsigned tried = 0; tried < (is_datagrams() ? kTries : 1) && ok() && !is_enough(); ++tried) {
    if (with_id) draft.req_id = new_request();
    send(draft);
    add_notices(all);
  }
  has_answered_ = has_answered_ || !all.empty();
  if (is_datagrams() && all.empty() && !listens_at_port())
    inconclusive("no VM_NOTIF came, and the tester's port 2110 cannot receive one");
  return all;
}

std::optional<VmKind> SearchProbe::own_vm() {
  VmKind of_it = vm();
  if (of_it.type == 0 || of_it.version == 0)
    for (const Notice& notice : ask(request_for({}), one_that(&Notice::is_vm)))
      if (notice.is_vm()) of_it = notice.vms.front();
  if (of_it.type != 0 && of_it.version != 0) return of_it;
  if (is_datagrams() && !has_answered_) inconclusive("VM_REQ was not answered");
  skip("needs an IUT that declares 'vm' and 'vm_version', or that lists its VMs");
  return std::nullopt;
}

}  // namespace wirelaw::umsp
