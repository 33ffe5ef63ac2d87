// SPDX-License-Identifier: Apache-2.0
#include "harness/control/server.h"

#include <cstdlib>

#include "harness/control/channel.h"

namespace wirelaw::control {
namespace {

constexpr std::chrono::seconds kPatience{10};

class NoCalls final : public Calls {
 public:
  Line answer(const Line&) override { return failure("no application takes calls"); }
};

}  // namespace

Line failure(std::string_view why) {
  return Line().put_error(why);
}

std::optional<Server> Server::from_environment(std::unique_ptr<Calls> calls) {
  const char* const path = std::getenv(kVariable);
  if (path == nullptr || *path == 0) return std::nullopt;
  auto socket = Socket::connect(path);
  if (!socket) return std::nullopt;
  return Server(std::move(*socket), calls ? std::move(calls) : std::make_unique<NoCalls>());
}

bool Server::proceed(Socket::Deadline deadline) {
  const auto text = socket_.receive(deadline);
  if (!text) return false;
  if (!*text) return true;
  const Line reply = calls_->answer(Line::parse(**text));
  return socket_.send(reply.text(), std::chrono::steady_clock::now() + kPatience).has_value();
}

}  // namespace wirelaw::control
