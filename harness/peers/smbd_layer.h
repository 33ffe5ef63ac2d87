// SPDX-License-Identifier: Apache-2.0
// An SMB Direct endpoint on an RDMAP endpoint: what it asks of the RDMA layer becomes RDMAP work, and what RDMAP
// reports goes to it. An application is above it.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "harness/peers/rdmap_upper.h"
#include "reference/smbd/make_endpoint.h"

namespace wirelaw::smbd {

// The user of a connection. It sends through the endpoint, and gets its events.
class Application {
 public:
  virtual ~Application() = default;
  virtual void take(Event& event, Endpoint& endpoint, Instant now) = 0;
  // Time has passed, and when advance() wants to be called next.
  virtual void advance(Endpoint&, Instant) {}
  virtual std::optional<Instant> deadline() const { return std::nullopt; }
  // True if no request is in progress.
  virtual bool idle() const { return true; }
};

// Registers memory at an RDMAP endpoint, once there is one.
class StreamRegistrar final : public Registrar {
 public:
  void bind(rdmap::Endpoint& below) { below_ = &below; }
  std::optional<RemoteBuffer> register_memory(std::span<Octet> memory, Access access) override;
  bool deregister_memory(Token token) override;
  // Refuses every registration after this many more.
  void limit(std::size_t more) { left_ = more; }
  std::size_t registered() const { return registered_; }

 private:
  rdmap::Endpoint* below_ = nullptr;
  std::size_t registered_ = 0;
  std::size_t left_ = static_cast<std::size_t>(-1);
  std::uint64_t next_base_ = kFirstBase;
  static constexpr std::uint64_t kFirstBase = std::uint64_t{1} << 32;  // offsets that do not fit 32 bits show faults
};

class Layer final : public rdmap::UpperLayer {
 public:
  Layer(Role role, const Options& options, const Deviations& deviations, std::unique_ptr<Application> application);

  OctetBuffer begin(rdmap::Endpoint& below, Instant now) override;
  void take(rdmap::Event& event, rdmap::Endpoint& below, Instant now) override;
  void advance(rdmap::Endpoint& below, Instant now) override;
  std::optional<Instant> deadline() const override;
  bool leaves_open() const override { return leaves_open_; }
  bool idle() const override { return application_->idle(); }

  // --- for a driver that takes the application's place
  Endpoint& endpoint() { return *endpoint_; }
  StreamRegistrar& registrar() { return registrar_; }
  void take_over(std::unique_ptr<Application> application) { application_ = std::move(application); }
  // Handles the results of what was done at the endpoint.
  void proceed(rdmap::Endpoint& below, Instant now);

 private:
  // RDMAP work in progress, by its number there.
  struct Posted {
    WorkId id = 0;
    std::optional<rdmap::Stag> sink = {};  // a Read's sink: registered until the Read ends
  };

  void lose(rdmap::Endpoint& below, Instant now);
  void keep(tl::expected<rdmap::WorkId, rdmap::PostError> posted, Posted what, Instant now);
  void perform(PostReceive& work, rdmap::Endpoint& below, Instant now);
  void perform(PostSend& work, rdmap::Endpoint& below, Instant now);
  void perform(PostWrite& work, rdmap::Endpoint& below, Instant now);
  void perform(PostRead& work, rdmap::Endpoint& below, Instant now);
  void perform(Disconnect& work, rdmap::Endpoint& below, Instant now);

  StreamRegistrar registrar_;
  bool may_leave_open_, leaves_open_ = false;  // endpoint_left_open
  std::unique_ptr<Endpoint> endpoint_;
  std::unique_ptr<Application> application_;
  std::map<rdmap::WorkId, Posted> posted_;
};

}  // namespace wirelaw::smbd
