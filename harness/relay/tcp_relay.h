// SPDX-License-Identifier: Apache-2.0
// All TCP connections through a relay. It accepts initiators, up to a limit, and ends their connections when it ends.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <memory>
#include <unordered_map>

#include "harness/relay/tcp_link.h"

namespace wirelaw {

class TcpRelay {
 public:
  // `acceptor` is already listening. While `most` connections are open, further initiators wait in its queue.
  TcpRelay(asio::ip::tcp::acceptor& acceptor, TcpLinkContext shared, std::size_t most)
      : acceptor_(acceptor), shared_(std::move(shared)), most_(most) {}
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;

  void start() { accept(); }
  // No connection is open, and none waits to be accepted.
  bool is_idle();
  // Ends all connections that are open.
  void cut_all();

 private:
  void accept();
  bool accept_waiting();
  void add(asio::ip::tcp::socket socket, const pcap::Endpoint& from);

  asio::ip::tcp::acceptor& acceptor_;
  TcpLinkContext shared_;
  const std::size_t most_;
  std::unordered_map<std::uint64_t, std::shared_ptr<TcpLink>> links_;  // by number
  bool accepts_ = false;                                               // an accept is pending
};

}  // namespace wirelaw
