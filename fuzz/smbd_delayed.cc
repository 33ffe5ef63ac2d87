// SPDX-License-Identifier: Apache-2.0
#include "fuzz/smbd_delayed.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "conformance/rdmap/rdmap.h"
#include "conformance/roce/roce.h"
#include "conformance/smbd/smbd.h"
#include "corpora/formats/smbd_steps.h"
#include "corpora/traces/smbd_below.h"
#include "fuzz/target.h"
#include "reference/smbd/endpoint.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;

class NoMemory final : public smbd::Registrar {
 public:
  std::optional<smbd::RemoteBuffer> register_memory(std::span<Octet>, smbd::Access) override { return std::nullopt; }
  bool deregister_memory(smbd::Token) override { return true; }
};

class Conversation {
 public:
  explicit Conversation(const DelayedConversation& said)
      : said_(said),
        below_(said.over_roce ? corpora::smbd_over_roce() : corpora::smbd_over_iwarp()),
        capture_(said.over_roce ? roce::kProtocol : rdmap::kProtocol, smbd::kProtocol, said.skipped),
        stream_(
            queue_, said.path, [this](const pcap::Segment& segment, bool from_a) { capture_.see(segment, from_a); },
            [this](Side to, Octets octets) { arrive(to, octets.size()); }),
        packets_(
            queue_, said.path, [this](Side from, Octets packet) { capture_.see(from, packet, queue_.now()); },
            [this](Side to, std::uint64_t) { arrive(to, 1); }),
        ends_{End(Role::initiator, options(false)), End(Role::responder, options(true))} {
    below_->start();
    for (corpora::TraceMessage& one : below_->take())
      if (one.event == StreamEvent::octets) start_.push_back(std::move(one));
  }

  DelayedOutcome run() {
    for (End& end : ends_) {
      end.endpoint->begin(now());
      settle(end);
    }
    if (!said_.over_roce) stream_.open();
    go_on_starting();
    for (const Octet step : said_.steps) {
      pass(std::int64_t{step & 0x0f} * 400'000'000);
      End& end = ends_[step >> 7];
      OctetBuffer message(std::size_t{1} + (step >> 4 & 7) * 150u, step);
      end.endpoint->send(std::move(message));
      settle(end);
    }
    pass(60'000'000'000);
    DelayedOutcome outcome = capture_.finish(queue_.now());
    outcome.messages = messages_;
    return outcome;
  }

 private:
  struct Sent {
    std::uint64_t stop = 0;  // end of the message in the stream, in octets or packets
    OctetBuffer octets;
    std::optional<smbd::Token> invalidate = {};
  };
  struct End {
    End(Role role, const smbd::Options& options)
        : registrar(std::make_unique<NoMemory>()),
          endpoint(std::make_unique<smbd::Endpoint>(role, options, *registrar)) {}
    std::unique_ptr<NoMemory> registrar;
    std::unique_ptr<smbd::Endpoint> endpoint;
    std::deque<Sent> sent;  // and not arrived yet
    std::uint64_t out = 0, in = 0;
    bool connected = false;
  };

  static constexpr std::size_t kMostSize = 1000;  // fits into one packet of RoCE
  smbd::Options options(bool listener) const {
    smbd::Options options = corpora::smbd_options_of(said_.settings, listener);
    options.max_receive_size = std::min<std::uint32_t>(options.max_receive_size, kMostSize);
    options.max_send_size = std::min<std::uint32_t>(options.max_send_size, kMostSize);
    // A timer shorter than the delay would end the connection.
    options.initiator_negotiation = options.listener_negotiation = options.keepalive_answer = 60s;
    options.keepalive_interval = 30s;
    return options;
  }
  Instant now() const { return Instant(queue_.now()); }
  End& end(Side side) { return ends_[side == Side::a ? 0 : 1]; }
  Side side_of(const End& one) const { return &one == ends_.data() ? Side::a : Side::b; }

  // Sets up the connection: sends each message when the previous one has arrived.
  void go_on_starting() {
    if (started_ < start_.size()) {
      const corpora::TraceMessage& next = start_[started_++];
      transmit(end(next.sender), next.octets, {});
      end(next.sender).sent.push_back({.stop = end(next.sender).out, .octets = {}});
      if (next.sender == Side::b) connect(end(Side::b));
      return;
    }
    connect(end(Side::a));
  }
  void connect(End& one) {
    if (std::exchange(one.connected, true)) return;
    one.endpoint->connected(now());
    settle(one);
  }

  void transmit(End& from, const OctetBuffer& octets, OctetBuffer answer) {
    const Side side = side_of(from);
    from.out += said_.over_roce ? 1 : octets.size();
    if (said_.over_roce)
      packets_.send(side, octets, std::move(answer));
    else
      stream_.write(side, octets);
  }
  void arrive(Side to, std::uint64_t more) {
    End& here = end(to);
    End& from = end(other(to));
    here.in += more;
    while (!from.sent.empty() && from.sent.front().stop <= here.in) {
      const Sent sent = std::move(from.sent.front());
      from.sent.pop_front();
      if (sent.octets.empty()) {
        go_on_starting();
        continue;
      }
      here.endpoint->receive(sent.octets, sent.invalidate, now());
      settle(here);
    }
  }

  void settle(End& one) {
    for (bool more = true; more;) {
      more = false;
      for (smbd::Work work; one.endpoint->next_work(work); more = true)
        if (const auto* const send = std::get_if<smbd::PostSend>(&work)) post(one, *send);
      for (smbd::Event event; one.endpoint->next_event(event); more = true)
        messages_ += std::holds_alternative<smbd::Received>(event) ? 1 : 0;
    }
  }
  void post(End& from, const smbd::PostSend& send) {
    below_->send(side_of(from), send.octets, send.invalidate);
    OctetBuffer octets, answer;
    for (const corpora::TraceMessage& one : below_->take()) {
      OctetBuffer& part = one.sender == side_of(from) ? octets : answer;
      part.insert(part.end(), one.octets.begin(), one.octets.end());
    }
    from.sent.push_back({.stop = from.out + (said_.over_roce ? 1 : octets.size()),
                         .octets = send.octets,
                         .invalidate = send.invalidate});
    transmit(from, octets, std::move(answer));
    from.endpoint->completed(send.id, true, now());
  }

  void pass(std::int64_t ns) {
    const std::int64_t until = queue_.now() + ns;
    for (unsigned i = 0; i < kMostEvents; ++i) {
      std::optional<std::int64_t> due = queue_.next();
      for (End& one : ends_)
        if (const auto next = one.endpoint->deadline(); next && (!due || next->count() < *due)) due = next->count();
      if (!due || *due > until) break;
      if (queue_.next() && *queue_.next() <= *due) {
        queue_.run_next();
        continue;
      }
      queue_.pass_to(*due);
      for (End& one : ends_) {
        one.endpoint->advance(now());
        settle(one);
      }
    }
    queue_.pass_to(until);
  }
  static constexpr unsigned kMostEvents = 20'000;

  DelayedConversation said_;
  EventQueue queue_;
  std::unique_ptr<corpora::SmbdBelow> below_;
  DelayedCapture capture_;
  DelayedStream stream_;
  DelayedPackets packets_;
  std::array<End, 2> ends_;
  std::vector<corpora::TraceMessage> start_;
  std::size_t started_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace

DelayedOutcome run_smbd_delayed(const DelayedConversation& conversation) {
  return Conversation(conversation).run();
}

}  // namespace wirelaw::fuzz
