// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/udp.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <atomic>
#include <csignal>
#include <deque>
#include <list>
#include <unordered_map>
#include <vector>

#include "harness/transports/address_book.h"
#include "harness/transports/asio_address.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/nodes.h"
#include "harness/transports/tcp/served_connection.h"
#include "harness/transports/tcp/tcp_connect.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;
using asio::ip::udp;
using Code = asio::error_code;

constexpr std::size_t kReadOctets = 256 * 1024;
// The limit for what waits to be sent on all connections. While more waits, the peer is neither asked for more nor
// given more.
constexpr std::size_t kUnsentOctets = 4u << 20;
// A client that takes nothing for this long, while it holds up others, is dropped.
constexpr std::chrono::seconds kStalled{10};
// The interval at which idle connections are looked for and reported.
constexpr std::chrono::seconds kLookEvery{1};

// Links of datagrams are numbered from here.
constexpr PeerId kFirstLine = PeerId{1} << 63;
// The number of a peer's dials that are handled before anything else.
constexpr unsigned kDialsAtOnce = 64;

// A connection that the peer has asked for.
struct Dialling {
  Dial dial;
  tcp::socket socket;
  LiveClock::Steady::time_point due;
};

bool is_transient(const Code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

}  // namespace

class TcpService::Inner {
 public:
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  udp::socket datagrams{context};
  asio::signal_set signals{context};
  bool stopped = false;
  std::string host;  // to connect to
  std::uint16_t port = 0;
  std::atomic<std::size_t> most_connections = 0, most_unsent = 0;

  bool listens() const { return acceptor.is_open(); }
  tl::expected<void, TransportError> connect();
  tl::expected<void, TransportError> open_datagrams(const pcap::Endpoint& at);
  tl::expected<void, TransportError> run(Peer& peer, const ServeOptions& options);

 private:
  using Entry = std::unordered_map<PeerId, ServedConnection>::iterator;

  void add(tcp::socket socket);
  void accept();
  void accepted(const Code& code, tcp::socket socket);
  void read_when_ready(PeerId id, ServedConnection& connection);
  void read(PeerId id);
  void received_end(PeerId id, Ending how);
  void queue(Outgoing out);
  void flush(PeerId id);
  void end_ours(PeerId id, ServedConnection& connection);
  void drop(PeerId id, bool with_reset);
  void drop_stalled();
  void end_idle();
  bool make_room();
  void wait_for_newcomers();
  void log_ended();
  tl::expected<void, TransportError> pump();
  void dial_all();
  void dial(const Dial& dial);
  void dialled(std::list<Dialling>::iterator which, const Code& code);
  void give_up_dials();
  void dial_datagrams(const Dial& dial);
  void await_datagrams();
  void receive_datagram();
  void link_datagrams(PeerId line, const pcap::Endpoint& far);
  void send_datagram(const Outgoing& out);
  bool is_full() const { return unsent_ >= kUnsentOctets; }

  LiveClock clock_;
  Peer* peer_ = nullptr;
  ServeOptions options_;
  LiveClock::Steady::time_point next_look_{};
  bool newcomer_waits_ = false, awaits_newcomer_ = false;
  std::size_t ended_idle_ = 0, made_room_ = 0;  // since they were last reported
  bool reported_full_ = false;
  std::size_t most_ = 0;
  std::unordered_map<PeerId, ServedConnection> connections_;
  std::vector<PeerId> unannounced_;  // connections that the peer does not know yet
  std::list<Dialling> dialling_;
  std::optional<pcap::Address> own_;  // the address that it listens at, or that of its first connection: there is one
  AddressBook lines_{kFirstLine};
  bool awaits_datagrams_ = false;
  std::vector<PeerId> paused_;  // whose octets wait until we have sent enough
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
  if (!own_) own_ = endpoint_of(socket.local_endpoint(ignored)).address;
  connections_.emplace(next_, std::move(socket));
  unannounced_.push_back(next_++);
  most_connections = std::max(most_connections.load(), connections_.size());
}

tl::expected<void, TransportError> TcpService::Inner::connect() {
  tcp::socket socket(context);
  const auto connected = connect_by_name(context, socket, host, port, LiveClock::Steady::now() + kConnectTime);
  if (!connected) return tl::unexpected(connected.error());
  add(std::move(socket));
  return {};
}

// -------------------------------------------------------------------------------------------------------------- dials

void TcpService::Inner::dial_all() {
  for (unsigned i = 0; i < kDialsAtOnce; ++i) {
    const auto wanted = peer_->next_dial();
    if (!wanted) return;
    wanted->datagrams ? dial_datagrams(*wanted) : dial(*wanted);
  }
  asio::post(context, [] {});  // there may be more
}

void TcpService::Inner::dial(const Dial& dial) {
  if (!may_dial(*own_, dial.to.address) || connections_.size() + dialling_.size() >= most_)
    return peer_->not_reached(dial, clock_.now());
  dialling_.push_back({dial, tcp::socket(context), LiveClock::Steady::now() + kConnectTime});
  const auto which = std::prev(dialling_.end());
  const auto to = asio_endpoint<tcp>(dial.to);
  Code code;
  which->socket.open(to.protocol(), code);
  const bool as_itself = own_->v6 == dial.to.address.v6 && is_loopback(*own_) == is_loopback(dial.to.address);
  if (!code && as_itself && !is_unspecified(*own_)) which->socket.bind(asio_endpoint<tcp>({.address = *own_}), code);
  if (code) return dialled(which, code);
  which->socket.async_connect(to, [this, which](const Code& result) { dialled(which, result); });
}

void TcpService::Inner::dialled(std::list<Dialling>::iterator which, const Code& code) {
  Dialling done = std::move(*which);
  dialling_.erase(which);
  if (code) return peer_->not_reached(done.dial, clock_.now());
  add(std::move(done.socket));
}

// Closes the sockets whose dials are overdue, so that they fail.
void TcpService::Inner::give_up_dials() {
  const auto now = LiveClock::Steady::now();
  Code ignored;
  for (Dialling& one : dialling_)
    if (one.due <= now) one.socket.close(ignored);
}

// ---------------------------------------------------------------------------------------------------------- datagrams

tl::expected<void, TransportError> TcpService::Inner::open_datagrams(const pcap::Endpoint& at) {
  const auto endpoint = asio_endpoint<udp>(at);
  Code code;
  datagrams.open(endpoint.protocol(), code);
  if (code) return failure("cannot open a socket", code, kNoSocket);
  datagrams.bind(endpoint, code);
  if (!code) datagrams.non_blocking(true, code);
  if (!code) return {};
  Code ignored;
  datagrams.close(ignored);
  return failure("cannot listen at " + pcap::to_string(at) + " over UDP", code, "choose another port, or 0 for any");
}

// A peer that has no UDP port yet takes any.
void TcpService::Inner::dial_datagrams(const Dial& dial) {
  const bool open = datagrams.is_open() || open_datagrams({.address = *own_});
  if (!open || !may_dial(*own_, dial.to.address)) return peer_->not_reached(dial, clock_.now());
  link_datagrams(lines_.number_of(dial.to), dial.to);
}

void TcpService::Inner::link_datagrams(PeerId line, const pcap::Endpoint& far) {
  Code ignored;
  peer_->linked(line, {.local = endpoint_of(datagrams.local_endpoint(ignored)), .remote = far, .datagrams = true});
}

void TcpService::Inner::await_datagrams() {
  if (!datagrams.is_open() || awaits_datagrams_ || is_full()) return;
  awaits_datagrams_ = true;
  datagrams.async_wait(udp::socket::wait_read, [this](const Code& code) {
    awaits_datagrams_ = false;
    if (!code) receive_datagram();
  });
}

void TcpService::Inner::receive_datagram() {
  udp::endpoint sender;
  Code code;
  const std::size_t length = datagrams.receive_from(asio::buffer(buffer_), sender, 0, code);
  if (code) return;
  const pcap::Endpoint from = endpoint_of(sender);
  const bool known = lines_.knows(from);
  const PeerId line = lines_.number_of(from);
  if (!known) link_datagrams(line, from);
  last_received_ = clock_.now();
  peer_->receive(line, Octets(buffer_).first(length), last_received_);
}

// Datagrams that the system does not accept are lost, as on any network.
void TcpService::Inner::send_datagram(const Outgoing& out) {
  const pcap::Endpoint* const to = lines_.find(out.to);
  Code ignored;
  if (to != nullptr) datagrams.send_to(asio::buffer(out.octets), asio_endpoint<udp>(*to), 0, ignored);
}

// -------------------------------------------------------------------------------------------------------- connections

void TcpService::Inner::accept() {
  if (!listens() || accepting_) return;
  if (connections_.size() >= most_) return wait_for_newcomers();
  accepting_ = true;
  acceptor.async_accept([this](const Code& code, tcp::socket socket) { accepted(code, std::move(socket)); });
}

void TcpService::Inner::accepted(const Code& code, tcp::socket socket) {
  accepting_ = false;
  if (code == asio::error::operation_aborted) return;
  // Without a spare descriptor, the next client is accepted when a connection has ended.
  if (code == asio::error::no_descriptors && !connections_.empty()) return;
  if (!code) add(std::move(socket));
  accept();
}

// Waits for a new client, so that no connection is ended for one that does not exist.
void TcpService::Inner::wait_for_newcomers() {
  if (awaits_newcomer_) return;
  awaits_newcomer_ = true;
  acceptor.async_wait(tcp::acceptor::wait_read, [this](const Code& code) {
    awaits_newcomer_ = false;
    newcomer_waits_ = !code;
  });
}

// The one that has been idle longest, if for long enough. False if each is in use.
bool TcpService::Inner::make_room() {
  const auto longest =
      std::ranges::min_element(connections_, {}, [](const auto& one) { return one.second.idle_since; });
  if (longest == connections_.end()) return false;
  if (LiveClock::Steady::now() - longest->second.idle_since < options_.room_after) return false;
  const PeerId id = longest->first;
  ++made_room_;
  drop(id, true);
  peer_->ended(id, Ending::reset, clock_.now());
  return true;
}

void TcpService::Inner::end_idle() {
  const auto now = LiveClock::Steady::now();
  if (newcomer_waits_ && connections_.size() >= most_ && !make_room() && !std::exchange(reported_full_, true) &&
      options_.log)
    options_.log(fmt::format("{} connections are open, the most there may be: others wait", connections_.size()));
  newcomer_waits_ = newcomer_waits_ && connections_.size() >= most_;
  if (now < next_look_) return;
  next_look_ = now + std::min<std::chrono::nanoseconds>(kLookEvery, options_.connection_idle);
  std::vector<PeerId> idle;
  for (const auto& [id, connection] : connections_)
    if (now - connection.idle_since > options_.connection_idle) idle.push_back(id);
  for (const PeerId id : idle) {
    ++ended_idle_;
    drop(id, true);
    peer_->ended(id, Ending::reset, clock_.now());
  }
  log_ended();
}

// Writes one line for all connections of a second, so that thousands of them do not fill the disk.
void TcpService::Inner::log_ended() {
  if (options_.log && ended_idle_ > 0)
    options_.log(fmt::format("{} connections were ended: fewer than {} octets in {:g} s", ended_idle_,
                             ServedConnection::kLeastMoved,
                             std::chrono::duration<double>(options_.connection_idle).count()));
  if (options_.log && made_room_ > 0)
    options_.log(fmt::format("{} idle connections were ended to make room for others", made_room_));
  if (made_room_ + ended_idle_ > 0) reported_full_ = false;
  ended_idle_ = made_room_ = 0;
}

void TcpService::Inner::read_when_ready(PeerId id, ServedConnection& connection) {
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
  ServedConnection& connection = found->second;
  connection.waits_to_read = false;
  if (is_full()) return read_when_ready(id, connection);
  Code code;
  const std::size_t length = connection.socket.read_some(asio::buffer(buffer_), code);
  if (code && !is_transient(code)) return received_end(id, code == asio::error::eof ? Ending::closed : Ending::reset);
  connection.has_moved(length);
  read_when_ready(id, connection);
  if (length == 0) return;
  last_received_ = clock_.now();
  peer_->receive(id, Octets(buffer_).first(length), last_received_);
}

void TcpService::Inner::received_end(PeerId id, Ending how) {
  ServedConnection& connection = connections_.at(id);
  last_received_ = clock_.now();
  connection.peer_ended = true;
  if (how == Ending::reset || connection.we_ended) drop(id, false);
  peer_->ended(id, how, last_received_);
}

void TcpService::Inner::queue(Outgoing out) {
  if (out.to >= kFirstLine) return send_datagram(out);
  const Entry found = connections_.find(out.to);
  if (found == connections_.end()) return;
  ServedConnection& connection = found->second;
  if (connection.to_send != Ending::none) {
    if (out.ending == Ending::reset) drop(out.to, true);  // it has closed and no longer waits for the other side
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
  ServedConnection& connection = found->second;
  connection.waits_to_write = false;
  while (!connection.unsent.empty()) {
    Code code;
    const std::size_t sent = connection.send_some(peer_->aligns_segments(), code);
    // A reset is read after what the peer had sent before it. Nothing can be sent any more.
    if (code && !is_transient(code)) {
      unsent_ -= connection.unsent_octets;
      connection.unsent.clear();
      connection.unsent_octets = connection.sent_of_first = 0;
      if (connection.peer_ended) received_end(id, Ending::reset);  // no later read would show the reset
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
    unsent_ -= sent;
  }
  end_ours(id, connection);
}

void TcpService::Inner::end_ours(PeerId id, ServedConnection& connection) {
  if (connection.to_send == Ending::none || connection.we_ended) return;
  if (connection.to_send == Ending::reset) return drop(id, true);
  Code ignored;
  connection.socket.shutdown(tcp::socket::shutdown_send, ignored);
  connection.we_ended = true;
  if (connection.peer_ended) drop(id, false);
}

void TcpService::Inner::drop(PeerId id, bool with_reset) {
  const Entry found = connections_.find(id);
  ServedConnection& connection = found->second;
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
tl::expected<void, TransportError> TcpService::Inner::pump() {
  for (const PeerId id : std::exchange(unannounced_, {})) {
    const Entry found = connections_.find(id);
    if (found == connections_.end()) continue;
    last_received_ = clock_.now();
    Code ignored;
    const tcp::socket& socket = found->second.socket;
    peer_->linked(id, {.local = endpoint_of(socket.local_endpoint(ignored)),
                       .remote = endpoint_of(socket.remote_endpoint(ignored)),
                       .mss = found->second.mss()});
    peer_->opened(id, last_received_);
    read_when_ready(id, found->second);
  }
  dial_all();
  for (Outgoing out; !is_full() && peer_->next_datagram(out); out = {}) queue(std::move(out));
  if (!is_full()) {
    for (const PeerId id : std::exchange(paused_, {})) {
      const Entry found = connections_.find(id);
      if (found == connections_.end()) continue;
      found->second.waits_to_read = false;
      read_when_ready(id, found->second);
    }
  }
  await_datagrams();
  while (!listens() && connections_.size() < most_ && peer_->next_connection())
    if (auto connected = connect(); !connected) return connected;
  return {};
}

tl::expected<void, TransportError> TcpService::Inner::run(Peer& peer, const ServeOptions& options) {
  peer_ = &peer;
  options_ = options;
  most_ = options.connections;
  last_received_ = clock_.now();
  Code ignored;
  if (listens()) own_ = endpoint_of(acceptor.local_endpoint(ignored)).address;
  accept();
  while (!stopped) {
    if (auto pumped = pump(); !pumped) return pumped;
    if (!unannounced_.empty()) continue;
    if (options.until_done && peer.idle() && unsent_ == 0) break;
    const Instant idle_end = options.idle ? last_received_ + *options.idle : Instant::max();
    const Instant due = peer.deadline().value_or(Instant::max());
    Instant until = std::min(idle_end, due);
    if (!dialling_.empty()) until = std::min<Instant>(until, clock_.now() + kConnectTime / 5);
    if (unsent_ > 0) until = std::min<Instant>(until, clock_.now() + kStalled / 10);
    if (listens() && !connections_.empty())
      until = std::min<Instant>(until, clock_.now() + std::min<std::chrono::nanoseconds>(
                                                          {kLookEvery, options.connection_idle,
                                                           newcomer_waits_ ? options.room_after : kLookEvery}));
    context.restart();
    if (until <= clock_.now()) {
      context.poll_one();
    } else {
      context.run_one_until(clock_.at(until));
    }
    const Instant now = clock_.now();
    if (now >= due) peer.advance(now);
    if (unsent_ > 0) drop_stalled();
    if (listens()) end_idle();
    give_up_dials();
    if (now >= idle_end && now - last_received_ >= *options.idle) break;
  }
  return {};
}

TcpService::TcpService(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
TcpService::TcpService(TcpService&&) noexcept = default;
TcpService& TcpService::operator=(TcpService&&) noexcept = default;
TcpService::~TcpService() = default;

tl::expected<TcpService, TransportError> TcpService::listen(const std::string& host, std::uint16_t port,
                                                            bool datagrams) {
  constexpr unsigned kAttempts = 16;  // attempts to find a port free for both TCP and UDP
  tl::expected<void, TransportError> listening;
  for (unsigned i = 0; i < (port == 0 ? kAttempts : 1); ++i) {
    auto inner = std::make_unique<Inner>();
    listening = listen_by_name(inner->context, inner->acceptor, host, port);
    if (!listening) break;
    Code ignored;
    if (datagrams) listening = inner->open_datagrams(endpoint_of(inner->acceptor.local_endpoint(ignored)));
    if (listening) return TcpService(std::move(inner));
  }
  return tl::unexpected(listening.error());
}

tl::expected<TcpService, TransportError> TcpService::connect(const std::string& host, std::uint16_t port) {
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

bool TcpService::has_datagrams() const {
  return inner_->datagrams.is_open();
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

tl::expected<void, TransportError> TcpService::run(Peer& peer, const ServeOptions& options) {
  return inner_->run(peer, options);
}

}  // namespace wirelaw
