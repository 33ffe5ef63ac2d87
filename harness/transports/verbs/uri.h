// SPDX-License-Identifier: Apache-2.0
// The meaning of verbs://HOST:PORT[?device=NAME][&far=HOST[&far_device=NAME]].
#pragma once

#include "harness/transports/scheme.h"
#include "harness/transports/tcp/tcp_socket.h"
#include "harness/transports/verbs/consumer.h"

namespace wirelaw::verbs {

inline std::string device_of(const Uri& uri) {
  return uri.option("device");
}

// The name is looked up now.
inline tl::expected<DeviceAddress, TransportError> address_of(const Uri& uri) {
  const SocketPlace place = socket_place(uri);
  const auto found = TcpSocket::find(place.host, place.port);
  if (!found) return tl::unexpected(found.error());
  return DeviceAddress{found->front(), device_of(uri)};
}

// Returns true for a URI with a device at the far end as well (harness/transports/verbs/pair.h).
inline bool has_far(const Uri& uri) {
  return !uri.option("far").empty();
}

inline tl::expected<DeviceAddress, TransportError> far_address_of(const Uri& uri) {
  const auto found = TcpSocket::find(uri.option("far"), 0);
  if (!found) return tl::unexpected(found.error());
  return DeviceAddress{found->front(), uri.option("far_device")};
}

}  // namespace wirelaw::verbs
