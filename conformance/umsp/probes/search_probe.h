// SPDX-License-Identifier: Apache-2.0
// The probe for the search for virtual machines (RFC 3018 9): VM_REQ, and the VM_NOTIFs that answer it. A request by
// datagram is sent several times, as one may be lost.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/umsp/probes/executor_probe.h"

namespace wirelaw::umsp {

// The contents of a VM_NOTIF.
struct Notice {
  std::uint16_t transport = 0;
  std::vector<VmKind> vms;
  std::string name;
  bool is_group() const { return !vms.empty() && vms.front().type == 0; }
  bool is_vm() const { return vms.size() == 1 && !is_group(); }
  bool is_about(VmKind vm) const { return vms.size() == 1 && vms.front().type == vm.type; }
};
using Notices = std::vector<Notice>;
using Wanted = std::function<bool(const Notices& notices)>;  // called with at least one notice

std::string to_text(const Notices& notices);
Draft request_for(std::vector<VmKind> vms, std::string_view name = {});
bool lists(const Notices& notices, VmKind vm);
// Wants at least one notice for which `holds` is true.
Wanted one_that(std::function<bool(const Notice& one)> holds);
Wanted list_of(VmKind vm);

class SearchProbe : public ExecutorProbe {
 public:
  // Uses TCP, or datagrams if the IUT is given only by these.
  explicit SearchProbe(CaseRun& run) : ExecutorProbe(run, EitherWay{}) {}
  SearchProbe(CaseRun& run, const Route& route) : ExecutorProbe(run, route) {}

  // All answers to a VM_REQ with a new REQ_ID, or none. A VM_REQ by datagram is repeated until `are_wanted` is true for
  // all answers so far. The case is inconclusive if nothing arrives, and nothing could arrive at port 2110.
  Notices ask(const Draft& draft, const Wanted& are_wanted = {}) { return answers(draft, true, are_wanted); }
  Notices ask_without_id(const Draft& draft, const Wanted& are_wanted = {}) {
    return answers(draft, false, are_wanted);
  }
  // A VM of the IUT: the declared one, or one that it lists. The case is skipped if there is none.
  std::optional<VmKind> own_vm();

 private:
  Notices answers(Draft draft, bool with_id, const Wanted& are_wanted);
  void add_notices(Notices& all);

  bool has_answered_ = false;
};

// A TCP connection; a case may also use datagrams.
class TcpSearchProbe : public SearchProbe {
 public:
  explicit TcpSearchProbe(CaseRun& run) : SearchProbe(run, Route{}) {}
};

}  // namespace wirelaw::umsp
