// SPDX-License-Identifier: Apache-2.0
#include "harness/live_iut.h"

#include <fmt/format.h>

#include "harness/trigger_process.h"
#include "harness/udp_conversation.h"

namespace wirelaw {
namespace {

// What /bin/sh gives where a command is not there or may not be run.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

void wait(std::chrono::nanoseconds duration) {
  // A socket to which nobody sends waits as well as anything.
  if (auto socket = UdpSocket::bind("127.0.0.1", 0))
    static_cast<void>(socket->receive(LiveClock::Steady::now() + duration));
}

class ListeningIut final : public Iut {
 public:
  ListeningIut(const Uri& peer, const pcap::Endpoint& at)
      : name_("udp://" + host_and_port(peer.host, at.port)), address_(pcap::to_string(at.address)), port_(at.port) {}

  std::string name() const override { return name_; }
  std::string capture_note() const override { return "iut=" + host_and_port(address_, port_); }
  std::string_view transport() const override { return "udp"; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds duration) override { wait(duration); }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() const {
    return connect_udp(address_, port_, clock_);
  }
  const LiveClock& clock() const { return clock_; }

 private:
  std::string name_;     // as the user wrote it
  std::string address_;  // that it stands for
  std::uint16_t port_;
  LiveClock clock_;
};

class ListeningEnvironment final : public Environment {
 public:
  explicit ListeningEnvironment(const ListeningIut& iut) : iut_(iut) {}

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override { return iut_.connect(); }
  tl::expected<void, CarriageError> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return iut_.clock().now(); }
  std::int64_t epoch_ns() const override { return iut_.clock().epoch_ns(); }
  std::string peer_state() const override { return {}; }

 private:
  const ListeningIut& iut_;
};

tl::expected<std::unique_ptr<Environment>, CarriageError> ListeningIut::begin(const Case&) {
  return std::make_unique<ListeningEnvironment>(*this);
}

class ConnectingEnvironment;

class TriggeredIut final : public ConnectingIut {
 public:
  TriggeredIut(std::string host, UdpSocket socket, std::string trigger)
      : host_(std::move(host)), trigger_(std::move(trigger)), listener_(std::move(socket), clock_) {}

  std::string name() const override { return "udp://" + address(); }
  std::string capture_note() const override { return "tester=" + address(); }
  std::string address() const override { return pcap::to_string(listener_.local()); }
  std::string_view transport() const override { return "udp"; }
  tl::expected<std::unique_ptr<Environment>, CarriageError> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds duration) override { wait(duration); }

 private:
  friend class ConnectingEnvironment;

  // How a client on this machine reaches us.
  std::string uri() const {
    const std::string host = host_ == "0.0.0.0" ? "127.0.0.1" : host_ == "::" ? "::1" : host_;
    return "udp://" + host_and_port(host, listener_.local().port);
  }

  std::string host_;
  std::string trigger_;
  LiveClock clock_;  // before the listener, which refers to it
  UdpListener listener_;
  int failed_ = 0;  // the status of a trigger that could not be run
};

class ConnectingEnvironment final : public Environment {
 public:
  ConnectingEnvironment(TriggeredIut& iut, std::string name) : iut_(iut), case_(std::move(name)) {}
  ~ConnectingEnvironment() override {
    for (TriggerProcess& process : processes_) {
      const int status = process.end().value_or(0);
      if (status == kNotFound || status == kNotExecutable) iut_.failed_ = status;
    }
  }

  tl::expected<std::unique_ptr<Conversation>, CarriageError> connect() override { return iut_.listener_.accept(); }
  tl::expected<void, CarriageError> trigger(const TriggerRequest& request) override {
    if (iut_.trigger_.empty()) return {};
    auto process = TriggerProcess::start(iut_.trigger_, {{"WIRELAW_URI", iut_.uri()},
                                                         {"WIRELAW_REQUESTS", fmt::format("{}", request.count)},
                                                         {"WIRELAW_REQUEST_OCTETS", fmt::format("{}", request.octets)},
                                                         {"WIRELAW_PARALLEL", request.parallel ? "1" : "0"},
                                                         {"WIRELAW_CASE", case_}});
    if (!process) return tl::unexpected(process.error());
    processes_.push_back(std::move(*process));
    return {};
  }
  Instant now() const override { return iut_.clock_.now(); }
  std::int64_t epoch_ns() const override { return iut_.clock_.epoch_ns(); }
  std::string peer_state() const override { return {}; }

 private:
  TriggeredIut& iut_;
  std::string case_;
  std::vector<TriggerProcess> processes_;
};

tl::expected<std::unique_ptr<Environment>, CarriageError> TriggeredIut::begin(const Case& next) {
  if (failed_ != 0)
    return tl::unexpected(CarriageError{fmt::format("'{}' ended with status {}", trigger_, failed_),
                                        "check --trigger: the shell could not run it"});
  listener_.clear();
  return std::make_unique<ConnectingEnvironment>(*this, std::string(next.id));
}

}  // namespace

tl::expected<std::unique_ptr<Iut>, CarriageError> make_listening_iut(const Uri& peer) {
  const auto socket = UdpSocket::connect(peer.host, peer.port.value_or(0));
  if (!socket) return tl::unexpected(socket.error());
  return std::make_unique<ListeningIut>(peer, socket->remote());
}

tl::expected<std::unique_ptr<ConnectingIut>, CarriageError> make_connecting_iut(const Uri& at, std::string trigger) {
  auto socket = UdpSocket::bind(at.host, at.port.value_or(0));
  if (!socket) return tl::unexpected(socket.error());
  return std::make_unique<TriggeredIut>(at.host, std::move(*socket), std::move(trigger));
}

}  // namespace wirelaw
