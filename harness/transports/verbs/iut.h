// SPDX-License-Identifier: Apache-2.0
// The RDMA device of this machine as the IUT, and as a peer: verbs://HOST:PORT[?device=NAME], HOST being an address of
// the device. A build without the headers of librdmacm has all of it too, and says that it cannot.
//
// The IUT is the device with its stack, driven through verbs by a consumer of ours: as the responder it listens at the
// URI, as the initiator it connects there. The other end of the same connection is the tester's own, a TCP socket that
// speaks MPA (of an iWARP device, which is the only kind that is tested so): the wire is recorded and judged, and may
// carry anything. With ?far=HOST a consumer has the other end as well (harness/transports/verbs/pair.h), whatever the
// transport. Unless a case drives the consumer by itself, the application of harness/peers/verbs/application.h is above
// it.
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

// An error where there is no such device.
tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_responder(const Uri& at, Service application);
// It is started by us, and needs no trigger.
tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_initiator(const Uri& at);

// By the names of devices, the addresses of this machine that they can be reached at. None where nothing can be found
// out.
std::map<std::string, std::vector<pcap::Address>> verbs_addresses();

}  // namespace wirelaw
