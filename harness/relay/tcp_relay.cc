// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/tcp_relay.h"

#include <utility>
#include <vector>

#include "harness/transports/asio_address.h"

namespace wirelaw {

using asio::ip::tcp;

void TcpRelay::accept() {
  if (accepts_ || links_.size() >= most_) return;
  accepts_ = true;
  acceptor_.async_wait(tcp::acceptor::wait_read, [this](const asio::error_code& code) {
    accepts_ = false;
    if (!code && accept_waiting()) accept();
  });
}

// Returns false if the process has no file descriptor left: it accepts again when a connection has ended.
bool TcpRelay::accept_waiting() {
  while (links_.size() < most_) {
    asio::error_code code;
    tcp::socket socket(shared_.context);
    tcp::endpoint from;
    acceptor_.accept(socket, from, code);
    if (code == asio::error::connection_aborted) continue;  // it was reset before it was accepted
    if (code) return code != asio::error::no_descriptors || links_.empty();
    add(std::move(socket), endpoint_of(from));
  }
  return true;
}

void TcpRelay::add(tcp::socket socket, const pcap::Endpoint& from) {
  const std::uint64_t number = ++shared_.counts.connections;
  const auto over = [this, number] {
    links_.erase(number);
    accept();
  };
  const auto link = std::make_shared<TcpLink>(shared_, std::move(socket), from, number, over);
  links_.emplace(number, link);
  link->start();
}

bool TcpRelay::is_idle() {
  accept_waiting();
  return links_.empty();
}

void TcpRelay::cut_all() {
  std::vector<std::shared_ptr<TcpLink>> open;
  open.reserve(links_.size());
  for (const auto& [number, link] : links_) open.push_back(link);
  for (const auto& link : open) link->cut("the relay ends");
}

}  // namespace wirelaw
