// SPDX-License-Identifier: Apache-2.0
// A live IUT in a separate process, over any transport that connects or listens (Scheme): one that listens, or one that
// connects and is started by a command or by hand.
#pragma once

#include <memory>
#include <string>

#include "harness/transports/scheme.h"

namespace wirelaw {

// The IUT is the responder, at `peer`, whose name is looked up now.
tl::expected<std::unique_ptr<Iut>, TransportError> make_listening_iut(const Uri& peer);

// The IUT is the initiator: we listen at `at` for the whole run. An empty trigger means that the user starts it by
// hand. `remote`: how a case drives the IUT's application.
class ConnectingIut : public Iut {
 public:
  virtual std::string address() const = 0;  // our listening address: "127.0.0.1:7000"
};
tl::expected<std::unique_ptr<ConnectingIut>, TransportError> make_connecting_iut(const Uri& at, std::string trigger,
                                                                                 control::MakeRemote remote = nullptr);

// A listening or a connecting IUT, as the request asks (Scheme::make_iut).
tl::expected<TestedIut, Refusal> make_live_iut(const IutRequest& request);

}  // namespace wirelaw
