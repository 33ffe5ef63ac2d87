// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_socket.h"

#include <fmt/format.h>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <deque>

#include "harness/transports/asio_address.h"
#include "harness/transports/tcp/tcp_connect.h"
#include "harness/transports/thread_context.h"
#include "harness/wait.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;
using Code = asio::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadOctets = 64 * 1024;
// The limit for what arrives while we cannot send. A peer that takes nothing until we read gets this far.
constexpr std::size_t kInboxOctets = 32u << 20;
// A peer that reads nothing for this long is an error.
constexpr std::chrono::seconds kStalled{10};

bool wait_for(int descriptor, short events, Clock::time_point deadline) {
  pollfd waited{.fd = descriptor, .events = events, .revents = 0};
  return wirelaw::wait_for(std::span(&waited, 1), deadline);
}

bool is_transient(const Code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

// The errors by which the system reports that the peer has reset the connection, perhaps before we sent.
bool is_reset(const Code& code) {
  return code == asio::error::connection_reset || code == asio::error::broken_pipe ||
         code == asio::error::connection_aborted;
}

}  // namespace

struct TcpSocket::Inner {
  std::shared_ptr<asio::io_context> context = thread_context();
  tcp::socket socket{*context};
  pcap::Endpoint local, remote;
  std::deque<OctetBuffer> inbox;  // read while we were sending
  std::size_t inbox_octets = 0;
  Ending ended = Ending::none;  // by the peer, after the inbox
  bool over = false;            // by our reset
  bool closed = false;          // our direction
  // A connect or a write has shown a reset, which clears the error: the last read then looks like an orderly end.
  bool reset_seen = false;
  OctetBuffer buffer = OctetBuffer(kReadOctets);

  int descriptor() { return socket.native_handle(); }

  // The system forgets the remote address of a connection that is reset.
  void begin(const pcap::Endpoint& peer) {
    remote = peer;
    Code ignored;
    socket.non_blocking(true, ignored);
    socket.set_option(tcp::no_delay(true), ignored);
    local = endpoint_of(socket.local_endpoint(ignored));
  }

  // Closes the socket once both sides have ended, since a case may keep hundreds of such sockets.
  void close_if_over() {
    Code ignored;
    if (closed && ended != Ending::none) socket.close(ignored);
  }

  // Reads what is there. False if that is nothing.
  tl::expected<bool, TransportError> read(OctetBuffer& octets) {
    Code code;
    const std::size_t length = socket.read_some(asio::buffer(buffer), code);
    if (is_transient(code)) return false;
    if (code == asio::error::eof || is_reset(code)) {
      ended = code == asio::error::eof && !reset_seen ? Ending::closed : Ending::reset;
      close_if_over();
      return false;
    }
    if (code) return tl::unexpected(error_of(code));
    octets.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(length));
    return true;
  }

  TransportError error_of(const Code& code) const {
    return {fmt::format("{}: {}", pcap::to_string(remote), code.message()),
            "check that the peer is alive, and the network on the way"};
  }
};

TcpSocket::TcpSocket(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
TcpSocket::TcpSocket(TcpSocket&&) noexcept = default;
TcpSocket& TcpSocket::operator=(TcpSocket&&) noexcept = default;
TcpSocket::~TcpSocket() = default;

tl::expected<std::vector<pcap::Endpoint>, TransportError> TcpSocket::find(const std::string& host, std::uint16_t port) {
  asio::io_context context{1};
  const auto found = resolve<tcp>(context, host, port);
  if (!found) return tl::unexpected(found.error());
  std::vector<pcap::Endpoint> endpoints;
  for (const auto& entry : *found) endpoints.push_back(endpoint_of(entry.endpoint()));
  return endpoints;
}

tl::expected<TcpSocket, TransportError> TcpSocket::connect(const std::string& host, std::uint16_t port,
                                                           Deadline deadline,
                                                           const std::optional<pcap::Address>& from) {
  auto inner = std::make_unique<Inner>();
  const auto connected = connect_by_name(*inner->context, inner->socket, host, port, deadline, from);
  if (!connected) return tl::unexpected(connected.error());
  inner->begin(connected->remote);
  inner->reset_seen = connected->is_reset;
  return TcpSocket(std::move(inner));
}

const pcap::Endpoint& TcpSocket::local() const {
  return inner_->local;
}

const pcap::Endpoint& TcpSocket::remote() const {
  return inner_->remote;
}

tl::expected<void, TransportError> TcpSocket::send(Octets octets) {
  Inner& inner = *inner_;
  auto stalled_at = Clock::now() + kStalled;
  while (!octets.empty() && !inner.over && !inner.closed) {
    Code code;
    const std::size_t sent = inner.socket.write_some(asio::buffer(octets.data(), octets.size()), code);
    if (sent > 0) {
      octets = octets.subspan(sent);
      stalled_at = Clock::now() + kStalled;
    } else if (is_reset(code)) {
      inner.reset_seen = true;  // receive() reports it after what the peer had sent before
      return {};
    } else if (code && !is_transient(code)) {
      return tl::unexpected(inner.error_of(code));
    } else {
      const bool reads = inner.inbox_octets < kInboxOctets && inner.ended == Ending::none;
      if (!wait_for(inner.descriptor(), static_cast<short>(reads ? POLLOUT | POLLIN : POLLOUT), stalled_at))
        return tl::unexpected(TransportError{fmt::format("{} takes nothing any more: {} octets wait to be sent",
                                                         pcap::to_string(inner.remote), octets.size()),
                                             "see whether the peer hangs"});
      if (!reads) continue;
      OctetBuffer come;
      const auto read = inner.read(come);
      if (!read) return tl::unexpected(read.error());
      if (!*read) continue;
      inner.inbox_octets += come.size();
      inner.inbox.push_back(std::move(come));
    }
  }
  return {};
}

tl::expected<std::optional<OctetBuffer>, TransportError> TcpSocket::receive(Deadline deadline) {
  Inner& inner = *inner_;
  OctetBuffer octets;
  if (!inner.inbox.empty()) {
    octets = std::move(inner.inbox.front());
    inner.inbox.pop_front();
    inner.inbox_octets -= octets.size();
    return octets;
  }
  while (inner.ended == Ending::none) {
    const auto read = inner.read(octets);
    if (!read) return tl::unexpected(read.error());
    if (*read) return octets;
    if (inner.ended == Ending::none && !wait_for(inner.descriptor(), POLLIN, deadline)) break;
  }
  return std::nullopt;
}

void TcpSocket::end(Ending ending) {
  Inner& inner = *inner_;
  Code ignored;
  if (ending == Ending::none || inner.over) return;
  if (ending == Ending::closed) {
    inner.socket.shutdown(tcp::socket::shutdown_send, ignored);
    inner.closed = true;
    inner.close_if_over();
    return;
  }
  inner.socket.set_option(asio::socket_base::linger(true, 0), ignored);
  inner.socket.close(ignored);
  inner.over = true;
  inner.inbox.clear();
  inner.ended = Ending::reset;
}

Ending TcpSocket::ending() const {
  return inner_->inbox.empty() ? inner_->ended : Ending::none;
}

int TcpSocket::descriptor() const {
  return inner_->descriptor();
}

struct TcpAcceptor::Inner {
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  pcap::Endpoint local;
};

TcpAcceptor::TcpAcceptor(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
TcpAcceptor::TcpAcceptor(TcpAcceptor&&) noexcept = default;
TcpAcceptor& TcpAcceptor::operator=(TcpAcceptor&&) noexcept = default;
TcpAcceptor::~TcpAcceptor() = default;

tl::expected<TcpAcceptor, TransportError> TcpAcceptor::bind(const std::string& host, std::uint16_t port) {
  auto inner = std::make_unique<Inner>();
  const auto listening = listen_by_name(inner->context, inner->acceptor, host, port);
  if (!listening) return tl::unexpected(listening.error());
  Code ignored;
  inner->acceptor.non_blocking(true, ignored);
  inner->local = endpoint_of(inner->acceptor.local_endpoint(ignored));
  return TcpAcceptor(std::move(inner));
}

const pcap::Endpoint& TcpAcceptor::local() const {
  return inner_->local;
}

int TcpAcceptor::descriptor() const {
  return inner_->acceptor.native_handle();
}

tl::expected<std::optional<TcpSocket>, TransportError> TcpAcceptor::accept(TcpSocket::Deadline deadline) {
  while (true) {
    auto made = std::make_unique<TcpSocket::Inner>();
    Code code;
    tcp::endpoint peer;
    inner_->acceptor.accept(made->socket, peer, code);
    if (!code) {
      made->begin(endpoint_of(peer));
      return TcpSocket(std::move(made));
    }
    // A connection that was reset before it was accepted does not count.
    if (!is_transient(code) && !is_reset(code)) return failure("cannot accept a connection", code, kNoSocket);
    if (!wait_for(inner_->acceptor.native_handle(), POLLIN, deadline)) return std::nullopt;
  }
}

}  // namespace wirelaw
