// SPDX-License-Identifier: Apache-2.0
// What verbs://HOST:PORT[?device=NAME] stands for.
#pragma once

#include "harness/sockets/tcp_socket.h"
#include "harness/uri.h"
#include "harness/verbs/consumer.h"

namespace wirelaw::verbs {

inline std::string device_of(const Uri& uri) {
  for (const auto& [name, value] : uri.query)
    if (name == "device") return value;
  return {};
}

// The name is looked up now.
inline tl::expected<DeviceAddress, CarriageError> address_of(const Uri& uri) {
  const auto found = TcpSocket::find(uri.host, uri.port.value_or(0));
  if (!found) return tl::unexpected(found.error());
  return DeviceAddress{found->front(), device_of(uri)};
}

}  // namespace wirelaw::verbs
