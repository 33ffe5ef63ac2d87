// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/service.h"

#include "harness/transports/verbs/end_signals.h"
#include "harness/transports/verbs/session.h"
#include "harness/transports/verbs/uri.h"

namespace wirelaw {
namespace verbs {
namespace {

class VerbsService final : public PeerService {
 public:
  explicit VerbsService(std::unique_ptr<Session> session, Seat* initiator = nullptr)
      : session_(std::move(session)), initiator_(initiator) {}

  std::string place() const override { return pcap::to_string(session_->listener().local()); }
  bool is_done() const override { return initiator_ == nullptr || initiator_->application->failed() == 0; }
  std::string state() const override { return session_->state(); }

  tl::expected<void, Refusal> run(const ServeOptions& options) override {
    const auto ended = pump_until_ended(options);
    if (ended) return {};
    return tl::unexpected(initiator_ ? peer_lost(ended.error()) : misuse(ended.error()));
  }

 private:
  tl::expected<void, TransportError> pump_until_ended(const ServeOptions& options) {
    if (!initiator_) session_->take_all(options.connections);
    std::uint64_t events = 0;
    Instant last_event = session_->clock().now();
    while (!signals_.have_come()) {
      if (auto pumped = session_->pump(); !pumped) return pumped;
      if (initiator_ && initiator_->application->is_over()) break;
      if (!initiator_) session_->remove_ended();
      const Instant now = session_->clock().now();
      if (const std::uint64_t so_far = session_->events(); so_far != events) {
        events = so_far;
        last_event = now;
      }
      const Instant idle_end = options.idle ? last_event + *options.idle : Instant::max();
      if (now >= idle_end) break;
      session_->wait({signals_.awaited()}, idle_end);
    }
    return {};
  }

  EndSignals signals_;
  std::unique_ptr<Session> session_;
  Seat* initiator_;
};

}  // namespace
}  // namespace verbs

tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_listener(const Uri& at, Service application) {
  auto session = verbs::Session::create(application);
  if (!session) return tl::unexpected(session.error());
  const auto address = verbs::address_of(at);
  if (!address) return tl::unexpected(address.error());
  if (auto listening = (*session)->listen(*address); !listening) return tl::unexpected(listening.error());
  return std::make_unique<verbs::VerbsService>(std::move(*session));
}

tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_initiator(const Uri& to,
                                                                           const TriggerRequest& request) {
  auto session = verbs::Session::create(Service::none);
  if (!session) return tl::unexpected(session.error());
  const auto address = verbs::address_of(to);
  if (!address) return tl::unexpected(address.error());
  const auto seat = (*session)->add_initiator(*address);
  if (!seat) return tl::unexpected(seat.error());
  (*seat)->application = verbs::make_initiator(*(*seat)->consumer, request);
  return std::make_unique<verbs::VerbsService>(std::move(*session), *seat);
}

}  // namespace wirelaw
