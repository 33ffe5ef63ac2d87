// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/rdmap_upper.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/peers/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

class UpperLine {
 public:
  UpperLine(Role role, const Options& options, Buffers& buffers, std::unique_ptr<UpperLayer> above,
            MemoryDevice* device, Instant now)
      : endpoint(role, options, buffers), above_(std::move(above)), now_(now) {
    if (device != nullptr) endpoint.lend_by(*device);
    const OctetBuffer private_data = above_->begin(endpoint, now);
    endpoint.connected(now, private_data);
  }

  // The layer above owns the memory.
  ~UpperLine() { endpoint.withdraw_all(); }
  UpperLine(const UpperLine&) = delete;
  UpperLine& operator=(const UpperLine&) = delete;

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
    if (ending == Ending::reset) reported = ending;  // our own ending cannot be sent any more
    endpoint.peer_ended(ending, now);
    proceed();
  }
  void proceed() {
    for (Event event; endpoint.next_event(event);) above_->take(event, endpoint, now_);
    if (above_->leaves_open()) reported = endpoint.ending();
  }
  bool idle() const { return above_->idle(); }
  UpperConnection connection() { return {*above_, endpoint}; }

  Endpoint endpoint;
  Ending reported = Ending::none;

 private:
  std::unique_ptr<UpperLayer> above_;
  Instant now_;
};

class UpperPeer final : public FpduPeer {
 public:
  UpperPeer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make, OfferUpper offer)
      : FpduPeer(options), role_(role), buffers_(seed), make_(std::move(make)), offer_(std::move(offer)) {}

  void offer(Offers& offers, std::optional<PeerId> connection, VirtualTime& time) override {
    if (!offer_) return;
    const auto reach = [this, connection]() -> std::optional<UpperConnection> {
      UpperLine* const line = lines_.touch(connection.value_or(latest_));
      return line == nullptr ? std::nullopt : std::optional(line->connection());
    };
    offer_(offers, reach, time);
  }

  void carried_by(PeerId connection, MemoryDevice& device) override { devices_[connection] = &device; }
  void opened(PeerId from, Instant now) override {
    const auto device = devices_.extract(from);
    TriggerRequest request{};
    if (const auto found = triggered_.extract(from))
      request = found.mapped();
    else if (role_ == Role::initiator)
      return;
    ++connections_;
    latest_ = from;
    lines_.add(from, role_, options_, buffers_, make_(request, counts_), device ? device.mapped() : nullptr, now);
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
  bool trigger(PeerId to, const TriggerRequest& request, Instant) override {
    if (role_ != Role::initiator) return false;
    triggered_.insert_or_assign(to, request);
    return true;
  }
  bool idle() const override { return triggered_.empty() && lines_.empty(); }
  std::uint64_t failed() const override { return counts_.failed; }
  std::string state() const override {
    return fmt::format("{} connections, {} of them open, {} messages answered, {} failed{}{}\n", connections_,
                       lines_.size(), counts_.done, counts_.failed, counts_.failed == 0 ? "" : ": ", counts_.error);
  }

 private:
  Role role_;
  Buffers buffers_;
  MakeUpperLayer make_;
  OfferUpper offer_;
  PeerId latest_ = 0;
  std::map<PeerId, TriggerRequest> triggered_;  // its connection does not exist yet
  std::map<PeerId, MemoryDevice*> devices_;     // the same
  std::uint64_t connections_ = 0;
  UpperCounts counts_;
  Lines<UpperLine> lines_;
};

}  // namespace

std::unique_ptr<Peer> make_upper_peer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make,
                                      OfferUpper offer) {
  return std::make_unique<UpperPeer>(role, options, seed, std::move(make), std::move(offer));
}

}  // namespace wirelaw::rdmap
