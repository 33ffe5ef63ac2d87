// SPDX-License-Identifier: Apache-2.0
// Makes the ends of a session's chains, which conform or commit deviations.
#pragma once

#include <memory>

#include "reference/umsp/chains/deviations.h"
#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/sender.h"

namespace wirelaw::umsp {

// Take the arguments of the constructors. Deviations that this end cannot commit are ignored.
std::unique_ptr<ChainReceiver> make_chain_receiver(const ReceiverOptions& options, Executor& executor,
                                                   const Circumstances& session,
                                                   const ChainDeviations& deviations = {});
std::unique_ptr<ChainSender> make_chain_sender(const SenderOptions& options, const ChainDeviations& deviations = {});

}  // namespace wirelaw::umsp
