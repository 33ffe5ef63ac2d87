// SPDX-License-Identifier: Apache-2.0
// A conversation of the reference server with a scripted client. Oracles: the server breaks no rule, keeps to its
// memory limits, and answers no request twice.
#include <deque>

#include "fuzz/ramcloud_oracle.h"
#include "fuzz/ramcloud_peer.h"
#include "fuzz/target.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::fuzz {
namespace {

using corpora::Action;
using corpora::RamcloudSteps;
using corpora::Step;
using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 512;
constexpr std::size_t kMostPerStep = 1024;  // datagrams: far more than the windows of all channels allow

class ServerRun {
 public:
  explicit ServerRun(const RamcloudSteps& conversation)
      : options_(corpora::options_of(conversation.settings)), server_(options_, 1) {
    for (const Step& step : conversation.steps) take(step);
    tap_.finish();
  }

 private:
  void take(const Step& step) {
    switch (static_cast<Action>(step.action % corpora::kActions)) {
      case Action::time:
        now_ += step.number * 1ms;
        server_.advance(now_);
        break;
      case Action::application:
        answer(step.length);
        break;
      case Action::release:
        ((step.relative & 1) != 0 ? to_client_ : to_server_).release(step.number, now_);
        break;
      default:
        if (auto octets = client_.act(step)) to_server_.send(std::move(*octets), Fates::of_peer(step.fates), now_);
    }
    settle(step);
  }

  // Delivers all packets in transit.
  void settle(const Step& step) {
    for (OctetBuffer octets; to_server_.next(octets);) server_.receive(1, octets, now_);
    Fates fates(step.fates);
    std::size_t count = 0;
    for (Outgoing out; server_.next_datagram(out); ++count) {
      require(out.to == 1, "a server answers whom it was asked by");
      require(ramcloud::decode(out.octets).has_value(), "a server sends whole packets");
      require(out.octets.size() <= ramcloud::layout::kHeader + std::max<std::size_t>(options_.fragment_octets, 6),
              "a server's packets keep to the size of fragments");
      to_client_.send(std::move(out.octets), fates.next(), now_);
    }
    require(count <= kMostPerStep, "a step makes a bounded number of packets");
    for (OctetBuffer octets; to_client_.next(octets);) client_.learn(octets);
    for (ramcloud::Request request; server_.next_request(request);) {
      require(request.payload.size() <= options_.max_message_octets, "a request keeps to its bound");
      for (const ramcloud::RpcHandle& handle : requests_)
        require(handle != request.handle, "a request is handed up once");
      requests_.push_back(request.handle);
    }
    require(server_.octets_held() <= options_.reassembly_octets, "a server keeps to its memory");
    require(server_.sessions() <= options_.max_sessions, "a server keeps to its number of sessions");
  }

  // True if requests may not have arrived, if responses may not have passed the tap, or if the application may have
  // refused or kept a request.
  bool may_be_silent() const {
    return !to_server_.has_lost_nothing() || !to_client_.has_lost_nothing() || !requests_.empty() || refused_ ||
           server_.sessions() == options_.max_sessions;
  }

  void answer(std::size_t length) {
    if (requests_.empty()) return;
    const ramcloud::RpcHandle handle = requests_.front();
    requests_.pop_front();
    const OctetBuffer response(length % (options_.max_message_octets + 2), 0x5a);
    const bool answered = server_.respond(handle, response, now_);
    refused_ = refused_ || !answered;
    require(!answered || !server_.respond(handle, response, now_), "a request is answered once");
  }

  ramcloud::Options options_;
  Instant now_{};
  ramcloud::Server server_;
  RamcloudPeer client_{End::initiator};
  Tap tap_ = ramcloud_tap(
      {.initiator = false}, [this] { return may_be_silent(); }, [] { return false; });
  Way to_server_{tap_, End::initiator, false};
  Way to_client_{tap_, End::responder, true};
  std::deque<ramcloud::RpcHandle> requests_;
  bool refused_ = false;
};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::ServerRun(wirelaw::corpora::read_ramcloud_steps({data, size}, wirelaw::fuzz::kMostSteps));
  return 0;
}
