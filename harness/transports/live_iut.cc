// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/live_iut.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <thread>
#include <utility>

#include "conformance/introduction.h"
#include "harness/control/channel.h"
#include "harness/transports/nodes.h"
#include "harness/transports/trigger_process.h"

namespace wirelaw {
namespace {

// /bin/sh's exit status if a command is not found or may not be run.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

template <class Result>
using Outcome = tl::expected<Result, TransportError>;

std::uint64_t random_nonce() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

Outcome<const Scheme*> live_scheme_of(const Uri& uri) {
  const Scheme* const scheme = find_scheme(uri.scheme);
  if (scheme != nullptr && scheme->connect != nullptr && scheme->listen != nullptr) return scheme;
  return tl::unexpected(TransportError{uri.scheme + ": there is no such transport", "see `wirelaw test --help`"});
}

// ------------------------------------------------------------------------------------------------- places of a case
// Places where the IUT may connect to us, in addition to its usual way. Each exists from the case's request until the
// case ends.
class Places {
 public:
  Places(const Scheme& scheme, const LiveClock& clock) : scheme_(scheme), clock_(clock) {}

  // A port that cannot be had is no fault of the IUT's.
  Outcome<Connected> accept(const pcap::Endpoint& at, bool datagrams) {
    const bool beside = datagrams && scheme_.framing.is_stream;
    const Scheme* const scheme = beside ? find_scheme(kDatagrams.transport) : &scheme_;
    const std::string place = pcap::to_string(at);
    auto& listener = listeners_[{scheme, place}];
    if (listener == nullptr) {
      auto listening = scheme->listen({.scheme = std::string(scheme->name), .place = place}, clock_);
      if (!listening) return tl::unexpected(no_way(listening.error().message, listening.error().hint));
      listener = std::move(*listening);
    }
    Connected connected = listener->accept();
    connected.datagrams = beside;
    return connected;
  }

 private:
  const Scheme& scheme_;
  const LiveClock& clock_;
  std::map<std::pair<const Scheme*, std::string>, std::unique_ptr<Listener>> listeners_;
};

// -------------------------------------------------------------------------------------------------- one that listens

class ListeningIut final : public Iut {
 public:
  explicit ListeningIut(const Scheme& scheme) : scheme_(scheme) {}

  Outcome<void> reach(const Uri& peer) {
    auto connector = scheme_.connect(peer, clock_);
    if (!connector) return tl::unexpected(connector.error());
    connector_ = std::move(*connector);
    return {};
  }

  std::string name() const override { return fmt::format("{}://{}", scheme_.name, connector_->place()); }
  std::string capture_note() const override { return connector_->capture_note(); }
  Framing framing() const override { return scheme_.framing; }
  bool learn(std::string_view line) override { return connector_->learn(line); }
  Outcome<std::unique_ptr<Environment>> begin(const Case&) override;
  void pause(std::chrono::nanoseconds duration) override { std::this_thread::sleep_for(duration); }

 private:
  const Scheme& scheme_;
  LiveClock clock_;
  std::unique_ptr<Connector> connector_;
};

class ListeningEnvironment final : public Environment {
 public:
  ListeningEnvironment(const Scheme& scheme, Connector& connector, const LiveClock& clock)
      : connector_(connector), clock_(clock), places_(scheme, clock) {}

  Outcome<Connected> connect(const Route& route) override { return connector_.connect(route); }
  Outcome<Connected> accept(const Route& route) override {
    const auto address = connector_.address(route);
    if (!address) return tl::unexpected(address.error());
    return places_.accept({*address, route.port}, route.datagrams);
  }
  Outcome<void> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return clock_.now(); }
  std::int64_t epoch_ns() const override { return clock_.epoch_ns(); }
  std::uint64_t nonce() const override { return nonce_; }
  std::string peer_state() const override { return {}; }

 private:
  Connector& connector_;
  const LiveClock& clock_;
  const std::uint64_t nonce_ = random_nonce();
  Places places_;
};

Outcome<std::unique_ptr<Environment>> ListeningIut::begin(const Case&) {
  move_nodes_if_worn();
  return std::make_unique<ListeningEnvironment>(scheme_, *connector_, clock_);
}

// ------------------------------------------------------------------------------------------------- one that connects

class ConnectingEnvironment;

class TriggeredIut final : public ConnectingIut {
 public:
  TriggeredIut(const Scheme& scheme, std::string trigger, control::MakeRemote remote)
      : scheme_(scheme), trigger_(std::move(trigger)), remote_(remote) {}

  Outcome<void> listen(const Uri& at) {
    auto listener = scheme_.listen(at, clock_);
    if (!listener) return tl::unexpected(listener.error());
    listener_ = std::move(*listener);
    return {};
  }

  std::string name() const override { return uri_at(listener_->place()); }
  std::string capture_note() const override { return "tester=" + address(); }
  std::string address() const override { return pcap::to_string(listener_->local()); }
  Framing framing() const override { return scheme_.framing; }
  Outcome<std::unique_ptr<Environment>> begin(const Case& next) override;
  void pause(std::chrono::nanoseconds duration) override { std::this_thread::sleep_for(duration); }

 private:
  friend class ConnectingEnvironment;

  std::string uri_at(const std::string& place) const { return fmt::format("{}://{}", scheme_.name, place); }

  const Scheme& scheme_;
  std::string trigger_;
  control::MakeRemote remote_;
  LiveClock clock_;
  std::unique_ptr<Listener> listener_;
  bool ignored_ = false;  // true: nobody connects to the control channel
  int failed_ = 0;        // the status of a trigger that could not be run
};

class ConnectingEnvironment final : public Environment {
 public:
  ConnectingEnvironment(TriggeredIut& iut, std::string name)
      : iut_(iut), case_(std::move(name)), places_(iut.scheme_, iut.clock_) {
    if (!iut_.trigger_.empty()) channel_ = control::Channel::open(iut_.ignored_, iut_.remote_);
  }
  ~ConnectingEnvironment() override {
    for (TriggerProcess& process : processes_) {
      const int status = process.end().value_or(0);
      if (status == kNotFound || status == kNotExecutable) iut_.failed_ = status;
    }
  }

  tl::expected<Connected, TransportError> connect(const Route& route) override {
    if (refuse(route, iut_.framing())) return accept(route);
    Connected connected = iut_.listener_->accept();
    connected.offers.add_reference(kIntroductions, introduced_);
    if (channel_) channel_->offer(*connected.wire, connected.offers);
    return connected;
  }
  // Accepts further connections at the place that the IUT is triggered to connect to, unless the route names another.
  tl::expected<Connected, TransportError> accept(const Route& route) override {
    pcap::Endpoint at = iut_.listener_->local();
    if (route.node > 0) {
      const auto address = address_of_node(route.node, at.address);
      if (!address) return tl::unexpected(address.error());
      at.address = *address;
    }
    const bool is_ours = route.node == 0 && (route.port == 0 || route.port == at.port);
    if (is_ours && !refuse(route, iut_.framing())) return connect(route);
    if (route.port != 0) at.port = route.port;
    return places_.accept(at, route.datagrams);
  }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    if (iut_.trigger_.empty()) return {};
    TriggerProcess::Environment environment{{"WIRELAW_URI", iut_.uri_at(iut_.listener_->place_here())},
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
  std::uint64_t nonce() const override { return nonce_; }
  std::string peer_state() const override { return {}; }
  // A trigger that has done what it was asked for ends by itself.
  std::optional<Death> death(bool) override {
    for (const TriggerProcess& process : processes_)
      if (const auto end = process.ended(0); end && end->by_signal)
        return Death{.how = to_text(*end), .is_failure = is_crash(*end)};
    return std::nullopt;
  }

 private:
  TriggeredIut& iut_;
  std::string case_;
  const std::uint64_t nonce_ = random_nonce();
  Introductions introduced_;
  std::vector<TriggerProcess> processes_;
  std::unique_ptr<control::Channel> channel_;
  Places places_;
};

Outcome<std::unique_ptr<Environment>> TriggeredIut::begin(const Case& next) {
  if (failed_ != 0)
    return tl::unexpected(TransportError{fmt::format("'{}' ended with status {}", trigger_, failed_),
                                         "check --trigger: the shell could not run it"});
  listener_->clear();
  return std::make_unique<ConnectingEnvironment>(*this, std::string(next.id));
}

}  // namespace

tl::expected<std::unique_ptr<Iut>, TransportError> make_listening_iut(const Uri& peer) {
  const auto scheme = live_scheme_of(peer);
  if (!scheme) return tl::unexpected(scheme.error());
  auto iut = std::make_unique<ListeningIut>(**scheme);
  if (const auto reached = iut->reach(peer); !reached) return tl::unexpected(reached.error());
  return iut;
}

tl::expected<std::unique_ptr<ConnectingIut>, TransportError> make_connecting_iut(const Uri& at, std::string trigger,
                                                                                 control::MakeRemote remote) {
  const auto scheme = live_scheme_of(at);
  if (!scheme) return tl::unexpected(scheme.error());
  auto iut = std::make_unique<TriggeredIut>(**scheme, std::move(trigger), remote);
  if (const auto listening = iut->listen(at); !listening) return tl::unexpected(listening.error());
  return iut;
}

tl::expected<TestedIut, Refusal> make_live_iut(const IutRequest& request) {
  if (request.role != Role::initiator) {
    auto iut = make_listening_iut(request.uri);
    if (!iut) return tl::unexpected(peer_lost(iut.error()));
    return TestedIut{std::move(*iut), request.uri.query};
  }
  auto iut = make_connecting_iut(request.uri, request.trigger, request.remote);
  if (iut) return TestedIut{std::move(*iut), request.uri.query};
  // For a device that is not there, or an address that cannot be bound.
  const Scheme* const scheme = find_scheme(request.uri.scheme);
  return tl::unexpected(scheme != nullptr && !scheme->needs.empty() ? peer_lost(iut.error()) : misuse(iut.error()));
}

}  // namespace wirelaw
