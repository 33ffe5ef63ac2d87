// SPDX-License-Identifier: Apache-2.0
// The control channel of a case, for an IUT that is started for it: a socket to which the IUT's application may connect
// to take calls.
#pragma once

#include <memory>
#include <string>

#include "conformance/offers.h"
#include "harness/control/socket.h"

namespace wirelaw::control {

inline constexpr const char* kVariable = "WIRELAW_CONTROL";  // the path

// An application in another process, as its protocol drives it.
class Remote {
 public:
  virtual ~Remote() = default;
  // Adds it to what a conversation offers, which has the clock of `wire`.
  virtual void offer(const Wire& wire, Offers& offers) = 0;
};
// The listener outlives it. Where an application has not connected, which `ignored` keeps, the next is not waited for.
using MakeRemote = std::unique_ptr<Remote> (*)(Listener& listener, bool& ignored);

class Channel {
 public:
  // `ignored` is kept for all cases with one IUT: it records whether a connection was awaited in vain. Without
  // `make_remote` no IUT is driven. nullptr if the socket could not be made.
  static std::unique_ptr<Channel> open(bool& ignored, MakeRemote make_remote);

  std::string path() const { return listener_.path(); }
  // The channel outlives the offer.
  void offer(const Wire& wire, Offers& offers) {
    if (remote_) remote_->offer(wire, offers);
  }

 private:
  Channel(Listener listener, bool& ignored, MakeRemote make_remote);

  Listener listener_;
  std::unique_ptr<Remote> remote_;
};

}  // namespace wirelaw::control
