// SPDX-License-Identifier: Apache-2.0
// Accepts peers at a local socket, for every transport.
#pragma once

#include <memory>

#include "harness/environment.h"
#include "harness/uri.h"
#include "pcap/address.h"

namespace wirelaw {

class Listener {
 public:
  virtual ~Listener() = default;

  virtual pcap::Endpoint local() const = 0;
  // The text after "//" in a URI: for other machines, and for a peer on this one.
  virtual std::string place() const = 0;
  virtual std::string place_here() const { return place(); }
  // Returns a conversation with the next new peer, which may arrive later. The listener must outlive the conversation.
  virtual Connected accept() = 0;
  // Forgets the peers that were not accepted, and what they have sent.
  virtual void clear() = 0;
};

}  // namespace wirelaw
