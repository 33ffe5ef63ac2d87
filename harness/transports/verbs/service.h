// SPDX-License-Identifier: Apache-2.0
// A peer for others: a consumer of a device of this machine, with the application of harness/peers/verbs/application.h,
// at verbs://HOST:PORT[?device=NAME].
#pragma once

#include <memory>

#include "harness/transports/service.h"

namespace wirelaw {

// Makes a responder for all peers that connect. Port 0: any port.
tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_listener(const Uri& at, Service application);
// Makes an initiator that connects there, and does the rounds of the request.
tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_initiator(const Uri& to,
                                                                           const TriggerRequest& request);

}  // namespace wirelaw
