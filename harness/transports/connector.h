// SPDX-License-Identifier: Apache-2.0
// The way to a peer that listens, for any transport.
#pragma once

#include <string>
#include <string_view>

#include "harness/environment.h"
#include "pcap/address.h"

namespace wirelaw {

class Connector {
 public:
  virtual ~Connector() = default;

  virtual std::string place() const = 0;                 // Iut::name(), the part after "//"
  virtual std::string capture_note() const = 0;          // Iut::capture_note()
  virtual bool learn(std::string_view) { return true; }  // Iut::learn()
  // Connects from a fresh local address. The connector outlives the conversation.
  virtual tl::expected<Connected, TransportError> connect(const Route& route) = 0;
  // Our address, as the route's node.
  virtual tl::expected<pcap::Address, TransportError> address(const Route&) {
    return tl::unexpected(no_way("the tester does not listen beside this transport"));
  }
};

}  // namespace wirelaw
