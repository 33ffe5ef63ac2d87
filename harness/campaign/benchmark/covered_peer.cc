// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/benchmark/covered_peer.h"

#include <limits>

namespace {

std::span<std::uint8_t> all_counters;
bool is_inside = false;
std::uint32_t edges = 0;

}  // namespace

// -fsanitize-coverage=trace-pc-guard calls these functions. coverage_runtime.c has the versions for a separate process.
extern "C" void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* start, std::uint32_t* stop);
extern "C" void __sanitizer_cov_trace_pc_guard(std::uint32_t* guard);

void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* start, std::uint32_t* stop) {
  if (start == stop || *start != 0) return;
  for (std::uint32_t* guard = start; guard < stop; ++guard) *guard = ++edges;
}

void __sanitizer_cov_trace_pc_guard(std::uint32_t* guard) {
  if (!is_inside || all_counters.empty()) return;
  std::uint8_t& counter = all_counters[*guard % all_counters.size()];
  if (counter != std::numeric_limits<std::uint8_t>::max()) ++counter;
}

namespace wirelaw::campaign {
namespace {

class Inside {
 public:
  Inside() : before_(is_inside) { is_inside = true; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { is_inside = before_; }

 private:
  bool before_;
};

class CoveredPeer final : public Peer {
 public:
  explicit CoveredPeer(std::unique_ptr<Peer> peer) : peer_(std::move(peer)) {}

  void located(const Location& at) override { peer_->located(at); }
  void linked(PeerId id, const Link& link) override {
    const Inside inside;
    peer_->linked(id, link);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    const Inside inside;
    peer_->receive(from, octets, now);
  }
  void opened(PeerId id, Instant now) override {
    const Inside inside;
    peer_->opened(id, now);
  }
  void ended(PeerId id, Ending ending, Instant now) override {
    const Inside inside;
    peer_->ended(id, ending, now);
  }
  bool next_connection() override { return peer_->next_connection(); }
  std::optional<Dial> next_dial() override { return peer_->next_dial(); }
  void not_reached(const Dial& dial, Instant now) override {
    const Inside inside;
    peer_->not_reached(dial, now);
  }
  void advance(Instant now) override {
    const Inside inside;
    peer_->advance(now);
  }
  std::optional<Instant> deadline() const override { return peer_->deadline(); }
  bool next_datagram(Outgoing& out) override {
    const Inside inside;
    return peer_->next_datagram(out);
  }
  RdmaPeer* rdma() override { return peer_->rdma(); }
  void offer(Offers& offers, std::optional<PeerId> id, VirtualTime& time) override { peer_->offer(offers, id, time); }
  std::unique_ptr<FarEnd> far_end() override { return peer_->far_end(); }
  std::unique_ptr<control::Calls> calls(NumberOf number_of) override { return peer_->calls(std::move(number_of)); }
  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    const Inside inside;
    return peer_->trigger(to, request, now);
  }
  bool idle() const override { return peer_->idle(); }
  std::uint64_t failed() const override { return peer_->failed(); }
  std::string state() const override { return peer_->state(); }

 private:
  std::unique_ptr<Peer> peer_;
};

}  // namespace

void count_into(std::span<std::uint8_t> counters) {
  all_counters = counters;
}

MakePeer covered(MakePeer make_peer) {
  return [make_peer = std::move(make_peer)](std::uint64_t seed) -> std::unique_ptr<Peer> {
    return std::make_unique<CoveredPeer>(make_peer(seed));
  };
}

}  // namespace wirelaw::campaign
