// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/iut.h"

#include <fmt/format.h>
#include <ifaddrs.h>

#include "harness/transports/tcp/tcp_connect.h"
#include "harness/transports/verbs/address.h"
#include "harness/transports/verbs/conversation.h"
#include "harness/transports/verbs/pair.h"
#include "harness/transports/verbs/uri.h"
#include "harness/wait.h"

namespace wirelaw {
namespace verbs {
namespace {

template <class Result>
using Outcome = tl::expected<Result, TransportError>;

std::string uri_of(const pcap::Endpoint& at) {
  return fmt::format("{}://{}", kVerbs, pcap::to_string(at));
}

Connected connected(std::unique_ptr<VerbsConversation> conversation) {
  Offers offers = conversation->offers();
  return {std::move(conversation), std::move(offers)};
}

class VerbsEnvironment : public Environment {
 public:
  explicit VerbsEnvironment(Session& session) : session_(session) {}
  ~VerbsEnvironment() override { session_.clear(); }

  tl::expected<void, TransportError> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return session_.clock().now(); }
  std::int64_t epoch_ns() const override { return session_.clock().epoch_ns(); }
  std::string peer_state() const override { return session_.state(); }

 protected:
  Session& session_;
};

// The tester speaks only iWARP's wire protocol, which is over TCP.
Outcome<void> require_iwarp(const DeviceInfo& device) {
  if (device.iwarp) return {};
  return tl::unexpected(TransportError{fmt::format("{} is no iWARP device: nobody here speaks its wire", device.name),
                                       "test it from a capture, or from another machine with `wirelaw serve`"});
}

void pause_for(std::chrono::nanoseconds duration) {
  static_cast<void>(wait_for({}, LiveClock::Steady::now() + duration));
}

// ---------------------------------------------------------------------------------------- the device as the responder

class ResponderEnvironment final : public VerbsEnvironment {
 public:
  using VerbsEnvironment::VerbsEnvironment;

  Outcome<Connected> connect(const Route& route) override {
    if (auto refused = refuse(route, kStreams)) return tl::unexpected(std::move(*refused));
    const pcap::Endpoint to = session_.listener().local();
    auto socket = TcpSocket::connect(pcap::to_string(to.address), static_cast<std::uint16_t>(to.port),
                                     LiveClock::Steady::now() + kConnectTime);
    if (!socket) return tl::unexpected(socket.error());
    const auto seat = session_.add_responder(socket->local());
    if (!seat) return tl::unexpected(seat.error());
    return connected(std::make_unique<VerbsConversation>(session_, **seat, std::move(*socket)));
  }
};

class ResponderIut final : public Iut {
 public:
  explicit ResponderIut(std::unique_ptr<Session> session) : session_(std::move(session)) {}

  std::string name() const override { return uri_of(session_->listener().local()); }
  std::string capture_note() const override { return "iut=" + pcap::to_string(session_->listener().local()); }
  Framing framing() const override { return {.transport = "tcp", .is_stream = true}; }
  Outcome<std::unique_ptr<Environment>> begin(const Case&) override {
    return std::make_unique<ResponderEnvironment>(*session_);
  }
  void pause(std::chrono::nanoseconds duration) override { pause_for(duration); }

 private:
  std::unique_ptr<Session> session_;
};

// ---------------------------------------------------------------------------------------- the device as the initiator

class InitiatorEnvironment final : public VerbsEnvironment {
 public:
  InitiatorEnvironment(Session& session, TcpAcceptor& acceptor, const std::string& device)
      : VerbsEnvironment(session), acceptor_(acceptor), device_(device) {}

  Outcome<Connected> connect(const Route& route) override {
    if (auto refused = refuse(route, kStreams)) return tl::unexpected(std::move(*refused));
    const auto seat = add();
    if (!seat) return tl::unexpected(seat.error());
    unused_ = *seat;
    return connected(std::make_unique<VerbsConversation>(session_, **seat, acceptor_));
  }
  // Lets the consumer of the last conversation begin, or a new one if it has already begun.
  Outcome<void> trigger(const TriggerRequest& request) override {
    Seat* seat = std::exchange(unused_, nullptr);
    if (seat == nullptr) {
      const auto added = add();
      if (!added) return tl::unexpected(added.error());
      seat = *added;
    }
    seat->application = make_initiator(*seat->consumer, request);
    return {};
  }

 private:
  Outcome<Seat*> add() { return session_.add_initiator({acceptor_.local(), device_}); }

  TcpAcceptor& acceptor_;
  const std::string& device_;
  Seat* unused_ = nullptr;
};

class InitiatorIut final : public Iut {
 public:
  InitiatorIut(std::unique_ptr<Session> session, TcpAcceptor acceptor, std::string device)
      : session_(std::move(session)), acceptor_(std::move(acceptor)), device_(std::move(device)) {}

  std::string name() const override { return uri_of(acceptor_.local()); }
  std::string capture_note() const override { return "tester=" + pcap::to_string(acceptor_.local()); }
  Framing framing() const override { return {.transport = "tcp", .is_stream = true}; }
  Outcome<std::unique_ptr<Environment>> begin(const Case&) override {
    // Messages that arrive late for one case do not belong to the next.
    for (auto stale = acceptor_.accept(LiveClock::Steady::now()); stale && *stale;)
      stale = acceptor_.accept(LiveClock::Steady::now());
    return std::make_unique<InitiatorEnvironment>(*session_, acceptor_, device_);
  }
  void pause(std::chrono::nanoseconds duration) override { pause_for(duration); }

 private:
  std::unique_ptr<Session> session_;
  TcpAcceptor acceptor_;
  std::string device_;
};

}  // namespace
}  // namespace verbs

tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_responder(const Uri& at, Service application) {
  if (verbs::has_far(at)) return verbs::make_pair(at, Role::responder);
  auto session = verbs::Session::create(application);
  if (!session) return tl::unexpected(session.error());
  const auto address = verbs::address_of(at);
  if (!address) return tl::unexpected(address.error());
  if (auto listening = (*session)->listen(*address); !listening) return tl::unexpected(listening.error());
  // Check now if the device works, not in the first case.
  const auto tried = (*session)->add_responder(address->endpoint);
  if (!tried) return tl::unexpected(tried.error());
  if (auto fits = verbs::require_iwarp((*tried)->consumer->device()); !fits) return tl::unexpected(fits.error());
  (*session)->clear();
  return std::make_unique<verbs::ResponderIut>(std::move(*session));
}

tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_initiator(const Uri& at) {
  if (verbs::has_far(at)) return verbs::make_pair(at, Role::initiator);
  auto session = verbs::Session::create(Service::none);
  if (!session) return tl::unexpected(session.error());
  const SocketPlace place = socket_place(at);
  auto acceptor = TcpAcceptor::bind(place.host, place.port);
  if (!acceptor) return tl::unexpected(acceptor.error());
  std::string device = verbs::device_of(at);
  const auto tried = (*session)->add_initiator({acceptor->local(), device});
  if (!tried) return tl::unexpected(tried.error());
  if (auto fits = verbs::require_iwarp((*tried)->consumer->device()); !fits) return tl::unexpected(fits.error());
  (*session)->clear();
  return std::make_unique<verbs::InitiatorIut>(std::move(*session), std::move(*acceptor), std::move(device));
}

std::map<std::string, std::vector<pcap::Address>> verbs_addresses() {
  std::map<std::string, std::vector<pcap::Address>> found;
  const auto manager = verbs::Manager::create();
  ifaddrs* interfaces = nullptr;
  if (!manager || ::getifaddrs(&interfaces) != 0) return found;
  for (const ifaddrs* one = interfaces; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || (one->ifa_addr->sa_family != AF_INET && one->ifa_addr->sa_family != AF_INET6))
      continue;
    pcap::Endpoint at = verbs::endpoint_of(*one->ifa_addr);
    at.port = 0;
    const auto id = verbs::bind_to(**manager, {at, {}});
    if (id && (*id)->verbs != nullptr)
      found[(*manager)->verbs().get_device_name((*id)->verbs->device)].push_back(at.address);
  }
  ::freeifaddrs(interfaces);
  return found;
}

}  // namespace wirelaw
