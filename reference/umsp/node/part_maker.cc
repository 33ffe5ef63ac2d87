// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/part_maker.h"

namespace wirelaw::umsp {

std::unique_ptr<Links> PartMaker::links(const LinkLimits& limits) const {
  return std::make_unique<Links>(limits);
}

std::unique_ptr<Executor> PartMaker::vm(const VmOptions& options) const {
  return std::make_unique<VirtualMachine>(options);
}

std::unique_ptr<ControlPoint> PartMaker::control_point(const ControlOptions& options, Outbox& out) const {
  return std::make_unique<ControlPoint>(options, out);
}

std::unique_ptr<Tasks> PartMaker::tasks(const TaskOptions& options, Outbox& out, ControlPoint& own) const {
  return std::make_unique<Tasks>(options, out, own);
}

std::unique_ptr<Sessions> PartMaker::sessions(const SessionOptions& options, Outbox& out) const {
  return std::make_unique<Sessions>(options, out);
}

std::unique_ptr<Search> PartMaker::search(const SearchOptions& options, Outbox& out) const {
  return std::make_unique<Search>(options, out);
}

std::unique_ptr<ChainReceiver> PartMaker::receiver(const ReceiverOptions& options, Executor& vm,
                                                   const Circumstances& session) const {
  return std::make_unique<ChainReceiver>(options, vm, session);
}

std::unique_ptr<ChainSender> PartMaker::sender(const SenderOptions& options) const {
  return std::make_unique<ChainSender>(options);
}

const PartMaker& honest_parts() {
  static const PartMaker kHonest;
  return kHonest;
}

}  // namespace wirelaw::umsp
