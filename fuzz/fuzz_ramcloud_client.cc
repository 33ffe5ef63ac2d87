// SPDX-License-Identifier: Apache-2.0
// A conversation of the reference client with a scripted server. Oracles: the client breaks no rule, gives every call
// one result, and becomes idle in a bounded number of steps once the server stops answering.
#include <algorithm>
#include <vector>

#include "fuzz/ramcloud_oracle.h"
#include "fuzz/ramcloud_peer.h"
#include "fuzz/target.h"
#include "reference/ramcloud/client.h"

namespace wirelaw::fuzz {
namespace {

using corpora::Action;
using corpora::RamcloudSteps;
using corpora::Step;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 512;
constexpr std::size_t kMostPerStep = 1024;
constexpr std::size_t kMostCalls = 64;
// Each call, and each attempt at a session, is given up after at most eight silent intervals.
constexpr std::size_t kMostTimers = 20 * kMostCalls;

class ClientRun {
 public:
  explicit ClientRun(const RamcloudSteps& conversation)
      : options_(corpora::options_of(conversation.settings)), client_(options_, 1) {
    for (const Step& step : conversation.steps) take(step);
    std::size_t timers = 0;
    for (auto due = client_.deadline(); due; due = client_.deadline()) {
      require(++timers <= kMostTimers, "a client that is not answered comes to rest");
      now_ = std::max(now_, *due);
      client_.advance(now_);
      settle({});
    }
    require(std::all_of(results_.begin(), results_.end(), [](unsigned count) { return count == 1; }),
            "each call has one result");
    tap_.finish();
  }

 private:
  void take(const Step& step) {
    switch (static_cast<Action>(step.action % corpora::kActions)) {
      case Action::time:
        now_ = (step.relative & 1) != 0 ? std::max(now_, client_.deadline().value_or(now_)) : now_ + step.number * 1ms;
        client_.advance(now_);
        break;
      case Action::application:
        call(step.length);
        break;
      case Action::release:
        ((step.relative & 1) != 0 ? to_server_ : to_client_).release(step.number, now_);
        break;
      default:
        if (auto octets = server_.act(step)) to_client_.send(std::move(*octets), Fates::of_peer(step.fates), now_);
    }
    settle(step);
  }

  void call(std::size_t length) {
    if (results_.size() >= kMostCalls) return;
    const ramcloud::CallId id = client_.call(OctetBuffer(length % 4096, 0xa5), now_);
    require(id == results_.size(), "calls are numbered in their order");
    results_.push_back(0);
  }

  void settle(const Step& step) {
    for (OctetBuffer octets; to_client_.next(octets);) client_.receive(octets, now_);
    Fates fates(step.fates);
    std::size_t count = 0;
    for (Outgoing out; client_.next_datagram(out); ++count) {
      require(ramcloud::decode(out.octets).has_value(), "a client sends whole packets");
      require(out.octets.size() <= ramcloud::layout::kHeader + std::max<std::size_t>(options_.fragment_octets, 6),
              "a client's packets keep to the size of fragments");
      to_server_.send(std::move(out.octets), fates.next(), now_);
    }
    require(count <= kMostPerStep, "a step makes a bounded number of packets");
    for (OctetBuffer octets; to_server_.next(octets);) server_.learn(octets);
    for (ramcloud::CallResult result; client_.next_result(result);) {
      require(result.id < results_.size(), "a result belongs to a call");
      ++results_[result.id];
      if (result.response)
        require(result.response->size() <= options_.max_message_octets, "a response keeps to its bound");
      else
        require(!result.response.error().text.empty(), "an error has a text");
    }
  }

  ramcloud::Options options_;
  Instant now_{};
  ramcloud::Client client_;
  RamcloudPeer server_{End::responder};
  // A client ignores requests, since it is no server.
  Tap tap_ = ramcloud_tap(
      {.responder = false}, [] { return true; }, [this] { return !to_server_.has_lost_nothing(); });
  Way to_client_{tap_, End::responder, false};
  Way to_server_{tap_, End::initiator, true};
  std::vector<unsigned> results_;  // number of results of each call
};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::ClientRun(wirelaw::corpora::read_ramcloud_steps({data, size}, wirelaw::fuzz::kMostSteps));
  return 0;
}
