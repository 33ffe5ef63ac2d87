// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/memory_iut.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/own_address.h"
#include "harness/peers/waiting_consumer.h"
#include "harness/transports/memory/memory_rdma.h"
#include "harness/transports/memory/network.h"
#include "harness/transports/memory/stream_network.h"
#include "harness/transports/scheme.h"

namespace wirelaw {
namespace {

// Addresses for documentation (RFC 5737), so that a recording of a run in memory is not taken for real traffic.
constexpr std::string_view kNetwork = "192.0.2.";
constexpr std::string_view kIutAddress = "192.0.2.2:21201";
constexpr unsigned kTesterNodes = 253;
constexpr std::uint32_t kFirstTesterPort = 31'201;
constexpr std::uint32_t kTesterPorts = 65'536 - kFirstTesterPort;
constexpr Instant kTimeOfCase = std::chrono::hours{2};  // far beyond its deadline, and that of its control

// FNV-1a: unlike std::hash, the same everywhere.
std::uint64_t mix(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// The tester's addresses: 192.0.2.1 and, after the IUT's, 192.0.2.3 and up.
std::string address_of(unsigned node) {
  return fmt::format("{}{}", kNetwork, node == 0 ? 1 : node + 2);
}

pcap::Endpoint iut_endpoint() {
  return *pcap::parse_endpoint(kIutAddress);
}

// The link as the IUT sees it.
Link link_to(const std::string& tester, bool datagrams = false) {
  return {.local = iut_endpoint(), .remote = *pcap::parse_endpoint(tester), .datagrams = datagrams};
}

class MemoryIut final : public Iut {
 public:
  MemoryIut(MakePeer make_peer, MemoryOptions options)
      : make_peer_(std::move(make_peer)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  std::string capture_note() const override { return fmt::format("iut={}", kIutAddress); }
  Framing framing() const override {
    Framing framing = options_.framing;
    framing.is_spoken = !options_.pair;
    return framing;
  }
  // Each case has its own ports and time. They do not depend on which other cases run.
  void at_case(std::size_t place, std::size_t all) override {
    const auto before = [&](std::uint32_t ports) {
      return static_cast<std::uint32_t>(place * std::max<std::size_t>(1, ports / std::max<std::size_t>(1, all)));
    };
    conversations_ = before(kTesterPorts);
    dials_ = before(StreamNetwork::kDialledFrom);
    epoch_ = kTimeOfCase * place;
  }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds) override {}

  std::string next_tester(unsigned node) {
    return fmt::format("{}:{}", address_of(node), kFirstTesterPort + conversations_++ % kTesterPorts);
  }
  std::uint32_t& dials() { return dials_; }
  void ended(Instant now) { epoch_ += now; }

 private:
  MakePeer make_peer_;
  MemoryOptions options_;
  std::uint32_t conversations_ = 0, dials_ = 0;
  Instant epoch_{0};
};

// The base of both kinds of conversation: a network, and two names.
template <class AnyNetwork>
class MemoryConversation : public Conversation {
 public:
  MemoryConversation(AnyNetwork& network, std::string tester) : network_(network), tester_(std::move(tester)) {}

  Instant now() const override { return network_.now(); }
  std::string tester() const override { return tester_; }
  std::string iut() const override { return std::string(kIutAddress); }

 protected:
  AnyNetwork& network_;

 private:
  std::string tester_;
};

class DatagramConversation final : public MemoryConversation<Network> {
 public:
  DatagramConversation(Network& network, std::string tester)
      : MemoryConversation(network, std::move(tester)),
        id_(network.open(link_to(this->tester(), /*datagrams=*/true))),
        rdma_(network, id_) {}

  tl::expected<void, TransportError> send(Octets message) override {
    network_.send(id_, message);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    return network_.receive(id_, deadline);
  }

  PeerId id() const { return id_; }
  Offers offers() {
    Offers offers;
    const pcap::Endpoint here = *pcap::parse_endpoint(tester());
    offers.add_value(kOwnAddress, OwnAddress{.endpoint = here});
    if (network_.peer().rdma() != nullptr) offers.add_reference<Rdma>(kRdma, rdma_);
    network_.peer().offer(offers, id_, network_);
    return offers;
  }

 private:
  PeerId id_;
  MemoryRdma rdma_;
};

// A connection that the tester has made, or the next that the peer makes, because it was triggered or because it has
// dialled. For octets, or for the datagrams beside them.
class StreamConversation final : public MemoryConversation<StreamNetwork> {
 public:
  using Dialled = std::optional<StreamNetwork::ListenerId>;
  StreamConversation(StreamNetwork& network, std::string tester, std::optional<PeerId> id, Dialled dialled = {})
      : MemoryConversation(network, std::move(tester)), id_(id), dialled_(dialled) {}

  std::string iut() const override { return id_ ? pcap::to_string(network_.link(*id_).local) : std::string(); }
  tl::expected<void, TransportError> send(Octets octets) override {
    if (!id_)
      return tl::unexpected(TransportError{"nobody has connected to " + tester() + " yet",
                                           "a listening tester answers; let the peer begin"});
    network_.send(*id_, octets);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    if (!id_) {
      const auto made = dialled_ ? network_.accept(*dialled_, deadline) : network_.accept(deadline);
      if (!made) return tl::unexpected(made.error());
      id_ = *made;
      if (!id_) return std::nullopt;
    }
    return network_.receive(*id_, deadline);
  }
  void end(Ending ending) override {
    if (id_) network_.end(*id_, ending);
  }
  Ending ending() const override { return id_ ? network_.ending(*id_) : Ending::none; }

 private:
  std::optional<PeerId> id_;
  Dialled dialled_;
};

// A conversation whose other end has a consumer as well. What it sends and receives passes between the two consumers,
// unobserved.
class PairConversation final : public MemoryConversation<StreamNetwork>, private VirtualTime {
 public:
  // Without an id, the peer makes the connection when it is needed.
  PairConversation(StreamNetwork& network, std::string tester, bool peer_connects)
      : MemoryConversation(network, std::move(tester)),
        peer_connects_(peer_connects),
        id_(peer_connects ? std::nullopt : std::optional(network.connect(link_to(this->tester())))),
        far_(network.peer().far_end()),
        far_consumer_(*this, far_->consumer()) {}

  Instant now() const override { return network_.now(); }
  tl::expected<void, TransportError> send(Octets) override {
    return tl::unexpected(TransportError{"nobody speaks the wire between two consumers", ""});
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    const auto passed = wait(deadline, [] { return false; });
    if (!passed) return tl::unexpected(passed.error());
    return std::nullopt;
  }
  // Neither end has an application above it.
  Offers offers() {
    Offers offers;
    network_.peer().offer(offers, id_, *this);
    static_cast<void>(offers.find(verbs::kConsumer));
    offers.add_reference<verbs::Consumer>(verbs::kFarConsumer, far_consumer_);
    return offers;
  }

 private:
  tl::expected<bool, TransportError> wait(Instant deadline, const std::function<bool()>& done) override {
    while (true) {
      // The far end may want something before that.
      const Instant until = std::min(deadline, far_->deadline().value_or(deadline));
      const auto passed = network_.wait(until, [&] {
        carry();
        return done();
      });
      if (!passed || *passed || until >= deadline) return passed;
      far_->advance(network_.now());
    }
  }
  void carry() {
    const Instant now = network_.now();
    if (!id_) id_ = network_.accept(now).value_or(std::nullopt);
    if (!id_) return;
    if (!opened_ && (peer_connects_ || far_->wants_connection())) {
      opened_ = true;
      far_->opened(now);
    }
    while (const auto octets = network_.receive(*id_, now).value_or(std::nullopt)) far_->receive(*octets, now);
    if (const Ending ending = network_.ending(*id_); ending != received_) far_->ended(received_ = ending, now);
    for (OctetBuffer octets; far_->next_octets(octets);) network_.send(*id_, octets);
    if (const Ending ending = far_->ending(); ending != sent_) network_.end(*id_, sent_ = ending);
  }

  bool peer_connects_;
  std::optional<PeerId> id_;
  std::unique_ptr<FarEnd> far_;
  bool opened_ = false;
  Ending received_ = Ending::none, sent_ = Ending::none;
  WaitingConsumer far_consumer_;
};

template <class AnyNetwork>
class MemoryEnvironment : public Environment {
 public:
  MemoryEnvironment(MemoryIut& iut, std::unique_ptr<Peer> peer, const NetworkFaults& network_faults, std::uint64_t seed,
                    Instant epoch)
      : network_(std::move(peer), network_faults, seed), iut_(iut), epoch_(epoch) {}
  ~MemoryEnvironment() override { iut_.ended(network_.now()); }

  Instant now() const override { return network_.now(); }
  std::int64_t epoch_ns() const override { return epoch_.count(); }
  std::string peer_state() const override { return network_.peer().state(); }

 protected:
  std::string next_tester(unsigned node) { return iut_.next_tester(node); }
  std::string tester_at(const Route& route) {
    return route.port == 0 ? next_tester(route.node) : fmt::format("{}:{}", address_of(route.node), route.port);
  }

  AnyNetwork network_;

 private:
  MemoryIut& iut_;
  Instant epoch_;
};

std::optional<TransportError> too_many_nodes(const Route& route) {
  if (route.node < kTesterNodes) return std::nullopt;
  return no_way(fmt::format("the tester has {} addresses in memory", kTesterNodes));
}

class DatagramEnvironment final : public MemoryEnvironment<Network> {
 public:
  DatagramEnvironment(MemoryIut& iut, std::unique_ptr<Peer> peer, const NetworkFaults& network_faults,
                      std::uint64_t seed, Instant epoch)
      : MemoryEnvironment(iut, std::move(peer), network_faults, seed, epoch) {
    network_.locate(iut_endpoint());
  }

  tl::expected<Connected, TransportError> connect(const Route& route) override {
    return converse(route, next_tester(route.node));
  }
  // The address that the IUT dials is known from the beginning, so nothing has to be prepared.
  tl::expected<Connected, TransportError> accept(const Route& route) override {
    return converse(route, tester_at(route));
  }
  // The IUT starts towards the conversation that was opened last.
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    if (!latest_)
      return tl::unexpected(
          TransportError{"trigger before connect", "a case listens first: connect(), then trigger()"});
    network_.trigger(*latest_, request);
    return {};
  }

 private:
  tl::expected<Connected, TransportError> converse(const Route& route, std::string tester) {
    if (auto none = too_many_nodes(route)) return tl::unexpected(std::move(*none));
    auto conversation = std::make_unique<DatagramConversation>(network_, std::move(tester));
    latest_ = conversation->id();
    Offers offers = conversation->offers();
    return Connected{std::move(conversation), std::move(offers)};
  }

  std::optional<PeerId> latest_;
};

// The IUT in the initiator's role connects to us, once for each trigger; conversations take its connections in turn.
class StreamEnvironment final : public MemoryEnvironment<StreamNetwork> {
 public:
  StreamEnvironment(MemoryIut& iut, std::unique_ptr<Peer> peer, const NetworkFaults& network_faults, std::uint64_t seed,
                    Instant epoch)
      : MemoryEnvironment(iut, std::move(peer), network_faults, seed, epoch) {
    network_.locate(iut_endpoint(), iut.dials());
    network_.meet({.local = iut_endpoint()});
  }

  void listen() { listens_ = true; }
  // A consumer at both ends: the peer is one that has them.
  void pair() { pair_ = true; }
  tl::expected<Connected, TransportError> connect(const Route& route) override {
    if (auto none = too_many_nodes(route)) return tl::unexpected(std::move(*none));
    if (pair_) return connect_pair(route);
    if (listens_ && (route.node > 0 || route.datagrams)) return accept(route);
    const std::string tester = next_tester(route.node);
    if (listens_) network_.meet(link_to(triggered_ = tester));
    const std::optional<PeerId> made =
        listens_ ? std::nullopt : std::optional(network_.connect(link_to(tester, route.datagrams)));
    Offers offers;
    if (!route.datagrams) network_.peer().offer(offers, made, network_);
    return Connected{std::make_unique<StreamConversation>(network_, tester, made), std::move(offers), route.datagrams};
  }
  // Accepts further connections at the place that the IUT was triggered to connect to, unless the route names another.
  tl::expected<Connected, TransportError> accept(const Route& route) override {
    if (auto none = too_many_nodes(route)) return tl::unexpected(std::move(*none));
    if (pair_) return Environment::accept(route);
    const bool beside = !triggered_.empty() && route.node == 0 && route.port == 0;
    const std::string tester = beside ? triggered_ : tester_at(route);
    const auto at = network_.listen(*pcap::parse_endpoint(tester), route.datagrams);
    return Connected{std::make_unique<StreamConversation>(network_, tester, std::nullopt, at), {}, route.datagrams};
  }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    network_.trigger(request);
    return {};
  }

 private:
  tl::expected<Connected, TransportError> connect_pair(const Route& route) {
    if (auto refused = refuse(route, kStreams)) return tl::unexpected(std::move(*refused));
    auto pair = std::make_unique<PairConversation>(network_, next_tester(0), listens_);
    Offers offers = pair->offers();
    return Connected{std::move(pair), std::move(offers)};
  }

  bool listens_ = false;
  bool pair_ = false;
  std::string triggered_;  // destination of the IUT's connections, once a case listens
};

tl::expected<std::unique_ptr<Environment>, TransportError> MemoryIut::begin(const Case& next) {
  const std::uint64_t seed = mix(options_.seed, next.id);
  const std::uint64_t network_seed = mix(seed, "network");
  auto peer = make_peer_(seed);
  peer->located({.endpoint = iut_endpoint()});
  if (!options_.framing.is_stream)
    return std::make_unique<DatagramEnvironment>(*this, std::move(peer), options_.network_faults, network_seed, epoch_);
  auto environment =
      std::make_unique<StreamEnvironment>(*this, std::move(peer), options_.network_faults, network_seed, epoch_);
  if (next.iut == Role::initiator) environment->listen();
  if (options_.pair) environment->pair();
  return environment;
}

}  // namespace

Framing memory_framing(const Protocol& protocol, std::string_view over) {
  const Scheme* const scheme = find_scheme(over.empty() ? first_transport(protocol.transports) : over);
  return scheme == nullptr ? kDatagrams : scheme->framing;
}

std::unique_ptr<Iut> make_memory_iut(MakePeer make_peer, MemoryOptions options) {
  return std::make_unique<MemoryIut>(std::move(make_peer), std::move(options));
}

}  // namespace wirelaw
