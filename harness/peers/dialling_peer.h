// SPDX-License-Identifier: Apache-2.0
// For tests: a peer for the protocol in harness/peers/fake_stream.h, over streams and datagrams, that dials on request.
// It sends each message back, with these exceptions: "D192.0.2.3:2110" makes it dial that address, "U192.0.2.3:2110"
// the same for datagrams, and after "Q" it is idle. It sends "hi" to a peer that it has dialled. If it could not dial,
// it answers the request with "no".
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "harness/peers/fake_stream.h"
#include "harness/peers/peer.h"

namespace wirelaw::fake_stream {

// A datagram has one message, without a key.
inline OctetBuffer datagram_of(const std::string& message) {
  return stream_of({message}, /*with_key=*/false);
}

class DiallingPeer final : public Peer {
 public:
  void linked(PeerId who, const Link& link) override {
    links[who] = link;
    const auto dial = std::ranges::find_if(dials_in_progress_, [&](const Wanted& one) {
      return one.dial.to == link.remote && one.dial.datagrams == link.datagrams;
    });
    if (dial == dials_in_progress_.end()) return;
    dials_in_progress_.erase(dial);
    if (link.datagrams)
      out_.push_back({who, datagram_of("hi")});
    else
      dialled_.push_back(who);
  }
  void opened(PeerId who, Instant) override {
    if (std::ranges::count(dialled_, who) > 0) out_.push_back({who, stream_of({"hi"})});
  }
  void receive(PeerId from, Octets octets, Instant) override {
    if (links[from].datagrams) return take(from, OctetBuffer(octets.begin(), octets.end()));
    deframers_[from].add(octets);
    for (OctetBuffer message; deframers_[from].next(message);) take(from, message);
  }
  void ended(PeerId who, Ending how, Instant) override {
    if (how == Ending::closed) out_.push_back({who, {}, Ending::closed});
  }
  std::optional<Dial> next_dial() override {
    if (wanted_.empty()) return std::nullopt;
    dials_in_progress_.push_back(wanted_.front());
    wanted_.pop_front();
    return dials_in_progress_.back().dial;
  }
  void not_reached(const Dial& dial, Instant) override {
    const auto one =
        std::ranges::find(dials_in_progress_, dial.to, [](const Wanted& wanted) { return wanted.dial.to; });
    if (one == dials_in_progress_.end()) return;
    out_.push_back({one->by, datagram_of("no")});
    dials_in_progress_.erase(one);
  }
  void advance(Instant) override {}
  std::optional<Instant> deadline() const override { return std::nullopt; }
  bool next_datagram(Outgoing& next) override {
    if (out_.empty()) return false;
    next = std::move(out_.front());
    out_.pop_front();
    return true;
  }
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return quits_; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override { return "dialling peer\n"; }

  std::map<PeerId, Link> links;

 private:
  struct Wanted {
    Dial dial;
    PeerId by = 0;
  };

  void take(PeerId from, const OctetBuffer& message) {
    const std::string text(message.begin() + std::min<std::ptrdiff_t>(1, std::ssize(message)), message.end());
    if (std::erase(dialled_, from) > 0) return;  // the other side's key; ours was sent before
    const auto place = text.size() < 2 ? std::nullopt : pcap::parse_endpoint(text.substr(1));
    quits_ |= text == "Q";
    if (place)
      wanted_.push_back({{*place, text[0] == 'U'}, from});
    else
      out_.push_back({from, message});
  }

  std::map<PeerId, Deframer> deframers_;
  std::deque<Wanted> wanted_;
  std::vector<Wanted> dials_in_progress_;
  std::vector<PeerId> dialled_;
  std::deque<Outgoing> out_;
  bool quits_ = false;
};

}  // namespace wirelaw::fake_stream
