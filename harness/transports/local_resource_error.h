// SPDX-License-Identifier: Apache-2.0
// Errors because the tester itself lacks a resource. They are no evidence about the peer.
#pragma once

#include "conformance/transport.h"

namespace wirelaw {

// The hints of all errors that are caused by too few file descriptors or too few ports. is_local_resource_error()
// recognises these errors by their hints.
inline constexpr const char* kNoSocket = "see how many files a process may open: ulimit -n";
inline constexpr const char* kNoPort = "see how many there are: sysctl net.ipv4.ip_local_port_range";

inline bool is_local_resource_error(const TransportError& error) {
  return error.hint == kNoSocket || error.hint == kNoPort;
}

inline TransportError no_port_to(const std::string& name) {
  return {.message = "no local port is free to reach " + name + " from", .hint = kNoPort};
}

}  // namespace wirelaw
