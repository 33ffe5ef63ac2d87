// SPDX-License-Identifier: Apache-2.0
// The application's end of the control channel: takes a call a line, and answers each.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "harness/control/line.h"
#include "harness/control/socket.h"

namespace wirelaw::control {

// The time that a call of the application waits, while the thread that serves the peer polls its socket.
inline constexpr std::chrono::milliseconds kLookEvery{1};

// Takes the calls. The first word from a tester is `take`.
class Calls {
 public:
  virtual ~Calls() = default;
  virtual Line answer(const Line& call) = 0;
};

Line failure(std::string_view why);

class Server {
 public:
  // Connects to the path in WIRELAW_CONTROL; nothing if it is not set, or nothing listens there. Without `calls` it
  // takes none.
  static std::optional<Server> from_environment(std::unique_ptr<Calls> calls);

  // Answers the calls that arrive until the deadline; false if the tester has gone.
  bool proceed(Socket::Deadline deadline);

 private:
  Server(Socket socket, std::unique_ptr<Calls> calls) : socket_(std::move(socket)), calls_(std::move(calls)) {}

  Socket socket_;
  std::unique_ptr<Calls> calls_;
};

}  // namespace wirelaw::control
