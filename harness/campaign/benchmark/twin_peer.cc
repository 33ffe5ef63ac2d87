// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/benchmark/twin_peer.h"

#include <utility>

namespace wirelaw::campaign {
namespace {

bool are_alike(const Outgoing& a, const Outgoing& b) {
  return a.to == b.to && a.octets == b.octets && a.ending == b.ending;
}

class TwinPeer final : public Peer {
 public:
  TwinPeer(std::unique_ptr<Peer> peer, std::unique_ptr<Peer> twin, bool& differ)
      : peer_(std::move(peer)), twin_(std::move(twin)), differ_(differ) {}

  void located(const Location& at) override {
    tell([&](Peer& one) { one.located(at); });
  }
  void linked(PeerId id, const Link& link) override {
    tell([&](Peer& one) { one.linked(id, link); });
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    tell([&](Peer& one) { one.receive(from, octets, now); });
  }
  void opened(PeerId id, Instant now) override {
    tell([&](Peer& one) { one.opened(id, now); });
  }
  void ended(PeerId id, Ending ending, Instant now) override {
    tell([&](Peer& one) { one.ended(id, ending, now); });
  }
  void not_reached(const Dial& dial, Instant now) override {
    tell([&](Peer& one) { one.not_reached(dial, now); });
  }
  void advance(Instant now) override {
    tell([&](Peer& one) { one.advance(now); });
  }
  bool next_connection() override {
    return ask([](Peer& one) { return one.next_connection(); });
  }
  std::optional<Instant> deadline() const override { return peer_->deadline(); }
  bool next_datagram(Outgoing& out) override {
    const bool is_there = peer_->next_datagram(out);
    if (Outgoing other; twin_ && (twin_->next_datagram(other) != is_there || (is_there && !are_alike(out, other))))
      part();
    return is_there;
  }
  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    return ask([&](Peer& one) { return one.trigger(to, request, now); });
  }
  std::optional<Dial> next_dial() override {
    if (twin_) twin_->next_dial();
    return peer_->next_dial();
  }
  RdmaPeer* rdma() override { return peer_->rdma(); }
  void offer(Offers& offers, std::optional<PeerId> id, VirtualTime& time) override { peer_->offer(offers, id, time); }
  std::unique_ptr<FarEnd> far_end() override { return peer_->far_end(); }
  std::unique_ptr<control::Calls> calls(NumberOf number_of) override { return peer_->calls(std::move(number_of)); }
  bool idle() const override { return peer_->idle(); }
  std::uint64_t failed() const override { return peer_->failed(); }
  std::string state() const override { return peer_->state(); }

 private:
  template <class Call>
  void tell(Call call) {
    call(*peer_);
    if (!twin_) return;
    call(*twin_);
    if (peer_->state() != twin_->state()) part();
  }
  template <class Call>
  bool ask(Call call) {
    const bool answer = call(*peer_);
    if (twin_ && call(*twin_) != answer) part();
    return answer;
  }
  void part() {
    differ_ = true;
    twin_.reset();
  }

  std::unique_ptr<Peer> peer_, twin_;
  bool& differ_;
};

}  // namespace

MakePeer with_twin(MakePeer make_peer, MakePeer make_honest, bool& differ) {
  return [make_peer = std::move(make_peer), make_honest = std::move(make_honest),
          &differ](std::uint64_t seed) -> std::unique_ptr<Peer> {
    return std::make_unique<TwinPeer>(make_peer(seed), make_honest(seed), differ);
  };
}

}  // namespace wirelaw::campaign
