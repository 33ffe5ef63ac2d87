// SPDX-License-Identifier: Apache-2.0
// The initiator of harness/peers/rdmap_peer.h.
#include <fmt/format.h>

#include <utility>

#include "harness/peers/peer_application.h"
#include "harness/peers/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kWord = 8;  // octets of an Atomic Operation's target, which is aligned (RFC 7306, 5.1.1)

struct InitiatorCounts {
  std::uint64_t connections = 0;
  std::uint64_t done = 0;  // rounds
  std::uint64_t failed = 0;
  std::string error;  // from the last operation that failed
};

class InitiatorLine {
 public:
  InitiatorLine(const Options& options, Buffers& buffers, const Deviations& deviations, const TriggerRequest& request,
                bool extended, InitiatorCounts& counts, Instant now)
      : made_(make_endpoint(Role::initiator, options, buffers, deviations)),
        endpoint(*made_),
        request_(request),
        extended_(extended && options.extensions),
        counts_(counts),
        now_(now),
        left_(request.count) {
    ++counts_.connections;
    const AdvertisedBuffer offered =
        advertise(endpoint, offered_memory_, std::uint64_t{1} << 32, {.read = true, .write = true, .atomic = true});
    sink_ = endpoint.register_buffer(sink_memory_, 0, {}).value_or(0);
    endpoint.connected(now, encode_advertisement({&offered, 1}));
    post_receives(endpoint);
  }

  std::optional<Instant> deadline() const {
    const auto due = endpoint.deadline();
    if (rounds_.empty()) return due;
    return due ? std::min(*due, round_due_) : round_due_;
  }
  void advance(Instant now) {
    now_ = now;
    endpoint.advance(now);
    proceed();
    if (!rounds_.empty() && now >= round_due_) give_up("nothing has come back");
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
    for (Event event; endpoint.next_event(event);) std::visit([&](auto& one) { on(one); }, event);
  }

  const TriggerRequest& request() const { return request_; }
  // The peer may understand revision 1 on another connection.
  bool fall_back() const { return fall_back_; }

 private:
  std::unique_ptr<Endpoint> made_;

 public:
  Endpoint& endpoint;
  Ending reported = Ending::none;  // our ending, as reported to the transport

 private:
  struct Round {
    OctetBuffer data;
    std::size_t stored = 0;  // octets of `data` that were written to the peer's buffer and read back
    std::size_t at = 0;      // offset in the peer's buffer, and in ours
    WorkId read = 0;         // 0: it is done, or there is none
    bool echoed = false;
  };

  template <class Other>
  void on(const Other&) {}
  void on(const Established& established) {
    if (const auto offered = decode_advertisement(established.private_data); offered && !offered->empty())
      target_ = offered->front();
    for (std::size_t i = 0; i < (request_.parallel ? kReceives : 1); ++i) begin_round();
    close_when_over();
  }
  void on(const Rejected&) {
    give_up("the responder rejects");
    endpoint.close();
  }
  void on(const LocalError& error) {
    fall_back_ = error.fall_back;
    if (!fall_back_) give_up(fmt::format("{}, {}", to_string(error.error), error.text));
    left_ = 0;
  }
  void on(const RemoteTerminate& terminate) {
    give_up(fmt::format("the responder has terminated: {}", to_string(terminate.error)));
  }
  void on(const PeerEnded&) { give_up("the responder has closed"); }
  void on(const Received& received) {
    static_cast<void>(endpoint.post_receive(kReceiveOctets));
    if (received.opcode == Opcode::immediate_data || received.opcode == Opcode::immediate_data_se) return;
    const auto round = std::ranges::find_if(rounds_, [](const Round& one) { return !one.echoed; });
    if (round == rounds_.end()) return;
    round->echoed = true;
    if (received.data != sent_of(*round)) return give_up("an echo has other octets than the Send");
    end_rounds();
  }
  void on(const Completed& completed) {
    const auto round = std::ranges::find(rounds_, completed.id, &Round::read);
    if (!completed.ok || round == rounds_.end() || completed.id == 0) return;
    round->read = 0;
    if (!std::equal(round->data.begin(), round->data.begin() + static_cast<std::ptrdiff_t>(round->stored),
                    sink_memory_.begin() + static_cast<std::ptrdiff_t>(round->at)))
      return give_up("a read has given other octets than were written");
    end_rounds();
  }

  OctetBuffer sent_of(const Round& round) const {
    return {round.data.begin(),
            round.data.begin() + static_cast<std::ptrdiff_t>(std::min(round.data.size(), kReceiveOctets))};
  }
  void begin_round() {
    if (left_ == 0) return;
    --left_;
    Round& round = rounds_.emplace_back();
    round.data = distinct_octets(number_, request_.octets);
    // Rounds in progress at the same time each use a separate part of the buffers, because a read may be answered after
    // what follows it.
    const std::size_t parts = request_.parallel ? kReceives : 1;
    const std::size_t part = std::min<std::size_t>(target_.length, kBufferOctets) / parts;
    round.stored = std::min(round.data.size(), part);
    round.at = number_++ % parts * part;
    const BufferAt remote{target_.at.stag, target_.at.to + round.at};
    if (target_.length > 0)
      static_cast<void>(endpoint.post_write(
          OctetBuffer(round.data.begin(), round.data.begin() + static_cast<std::ptrdiff_t>(round.stored)), remote));
    static_cast<void>(endpoint.post_send(sent_of(round)));
    if (target_.length > 0)
      round.read = endpoint.post_read({sink_, round.at}, remote, static_cast<std::uint32_t>(round.stored)).value_or(0);
    if (extended_ && target_.length > 0 && remote.to % kWord == 0) {
      static_cast<void>(endpoint.post_fetch_add(remote, 0));
      static_cast<void>(endpoint.post_immediate(number_, false));
    }
    round_due_ = now_ + kRoundTime;
  }
  void end_rounds() {
    round_due_ = now_ + kRoundTime;
    while (!rounds_.empty() && rounds_.front().echoed && rounds_.front().read == 0) {
      rounds_.pop_front();
      ++counts_.done;
      begin_round();
    }
    close_when_over();
  }
  bool over() const { return left_ == 0 && rounds_.empty(); }
  void close_when_over() {
    if (over()) endpoint.close();
  }
  void give_up(std::string why) {
    if (over()) return;
    counts_.failed += left_ + rounds_.size();
    counts_.error = std::move(why);
    left_ = 0;
    rounds_.clear();
    endpoint.close();
  }

  TriggerRequest request_;
  bool extended_;
  InitiatorCounts& counts_;
  OctetBuffer offered_memory_ = OctetBuffer(kBufferOctets);
  OctetBuffer sink_memory_ = OctetBuffer(kBufferOctets);
  Stag sink_ = 0;
  AdvertisedBuffer target_;  // the peer's; no octets: none was advertised
  Instant now_{};
  Instant round_due_{};
  std::deque<Round> rounds_;
  std::uint64_t number_ = 0;
  unsigned left_;  // rounds that have not begun
  bool fall_back_ = false;
};

class InitiatorPeer final : public FpduPeer {
 public:
  InitiatorPeer(std::uint64_t seed, const Options& options, const Deviations& deviations, bool extended)
      : FpduPeer(options), buffers_(seed), deviations_(deviations), extended_(extended) {}

  bool trigger(PeerId to, const TriggerRequest& request, Instant) override {
    triggered_.insert_or_assign(to, request);
    return true;
  }
  // Uses revision 1 if an earlier connection has asked for it.
  bool next_connection() override { return std::exchange(wants_connection_, false); }
  void opened(PeerId to, Instant now) override {
    Options options = options_;
    options.enhanced = options.peer_to_peer = options.understands_enhanced;
    TriggerRequest request{};
    if (const auto found = triggered_.extract(to)) {
      request = found.mapped();
    } else if (!fall_backs_.empty()) {
      request = fall_backs_.front();
      fall_backs_.pop_front();
      options = options_;
    } else {
      return;
    }
    lines_.add(to, options, buffers_, deviations_, request, extended_, counts_, now);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (InitiatorLine* const line = lines_.touch(from)) line->receive(octets, now);
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    InitiatorLine* const line = lines_.touch(from);
    if (line == nullptr) return;
    line->ended(ending, now);
    if (!line->fall_back()) return;
    fall_backs_.push_back(line->request());
    wants_connection_ = true;
  }
  void advance(Instant now) override {
    lines_.for_each_due(now, [&](InitiatorLine& line) { line.advance(now); });
  }
  std::optional<Instant> deadline() const override { return lines_.deadline(); }
  bool next_datagram(Outgoing& out) override { return lines_.next_datagram(out); }
  bool idle() const override { return triggered_.empty() && fall_backs_.empty() && lines_.empty(); }
  std::uint64_t failed() const override { return counts_.failed; }
  std::string state() const override {
    if (counts_.connections == 0) return "RDMAP initiator: not triggered\n";
    return fmt::format("RDMAP initiator: {} connections, {} of them open, {} rounds done, {} failed{}{}\n",
                       counts_.connections, lines_.size(), counts_.done, counts_.failed,
                       counts_.failed == 0 ? "" : ": ", counts_.error);
  }

 private:
  Buffers buffers_;
  Deviations deviations_;
  bool extended_;
  std::map<PeerId, TriggerRequest> triggered_;  // its connection does not exist yet
  std::deque<TriggerRequest> fall_backs_;
  bool wants_connection_ = false;
  InitiatorCounts counts_;
  Lines<InitiatorLine> lines_;
};

}  // namespace

std::unique_ptr<Peer> make_initiator(std::uint64_t seed, const Options& options, const Deviations& deviations,
                                     bool extended) {
  return std::make_unique<InitiatorPeer>(seed, options, deviations, extended);
}

}  // namespace wirelaw::rdmap
