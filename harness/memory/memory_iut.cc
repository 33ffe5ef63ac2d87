// SPDX-License-Identifier: Apache-2.0
#include "harness/memory/memory_iut.h"

#include <fmt/format.h>

#include "harness/memory/memory_application.h"
#include "harness/memory/memory_consumer.h"
#include "harness/memory/memory_rdma.h"
#include "harness/memory/network.h"
#include "harness/memory/stream_network.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

// Addresses of documentation (RFC 5737), so that nobody takes a recording of a run in memory for real traffic.
constexpr std::string_view kTesterAddress = "192.0.2.1";
constexpr std::string_view kIutAddress = "192.0.2.2:21201";
constexpr std::uint32_t kFirstTesterPort = 31'201;
constexpr std::uint32_t kTesterPorts = 65'536 - kFirstTesterPort;

// FNV-1a: unlike std::hash, the same everywhere.
std::uint64_t mix(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

class MemoryIut final : public Iut {
 public:
  MemoryIut(MakePeer make_peer, MemoryOptions options)
      : make_peer_(std::move(make_peer)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  std::string capture_note() const override { return fmt::format("iut={}", kIutAddress); }
  std::string_view transport() const override { return options_.transport; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds) override {}

  std::string next_tester() {
    return fmt::format("{}:{}", kTesterAddress, kFirstTesterPort + conversations_++ % kTesterPorts);
  }
  void ended(Instant now) { epoch_ += now; }

 private:
  MakePeer make_peer_;
  MemoryOptions options_;
  std::uint32_t conversations_ = 0;
  Instant epoch_{0};
};

// What both kinds of conversation have: a network, and two names.
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
      : MemoryConversation(network, std::move(tester)), id_(network.open()), rdma_(network, id_) {}

  tl::expected<void, CarriageError> send(Octets message) override {
    network_.send(id_, message);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    return network_.receive(id_, deadline);
  }

  Rdma* rdma() override { return network_.peer().rdma() == nullptr ? nullptr : &rdma_; }
  std::optional<OwnAddress> own_address() const override {
    const pcap::Endpoint here = *pcap::parse_endpoint(tester());
    return OwnAddress{here.address.as_ipv6(), here.port};
  }
  fabric::Application* application() override {
    if (!application_)
      if (fabric::Application* const above = network_.peer().application(id_)) application_.emplace(network_, *above);
    return application_ ? &*application_ : nullptr;
  }

  PeerId id() const { return id_; }

 private:
  PeerId id_;
  MemoryRdma rdma_;
  std::optional<MemoryApplication> application_;
};

// One that the tester has made, or the next that the peer makes.
class StreamConversation final : public MemoryConversation<StreamNetwork> {
 public:
  StreamConversation(StreamNetwork& network, std::string tester, std::optional<PeerId> id)
      : MemoryConversation(network, std::move(tester)), id_(id) {
    if (verbs::Consumer* const device = network.peer().consumer(id)) consumer_.emplace(network, *device);
  }

  verbs::Consumer* consumer() override { return consumer_ ? &*consumer_ : nullptr; }
  void take_consumer() override {
    if (consumer_) network_.peer().take_consumer(consumer_->taken());
  }
  std::string iut() const override { return id_ ? MemoryConversation::iut() : std::string(); }
  tl::expected<void, CarriageError> send(Octets octets) override {
    if (!id_)
      return tl::unexpected(CarriageError{"nobody has connected to " + tester() + " yet",
                                          "a listening tester answers; let the peer begin"});
    network_.send(*id_, octets);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    if (!id_) {
      const auto made = network_.accept(deadline);
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
  std::optional<MemoryConsumer> consumer_;
};

// One whose other end a consumer has as well. What it sends and receives goes between the two, and nobody sees it.
class PairConversation final : public MemoryConversation<StreamNetwork>, private VirtualTime {
 public:
  // Without an id the peer makes the connection, when it is asked for.
  PairConversation(StreamNetwork& network, std::string tester, bool peer_connects)
      : MemoryConversation(network, std::move(tester)),
        peer_connects_(peer_connects),
        id_(peer_connects ? std::nullopt : std::optional(network.connect())),
        far_(network.peer().far_end()),
        consumer_(*this, *network.peer().consumer(id_)),
        far_consumer_(*this, far_->consumer()) {
    network.peer().take_consumer(consumer_.taken());
  }

  Instant now() const override { return network_.now(); }
  verbs::Consumer* consumer() override { return &consumer_; }
  verbs::Consumer* far_consumer() override { return &far_consumer_; }
  tl::expected<void, CarriageError> send(Octets) override {
    return tl::unexpected(CarriageError{"nobody speaks the wire between two consumers", ""});
  }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    const auto passed = wait(deadline, [] { return false; });
    if (!passed) return tl::unexpected(passed.error());
    return std::nullopt;
  }

 private:
  tl::expected<bool, CarriageError> wait(Instant deadline, const std::function<bool()>& done) override {
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
    if (const Ending ending = network_.ending(*id_); ending != heard_) far_->ended(heard_ = ending, now);
    for (OctetBuffer octets; far_->next_octets(octets);) network_.send(*id_, octets);
    if (const Ending ending = far_->ending(); ending != told_) network_.end(*id_, told_ = ending);
  }

  bool peer_connects_;
  std::optional<PeerId> id_;
  std::unique_ptr<FarEnd> far_;
  bool opened_ = false;
  Ending heard_ = Ending::none, told_ = Ending::none;
  MemoryConsumer consumer_, far_consumer_;
};

template <class AnyNetwork>
class MemoryEnvironment : public Environment {
 public:
  MemoryEnvironment(MemoryIut& iut, std::unique_ptr<Peer> peer, const Impairments& impairments, std::uint64_t seed,
                    Instant epoch)
      : network_(std::move(peer), impairments, seed), iut_(iut), epoch_(epoch) {}
  ~MemoryEnvironment() override { iut_.ended(network_.now()); }

  Instant now() const override { return network_.now(); }
  std::int64_t epoch_ns() const override { return epoch_.count(); }
  std::string peer_state() const override { return network_.peer().state(); }

 protected:
  std::string next_tester() { return iut_.next_tester(); }

  AnyNetwork network_;

 private:
  MemoryIut& iut_;
  Instant epoch_;
};

class DatagramEnvironment final : public MemoryEnvironment<Network> {
 public:
  using MemoryEnvironment::MemoryEnvironment;

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override {
    auto conversation = std::make_unique<DatagramConversation>(network_, next_tester());
    latest_ = conversation->id();
    return conversation;
  }
  // The IUT starts towards the conversation that was opened last.
  tl::expected<void, CarriageError> trigger(const TriggerRequest& request) override {
    if (!latest_)
      return tl::unexpected(CarriageError{"trigger before connect", "a case listens first: connect(), then trigger()"});
    network_.trigger(*latest_, request);
    return {};
  }

 private:
  std::optional<PeerId> latest_;
};

// The IUT in the initiator's role connects to us, anew for each trigger; conversations take its connections in turn.
class StreamEnvironment final : public MemoryEnvironment<StreamNetwork> {
 public:
  using MemoryEnvironment::MemoryEnvironment;

  void listen() { listens_ = true; }
  // A consumer at both ends: the peer is one that has them.
  void pair() { pair_ = true; }
  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override {
    if (pair_) return std::make_unique<PairConversation>(network_, next_tester(), listens_);
    const std::optional<PeerId> made = listens_ ? std::nullopt : std::optional(network_.connect());
    return std::make_unique<StreamConversation>(network_, next_tester(), made);
  }
  tl::expected<void, CarriageError> trigger(const TriggerRequest& request) override {
    network_.trigger(request);
    return {};
  }

 private:
  bool listens_ = false;
  bool pair_ = false;
};

tl::expected<std::unique_ptr<Environment>, CarriageError> MemoryIut::begin(const Case& next) {
  const std::uint64_t seed = mix(options_.seed, next.id);
  const std::uint64_t network_seed = mix(seed, "network");
  auto peer = make_peer_(seed);
  peer->located({.endpoint = *pcap::parse_endpoint(kIutAddress)});
  if (!is_stream(options_.transport))
    return std::make_unique<DatagramEnvironment>(*this, std::move(peer), options_.impairments, network_seed, epoch_);
  auto environment =
      std::make_unique<StreamEnvironment>(*this, std::move(peer), options_.impairments, network_seed, epoch_);
  if (next.iut == Role::initiator) environment->listen();
  if (options_.pair) environment->pair();
  return environment;
}

}  // namespace

std::string_view memory_transport(const Protocol& protocol) {
  return first_carriage(protocol.carriages);
}

std::unique_ptr<Iut> make_memory_iut(MakePeer make_peer, MemoryOptions options) {
  return std::make_unique<MemoryIut>(std::move(make_peer), std::move(options));
}

}  // namespace wirelaw
