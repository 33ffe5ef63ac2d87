// SPDX-License-Identifier: Apache-2.0
#include "harness/control/channel.h"

namespace wirelaw::control {

Channel::Channel(Listener listener, bool& ignored, MakeRemote make_remote)
    : listener_(std::move(listener)), remote_(make_remote == nullptr ? nullptr : make_remote(listener_, ignored)) {}

std::unique_ptr<Channel> Channel::open(bool& ignored, MakeRemote make_remote) {
  auto listener = Listener::open();
  if (!listener) return nullptr;
  return std::unique_ptr<Channel>(new Channel(std::move(*listener), ignored, make_remote));
}

}  // namespace wirelaw::control
