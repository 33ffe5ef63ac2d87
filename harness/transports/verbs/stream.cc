// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/stream.h"

#include "conformance/rdmap/probes/upper_probe.h"
#include "harness/peers/verbs/gateway.h"
#include "harness/transports/verbs/end_signals.h"
#include "harness/transports/verbs/session.h"
#include "harness/transports/verbs/uri.h"

namespace wirelaw {
namespace verbs {
namespace {

// The time that the device has to send what a case has left unsent.
constexpr std::chrono::seconds kLastSends{1};

class StreamConversation final : public Conversation {
 public:
  // Connects to a peer that listens there; without a seat, accepts the next connection.
  StreamConversation(Session& session, Seat& seat, const pcap::Endpoint& to)
      : session_(session), seat_(&seat), tester_(seat.consumer->local()), iut_(to) {}
  explicit StreamConversation(Session& session) : session_(session), tester_(session.listener().local()) {}

  ~StreamConversation() override {
    if (seat_ == nullptr) return;
    const Instant until = now() + kLastSends;
    while (!gateway().is_over() && !gateway().has_sent() && now() < until && session_.pump()) session_.wait({}, until);
    session_.remove(seat_);
  }

  tl::expected<void, TransportError> send(Octets octets) override {
    if (seat_ == nullptr)
      return tl::unexpected(TransportError{"nobody has connected to " + tester() + " yet",
                                           "a listening tester answers; let the peer begin"});
    gateway().receive(octets);
    return session_.pump();
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    while (true) {
      if (auto pumped = session_.pump(); !pumped) return tl::unexpected(pumped.error());
      if (seat_ == nullptr) accept();
      if (seat_ != nullptr) {
        if (OctetBuffer octets; gateway().next_octets(octets)) return octets;
        if (gateway().lost()) return tl::unexpected(*gateway().lost());
        if (gateway().ending() != Ending::none) return std::nullopt;
      }
      if (now() >= deadline) return std::nullopt;
      session_.wait({}, deadline);
    }
  }
  Instant now() const override { return session_.clock().now(); }
  void end(Ending ending) override {
    if (seat_ == nullptr) return;
    gateway().ended(ending);
    static_cast<void>(session_.pump());
  }
  Ending ending() const override { return seat_ == nullptr ? Ending::none : gateway().ending(); }
  Offers offers() {
    Offers offers;
    offers.add<rdmap::MemoryDevice>(rdmap::kMemoryDevice,
                                    [this] { return seat_ == nullptr ? nullptr : &gateway().memory(); });
    return offers;
  }
  std::string tester() const override { return pcap::to_string(tester_); }
  std::string iut() const override { return seat_ == nullptr ? std::string() : pcap::to_string(iut_); }

 private:
  Gateway& gateway() const { return static_cast<Gateway&>(*seat_->application); }
  void accept() {
    seat_ = session_.take_next();
    if (seat_ != nullptr) iut_ = seat_->from;
  }

  Session& session_;
  Seat* seat_ = nullptr;
  pcap::Endpoint tester_, iut_;
};

Connected connected(std::unique_ptr<StreamConversation> conversation) {
  Offers offers = conversation->offers();
  return {std::move(conversation), std::move(offers)};
}

Session::Above gateways() {
  return [](LiveConsumer& consumer) { return std::make_unique<Gateway>(consumer, Role::responder); };
}

class StreamConnector final : public Connector {
 public:
  StreamConnector(std::unique_ptr<Session> session, const DeviceAddress& to) : session_(std::move(session)), to_(to) {}

  std::string place() const override { return pcap::to_string(to_.endpoint); }
  std::string capture_note() const override { return "iut=" + place(); }
  tl::expected<Connected, TransportError> connect(const Route& route) override {
    if (auto refused = refuse(route, kStreams)) return tl::unexpected(std::move(*refused));
    const auto seat = session_->add_initiator(to_);
    if (!seat) return tl::unexpected(seat.error());
    (*seat)->application = std::make_unique<Gateway>(*(*seat)->consumer, Role::initiator);
    return connected(std::make_unique<StreamConversation>(*session_, **seat, to_.endpoint));
  }

 private:
  std::unique_ptr<Session> session_;
  DeviceAddress to_;
};

class StreamListener final : public Listener {
 public:
  explicit StreamListener(std::unique_ptr<Session> session) : session_(std::move(session)) {}

  pcap::Endpoint local() const override { return session_->listener().local(); }
  std::string place() const override { return pcap::to_string(local()); }
  Connected accept() override { return connected(std::make_unique<StreamConversation>(*session_)); }
  void clear() override {
    static_cast<void>(session_->pump());
    while (const Seat* const stale = session_->take_next()) session_->remove(stale);
  }

 private:
  std::unique_ptr<Session> session_;
};

// Returns a session that listens at the URI, and accepts this many connections.
tl::expected<std::unique_ptr<Session>, TransportError> listening(const Uri& at, std::size_t most,
                                                                 const LiveClock& clock = {}) {
  auto session = Session::create(gateways(), clock);
  if (!session) return session;
  const auto address = address_of(at);
  if (!address) return tl::unexpected(address.error());
  if (auto listens = (*session)->listen(*address); !listens) return tl::unexpected(listens.error());
  (*session)->take_all(most);
  return session;
}

// -------------------------------------------------------------------------------------------- a reference peer, served

class StreamService final : public PeerService {
 public:
  StreamService(std::unique_ptr<Session> session, std::unique_ptr<Peer> peer, const ServeRequest& request)
      : session_(std::move(session)), peer_(std::move(peer)), request_(request) {}

  // An initiator's connection, before run().
  tl::expected<void, TransportError> connect(const DeviceAddress& to) {
    const auto seat = session_->add_initiator(to);
    if (!seat) return tl::unexpected(seat.error());
    (*seat)->application = std::make_unique<Gateway>(*(*seat)->consumer, Role::initiator);
    place_ = pcap::to_string(to.endpoint);
    open(**seat);
    return {};
  }

  std::string place() const override { return place_.empty() ? pcap::to_string(session_->listener().local()) : place_; }
  IutParameters offers() const override { return offers_of(request_.reference, request_.options); }
  bool is_done() const override { return !lost_ && peer_->failed() == 0 && peer_->idle(); }
  std::string state() const override { return peer_->state() + session_->state(); }

  tl::expected<void, Refusal> run(const ServeOptions& options) override {
    constexpr std::size_t kMostAtOnce = 64;  // each pins the memory of its receives
    session_->take_all(place_.empty() ? std::min(options.connections, kMostAtOnce) : 0);
    Instant last_event = now();
    while (!signals_.have_come()) {
      if (auto pumped = session_->pump(); !pumped) return tl::unexpected(misuse(pumped.error()));
      while (Seat* const seat = session_->take_next()) open(*seat);
      if (carry(options)) last_event = now();
      if (lost_) return tl::unexpected(peer_lost(*lost_));
      if (options.until_done && peer_->idle() && lines_.empty()) return {};
      if (!place_.empty() && lines_.empty()) return {};
      const Instant idle_end = options.idle ? last_event + *options.idle : Instant::max();
      if (now() >= idle_end) return {};
      session_->wait({signals_.awaited()}, std::min(idle_end, next_deadline(options)));
    }
    return {};
  }

 private:
  struct Line {
    Seat* seat = nullptr;
    Instant moved{};  // time of the latest octets in either direction
    Ending reported = Ending::none;
  };

  Instant now() const { return session_->clock().now(); }
  static Gateway& gateway_of(const Line& line) { return static_cast<Gateway&>(*line.seat->application); }

  void open(Seat& seat) {
    const PeerId id = next_id_++;
    lines_.emplace(id, Line{.seat = &seat, .moved = now()});
    peer_->carried_by(id, static_cast<Gateway&>(*seat.application).memory());
    peer_->opened(id, now());
  }

  // True if anything has moved.
  bool carry(const ServeOptions& options) {
    bool any = false;
    for (bool moved = true; moved; any |= moved) {
      moved = false;
      for (auto& [id, line] : lines_) moved |= take(id, line);
      if (const auto due = peer_->deadline(); due && *due <= now()) peer_->advance(now());
      for (Outgoing out; peer_->next_datagram(out); moved = true) give(out);
    }
    std::erase_if(lines_, [&](const auto& entry) {
      const Line& line = entry.second;
      const bool is_idle = now() - line.moved > options.connection_idle;
      if (is_idle && options.log) options.log("a connection on which nothing has moved is ended");
      if (!is_idle && line.reported == Ending::none) return false;
      if (!is_idle && !gateway_of(line).is_over()) return false;
      if (line.reported == Ending::none) peer_->ended(entry.first, Ending::reset, now());
      session_->remove(line.seat);
      return true;
    });
    return any;
  }
  bool take(PeerId id, Line& line) {
    Gateway& gateway = gateway_of(line);
    bool moved = false;
    for (OctetBuffer octets; gateway.next_octets(octets); moved = true) {
      line.moved = now();
      peer_->receive(id, octets, now());
    }
    if (gateway.lost()) lost_ = gateway.lost();
    if (gateway.ending() == line.reported) return moved;
    peer_->ended(id, line.reported = gateway.ending(), now());
    return true;
  }
  void give(const Outgoing& out) {
    const auto found = lines_.find(out.to);
    if (found == lines_.end()) return;
    Gateway& gateway = gateway_of(found->second);
    if (!out.octets.empty()) gateway.receive(out.octets);
    if (out.ending != Ending::none) gateway.ended(out.ending);
    found->second.moved = now();
  }
  Instant next_deadline(const ServeOptions& options) const {
    Instant next = peer_->deadline().value_or(Instant::max());
    for (const auto& [id, line] : lines_) next = std::min(next, line.moved + options.connection_idle);
    return next;
  }

  EndSignals signals_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Peer> peer_;
  ServeRequest request_;
  std::string place_;  // the address that an initiator has connected to
  std::map<PeerId, Line> lines_;
  PeerId next_id_ = 0;
  std::optional<TransportError> lost_;
};

}  // namespace
}  // namespace verbs

tl::expected<std::unique_ptr<Connector>, TransportError> verbs_connector(const Uri& peer, const LiveClock& clock) {
  auto session = verbs::Session::create(verbs::gateways(), clock);
  if (!session) return tl::unexpected(session.error());
  const auto address = verbs::address_of(peer);
  if (!address) return tl::unexpected(address.error());
  // Check now if a device reaches it, not in the first case.
  const auto tried = (*session)->add_initiator(*address);
  if (!tried) return tl::unexpected(tried.error());
  (*session)->clear();
  return std::make_unique<verbs::StreamConnector>(std::move(*session), *address);
}

tl::expected<std::unique_ptr<Listener>, TransportError> verbs_stream_listener(const Uri& at, const LiveClock& clock) {
  constexpr std::size_t kWaiting = 64;  // connections that no case has taken
  auto session = verbs::listening(at, kWaiting, clock);
  if (!session) return tl::unexpected(session.error());
  return std::make_unique<verbs::StreamListener>(std::move(*session));
}

tl::expected<std::unique_ptr<PeerService>, Refusal> serve_verbs_streams(const ServeRequest& request) {
  auto peer = make_peer(request, request.options);
  if (!peer) return tl::unexpected(peer.error());
  if (request.options.role != Role::initiator) {
    auto session = verbs::listening(request.uri, 0);
    if (!session) return tl::unexpected(peer_lost(session.error()));
    return std::make_unique<verbs::StreamService>(std::move(*session), std::move(*peer), request);
  }
  auto session = verbs::Session::create(verbs::gateways());
  if (!session) return tl::unexpected(peer_lost(session.error()));
  const auto address = verbs::address_of(request.uri);
  if (!address) return tl::unexpected(peer_lost(address.error()));
  begin_requests(request, **peer);
  auto service = std::make_unique<verbs::StreamService>(std::move(*session), std::move(*peer), request);
  if (auto connected = service->connect(*address); !connected) return tl::unexpected(peer_lost(connected.error()));
  return service;
}

}  // namespace wirelaw
