// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/ramcloud_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "harness/peers/peer_application.h"
#include "harness/peers/peer_deviations.h"
#include "reference/ramcloud/faults/faulty_client.h"
#include "reference/ramcloud/faults/faulty_server.h"

namespace wirelaw::ramcloud {
namespace {

class ServerPeer final : public Peer {
 public:
  ServerPeer(std::uint64_t seed, const Deviations& deviations, Service application)
      : server_(make_server(Options{}, seed, deviations)), application_(application) {}

  void receive(PeerId from, Octets datagram, Instant now) override {
    server_->receive(from, datagram, now);
    answer(now);
  }
  void advance(Instant now) override { server_->advance(now); }
  std::optional<Instant> deadline() const override { return server_->deadline(); }
  bool next_datagram(Outgoing& out) override { return server_->next_datagram(out); }
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    return fmt::format("RAMCloud server: {} sessions, {} requests executed, {} octets kept for peers\n",
                       server_->sessions(), executed_, server_->octets_held());
  }

 private:
  void answer(Instant now) {
    for (Request request; server_->next_request(request);) {
      ++executed_;
      server_->respond(request.handle,
                       application_.answers() ? application_.answer_to(std::move(request.payload))
                                              : OctetBuffer{'w', 'i', 'r', 'e', 'l', 'a', 'w'},
                       now);
    }
  }

  std::unique_ptr<Server> server_;
  PeerApplication application_;
  std::uint64_t executed_ = 0;
};

// One client for each server, created when it is first triggered to call it.
class ClientPeer final : public Peer {
 public:
  ClientPeer(std::uint64_t seed, const Options& options, const Deviations& deviations)
      : seed_(seed), options_(options), deviations_(deviations) {}

  void receive(PeerId from, Octets datagram, Instant now) override {
    const auto found = lines_.find(from);
    if (found == lines_.end()) return;
    found->second.client->receive(datagram, now);
    proceed(found->second, now);
  }
  void advance(Instant now) override {
    for (auto& [to, line] : lines_) {
      line.client->advance(now);
      proceed(line, now);
    }
  }
  std::optional<Instant> deadline() const override {
    std::optional<Instant> next;
    for (const auto& [to, line] : lines_) {
      const auto due = line.client->deadline();
      if (due && (!next || *due < *next)) next = due;
    }
    return next;
  }
  bool next_datagram(Outgoing& out) override {
    return std::ranges::any_of(lines_, [&](auto& entry) { return entry.second.client->next_datagram(out); });
  }

  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    Line& line =
        lines_.try_emplace(to, options_, seed_ + 0x9e3779b97f4a7c15u * lines_.size(), deviations_, to).first->second;
    line.request = request;
    line.left = request.count;
    const unsigned at_once = request.parallel ? request.count : std::min(request.count, 1u);
    for (unsigned i = 0; i < at_once; ++i) call(line, now);
    proceed(line, now);
    return true;
  }
  bool idle() const override {
    return std::ranges::all_of(lines_, [](const auto& entry) {
      return entry.second.left == 0 && entry.second.completed == entry.second.called;
    });
  }
  std::uint64_t failed() const override {
    std::uint64_t sum = 0;
    for (const auto& [to, line] : lines_) sum += line.failed;
    return sum;
  }
  std::string state() const override {
    std::string text;
    for (const auto& [to, line] : lines_)
      text += fmt::format("RAMCloud client: {}, {} calls made, {} completed, {} of them failed{}{}\n",
                          line.client->connected() ? "session open" : "no session", line.called, line.completed,
                          line.failed, line.error.empty() ? "" : ": ", line.error);
    return text.empty() ? "RAMCloud client: not triggered\n" : text;
  }

 private:
  struct Line {
    Line(const Options& options, std::uint64_t seed, const Deviations& deviations, PeerId to)
        : client(make_client(options, seed, deviations, to)) {}

    std::unique_ptr<Client> client;
    TriggerRequest request;
    unsigned left = 0;  // calls still to be made
    std::uint64_t called = 0;
    std::uint64_t completed = 0;
    std::uint64_t failed = 0;
    std::string error;                       // from the last call that failed
    std::map<CallId, OctetBuffer> expected;  // expected results of the calls in progress
  };

  static void call(Line& line, Instant now) {
    OctetBuffer request = distinct_octets(line.called, line.request.octets);
    OctetBuffer expected = request;
    line.expected.emplace(line.client->call(std::move(request), now), std::move(expected));
    ++line.called;
    --line.left;
  }

  static void proceed(Line& line, Instant now) {
    for (CallResult result; line.client->next_result(result);) {
      ++line.completed;
      const auto expected = line.expected.extract(result.id);
      if (!result.response) {
        ++line.failed;
        line.error = result.response.error().text;
      } else if (!expected.empty() && *result.response != expected.mapped()) {  // the contract of an echo
        ++line.failed;
        line.error = "a response was not its request's octets; made no more calls";
        line.left = 0;
      }
      if (line.left > 0) call(line, now);
    }
  }

  std::uint64_t seed_;
  Options options_;
  Deviations deviations_;
  std::map<PeerId, Line> lines_;
};

constexpr PeerSides kSides{.protocol = "ramcloud", .responder_name = "a server", .initiator_name = "a client"};

// The text does not state how often and how fast a client repeats a request. "eager": as the clients of 2010;
// "patient": more often than any known client.
struct Pace {
  std::string_view name;
  std::chrono::milliseconds interval;
  unsigned silent_intervals;
};
constexpr Pace kPaces[] = {{"eager", std::chrono::milliseconds{10}, 500},
                           {"patient", std::chrono::milliseconds{100}, 1200}};

tl::expected<Options, std::string> options_of(const PeerOptions& options) {
  Options set;
  for (const std::string& name : options.settings) {
    const auto pace = std::ranges::find(kPaces, name, &Pace::name);
    if (pace == std::end(kPaces)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    set.interval = pace->interval;
    set.silent_intervals = pace->silent_intervals;
  }
  return set;
}

}  // namespace

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of<Deviations>(options, kSides);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto endpoint = options_of(options);
  if (!endpoint) return tl::unexpected(endpoint.error());
  if (options.role == Role::initiator)
    return [endpoint = *endpoint, deviations = *deviations](std::uint64_t seed) {
      return std::make_unique<ClientPeer>(seed, endpoint, deviations);
    };
  return [deviations = *deviations, application = options.application](std::uint64_t seed) {
    return std::make_unique<ServerPeer>(seed, deviations, application);
  };
}

std::vector<DeviationName> deviation_names() {
  return wirelaw::deviation_names<Deviations>();
}

constinit const ReferencePeer kReferencePeer{
    .protocol = "ramcloud", .maker = peer_maker, .deviations = deviation_names};

}  // namespace wirelaw::ramcloud
