// SPDX-License-Identifier: Apache-2.0
// A live IUT over UDP or TCP, as the scheme of its URI says: one that listens, or one that connects and is started by a
// command or by hand.
#pragma once

#include <memory>
#include <string>

#include "harness/environment.h"
#include "harness/uri.h"

namespace wirelaw {

// The IUT is the responder, at `peer`, whose name is looked up now.
tl::expected<std::unique_ptr<Iut>, CarriageError> make_listening_iut(const Uri& peer);

// The IUT is the initiator: we listen at `at` for the whole run. An empty trigger means that somebody starts it by
// hand.
class ConnectingIut : public Iut {
 public:
  virtual std::string address() const = 0;  // where we listen: "127.0.0.1:7000"
};
tl::expected<std::unique_ptr<ConnectingIut>, CarriageError> make_connecting_iut(const Uri& at, std::string trigger);

}  // namespace wirelaw
