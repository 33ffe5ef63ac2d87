// SPDX-License-Identifier: Apache-2.0
// Connects a protocol above RDMAP with a peer over an RDMA device of this machine (iWARP, RoCE or InfiniBand):
// conversations of octets as RDMAP over MPA would have them, through a gateway (harness/peers/verbs/gateway.h). A build
// without librdmacm's headers has it too, and reports that it cannot run.
#pragma once

#include <memory>

#include "harness/transports/connector.h"
#include "harness/transports/listener.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/service.h"
#include "harness/uri.h"

namespace wirelaw {

tl::expected<std::unique_ptr<Connector>, TransportError> verbs_connector(const Uri& peer, const LiveClock& clock);
// HOST is an address of the device.
tl::expected<std::unique_ptr<Listener>, TransportError> verbs_stream_listener(const Uri& at, const LiveClock& clock);

// A reference peer that listens there, or connects.
tl::expected<std::unique_ptr<PeerService>, Refusal> serve_verbs_streams(const ServeRequest& request);

}  // namespace wirelaw
