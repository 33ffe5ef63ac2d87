// SPDX-License-Identifier: Apache-2.0
#include "harness/live_iut.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/control/channel.h"
#include "harness/listening_environment.h"
#include "harness/sockets/tcp_conversation.h"
#include "harness/sockets/udp_conversation.h"
#include "harness/srd/conversation.h"
#include "harness/srd/iut.h"
#include "harness/trigger_process.h"

namespace wirelaw {
namespace {

// What /bin/sh gives where a command is not there or may not be run.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

template <class Result>
using Outcome = tl::expected<Result, CarriageError>;

// What the transports have of their own.
struct Transport {
  std::string_view scheme;
  // The address of the one that listens there.
  Outcome<pcap::Endpoint> (*find)(const std::string& host, std::uint16_t port);
  Outcome<std::unique_ptr<Conversation>> (*connect)(const std::string& host, std::uint16_t port,
                                                    const LiveClock& clock);
  Outcome<std::unique_ptr<Listener>> (*listen)(const Uri& at, const LiveClock& clock);
  std::string_view dissector = {};  // Iut::dissector()
};

Outcome<pcap::Endpoint> find_udp(const std::string& host, std::uint16_t port) {
  return UdpSocket::connect(host, port).map([](const UdpSocket& socket) { return socket.remote(); });
}

Outcome<std::unique_ptr<Listener>> listen_udp(const Uri& at, const LiveClock& clock) {
  return UdpSocket::bind(at.host, at.port.value_or(0)).map([&](UdpSocket&& socket) -> std::unique_ptr<Listener> {
    return std::make_unique<UdpListener>(std::move(socket), clock);
  });
}

Outcome<std::unique_ptr<Listener>> listen_tcp(const Uri& at, const LiveClock& clock) {
  return TcpAcceptor::bind(at.host, at.port.value_or(0)).map([&](TcpAcceptor&& acceptor) -> std::unique_ptr<Listener> {
    return std::make_unique<TcpListener>(std::move(acceptor), clock);
  });
}

constexpr Transport kTransports[] = {
    {.scheme = "udp", .find = find_udp, .connect = connect_udp, .listen = listen_udp},
    {.scheme = "tcp", .find = find_tcp, .connect = connect_tcp, .listen = listen_tcp},
    // One that listens is srd_iut.h's.
    {.scheme = "srd",
     .find = nullptr,
     .connect = nullptr,
     .listen = [](const Uri& at, const LiveClock& clock) { return listen_srd(*at.srd, clock); },
     .dissector = kSrdDissector},
};

Outcome<const Transport*> transport_of(const Uri& uri) {
  for (const Transport& one : kTransports)
    if (one.scheme == uri.scheme) return &one;
  return tl::unexpected(CarriageError{uri.scheme + ": there is no such carriage", "udp, tcp and srd are there"});
}

void wait(std::chrono::nanoseconds duration) {
  // A socket to which nobody sends waits as well as anything.
  if (auto socket = UdpSocket::bind("127.0.0.1", 0))
    static_cast<void>(socket->receive(LiveClock::Steady::now() + duration));
}

class ListeningIut final : public Iut {
 public:
  ListeningIut(const Transport& transport, const Uri& peer, const pcap::Endpoint& at)
      : transport_(transport),
        name_(fmt::format("{}://{}", transport.scheme, host_and_port(peer.host, at.port))),
        address_(pcap::to_string(at.address)),
        port_(static_cast<std::uint16_t>(at.port)) {}

  std::string name() const override { return name_; }
  std::string capture_note() const override { return "iut=" + host_and_port(address_, port_); }
  std::string_view transport() const override { return transport_.scheme; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case&) override {
    return std::make_unique<ListeningEnvironment<ListeningIut>>(*this);
  }
  void pause(std::chrono::nanoseconds duration) override { wait(duration); }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() const {
    return transport_.connect(address_, port_, clock_);
  }
  const LiveClock& clock() const { return clock_; }

 private:
  const Transport& transport_;
  std::string name_;     // as the user wrote it
  std::string address_;  // that it stands for
  std::uint16_t port_;
  LiveClock clock_;
};

class ConnectingEnvironment;

class TriggeredIut final : public ConnectingIut {
 public:
  TriggeredIut(const Transport& transport, std::string host, std::string trigger)
      : transport_(transport), host_(std::move(host)), trigger_(std::move(trigger)) {}

  Outcome<void> listen(const Uri& at) {
    auto listener = transport_.listen(at, clock_);
    if (!listener) return tl::unexpected(listener.error());
    listener_ = std::move(*listener);
    return {};
  }

  std::string name() const override { return uri_at(pcap::to_string(listener_->local().address)); }
  std::string capture_note() const override { return "tester=" + address(); }
  std::string address() const override { return pcap::to_string(listener_->local()); }
  std::string_view transport() const override { return transport_.scheme; }
  std::string_view dissector() const override { return transport_.dissector; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds duration) override { wait(duration); }

 private:
  friend class ConnectingEnvironment;

  std::string uri_at(const std::string& host) const {
    return fmt::format("{}://{}", transport_.scheme, listener_->place(host));
  }

  // How a client on this machine reaches us.
  std::string uri() const { return uri_at(host_ == "0.0.0.0" ? "127.0.0.1" : host_ == "::" ? "::1" : host_); }

  const Transport& transport_;
  std::string host_;
  std::string trigger_;
  LiveClock clock_;
  std::unique_ptr<Listener> listener_;
  bool ignored_ = false;  // nobody connects to the control channel
  int failed_ = 0;        // the status of a trigger that could not be run
};

class ConnectingEnvironment final : public Environment {
 public:
  ConnectingEnvironment(TriggeredIut& iut, std::string name) : iut_(iut), case_(std::move(name)) {
    if (!iut_.trigger_.empty()) channel_ = control::Channel::open(iut_.ignored_);
  }
  ~ConnectingEnvironment() override {
    for (TriggerProcess& process : processes_) {
      const int status = process.end().value_or(0);
      if (status == kNotFound || status == kNotExecutable) iut_.failed_ = status;
    }
  }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override {
    auto conversation = iut_.listener_->accept();
    return channel_ ? channel_->above(std::move(conversation)) : std::move(conversation);
  }
  tl::expected<void, CarriageError> trigger(const TriggerRequest& request) override {
    if (iut_.trigger_.empty()) return {};
    TriggerProcess::Environment environment{{"WIRELAW_URI", iut_.uri()},
                                            {"WIRELAW_REQUESTS", fmt::format("{}", request.count)},
                                            {"WIRELAW_REQUEST_OCTETS", fmt::format("{}", request.octets)},
                                            {"WIRELAW_PARALLEL", request.parallel ? "1" : "0"},
                                            {"WIRELAW_CASE", case_}};
    if (channel_) environment.emplace_back(control::kVariable, channel_->path());
    for (const auto& [name, value] : introduced_) environment.emplace_back("WIRELAW_" + name, value);
    auto process = TriggerProcess::start(iut_.trigger_, environment);
    if (!process) return tl::unexpected(process.error());
    processes_.push_back(std::move(*process));
    return {};
  }
  Instant now() const override { return iut_.clock_.now(); }
  std::int64_t epoch_ns() const override { return iut_.clock_.epoch_ns(); }
  std::string peer_state() const override { return {}; }
  void introduce(std::string_view name, std::string value) override {
    introduced_.insert_or_assign(std::string(name), std::move(value));
  }
  // One that has done what it was asked for ends by itself.
  std::optional<std::string> death(bool) override {
    for (const TriggerProcess& process : processes_)
      if (const auto end = process.ended(0); end && end->by_signal) return to_text(*end);
    return std::nullopt;
  }

 private:
  TriggeredIut& iut_;
  std::string case_;
  std::map<std::string, std::string> introduced_;
  std::vector<TriggerProcess> processes_;
  std::unique_ptr<control::Channel> channel_;
};

tl::expected<std::unique_ptr<Environment>, CarriageError> TriggeredIut::begin(const Case& next) {
  if (failed_ != 0)
    return tl::unexpected(CarriageError{fmt::format("'{}' ended with status {}", trigger_, failed_),
                                        "check --trigger: the shell could not run it"});
  listener_->clear();
  return std::make_unique<ConnectingEnvironment>(*this, std::string(next.id));
}

}  // namespace

tl::expected<std::unique_ptr<Iut>, CarriageError> make_listening_iut(const Uri& peer) {
  if (peer.srd) return make_listening_srd_iut(*peer.srd);
  const auto transport = transport_of(peer);
  if (!transport) return tl::unexpected(transport.error());
  const auto found = (*transport)->find(peer.host, peer.port.value_or(0));
  if (!found) return tl::unexpected(found.error());
  return std::make_unique<ListeningIut>(**transport, peer, *found);
}

tl::expected<std::unique_ptr<ConnectingIut>, CarriageError> make_connecting_iut(const Uri& at, std::string trigger) {
  const auto transport = transport_of(at);
  if (!transport) return tl::unexpected(transport.error());
  auto iut = std::make_unique<TriggeredIut>(**transport, at.host, std::move(trigger));
  if (const auto listening = iut->listen(at); !listening) return tl::unexpected(listening.error());
  return iut;
}

}  // namespace wirelaw
