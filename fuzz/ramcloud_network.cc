// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ramcloud_network.h"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "corpora/formats/ramcloud_steps.h"
#include "fuzz/ramcloud_oracle.h"
#include "fuzz/target.h"
#include "reference/ramcloud/client.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::fuzz {
namespace {

using corpora::Action;
using corpora::Fate;
using corpora::RamcloudSteps;
using corpora::Step;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 256;
constexpr std::size_t kMostCalls = 16;
constexpr std::size_t kMostRequest = 512;
constexpr std::size_t kNumber = 4;  // octets at the beginning of a request that distinguish it from others
constexpr std::size_t kMostInFlight = 1024;
constexpr std::size_t kMostRounds = 100'000;
constexpr std::chrono::seconds kHeld{30};

OctetBuffer request_of(ramcloud::CallId id, std::size_t length) {
  OctetBuffer request(std::max(kNumber, length % kMostRequest));
  for (std::size_t i = 0; i < request.size(); ++i) request[i] = static_cast<Octet>(id * 31 + i);
  store_little_endian(request.data(), static_cast<std::uint32_t>(id));
  return request;
}

OctetBuffer reversed(const OctetBuffer& octets) {
  return {octets.rbegin(), octets.rend()};
}

ramcloud::Options without_expiry(ramcloud::Options options) {
  options.session_expiry = 24h * 365;  // else a server may execute requests again (RAMCLOUD/R36)
  return options;
}

class NetworkRun {
 public:
  NetworkRun(const RamcloudSteps& conversation, DamagedCapture* capture)
      : options_(without_expiry(corpora::options_of(conversation.settings))),
        client_(options_, 1),
        server_(options_, 2) {
    tap_.show_to(capture);
    for (const Step& step : conversation.steps) take(step);
    come_to_rest();
    require(results_.size() == requests_.size(), "each call has a result");
    tap_.finish();
  }

 private:
  struct InFlight {
    End sender;
    bool seen;  // it has passed the tap
    OctetBuffer octets;
    Instant since;
  };

  void take(const Step& step) {
    const std::size_t which = in_flight_.empty() ? 0 : step.number % in_flight_.size();
    switch (static_cast<Action>(step.action % corpora::kActions)) {
      case Action::application:
        call(step.length);
        break;
      case Action::time:
        now_ = (step.relative & 1) != 0 ? std::max(now_, client_.deadline().value_or(now_)) : now_ + step.number * 1ms;
        client_.advance(now_);
        break;
      default:
        if (!in_flight_.empty()) move(which, Fates::of_peer(step.fates));
    }
    settle();
  }

  void call(std::size_t length) {
    if (requests_.size() >= kMostCalls) return;
    requests_.push_back(request_of(requests_.size(), length));
    require(client_.call(requests_.back(), now_) + 1 == requests_.size(), "calls are numbered in their order");
  }

  // Moves one packet a step: to the tap, or from the tap to its receiver.
  void move(std::size_t which, Fate fate) {
    const auto at = in_flight_.begin() + static_cast<std::ptrdiff_t>(which);
    if (fate == Fate::held) return;
    InFlight packet = *at;
    was_held_ |= is_held(packet);
    if (fate != Fate::doubled) in_flight_.erase(at);
    if (fate == Fate::lost) {
      lost_ = true;
      return;
    }
    if (!packet.seen) {
      tap_.see(packet.sender, packet.octets, now_);
      packet.seen = true;
      in_flight_.push_back(std::move(packet));
    } else if (packet.sender == End::initiator) {
      server_.receive(1, packet.octets, now_);
    } else {
      client_.receive(packet.octets, now_);
    }
  }

  // True if the packet is held for so long that the endpoint may appear silent (RAMCLOUD/R43).
  bool is_held(const InFlight& packet) const { return now_ - packet.since >= kHeld; }
  bool may_be_silent() const {
    return lost_ || was_held_ || std::ranges::any_of(in_flight_, [this](const InFlight& one) { return is_held(one); });
  }

  void settle() {
    for (ramcloud::Request request; server_.next_request(request);) {
      require(request.payload.size() >= kNumber, "a request arrives whole");
      const auto id = load_little_endian<std::uint32_t>(request.payload.data());
      require(id < requests_.size() && request.payload == requests_[id], "a request arrives as it was sent");
      require(++executions_[id] == 1, "a request is executed once");
      server_.respond(request.handle, reversed(request.payload), now_);
    }
    Outgoing out;
    while (client_.next_datagram(out)) in_flight_.push_back({End::initiator, false, std::move(out.octets), now_});
    while (server_.next_datagram(out)) in_flight_.push_back({End::responder, false, std::move(out.octets), now_});
    for (; in_flight_.size() > kMostInFlight; lost_ = true) in_flight_.pop_front();
    for (ramcloud::CallResult result; client_.next_result(result);) {
      require(result.id < requests_.size() && results_.insert({result.id, result.response.has_value()}).second,
              "each call has one result");
      if (result.response)
        require(*result.response == reversed(requests_[result.id]), "a response is the answer to its call");
    }
  }

  // The network loses nothing more: packets in flight arrive in order, and timers run.
  void come_to_rest() {
    for (std::size_t rounds = 0;; ++rounds) {
      require(rounds < kMostRounds, "the conversation comes to rest");
      if (!in_flight_.empty()) {
        move(0, Fate::arrives);
      } else if (const auto due = client_.deadline()) {
        now_ = std::max(now_, *due);
        client_.advance(now_);
      } else {
        return;
      }
      settle();
    }
  }

  ramcloud::Options options_;
  Instant now_{};
  ramcloud::Client client_;
  ramcloud::Server server_;
  bool lost_ = false;
  bool was_held_ = false;
  Tap tap_ = ramcloud_tap(
      {}, [this] { return may_be_silent(); }, [this] { return lost_; });
  std::deque<InFlight> in_flight_;
  std::vector<OctetBuffer> requests_;
  std::map<std::uint32_t, unsigned> executions_;
  std::map<ramcloud::CallId, bool> results_;
};

}  // namespace

void run_ramcloud_network(Octets conversation, DamagedCapture* capture) {
  NetworkRun(corpora::read_ramcloud_steps(conversation, kMostSteps), capture);
}

}  // namespace wirelaw::fuzz
