// SPDX-License-Identifier: Apache-2.0
// Makes the parts of a node, which conform or commit deviations. The functions take the arguments of the constructors.
// They ignore deviations that the part cannot commit.
#pragma once

#include <memory>

#include "reference/umsp/deviations.h"
#include "reference/umsp/node/part_maker.h"

namespace wirelaw::umsp {

std::unique_ptr<Links> make_links(const LinkLimits& limits, const NodeDeviations& deviations = {});
std::unique_ptr<VirtualMachine> make_vm(VmOptions options = {}, const VmDeviations& deviations = {});
// Also without deviations one that could commit them.
std::unique_ptr<VirtualMachine> make_faulty_vm(VmOptions options, const VmDeviations& deviations);
std::unique_ptr<ControlPoint> make_control_point(const ControlOptions& options, Outbox& outbox,
                                                 const JobDeviations& deviations = {}, FormerControl former = {},
                                                 Instant now = {});
std::unique_ptr<Tasks> make_tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own,
                                  const JobDeviations& deviations = {});
std::unique_ptr<Sessions> make_sessions(const SessionOptions& options, Outbox& out,
                                        const SessionDeviations& deviations = {});
std::unique_ptr<Search> make_search(const SearchOptions& options, Outbox& out,
                                    const SessionDeviations& deviations = {});
std::unique_ptr<ChainReceiver> make_chain_receiver(const ReceiverOptions& options, Executor& executor,
                                                   const Circumstances& session,
                                                   const ChainDeviations& deviations = {});
std::unique_ptr<ChainSender> make_chain_sender(const SenderOptions& options, const ChainDeviations& deviations = {});

}  // namespace wirelaw::umsp
