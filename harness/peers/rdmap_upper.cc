// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/rdmap_upper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/peers/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

class UpperLine {
 public:
  UpperLine(Role role, const Options& options, Buffers& buffers, std::unique_ptr<UpperLayer> above, Instant now)
      : endpoint(role, options, buffers), above_(std::move(above)), now_(now) {
    endpoint.connected(now, above_->begin(endpoint));
  }

  std::optional<Instant> deadline() const {
    const auto below = endpoint.deadline(), above = above_->deadline();
    return below && above ? std::min(*below, *above) : below ? below : above;
  }
  void advance(Instant now) {
    now_ = now;
    endpoint.advance(now);
    above_->advance(endpoint, now);
    proceed();
  }
  void receive(Octets octets, Instant now) {
    now_ = now;
    endpoint.receive(octets, now);
    proceed();
  }
  void ended(Ending ending, Instant now) {
    now_ = now;
    if (ending == Ending::reset) reported = ending;  // there is nobody to send an end to
    endpoint.peer_ended(ending, now);
    proceed();
  }
  void proceed() {
    for (Event event; endpoint.next_event(event);) above_->take(event, endpoint, now_);
  }
  bool idle() const { return above_->idle(); }

  Endpoint endpoint;
  Ending reported = Ending::none;

 private:
  std::unique_ptr<UpperLayer> above_;
  Instant now_;
};

class UpperPeer final : public Peer {
 public:
  UpperPeer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make)
      : role_(role), options_(options), buffers_(seed), make_(std::move(make)) {}

  void opened(PeerId from, Instant now) override {
    ++connections_;
    lines_.add(from, role_, options_, buffers_, make_(request_), now);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (UpperLine* const line = lines_.touch(from)) line->receive(octets, now);
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    if (UpperLine* const line = lines_.touch(from)) line->ended(ending, now);
  }
  void advance(Instant now) override {
    lines_.for_each_due(now, [&](UpperLine& line) { line.advance(now); });
  }
  std::optional<Instant> deadline() const override { return lines_.deadline(); }
  bool next_datagram(Outgoing& out) override { return lines_.next_datagram(out); }
  bool trigger(PeerId, const TriggerRequest& request, Instant) override {
    request_ = request;
    return role_ == Role::initiator;
  }
  bool idle() const override { return lines_.empty(); }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    return fmt::format("{} connections, {} of them open\n", connections_, lines_.size());
  }

 private:
  Role role_;
  Options options_;
  Buffers buffers_;
  MakeUpperLayer make_;
  TriggerRequest request_;
  std::uint64_t connections_ = 0;
  Lines<UpperLine> lines_;
};

}  // namespace

std::unique_ptr<Peer> make_upper_peer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make) {
  return std::make_unique<UpperPeer>(role, options, seed, std::move(make));
}

}  // namespace wirelaw::rdmap
