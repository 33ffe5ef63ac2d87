// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/make_node.h"

#include <utility>

#include "reference/umsp/chains/make_chains.h"
#include "reference/umsp/node/faults/faulty_links.h"
#include "reference/umsp/node/faults/faulty_node.h"
#include "reference/umsp/node/faults/faulty_search.h"
#include "reference/umsp/node/faults/faulty_sessions.h"
#include "reference/umsp/node/faults/make_jobs.h"
#include "reference/umsp/vm/faults/make_vm.h"

namespace wirelaw::umsp {
namespace {

class FaultyParts final : public PartMaker {
 public:
  explicit FaultyParts(Deviations deviations) : deviations_(std::move(deviations)) {}

  std::unique_ptr<Links> links(const LinkLimits& limits) const override {
    return std::make_unique<FaultyLinks>(limits, deviations_.node);
  }
  std::unique_ptr<Executor> vm(const VmOptions& options) const override { return make_vm(options, deviations_.vm); }
  std::unique_ptr<ControlPoint> control_point(const ControlOptions& options, Outbox& out) const override {
    return make_control_point(options, out, deviations_.jobs);
  }
  std::unique_ptr<Tasks> tasks(const TaskOptions& options, Outbox& out, ControlPoint& own) const override {
    return make_tasks(options, out, own, deviations_.jobs);
  }
  std::unique_ptr<ChainReceiver> receiver(const ReceiverOptions& options, Executor& vm,
                                          const Circumstances& session) const override {
    return make_chain_receiver(options, vm, session, deviations_.chains);
  }
  std::unique_ptr<ChainSender> sender(const SenderOptions& options) const override {
    return make_chain_sender(options, deviations_.chains);
  }
  std::unique_ptr<Sessions> sessions(const SessionOptions& options, Outbox& out) const override {
    return std::make_unique<FaultySessions>(options, out, deviations_.sessions);
  }
  std::unique_ptr<Search> search(const SearchOptions& options, Outbox& out) const override {
    return std::make_unique<FaultySearch>(options, out, deviations_.sessions);
  }

 private:
  Deviations deviations_;
};

// A base class, so that the parts are constructed before the node that uses them.
struct WithParts {
  explicit WithParts(const Deviations& deviations) : parts(deviations) {}
  FaultyParts parts;
};
class NodeOfParts final : private WithParts, public FaultyNode {
 public:
  NodeOfParts(const NodeOptions& options, const Deviations& deviations)
      : WithParts(deviations), FaultyNode(options, parts, deviations.node) {}
};

}  // namespace

std::unique_ptr<Node> make_node(const NodeOptions& options, const Deviations& deviations) {
  return std::make_unique<NodeOfParts>(options, deviations);
}

}  // namespace wirelaw::umsp
