// SPDX-License-Identifier: Apache-2.0
// What the surroundings of a case offer an IUT that is started for it: a place where its application may connect, and
// take calls from then on (harness/lab/soft_efa/README.md).
#pragma once

#include <memory>

#include "harness/control/client.h"
#include "harness/environment.h"

namespace wirelaw::control {

inline constexpr std::string_view kVariable = "WIRELAW_CONTROL";  // the path

class Channel {
 public:
  // `ignored` is kept for all cases with one IUT: whether it was waited for in vain. nullptr where there is no place.
  static std::unique_ptr<Channel> open(bool& ignored);

  std::string path() const { return listener_.path(); }
  // The same conversation, above whose other end the application may be driven. The channel outlives it.
  std::unique_ptr<Conversation> above(std::unique_ptr<Conversation> conversation);

 private:
  Channel(Listener listener, bool& ignored) : listener_(std::move(listener)), application_(listener_, ignored) {}

  Listener listener_;
  RemoteApplication application_;
};

}  // namespace wirelaw::control
