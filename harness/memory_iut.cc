// SPDX-License-Identifier: Apache-2.0
#include "harness/memory_iut.h"

#include <fmt/format.h>

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

class MemoryConversation final : public Conversation {
 public:
  MemoryConversation(Network& network, std::string tester)
      : network_(network), id_(network.open()), tester_(std::move(tester)) {}

  tl::expected<void, CarriageError> send(Octets message) override {
    network_.send(id_, message);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override {
    return network_.receive(id_, deadline);
  }
  Instant now() const override { return network_.now(); }
  std::string tester() const override { return tester_; }
  std::string iut() const override { return std::string(kIutAddress); }

  PeerId id() const { return id_; }

 private:
  Network& network_;
  PeerId id_;
  std::string tester_;
};

class MemoryIut final : public Iut {
 public:
  MemoryIut(MakePeer make_peer, MemoryOptions options)
      : make_peer_(std::move(make_peer)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  std::string capture_note() const override { return fmt::format("iut={}", kIutAddress); }
  std::string_view transport() const override { return "udp"; }
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

class MemoryEnvironment final : public Environment {
 public:
  MemoryEnvironment(MemoryIut& iut, std::unique_ptr<Peer> peer, const Impairments& impairments, std::uint64_t seed,
                    Instant epoch)
      : iut_(iut), network_(std::move(peer), impairments, seed), epoch_(epoch) {}
  ~MemoryEnvironment() override { iut_.ended(network_.now()); }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override {
    auto conversation = std::make_unique<MemoryConversation>(network_, iut_.next_tester());
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
  Instant now() const override { return network_.now(); }
  std::int64_t epoch_ns() const override { return epoch_.count(); }
  std::string peer_state() const override { return network_.peer().state(); }

 private:
  MemoryIut& iut_;
  Network network_;
  Instant epoch_;
  std::optional<PeerId> latest_;
};

tl::expected<std::unique_ptr<Environment>, CarriageError> MemoryIut::begin(const Case& next) {
  const std::uint64_t seed = mix(options_.seed, next.id);
  return std::make_unique<MemoryEnvironment>(*this, make_peer_(seed), options_.impairments, mix(seed, "network"),
                                             epoch_);
}

}  // namespace

std::unique_ptr<Iut> make_memory_iut(MakePeer make_peer, MemoryOptions options) {
  return std::make_unique<MemoryIut>(std::move(make_peer), std::move(options));
}

}  // namespace wirelaw
