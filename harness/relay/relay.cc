// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/relay.h"

#include <sys/resource.h>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/udp.hpp>

#include "harness/relay/tcp_relay.h"
#include "harness/relay/transparent_relay.h"
#include "harness/relay/udp_relay.h"
#include "harness/transports/asio_address.h"
#include "harness/transports/tcp/tcp_connect.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;
using asio::ip::udp;
using Clock = std::chrono::steady_clock;
using Code = asio::error_code;

constexpr std::size_t kReadOctets = 64 * 1024;  // octets of one read; the longest datagram fits
// The relay checks at this interval if it has to end, and flushes the recording for the judge.
constexpr std::chrono::milliseconds kLookEvery{20};
// Once the trigger has ended, flows without a datagram for this long are done.
constexpr std::chrono::milliseconds kQuiet{500};
// The time for connections to end after the trigger.
constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kLookForIdleEvery{1};

// Raises the limit, since a connection takes two descriptors.
void allow_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

class Relay::Inner {
 public:
  explicit Inner(const RelayOptions& its) : options(its) {}

  tl::expected<void, TransportError> listen();
  tl::expected<void, TransportError> find_responder();
  RelayCounts run(RelayRecording& recording, const RelayUntil& until);

  const RelayOptions options;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  udp::socket datagrams{context};
  pcap::Endpoint local, remote;

 private:
  // `relay` is a TcpRelay, a UdpRelay or a TransparentRelay.
  template <class Forwarding>
  void forward(Forwarding& relay, RelayRecording& recording, const RelayUntil& until);
  bool is_done(TcpRelay& relay, Clock::time_point) { return relay.is_idle(); }
  template <class OfPackets>
  bool is_done(OfPackets& relay, Clock::time_point ended) {
    const auto now = Clock::now();
    return now - ended >= kQuiet && relay.is_idle(now - kQuiet);
  }
  static void keep_order(TcpRelay&) {}
  static void keep_order(UdpRelay& relay) { relay.end_idle(); }
  static void keep_order(TransparentRelay& relay) { relay.count_dropped(); }
  void run_transparent(RelayRecording& recording, const RelayUntil& until, RelayCounts& counts);
};

tl::expected<void, TransportError> Relay::Inner::listen() {
  const RelayPlace& at = options.listen;
  Code code, ignored;
  if (options.networks != nullptr) return {};
  if (!options.datagrams && !options.is_transparent) {
    if (auto listening = listen_by_name(context, acceptor, at.host, at.port); !listening) return listening;
    acceptor.non_blocking(true, ignored);
    local = endpoint_of(acceptor.local_endpoint(ignored));
    return {};
  }
  const auto found = resolve<udp>(context, at.host, at.port);
  if (!found) return tl::unexpected(found.error());
  const udp::endpoint place = found->begin()->endpoint();
  datagrams.open(place.protocol(), code);
  if (code) return failure("cannot open a socket", code, kNoSocket);
  datagrams.bind(place, code);
  if (code)
    return failure("cannot listen at " + host_and_port(at.host, at.port), code, "choose another port, or 0 for any");
  local = endpoint_of(datagrams.local_endpoint(ignored));
  return {};
}

tl::expected<void, TransportError> Relay::Inner::find_responder() {
  const auto found = resolve<tcp>(context, options.to.host, options.to.port);
  if (!found) return tl::unexpected(found.error());
  remote = endpoint_of(found->begin()->endpoint());
  return {};
}

template <class Forwarding>
void Relay::Inner::forward(Forwarding& relay, RelayRecording& recording, const RelayUntil& until) {
  const auto work = asio::make_work_guard(context);  // keeps the context running even if no socket waits
  relay.start();
  std::optional<Clock::time_point> ended;  // when the trigger ended
  auto next_look = Clock::now(), next_idle = next_look + kLookForIdleEvery;
  while (!recording.error()) {
    context.run_one_until(next_look);
    context.poll();
    const auto now = Clock::now();
    if (now < next_look) continue;
    next_look = now + kLookEvery;
    recording.flush();
    if (now >= next_idle) {
      next_idle = now + kLookForIdleEvery;
      keep_order(relay);
    }
    if (until.signal.load() != 0 || (until.time && now >= *until.time)) break;
    if (!ended && until.trigger != nullptr && until.trigger->wait(0)) ended = now;
    if (ended && (is_done(relay, *ended) || now - *ended >= kGrace)) break;
  }
}

void Relay::Inner::run_transparent(RelayRecording& recording, const RelayUntil& until, RelayCounts& counts) {
  const std::unique_ptr<Cable> cable = options.networks != nullptr
                                           ? cable_between(context, *options.networks)
                                           : cable_between_guests(datagrams, asio_endpoint<udp>(remote));
  TransparentRelay relay(*cable, {.context = context,
                                  .recording = recording,
                                  .counts = counts,
                                  .plan = options.network,
                                  .seed = options.seed,
                                  .port = options.port,
                                  .faults = options.faults,
                                  .flows = options.connections});
  forward(relay, recording, until);
  relay.count_dropped();
}

RelayCounts Relay::Inner::run(RelayRecording& recording, const RelayUntil& until) {
  RelayCounts counts;
  allow_all_descriptors();
  if (options.is_transparent) {
    run_transparent(recording, until, counts);
    return counts;
  }
  if (options.datagrams) {
    UdpRelay relay(datagrams,
                   {.context = context,
                    .recording = recording,
                    .counts = counts,
                    .to = remote,
                    .plan = options.network,
                    .seed = options.seed,
                    .faults = options.faults,
                    .buffer = OctetBuffer(kReadOctets)},
                   options.connections);
    forward(relay, recording, until);
    return counts;
  }
  TcpRelay relay(acceptor,
                 {.context = context,
                  .recording = recording,
                  .counts = counts,
                  .to = remote,
                  .plan = options.network,
                  .seed = options.seed,
                  .faults = options.faults,
                  .buffer = OctetBuffer(kReadOctets)},
                 options.connections);
  forward(relay, recording, until);
  Code ignored;
  acceptor.close(ignored);
  relay.cut_all();
  return counts;
}

Relay::Relay(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
Relay::Relay(Relay&&) noexcept = default;
Relay& Relay::operator=(Relay&&) noexcept = default;
Relay::~Relay() = default;

tl::expected<Relay, Refusal> Relay::open(const RelayOptions& options) {
  auto inner = std::make_unique<Inner>(options);
  if (const auto found = inner->find_responder(); !found) return tl::unexpected(peer_lost(found.error()));
  if (const auto listening = inner->listen(); !listening) return tl::unexpected(misuse(listening.error()));
  const bool has_guests = options.is_transparent && options.networks == nullptr;
  if (has_guests && inner->local.address.v6 != inner->remote.address.v6)
    return tl::unexpected(Refusal{fmt::format("{} and {} are not of one address family", pcap::to_string(inner->local),
                                              pcap::to_string(inner->remote))});
  return Relay(std::move(inner));
}

const pcap::Endpoint& Relay::local() const {
  return inner_->local;
}

const pcap::Endpoint& Relay::remote() const {
  return inner_->remote;
}

RelayCounts Relay::run(RelayRecording& recording, const RelayUntil& until) {
  return inner_->run(recording, until);
}

}  // namespace wirelaw
