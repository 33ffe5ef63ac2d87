// SPDX-License-Identifier: Apache-2.0
#include "harness/carriages/tcp/tcp_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/signal_set.hpp>
#include <atomic>
#include <csignal>
#include <deque>
#include <unordered_map>
#include <vector>

#include "harness/carriages/asio_address.h"
#include "harness/carriages/live_clock.h"
#include "harness/carriages/tcp/tcp_connect.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;
using Code = asio::error_code;

constexpr std::size_t kReadOctets = 256 * 1024;
// Of what waits to be sent, on all connections: while there is more, the peer is neither asked for more nor given more.
constexpr std::size_t kUnsentOctets = 4u << 20;
// Who takes nothing for so long, while it holds others up, is let go.
constexpr std::chrono::seconds kStalled{10};
constexpr std::size_t kBuffersAtOnce = 64;

struct Connection {
  explicit Connection(tcp::socket made) : socket(std::move(made)) {}

  tcp::socket socket;
  std::deque<OctetBuffer> unsent;
  std::size_t sent_of_first = 0;
  std::size_t unsent_octets = 0;
  Ending to_send = Ending::none;  // behind what is unsent
  bool we_ended = false;
  bool peer_ended = false;
  bool waits_to_read = false;
  bool waits_to_write = false;
  LiveClock::Steady::time_point progress = LiveClock::Steady::now();
};

bool is_transient(const Code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

}  // namespace

class TcpService::Inner {
 public:
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::signal_set signals{context};
  bool stopped = false;
  std::string host;  // to connect to
  std::uint16_t port = 0;
  std::atomic<std::size_t> most_connections = 0, most_unsent = 0;

  bool listens() const { return acceptor.is_open(); }
  tl::expected<void, CarriageError> connect();
  tl::expected<void, CarriageError> run(Peer& peer, const ServeOptions& options);

 private:
  using Entry = std::unordered_map<PeerId, Connection>::iterator;

  void add(tcp::socket socket);
  void accept();
  void accepted(const Code& code, tcp::socket socket);
  void read_when_ready(PeerId id, Connection& connection);
  void read(PeerId id);
  void received_end(PeerId id, Ending how);
  void queue(Outgoing out);
  void flush(PeerId id);
  void end_ours(PeerId id, Connection& connection);
  void drop(PeerId id, bool with_reset);
  void drop_stalled();
  tl::expected<void, CarriageError> pump();
  bool is_full() const { return unsent_ >= kUnsentOctets; }

  LiveClock clock_;
  Peer* peer_ = nullptr;
  std::size_t most_ = 0;
  std::unordered_map<PeerId, Connection> connections_;
  std::vector<PeerId> unannounced_;  // that the peer does not know yet
  std::vector<PeerId> paused_;       // whose octets wait until we have sent enough
  PeerId next_ = 0;
  std::size_t unsent_ = 0;
  bool accepting_ = false;
  Instant last_received_{0};
  OctetBuffer buffer_ = OctetBuffer(kReadOctets);
};

void TcpService::Inner::add(tcp::socket socket) {
  Code ignored;
  socket.non_blocking(true, ignored);
  socket.set_option(tcp::no_delay(true), ignored);
  connections_.emplace(next_, std::move(socket));
  unannounced_.push_back(next_++);
  most_connections = std::max(most_connections.load(), connections_.size());
}

tl::expected<void, CarriageError> TcpService::Inner::connect() {
  tcp::socket socket(context);
  auto connected = connect_by_name(context, socket, host, port, LiveClock::Steady::now() + kConnectTime);
  if (!connected) return connected;
  add(std::move(socket));
  return {};
}

void TcpService::Inner::accept() {
  if (!listens() || accepting_ || connections_.size() >= most_) return;
  accepting_ = true;
  acceptor.async_accept([this](const Code& code, tcp::socket socket) { accepted(code, std::move(socket)); });
}

void TcpService::Inner::accepted(const Code& code, tcp::socket socket) {
  accepting_ = false;
  if (code == asio::error::operation_aborted) return;
  // Without a descriptor to spare, the next is accepted when one of these has gone.
  if (code == asio::error::no_descriptors && !connections_.empty()) return;
  if (!code) add(std::move(socket));
  accept();
}

void TcpService::Inner::read_when_ready(PeerId id, Connection& connection) {
  if (connection.waits_to_read || connection.peer_ended) return;
  connection.waits_to_read = true;
  if (is_full()) return paused_.push_back(id);
  connection.socket.async_wait(tcp::socket::wait_read, [this, id](const Code& code) {
    if (!code) read(id);
  });
}

void TcpService::Inner::read(PeerId id) {
  const Entry found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  connection.waits_to_read = false;
  if (is_full()) return read_when_ready(id, connection);
  Code code;
  const std::size_t length = connection.socket.read_some(asio::buffer(buffer_), code);
  if (code && !is_transient(code)) return received_end(id, code == asio::error::eof ? Ending::closed : Ending::reset);
  read_when_ready(id, connection);
  if (length == 0) return;
  last_received_ = clock_.now();
  peer_->receive(id, Octets(buffer_).first(length), last_received_);
}

void TcpService::Inner::received_end(PeerId id, Ending how) {
  Connection& connection = connections_.at(id);
  last_received_ = clock_.now();
  connection.peer_ended = true;
  if (how == Ending::reset || connection.we_ended) drop(id, false);
  peer_->ended(id, how, last_received_);
}

void TcpService::Inner::queue(Outgoing out) {
  const Entry found = connections_.find(out.to);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  if (connection.to_send != Ending::none) {
    if (out.ending == Ending::reset) drop(out.to, true);  // it has closed, and waits for the other side no longer
    return;
  }
  if (!out.octets.empty()) {
    if (connection.unsent.empty()) connection.progress = LiveClock::Steady::now();
    connection.unsent_octets += out.octets.size();
    unsent_ += out.octets.size();
    most_unsent = std::max(most_unsent.load(), unsent_);
    connection.unsent.push_back(std::move(out.octets));
  }
  connection.to_send = out.ending;
  if (!connection.waits_to_write) flush(out.to);
}

void TcpService::Inner::flush(PeerId id) {
  const Entry found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  connection.waits_to_write = false;
  while (!connection.unsent.empty()) {
    std::array<asio::const_buffer, kBuffersAtOnce> buffers;
    const std::size_t count = std::min(buffers.size(), connection.unsent.size());
    for (std::size_t i = 0; i < count; ++i) buffers[i] = asio::buffer(connection.unsent[i]);
    buffers[0] += connection.sent_of_first;
    Code code;
    std::size_t sent = connection.socket.write_some(buffers, code);
    // A reset is read behind what the peer had sent before it; there is nobody to send to.
    if (code && !is_transient(code)) {
      unsent_ -= connection.unsent_octets;
      connection.unsent.clear();
      connection.unsent_octets = connection.sent_of_first = 0;
      if (connection.peer_ended) received_end(id, Ending::reset);  // nothing is read any more that would show it
      return;
    }
    if (code) {
      if (connection.to_send == Ending::reset) break;
      connection.waits_to_write = true;
      connection.socket.async_wait(tcp::socket::wait_write, [this, id](const Code& error) {
        if (!error) flush(id);
      });
      return;
    }
    connection.progress = LiveClock::Steady::now();
    connection.unsent_octets -= sent;
    unsent_ -= sent;
    sent += std::exchange(connection.sent_of_first, 0);
    while (!connection.unsent.empty() && sent >= connection.unsent.front().size()) {
      sent -= connection.unsent.front().size();
      connection.unsent.pop_front();
    }
    connection.sent_of_first = sent;
  }
  end_ours(id, connection);
}

void TcpService::Inner::end_ours(PeerId id, Connection& connection) {
  if (connection.to_send == Ending::none || connection.we_ended) return;
  if (connection.to_send == Ending::reset) return drop(id, true);
  Code ignored;
  connection.socket.shutdown(tcp::socket::shutdown_send, ignored);
  connection.we_ended = true;
  if (connection.peer_ended) drop(id, false);
}

void TcpService::Inner::drop(PeerId id, bool with_reset) {
  const Entry found = connections_.find(id);
  Connection& connection = found->second;
  Code ignored;
  if (with_reset) {
    connection.socket.set_option(asio::socket_base::linger(true, 0), ignored);
    connection.socket.close(ignored);  // the destructor would let it linger
  }
  unsent_ -= connection.unsent_octets;
  connections_.erase(found);
  accept();
}

void TcpService::Inner::drop_stalled() {
  const auto now = LiveClock::Steady::now();
  std::vector<PeerId> stalled;
  for (const auto& [id, connection] : connections_)
    if (!connection.unsent.empty() && now - connection.progress > kStalled) stalled.push_back(id);
  for (const PeerId id : stalled) {
    drop(id, true);
    peer_->ended(id, Ending::reset, clock_.now());
  }
}

// Everything that the peer wants now, as far as there is room for it.
tl::expected<void, CarriageError> TcpService::Inner::pump() {
  for (const PeerId id : std::exchange(unannounced_, {})) {
    const Entry found = connections_.find(id);
    if (found == connections_.end()) continue;
    last_received_ = clock_.now();
    peer_->opened(id, last_received_);
    read_when_ready(id, found->second);
  }
  for (Outgoing out; !is_full() && peer_->next_datagram(out); out = {}) queue(std::move(out));
  if (!is_full()) {
    for (const PeerId id : std::exchange(paused_, {})) {
      const Entry found = connections_.find(id);
      if (found == connections_.end()) continue;
      found->second.waits_to_read = false;
      read_when_ready(id, found->second);
    }
  }
  while (!listens() && connections_.size() < most_ && peer_->next_connection())
    if (auto connected = connect(); !connected) return connected;
  return {};
}

tl::expected<void, CarriageError> TcpService::Inner::run(Peer& peer, const ServeOptions& options) {
  peer_ = &peer;
  most_ = options.connections;
  last_received_ = clock_.now();
  accept();
  while (!stopped) {
    if (auto pumped = pump(); !pumped) return pumped;
    if (!unannounced_.empty()) continue;
    if (options.until_done && peer.idle() && unsent_ == 0) break;
    const Instant idle_end = options.idle ? last_received_ + *options.idle : Instant::max();
    const Instant due = peer.deadline().value_or(Instant::max());
    Instant until = std::min(idle_end, due);
    if (unsent_ > 0) until = std::min<Instant>(until, clock_.now() + kStalled / 10);
    context.restart();
    if (until <= clock_.now()) {
      context.poll_one();
    } else {
      context.run_one_until(clock_.at(until));
    }
    const Instant now = clock_.now();
    if (now >= due) peer.advance(now);
    if (unsent_ > 0) drop_stalled();
    if (now >= idle_end && now - last_received_ >= *options.idle) break;
  }
  return {};
}

TcpService::TcpService(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
TcpService::TcpService(TcpService&&) noexcept = default;
TcpService& TcpService::operator=(TcpService&&) noexcept = default;
TcpService::~TcpService() = default;

tl::expected<TcpService, CarriageError> TcpService::listen(const std::string& host, std::uint16_t port) {
  auto inner = std::make_unique<Inner>();
  auto listening = listen_by_name(inner->context, inner->acceptor, host, port);
  if (!listening) return tl::unexpected(listening.error());
  return TcpService(std::move(inner));
}

tl::expected<TcpService, CarriageError> TcpService::connect(const std::string& host, std::uint16_t port) {
  auto inner = std::make_unique<Inner>();
  inner->host = host;
  inner->port = port;
  auto connected = inner->connect();
  if (!connected) return tl::unexpected(connected.error());
  return TcpService(std::move(inner));
}

pcap::Endpoint TcpService::local() const {
  Code ignored;
  return endpoint_of(inner_->acceptor.local_endpoint(ignored));
}

std::size_t TcpService::most_connections() const {
  return inner_->most_connections;
}

std::size_t TcpService::most_unsent() const {
  return inner_->most_unsent;
}

void TcpService::stop_on_signals() {
  Inner& inner = *inner_;
  Code ignored;
  inner.signals.add(SIGINT, ignored);
  inner.signals.add(SIGTERM, ignored);
  inner.signals.async_wait([&inner](const Code& error, int) { inner.stopped = !error; });
}

tl::expected<void, CarriageError> TcpService::run(Peer& peer, const ServeOptions& options) {
  return inner_->run(peer, options);
}

}  // namespace wirelaw
