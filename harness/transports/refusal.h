// SPDX-License-Identifier: Apache-2.0
// The reason why a transport cannot do what the command line asks for.
#pragma once

#include <fmt/format.h>

#include <string>

#include "conformance/transport.h"
#include "harness/transports/local_resource_error.h"

namespace wirelaw {

struct Refusal {
  std::string message;        // one line
  bool is_peer_lost = false;  // the peer, or the device of this machine, cannot be reached: not a wrong use
};

inline std::string one_line(const TransportError& error) {
  return error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint);
}
inline Refusal misuse(const TransportError& error) {
  return {one_line(error), false};
}
// A resource that the tester itself lacks is no fault of the peer.
inline Refusal peer_lost(const TransportError& error) {
  return {one_line(error), !is_local_resource_error(error)};
}

}  // namespace wirelaw
