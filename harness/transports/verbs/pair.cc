// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/pair.h"

#include <fmt/format.h>

#include "harness/transports/verbs/uri.h"
#include "harness/wait.h"

namespace wirelaw::verbs {
namespace {

template <class Result>
using Outcome = tl::expected<Result, TransportError>;

class PairConversation final : public Conversation {
 public:
  // The seats belong to the session, which outlives the conversation. The conversation removes them.
  PairConversation(Session& session, Seat& near, Seat& far, Role iut)
      : session_(session), near_(near), far_(far), iut_(iut), listens_at_(session.listener().local()) {
    const Seat& asking = iut == Role::initiator ? near : far;
    asks_from_ = asking.consumer->local();
  }
  ~PairConversation() override {
    session_.remove(&far_);
    session_.remove(&near_);
  }

  tl::expected<void, TransportError> send(Octets) override {
    return tl::unexpected(TransportError{"nobody speaks the wire between two consumers", ""});
  }
  // Receives nothing, since only the devices see the wire.
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    do {
      if (auto pumped = session_.pump(); !pumped) return tl::unexpected(pumped.error());
      if (now() < deadline) session_.wait({}, deadline);
    } while (now() < deadline);
    return std::nullopt;
  }
  Instant now() const override { return session_.clock().now(); }
  void end(Ending ending) override {
    if (ending != Ending::none) static_cast<void>(far_.consumer->disconnect());
  }
  Ending ending() const override { return Ending::none; }
  Offers offers() {
    Offers offers;
    offers.add<Consumer>(kConsumer, [this] {
      driven_ = true;
      return near_.consumer.get();
    });
    offers.add_reference<Consumer>(kFarConsumer, *far_.consumer);
    return offers;
  }
  std::string tester() const override { return pcap::to_string(iut_ == Role::initiator ? listens_at_ : asks_from_); }
  // Like every IUT that connects, one in the initiator's role is known when it begins.
  std::string iut() const override {
    if (iut_ != Role::initiator) return pcap::to_string(listens_at_);
    return driven_ ? pcap::to_string(asks_from_) : std::string();
  }

 private:
  Session& session_;
  Seat& near_;
  Seat& far_;
  Role iut_;
  pcap::Endpoint listens_at_, asks_from_;
  bool driven_ = false;
};

struct Places {
  DeviceAddress near, far;  // without ports
};

class PairEnvironment final : public Environment {
 public:
  PairEnvironment(Session& session, const Places& places, Role iut) : session_(session), places_(places), iut_(iut) {}
  ~PairEnvironment() override { session_.clear(); }

  Outcome<Connected> connect(const Route& route) override {
    if (auto refused = refuse(route, kStreams)) return tl::unexpected(std::move(*refused));
    const DeviceAddress& asks = iut_ == Role::initiator ? places_.near : places_.far;
    const auto answering = session_.add_responder(asks.endpoint);
    if (!answering) return tl::unexpected(answering.error());
    (*answering)->application.reset();
    const auto asking = session_.add_initiator({session_.listener().local(), {}}, asks);
    if (!asking) return tl::unexpected(asking.error());
    Seat &near = iut_ == Role::initiator ? **asking : **answering,
         &far = iut_ == Role::initiator ? **answering : **asking;
    auto conversation = std::make_unique<PairConversation>(session_, near, far, iut_);
    Offers offers = conversation->offers();
    return Connected{std::move(conversation), std::move(offers)};
  }
  Outcome<void> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return session_.clock().now(); }
  std::int64_t epoch_ns() const override { return session_.clock().epoch_ns(); }
  std::string peer_state() const override { return session_.state(); }

 private:
  Session& session_;
  const Places& places_;
  Role iut_;
};

class PairIut final : public Iut {
 public:
  PairIut(std::unique_ptr<Session> session, Places places, Role iut, bool iwarp)
      : session_(std::move(session)), places_(std::move(places)), iut_(iut), iwarp_(iwarp) {}

  std::string name() const override {
    return fmt::format("{}://{}?far={}", kVerbs,
                       host_and_port(pcap::to_string(places_.near.endpoint.address), session_->listener().local().port),
                       pcap::to_string(places_.far.endpoint.address));
  }
  std::string capture_note() const override {
    return (iut_ == Role::initiator ? "tester=" : "iut=") + pcap::to_string(session_->listener().local());
  }
  Framing framing() const override {
    return {.transport = iwarp_ ? "tcp" : kVerbs, .is_stream = iwarp_, .is_spoken = false};
  }
  Outcome<std::unique_ptr<Environment>> begin(const Case&) override {
    return std::make_unique<PairEnvironment>(*session_, places_, iut_);
  }
  void pause(std::chrono::nanoseconds duration) override {
    static_cast<void>(wait_for({}, LiveClock::Steady::now() + duration));
  }

 private:
  std::unique_ptr<Session> session_;
  Places places_;
  Role iut_;
  bool iwarp_;
};

}  // namespace

Outcome<std::unique_ptr<Iut>> make_pair(const Uri& at, Role iut) {
  const auto near = address_of(at);
  if (!near) return tl::unexpected(near.error());
  const auto far = far_address_of(at);
  if (!far) return tl::unexpected(far.error());
  auto session = Session::create(Service::none);
  if (!session) return tl::unexpected(session.error());
  Places places{*near, *far};
  DeviceAddress listens = iut == Role::initiator ? places.far : places.near;
  listens.endpoint.port = near->endpoint.port;
  places.near.endpoint.port = places.far.endpoint.port = 0;
  if (auto listening = (*session)->listen(listens); !listening) return tl::unexpected(listening.error());
  // Check now if the devices work, not in the first case.
  const DeviceAddress& asks = iut == Role::initiator ? places.near : places.far;
  const auto tried = (*session)->add_initiator({(*session)->listener().local(), {}}, asks);
  if (!tried) return tl::unexpected(tried.error());
  const bool iwarp = (*tried)->consumer->device().iwarp;
  (*session)->clear();
  return std::make_unique<PairIut>(std::move(*session), std::move(places), iut, iwarp);
}

}  // namespace wirelaw::verbs
