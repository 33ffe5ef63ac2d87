// SPDX-License-Identifier: Apache-2.0
// What verbs://HOST:PORT[?device=NAME][&far=HOST[&far_device=NAME]] stands for.
#pragma once

#include "harness/sockets/tcp_socket.h"
#include "harness/uri.h"
#include "harness/verbs/consumer.h"

namespace wirelaw::verbs {

inline std::string parameter_of(const Uri& uri, std::string_view wanted) {
  for (const auto& [name, value] : uri.query)
    if (name == wanted) return value;
  return {};
}

inline std::string device_of(const Uri& uri) {
  return parameter_of(uri, "device");
}

// The name is looked up now.
inline tl::expected<DeviceAddress, CarriageError> address_of(const Uri& uri) {
  const auto found = TcpSocket::find(uri.host, uri.port.value_or(0));
  if (!found) return tl::unexpected(found.error());
  return DeviceAddress{found->front(), device_of(uri)};
}

// Of one that has a device at the far end as well (harness/verbs/pair.h).
inline bool has_far(const Uri& uri) {
  return !parameter_of(uri, "far").empty();
}

inline tl::expected<DeviceAddress, CarriageError> far_address_of(const Uri& uri) {
  const auto found = TcpSocket::find(parameter_of(uri, "far"), 0);
  if (!found) return tl::unexpected(found.error());
  return DeviceAddress{found->front(), parameter_of(uri, "far_device")};
}

}  // namespace wirelaw::verbs
