// SPDX-License-Identifier: Apache-2.0
// The application's end of the control channel: takes a call a line, and answers each.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <tl/expected.hpp>

#include "conformance/efa/application.h"
#include "harness/control/line.h"
#include "harness/control/socket.h"

namespace wirelaw::control {

// How long a call of the application waits, while who serves the peer looks at its socket.
inline constexpr std::chrono::milliseconds kLookEvery{1};

class Server {
 public:
  // Who takes calls, once the tester asks: towards the peer of this address.
  using Take = std::function<fabric::Application*(const efa::RawAddress& far)>;

  // Connects to where WIRELAW_CONTROL says; nothing where it says nothing, or nobody listens there.
  static std::optional<Server> from_environment(Take take);

  // Answers what has come until the deadline; false where the tester has gone.
  bool proceed(Socket::Deadline deadline);
  bool taken() const { return application_ != nullptr; }

 private:
  Server(Socket socket, Take take) : socket_(std::move(socket)), take_(std::move(take)) {}

  Line take(const Line& call);

  Socket socket_;
  Take take_;
  fabric::Application* application_ = nullptr;
};

// What this call gives.
Line answer(const Line& call, fabric::Application& application);

}  // namespace wirelaw::control
