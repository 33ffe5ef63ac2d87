// SPDX-License-Identifier: Apache-2.0
// This machine's RDMA device as the IUT, and as a peer: verbs://HOST:PORT[?device=NAME]. HOST is an address of the
// device. A build without librdmacm's headers has all of it too, and reports that it cannot run.
//
// The IUT is the device with its stack, which our consumer drives through verbs. As the responder it listens at the
// URI, as the initiator it connects there. The tester has the other end of the same connection, a TCP socket that
// speaks MPA (with an iWARP device; no other kind is tested so). That wire is recorded and judged, and may carry
// anything. With ?far=HOST a consumer has the other end as well (harness/transports/verbs/pair.h), for any transport.
// Unless a case drives the consumer itself, the application in harness/peers/verbs/application.h is above it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/transports/scheme.h"
#include "pcap/address.h"

namespace wirelaw {

// The scheme of these URIs.
inline constexpr std::string_view kVerbs = "verbs";

// An error if there is no such device.
tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_responder(const Uri& at, Service application);
// Makes an IUT that we start ourselves, so it needs no trigger.
tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_initiator(const Uri& at);

// The addresses of this machine at which each device can be reached, by name. Empty if they cannot be found out.
std::map<std::string, std::vector<pcap::Address>> verbs_addresses();

}  // namespace wirelaw
