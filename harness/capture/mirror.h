// SPDX-License-Identifier: Apache-2.0
// For tests: an IUT in memory whose connections are captured at the same time. Its conversations are mirrored into a
// source of frames as TCP segments, some of which may be lost.
#pragma once

#include <deque>
#include <set>

#include "harness/capture/frame_source.h"
#include "harness/environment.h"
#include "pcap/link.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {

class MirroredConversation;

// State shared by the source and the IUT. It outlives both.
struct Mirror {
  std::deque<std::pair<std::int64_t, OctetBuffer>> frames;  // frames with their times
  OctetBuffer given;                                        // the last that was
  std::uint64_t carried = 0;                                // frames so far
  std::set<std::uint64_t> lost;                             // the number of the connection, from 1
  std::uint64_t reported = 0;                               // number of reported frames
  std::uint64_t fins = 0;                                   // the tester's
  bool may_end = true;                                      // Conversation::may_end()
  bool blind = false;                                       // shows nothing, and reports nothing
  std::uint32_t connections = 0;
  MirroredConversation* latest = nullptr;
  Instant idle{};  // time that has passed here but not in the network, when no events were left

  void carry(const pcap::Endpoint& from, const pcap::Endpoint& to, std::int64_t time_ns, const pcap::TcpHeader& header,
             Octets octets = {}) {
    if (blind) return;
    if (lost.contains(++carried)) {
      ++reported;
      return;
    }
    OctetBuffer frame;
    if (pcap::synthesise_segment(from, to, header, octets, frame)) frames.emplace_back(time_ns, std::move(frame));
  }
};

class MirroredConversation final : public Conversation {
 public:
  MirroredConversation(std::unique_ptr<Conversation> inner, Mirror& mirror)
      : inner_(std::move(inner)), mirror_(mirror), headers_(++mirror.connections), connects_(inner_->iut().empty()) {
    mirror.latest = this;
    look_whether_opened();
  }
  ~MirroredConversation() override {
    if (mirror_.latest == this) mirror_.latest = nullptr;
  }

  // Lets time pass, and ignores what arrives.
  void pass(std::chrono::nanoseconds time) {
    const Instant until = now() + time;
    if (auto come = take(until))
      inbox_.push_back(std::move(*come));
    else if (now() < until)
      mirror_.idle += until - now();
  }

  tl::expected<void, TransportError> send(Octets octets) override {
    auto sent = inner_->send(octets);
    if (sent && !over_ && !ended_[0]) carry(false, octets);
    return sent;
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    if (inbox_.empty()) return take(deadline);
    OctetBuffer octets = std::move(inbox_.front());
    inbox_.pop_front();
    return octets;
  }
  Instant now() const override { return inner_->now() + mirror_.idle; }
  void end(Ending ending) override {
    end_of(false, ending);
    inner_->end(ending);
  }
  bool may_end() override { return mirror_.may_end; }
  Ending ending() const override { return inbox_.empty() ? inner_->ending() : Ending::none; }
  std::string tester() const override { return inner_->tester(); }
  std::string iut() const override { return inner_->iut(); }

 private:
  pcap::Endpoint at(bool iut) const { return pcap::parse_endpoint(iut ? inner_->iut() : inner_->tester()).value(); }
  void segment(bool from_iut, const pcap::TcpHeader& header, Octets octets = {}) {
    mirror_.carry(at(from_iut), at(!from_iut), now().count(), header, octets);
  }
  void look_whether_opened() {
    if (opened_ || inner_->iut().empty()) return;
    opened_ = true;
    segment(connects_, headers_.syn(!connects_));
    segment(!connects_, headers_.syn(connects_));
    segment(connects_, headers_.acknowledge(!connects_));
  }
  void carry(bool from_iut, Octets octets) {
    while (!octets.empty()) {
      const Octets part = octets.first(std::min(octets.size(), pcap::TcpSynthesis::kMaxPayload));
      segment(from_iut, headers_.data(!from_iut, part.size()), part);
      octets = octets.subspan(part.size());
    }
  }
  void end_of(bool from_iut, Ending ending) {
    if (ending == Ending::none || over_ || !opened_ || std::exchange(ended_[from_iut], true)) return;
    over_ = ending == Ending::reset;
    mirror_.fins += !from_iut && !over_ ? 1 : 0;
    segment(from_iut, over_ ? headers_.rst(!from_iut) : headers_.fin(!from_iut));
  }
  std::optional<OctetBuffer> take(Instant deadline) {
    auto received = inner_->receive(deadline - mirror_.idle).value_or(std::nullopt);
    look_whether_opened();
    if (received)
      carry(true, *received);
    else
      end_of(true, inner_->ending());
    return received;
  }

  std::unique_ptr<Conversation> inner_;
  Mirror& mirror_;
  pcap::TcpSynthesis headers_;  // its side a is the tester
  bool connects_;
  bool opened_ = false, over_ = false;
  bool ended_[2] = {};
  std::deque<OctetBuffer> inbox_;
};

class MirroredFrames final : public FrameSource {
 public:
  explicit MirroredFrames(Mirror& mirror) : mirror_(mirror) {}

  const std::string& name() const override { return name_; }
  bool next(pcap::Frame& frame) override {
    if (mirror_.frames.empty()) return false;
    mirror_.given = std::move(mirror_.frames.front().second);
    frame = {.time_ns = mirror_.frames.front().first,
             .link_type = pcap::kLinkTypeEthernet,
             .octets = mirror_.given,
             .wire_length = static_cast<std::uint32_t>(mirror_.given.size())};
    mirror_.frames.pop_front();
    return true;
  }
  void wait(std::chrono::nanoseconds time) override {
    if (mirror_.latest != nullptr) mirror_.latest->pass(time);
  }
  std::uint64_t lost() const override { return mirror_.reported; }

 private:
  Mirror& mirror_;
  std::string name_ = "mirror0";
};

class MirroredIut final : public Iut {
 public:
  MirroredIut(std::unique_ptr<Iut> inner, Mirror& mirror) : inner_(std::move(inner)), mirror_(mirror) {}

  std::string name() const override { return inner_->name(); }
  std::string capture_note() const override { return inner_->capture_note(); }
  Framing framing() const override { return inner_->framing(); }
  void pause(std::chrono::nanoseconds duration) override { inner_->pause(duration); }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override {
    auto environment = inner_->begin(next);
    if (!environment) return environment;
    return std::make_unique<Surroundings>(std::move(*environment), mirror_);
  }

 private:
  class Surroundings final : public Environment {
   public:
    Surroundings(std::unique_ptr<Environment> inner, Mirror& mirror) : inner_(std::move(inner)), mirror_(mirror) {}

    tl::expected<Connected, TransportError> connect(const Route& route) override {
      auto connected = inner_->connect(route);
      if (connected && !connected->datagrams)
        connected->wire = std::make_unique<MirroredConversation>(std::move(connected->wire), mirror_);
      return connected;
    }
    tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
      return inner_->trigger(request);
    }
    Instant now() const override { return inner_->now() + mirror_.idle; }
    std::int64_t epoch_ns() const override { return inner_->epoch_ns(); }
    std::string peer_state() const override { return inner_->peer_state(); }
    std::uint64_t nonce() const override { return inner_->nonce(); }

   private:
    std::unique_ptr<Environment> inner_;
    Mirror& mirror_;
  };

  std::unique_ptr<Iut> inner_;
  Mirror& mirror_;
};

}  // namespace wirelaw
