// SPDX-License-Identifier: Apache-2.0
// The peer whose connections are queue pairs, as those of an RDMA device: a case drives them, or the application of the
// suite above the verbs.
#include <algorithm>
#include <iterator>
#include <list>

#include "harness/peers/faulty_consumer.h"
#include "harness/peers/rdmap_lines.h"
#include "harness/peers/verbs/application.h"
#include "harness/peers/waiting_consumer.h"

namespace wirelaw::rdmap {
namespace {

// A far end that follows the protocol and has its own buffers.
class HonestEnd final : public FarEnd {
 public:
  HonestEnd(std::uint64_t seed, Role role, const Options& options)
      : buffers_(~seed), device_(role, options, buffers_) {}

  verbs::Consumer& consumer() override { return device_; }
  bool wants_connection() override { return device_.wants_connection(); }
  void opened(Instant now) override { device_.opened(now); }
  void receive(Octets octets, Instant now) override { device_.receive(octets, now); }
  void ended(Ending ending, Instant now) override { device_.ended(ending, now); }
  void advance(Instant now) override { device_.advance(now); }
  std::optional<Instant> deadline() const override { return device_.deadline(); }
  bool next_octets(OctetBuffer& out) override { return device_.next_octets(out); }
  Ending ending() const override { return device_.ending(); }

 private:
  Buffers buffers_;
  ReferenceConsumer device_;
};

class ConsumerPeer final : public Peer {
 public:
  ConsumerPeer(std::uint64_t seed, Role role, const Options& options, const Deviations& deviations, Service above,
               bool stateless)
      : seed_(seed),
        role_(role),
        options_(options),
        deviations_(deviations),
        above_(above),
        stateless_(stateless),
        buffers_(seed) {}

  void offer(Offers& offers, std::optional<PeerId> connection, VirtualTime& time) override {
    Line& line = add(connection);
    const auto taken = [&line, waiting = std::make_shared<WaitingConsumer>(time, *line.consumer)] {
      line.application.reset();
      line.taken = true;
      return waiting.get();
    };
    offers.add<verbs::Consumer>(verbs::kConsumer, taken);
  }
  std::unique_ptr<FarEnd> far_end() override {
    const Role far = other(role_);
    return std::make_unique<HonestEnd>(seed_, far, options_);
  }

  bool next_connection() override {
    for (Line& line : lines_) {
      if (!line.consumer->wants_connection()) continue;
      line.connecting = true;
      return true;
    }
    return false;
  }
  void opened(PeerId id, Instant now) override {
    Line* line = find(id);
    if (line == nullptr) {
      const auto next = std::ranges::find(lines_, true, &Line::connecting);
      if (next == lines_.end()) return;
      line = &*next;
      line->connecting = false;
      line->connection = id;
    }
    line->consumer->opened(now);
    line->proceed();
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    Line* const line = find(from);
    if (line == nullptr) return;
    line->consumer->receive(octets, now);
    line->proceed();
  }
  void ended(PeerId from, Ending ending, Instant now) override {
    Line* const line = find(from);
    if (line == nullptr) return;
    line->consumer->ended(ending, now);
    line->proceed();
  }
  void advance(Instant now) override {
    for (Line& line : lines_) {
      if (const auto due = line.deadline(); !due || *due > now) continue;
      line.consumer->advance(now);
      line.proceed();
    }
  }
  std::optional<Instant> deadline() const override {
    std::optional<Instant> next;
    for (const Line& line : lines_)
      if (const auto due = line.deadline(); due && (!next || *due < *next)) next = due;
    return next;
  }
  bool next_datagram(Outgoing& out) override {
    return std::ranges::any_of(lines_, [&](Line& line) { return line.connection && next_of(line, out); });
  }
  // The connection that is asked for is the one that is being made.
  bool trigger(PeerId, const TriggerRequest& request, Instant) override {
    if (role_ != Role::initiator) return false;
    auto free = std::ranges::find_if(lines_, [](const Line& line) { return !line.taken && !line.application; });
    if (free == lines_.end()) {
      add(std::nullopt);
      free = std::prev(lines_.end());
    }
    free->application = verbs::make_initiator(*free->consumer, request);
    free->connecting = free->consumer->wants_connection();
    return free->connecting;
  }
  bool idle() const override {
    return std::ranges::all_of(lines_,
                               [](const Line& line) { return !line.application || line.application->is_over(); });
  }
  std::uint64_t failed() const override {
    std::uint64_t failed = 0;
    for (const Line& line : lines_) failed += line.application ? line.application->failed() : 0;
    return failed;
  }
  std::string state() const override {
    std::string text;
    for (const Line& line : lines_)
      text += line.consumer->state() + (line.application ? line.application->state() : std::string());
    return text;
  }

 private:
  struct Line {
    std::optional<PeerId> connection;
    bool connecting = false;
    bool taken = false;  // true: a case drives it
    std::unique_ptr<ReferenceConsumer> consumer;
    std::unique_ptr<verbs::ConsumerApplication> application = nullptr;

    void proceed() {
      if (application) application->proceed();
    }
    std::optional<Instant> deadline() const {
      const auto due = consumer->deadline();
      const auto above = application ? application->deadline() : std::nullopt;
      return due && above ? std::min(*due, *above) : due ? due : above;
    }
  };

  Line& add(std::optional<PeerId> connection) {
    Line& line = lines_.emplace_back();
    line.connection = connection;
    line.consumer = make_consumer(role_, options_, buffers_, deviations_);
    if (stateless_) line.consumer->report_no_state();
    if (role_ == Role::responder) line.application = verbs::make_responder(*line.consumer, above_);
    return line;
  }
  Line* find(PeerId id) {
    const auto found = std::ranges::find(lines_, std::optional(id), &Line::connection);
    return found == lines_.end() ? nullptr : &*found;
  }
  static bool next_of(Line& line, Outgoing& out) {
    ReferenceConsumer& consumer = *line.consumer;
    out = {.to = *line.connection, .octets = std::move(out.octets)};
    const bool some = consumer.next_octets(out.octets);
    line.proceed();
    if (some) return true;
    if (consumer.ending() == consumer.reported) return false;
    out.ending = consumer.reported = consumer.ending();
    return true;
  }

  std::uint64_t seed_;
  Role role_;
  Options options_;
  Deviations deviations_;
  PeerApplication above_;
  bool stateless_;
  Buffers buffers_;  // for all connections, as on one device
  std::list<Line> lines_;
};

}  // namespace

std::unique_ptr<Peer> make_consumer_peer(std::uint64_t seed, Role role, const Options& options,
                                         const Deviations& deviations, Service above, bool stateless) {
  return std::make_unique<ConsumerPeer>(seed, role, options, deviations, above, stateless);
}

}  // namespace wirelaw::rdmap
