// SPDX-License-Identifier: Apache-2.0
// A node's configuration, and the maker of its parts; reference/umsp/node/faults/ has another one.
#pragma once

#include <memory>
#include <vector>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/sender.h"
#include "reference/umsp/node/control_point.h"
#include "reference/umsp/node/links.h"
#include "reference/umsp/node/search.h"
#include "reference/umsp/node/sessions.h"
#include "reference/umsp/node/tasks.h"
#include "reference/umsp/vm/vm.h"

namespace wirelaw::umsp {

struct NodeOptions {
  NodeAddress address = {};
  NodeFormat format = {};
  // The node sets address, format, window and VMs in the following options.
  VmOptions vm = {};
  SessionOptions sessions = {};
  TaskOptions tasks = {};
  ControlOptions control = {};
  SearchOptions search = {};
  // Other names of its virtual machine, with greater types, in ascending order: they share everything with it, and can
  // be in a group with it (9).
  std::vector<NamedVm> beside = {};
  LinkLimits links = {};
  ReceiverOptions received = {};
  SenderOptions sent = {};
};

class PartMaker {
 public:
  virtual ~PartMaker() = default;

  virtual std::unique_ptr<Links> links(const LinkLimits& limits) const { return std::make_unique<Links>(limits); }
  virtual std::unique_ptr<Executor> vm(const VmOptions& options) const {
    return std::make_unique<VirtualMachine>(options);
  }
  virtual std::unique_ptr<ControlPoint> control_point(const ControlOptions& options, Outbox& out) const {
    return std::make_unique<ControlPoint>(options, out);
  }
  virtual std::unique_ptr<Tasks> tasks(const TaskOptions& options, Outbox& out, ControlPoint& own) const {
    return std::make_unique<Tasks>(options, out, own);
  }
  virtual std::unique_ptr<Sessions> sessions(const SessionOptions& options, Outbox& out) const {
    return std::make_unique<Sessions>(options, out);
  }
  virtual std::unique_ptr<Search> search(const SearchOptions& options, Outbox& out) const {
    return std::make_unique<Search>(options, out);
  }
  virtual std::unique_ptr<ChainReceiver> receiver(const ReceiverOptions& options, Executor& vm,
                                                  const Circumstances& session) const {
    return std::make_unique<ChainReceiver>(options, vm, session);
  }
  virtual std::unique_ptr<ChainSender> sender(const SenderOptions& options) const {
    return std::make_unique<ChainSender>(options);
  }
};
// The maker of conforming parts.
inline const PartMaker& honest_parts() {
  static const PartMaker kHonest;
  return kHonest;
}

}  // namespace wirelaw::umsp
