// SPDX-License-Identifier: Apache-2.0
// Makes the ends of a session's chains: such as conform, or such as commit deviations.
#pragma once

#include <memory>

#include "reference/umsp/chains/deviations.h"
#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/sender.h"

namespace wirelaw::umsp {

// As the constructors. Only the `deviations` that this end can commit have an effect.
std::unique_ptr<ChainReceiver> make_chain_receiver(const ReceiverOptions& options, Executor& executor,
                                                   const Circumstances& session,
                                                   const ChainDeviations& deviations = {});
std::unique_ptr<ChainSender> make_chain_sender(const SenderOptions& options, const ChainDeviations& deviations = {});

}  // namespace wirelaw::umsp
