// SPDX-License-Identifier: Apache-2.0
// For tests: a protocol over a stream, as small as one can be. Each side begins with the octets "KEY!"; after them come
// messages of one octet of length and as many octets as that has.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "conformance/protocol.h"
#include "harness/peers/peer.h"

namespace wirelaw::fake_stream {

inline constexpr std::string_view kKey = "KEY!";
inline constexpr Octet kBadOctet = 0xbd;  // a message that begins with it is a violation

inline constinit const Rule kGoodOctets{"FAKES-1-1",       Level::must,      Role::any,      "1",
                                        Observable::trace, Evidence::octets, "No bad octet."};
inline constinit const Rule kWhole{"FAKES-1-2",      Level::must,          Role::any, "1", Observable::trace,
                                   Evidence::octets, "Ends on a boundary."};
inline constinit const Rule kEchoed{"FAKES-2-1",          Level::must,      Role::responder, "2",
                                    Observable::stimulus, Evidence::octets, "Echo."};
inline constinit const Rule kClientOnly{"FAKES-2-2",       Level::must,      Role::initiator, "2",
                                        Observable::trace, Evidence::octets, "Nothing."};

inline constinit const Rule kServerOnly{"FAKES-2-3",       Level::must,      Role::responder, "2",
                                        Observable::trace, Evidence::octets, "Nothing."};

inline const Catalogue& catalogue() {
  static const std::array<const Rule*, 5> kRules{&kGoodOctets, &kWhole, &kEchoed, &kClientOnly, &kServerOnly};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

// The key, and messages with their lengths.
inline OctetBuffer stream_of(const std::vector<std::string>& messages, bool with_key = true) {
  OctetBuffer octets;
  if (with_key) octets.assign(kKey.begin(), kKey.end());
  for (const std::string& message : messages) {
    octets.push_back(static_cast<Octet>(message.size()));
    octets.insert(octets.end(), message.begin(), message.end());
  }
  return octets;
}

// Cuts a stream into messages, the key (of length kKey.size(), without an octet of length) among them.
class Deframer {
 public:
  void add(Octets octets) {
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(std::exchange(done_, 0)));
    held_.insert(held_.end(), octets.begin(), octets.end());
  }
  bool next(OctetBuffer& message) {
    const Octets rest = Octets(held_).subspan(done_);
    const std::size_t length = !seen_key_ ? kKey.size() : rest.empty() ? 1 : 1 + std::size_t{rest[0]};
    if (rest.size() < length) return false;
    message.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    done_ += length;
    seen_key_ = true;
    return true;
  }
  std::size_t held() const { return held_.size() - done_; }

 private:
  OctetBuffer held_;
  std::size_t done_ = 0;
  bool seen_key_ = false;
};

class StreamObserver final : public Observer {
 public:
  void observe(const StreamPiece& piece, Judge& judge) override {
    Way& way = ways_[piece.sender == Side::b];
    if (way.lost) return;
    if (piece.event == StreamEvent::gap) {
      way.lost = true;
      partial_ = "octets are missing";
    } else if (piece.event == StreamEvent::closed) {
      judge.at({.sender = piece.sender, .index = messages_, .frame = piece.frame, .time_ns = piece.time_ns});
      judge.require(kWhole, way.deframer.held() == 0, {}, expected(0), actual(way.deframer.held()));
    } else if (piece.event == StreamEvent::octets) {
      way.deframer.add(piece.octets);
      for (OctetBuffer octets; way.deframer.next(octets);) {
        const Message message{.octets = octets,
                              .wire_length = octets.size(),
                              .sender = piece.sender,
                              .index = messages_++,
                              .frame = piece.frame,
                              .time_ns = piece.time_ns};
        judge.found(message);
        const Octet first = octets.size() > 1 ? octets[1] : Octet{0};
        judge.require(piece.sender == Side::a ? kClientOnly : kServerOnly, true, {}, expected(0), actual(0));
        judge.require(kGoodOctets, first != kBadOctet, wirelaw::octets(1, 1), expected("a good octet"),
                      actual(hex(first)));
      }
    }
  }
  // A datagram is a message, without a key.
  void observe(const Message& message, Judge& judge) override {
    ++messages_;
    judge.at(message);
    const Octet first = message.octets.size() > 1 ? message.octets[1] : Octet{0};
    judge.require(kGoodOctets, first != kBadOctet, wirelaw::octets(1, 1), expected("a good octet"), actual(hex(first)));
  }
  void finish(Judge&) override {}
  std::uint64_t messages() const override { return messages_; }
  std::string partial() const override { return partial_; }
  std::size_t memory() const override { return ways_[0].deframer.held() + ways_[1].deframer.held(); }

 private:
  struct Way {
    Deframer deframer;
    bool lost = false;
  };
  Way ways_[2];
  std::uint64_t messages_ = 0;
  std::string partial_;
};

inline std::size_t begins_in(Octets octets) {
  const auto found = std::search(octets.begin(), octets.end(), kKey.begin(), kKey.end());
  return found == octets.end() ? Protocol::kNotHere : static_cast<std::size_t>(found - octets.begin());
}

inline Decoded decode(Octets octets) {
  return {.summary = "fake message of " + std::to_string(octets.size()) + " octets", .fields = {}, .error = {}};
}

inline constexpr Feature kFeatures[] = {{"wide", "Allows nothing more."}};

inline Protocol protocol(std::span<const Case> (*cases)() = [] { return std::span<const Case>(); }) {
  return {
      .name = "fakes",
      .title = "Fake over a stream",
      .initiator = "client",
      .responder = "server",
      .transports = "tcp",
      .catalogue = catalogue,
      .cases = cases,
      .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<StreamObserver>(); },
      .decode = decode,
      .streams = OnStreams{.begins_in = begins_in},
      .features = kFeatures};
}

// Sends each message back. One that begins with C is its last, after which it closes; with R it resets; with A it
// closes, and then resets; after one with Q it need not be busy any more. As a client, it sends as many messages as
// requested, waits for as many, and closes.
class StreamPeer final : public Peer {
 public:
  void receive(PeerId from, Octets octets, Instant) override {
    Line& line = lines_[from];
    received += octets.size();
    pieces.push_back(octets.size());
    line.deframer.add(octets);
    for (OctetBuffer message; line.deframer.next(message);) {
      if (line.client) {
        --line.waits_for;
        if (line.waits_for == 0) out.push_back({from, {}, Ending::closed});
        continue;
      }
      const Octet first = message.size() > 1 ? message[1] : Octet{0};
      if (first == 'Q') keeps_busy = false;
      const bool key = message.size() == kKey.size() && message[0] == 'K';
      out.push_back({from, message,
                     key || first == 0 ? Ending::none
                     : first == 'C'    ? Ending::closed
                     : first == 'A'    ? Ending::closed
                     : first == 'R'    ? Ending::reset
                                       : Ending::none});
      if (!key && first == 'A') out.push_back({from, {}, Ending::reset});
    }
  }
  void opened(PeerId who, Instant) override {
    events.push_back("opened " + std::to_string(who));
    Line& line = lines_[who];
    if (!line.client) return;
    std::vector<std::string> messages(line.waits_for - 1, std::string(octets_, 'm'));
    out.push_back({who, stream_of(messages)});
  }
  void ended(PeerId who, Ending how, Instant) override {
    events.push_back((how == Ending::reset ? "reset " : "closed ") + std::to_string(who));
    if (how == Ending::closed && !lines_[who].client) out.push_back({who, {}, Ending::closed});
    lines_[who].waits_for = 0;
  }
  void advance(Instant) override {}
  std::optional<Instant> deadline() const override { return std::nullopt; }
  bool next_datagram(Outgoing& next) override {
    if (out.empty()) return false;
    next = std::move(out.front());
    out.pop_front();
    return true;
  }
  bool next_connection() override { return std::exchange(wants_connection, false); }
  bool trigger(PeerId to, const TriggerRequest& request, Instant) override {
    if (!plays_client) return false;
    octets_ = request.octets;
    lines_[to].client = true;
    lines_[to].waits_for = request.count + 1;
    return true;
  }
  bool idle() const override {
    return !keeps_busy && std::ranges::all_of(lines_, [](const auto& line) { return line.second.waits_for == 0; });
  }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override { return "fake peer, received " + std::to_string(received) + " octets\n"; }

  bool plays_client = false;
  bool wants_connection = false;
  bool keeps_busy = false;
  std::deque<Outgoing> out;
  std::uint64_t received = 0;
  std::vector<std::size_t> pieces;
  std::vector<std::string> events;

 private:
  struct Line {
    Deframer deframer;
    bool client = false;
    unsigned waits_for = 0;
  };
  std::map<PeerId, Line> lines_;
  std::size_t octets_ = 0;
};

inline std::unique_ptr<StreamPeer> client() {
  auto peer = std::make_unique<StreamPeer>();
  peer->plays_client = true;
  return peer;
}

}  // namespace wirelaw::fake_stream
