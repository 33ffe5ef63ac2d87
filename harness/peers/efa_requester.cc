// SPDX-License-Identifier: Apache-2.0
// The requester of harness/peers/efa_peer.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/peers/efa_endpoint_peer.h"
#include "harness/peers/peer_application.h"

namespace wirelaw::efa {
namespace {

// Nothing shows that a write has been placed, and packets overtake each other. Data that are read back too early are
// read again.
constexpr Instant kRereadTime = std::chrono::milliseconds(1);
constexpr unsigned kRereads = 100;
constexpr std::uint64_t kSlotAlignment = 64;
constexpr std::uint64_t kTag = 0x1122334455667788;
constexpr std::uint64_t kCqData = 0x99aabbccddeeff00;

struct RequesterCounts {
  std::uint64_t messages = 0;  // echoed
  std::uint64_t steps = 0;     // subprotocols, done
  std::uint64_t left_out = 0;
  std::uint64_t failed = 0;
  std::string error;  // from the last operation that failed
};

class Line;

// One subprotocol to exercise.
struct Step {
  std::string_view name;
  // Makes the calls of one phase; false if there are no more phases.
  bool (Line::*act)(const Step& step, unsigned phase);
  Transfer transfer = Transfer::eager;
  std::size_t octets = 100;
  bool tagged = false;
  bool cq_data = false;
  bool delivery_complete = false;
  bool direct = false;
};

// The operations sent to one peer, and the expected results.
class Line {
 public:
  Line(PeerId to, const RmaIov& region, bool exercises_all, RequesterCounts& counts)
      : to_(to), region_(region), exercises_all_(exercises_all), counts_(counts) {}

  void begin(Endpoint& endpoint, const TriggerRequest& request, Instant now);
  void on(Completion& completion);
  // Continues as far as it can.
  void proceed(Endpoint& endpoint, Instant now);
  std::optional<Instant> deadline() const;
  bool over() const { return over_; }

  bool message(const Step& step, unsigned phase);
  bool write_and_read_back(const Step& step, unsigned phase);
  bool atomics(const Step& step, unsigned phase);

 private:
  struct Awaited {
    OperationId id = 0;
    std::optional<OctetBuffer> data = {};  // data that the operation must return
    bool may_be_early = false;             // then it is done again
  };
  struct Echo {
    OctetBuffer data;
    std::optional<std::uint64_t> tag = {};
    std::optional<std::uint64_t> cq_data = {};
  };

  bool waits() const { return !awaited_.empty() || !echoes_.empty() || reread_at_; }
  void send(SendCall call);
  void read_back();
  void go_on();
  bool next_subprotocol();
  void leave_out();
  void give_up(std::string why);
  void fetch(AtomicRequest request, std::uint64_t expected);
  std::optional<RmaIov> slot(std::uint64_t octets);

  PeerId to_;
  RmaIov region_;
  bool exercises_all_;
  RequesterCounts& counts_;
  Endpoint* endpoint_ = nullptr;  // during a call
  Instant now_{};

  TriggerRequest request_;
  unsigned left_ = 0;         // messages that have not been sent
  std::uint64_t number_ = 0;  // counts all messages and writes
  std::size_t step_ = 0;
  unsigned phase_ = 0;
  bool over_ = true;
  Instant due_{};

  std::vector<Awaited> awaited_;
  std::vector<Echo> echoes_;
  std::uint64_t slots_ = 0;  // octets of the region that have been used
  RmaIov at_;                // the part of the step
  OctetBuffer written_;
  bool reads_direct_ = false;
  std::optional<Instant> reread_at_;
  unsigned rereads_ = 0;
};

constexpr Step kSubprotocols[] = {
    {.name = "eager message with CQ data", .act = &Line::message, .cq_data = true},
    {.name = "tagged eager message", .act = &Line::message, .tagged = true, .cq_data = true},
    {.name = "medium message", .act = &Line::message, .transfer = Transfer::medium, .octets = 20'000},
    {.name = "tagged medium message",
     .act = &Line::message,
     .transfer = Transfer::medium,
     .octets = 20'000,
     .tagged = true},
    {.name = "long-CTS message", .act = &Line::message, .transfer = Transfer::long_cts, .octets = 300'000},
    {.name = "tagged long-CTS message",
     .act = &Line::message,
     .transfer = Transfer::long_cts,
     .octets = 300'000,
     .tagged = true},
    {.name = "eager message, delivery complete", .act = &Line::message, .delivery_complete = true},
    {.name = "tagged eager message, delivery complete",
     .act = &Line::message,
     .tagged = true,
     .delivery_complete = true},
    {.name = "medium message, delivery complete",
     .act = &Line::message,
     .transfer = Transfer::medium,
     .octets = 20'000,
     .delivery_complete = true},
    {.name = "tagged medium message, delivery complete",
     .act = &Line::message,
     .transfer = Transfer::medium,
     .octets = 20'000,
     .tagged = true,
     .delivery_complete = true},
    {.name = "long-CTS message, delivery complete",
     .act = &Line::message,
     .transfer = Transfer::long_cts,
     .octets = 100'000,
     .delivery_complete = true},
    {.name = "tagged long-CTS message, delivery complete",
     .act = &Line::message,
     .transfer = Transfer::long_cts,
     .octets = 100'000,
     .tagged = true,
     .delivery_complete = true},
    {.name = "long-read message", .act = &Line::message, .transfer = Transfer::long_read, .octets = 200'000},
    {.name = "tagged long-read message",
     .act = &Line::message,
     .transfer = Transfer::long_read,
     .octets = 200'000,
     .tagged = true},
    {.name = "runting read message", .act = &Line::message, .transfer = Transfer::runting_read, .octets = 200'000},
    {.name = "tagged runting read message",
     .act = &Line::message,
     .transfer = Transfer::runting_read,
     .octets = 200'000,
     .tagged = true},
    {.name = "eager write, short read", .act = &Line::write_and_read_back, .cq_data = true},
    {.name = "long-CTS write, long-CTS read",
     .act = &Line::write_and_read_back,
     .transfer = Transfer::long_cts,
     .octets = 100'000},
    {.name = "eager write, delivery complete", .act = &Line::write_and_read_back, .delivery_complete = true},
    {.name = "long-CTS write, delivery complete",
     .act = &Line::write_and_read_back,
     .transfer = Transfer::long_cts,
     .octets = 100'000,
     .delivery_complete = true},
    {.name = "long-read write",
     .act = &Line::write_and_read_back,
     .transfer = Transfer::long_read,
     .octets = 200'000,
     .cq_data = true},
    {.name = "direct write, direct read",
     .act = &Line::write_and_read_back,
     .octets = 200'000,
     .cq_data = true,
     .direct = true},
    {.name = "atomics", .act = &Line::atomics, .octets = sizeof(std::uint64_t)},
    {.name = "atomics, delivery complete",
     .act = &Line::atomics,
     .octets = sizeof(std::uint64_t),
     .delivery_complete = true},
};

OctetBuffer octets_of(std::uint64_t value) {
  OctetBuffer octets;
  Writer(octets).little_endian(value);
  return octets;
}

// Two buffers of the peer, one directly after the other.
std::vector<RmaIov> halves(const RmaIov& whole) {
  const std::uint64_t first = whole.len / 2;
  return {{whole.addr, first, whole.key}, {whole.addr + first, whole.len - first, whole.key}};
}

// ----------------------------------------------------------------------------------------------------------- the calls

void Line::send(SendCall call) {
  echoes_.push_back({.data = call.data, .tag = call.tag, .cq_data = call.cq_data});
  awaited_.push_back({.id = endpoint_->send(to_, std::move(call), now_)});
}

bool Line::message(const Step& step, unsigned phase) {
  if (phase > 0) return false;
  SendCall call{.data = distinct_octets(number_++, step.octets),
                .delivery_complete = step.delivery_complete,
                .transfer = step.transfer};
  if (step.tagged) call.tag = kTag + number_;
  if (step.cq_data) call.cq_data = kCqData + number_;
  send(std::move(call));
  return true;
}

bool Line::write_and_read_back(const Step& step, unsigned phase) {
  if (phase == 0) {
    const auto at = slot(step.octets);
    if (!at) {
      leave_out();
      return true;
    }
    at_ = *at;
    written_ = distinct_octets(number_++, step.octets);
    WriteCall call{
        .data = written_, .to = halves(at_), .delivery_complete = step.delivery_complete, .direct = step.direct};
    if (!step.direct) call.transfer = step.transfer;
    // The responder's application answers a write with CQ data by a message.
    if (step.cq_data) {
      call.cq_data =
          (step.direct ? static_cast<std::uint32_t>(kCqData) : kCqData) + number_;  // as long as immediate data
      echoes_.push_back({.data = {}, .cq_data = call.cq_data});
    }
    awaited_.push_back({.id = endpoint_->write(to_, std::move(call), now_)});
    return true;
  }
  if (phase > 1) return false;
  reads_direct_ = step.direct;
  rereads_ = 0;
  read_back();
  return true;
}

void Line::read_back() {
  const OperationId id = endpoint_->read(to_, {.from = halves(at_), .direct = reads_direct_}, now_);
  awaited_.push_back({.id = id, .data = written_, .may_be_early = true});
}

void Line::fetch(AtomicRequest request, std::uint64_t expected) {
  request.on = {at_};
  awaited_.push_back({.id = endpoint_->atomic(to_, std::move(request), now_), .data = octets_of(expected)});
}

// Atomics take place in the order of their calls, which fetch what the one before has left.
bool Line::atomics(const Step& step, unsigned phase) {
  constexpr std::uint64_t kWritten = 41, kSwapped = 7;
  switch (phase) {
    case 0: {
      const auto at = slot(step.octets);
      if (!at) {
        leave_out();
        return true;
      }
      at_ = *at;
      AtomicRequest request{.op = AtomicOp::atomic_write,
                            .operand = octets_of(kWritten),
                            .on = {at_},
                            .delivery_complete = step.delivery_complete};
      awaited_.push_back({.id = endpoint_->atomic(to_, std::move(request), now_)});
      return true;
    }
    case 1:
      fetch({.call = AtomicCall::fetch, .op = AtomicOp::sum, .operand = octets_of(1)}, kWritten);
      return true;
    case 2:
      fetch({.call = AtomicCall::compare,
             .op = AtomicOp::cswap,
             .operand = octets_of(kSwapped),
             .compare = octets_of(kWritten + 1)},
            kWritten + 1);
      return true;
    case 3:
      fetch({.call = AtomicCall::fetch, .op = AtomicOp::atomic_read}, kSwapped);
      return true;
    default:
      return false;
  }
}

// A part of the peer's region that no other step uses: what comes late from one does not disturb another.
std::optional<RmaIov> Line::slot(std::uint64_t octets) {
  const std::uint64_t at = (slots_ + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;
  if (at > region_.len || region_.len - at < octets) return std::nullopt;
  slots_ = at + octets;
  return RmaIov{region_.addr + at, octets, region_.key};
}

// ------------------------------------------------------------------------------------------------------ next steps

void Line::begin(Endpoint& endpoint, const TriggerRequest& request, Instant now) {
  awaited_.clear();
  echoes_.clear();
  reread_at_.reset();
  request_ = request;
  left_ = request.count;
  step_ = 0;
  phase_ = 0;
  slots_ = 0;
  over_ = false;
  due_ = now + kStepTime;
  proceed(endpoint, now);
}

void Line::on(Completion& completion) {
  if (over_) return;
  if (completion.kind == Completion::Kind::receive) {
    if (echoes_.empty()) return;
    const auto echo = std::ranges::find_if(echoes_, [&](const Echo& one) {
      return one.tag == completion.tag && one.cq_data == completion.cq_data && one.data == completion.data;
    });
    if (echo == echoes_.end()) return give_up("an answer has other octets, tag or CQ data than it should have");
    counts_.messages += step_ == 0;
    echoes_.erase(echo);
    return;
  }
  const auto found = std::ranges::find(awaited_, completion.id, &Awaited::id);
  if (found == awaited_.end() || completion.kind == Completion::Kind::remote_write) return;
  const Awaited awaited = std::move(*found);
  awaited_.erase(found);
  if (completion.status == Status::unsupported && step_ > 0) return leave_out();
  if (completion.status != Status::ok) return give_up("the peer does not answer, or refuses");
  if (!awaited.data || completion.data == *awaited.data) return;
  if (!awaited.may_be_early || ++rereads_ > kRereads)
    return give_up("the peer has given other octets than it should have");
  reread_at_ = now_ + kRereadTime;
}

void Line::proceed(Endpoint& endpoint, Instant now) {
  endpoint_ = &endpoint;
  now_ = now;
  if (!over_ && reread_at_ && now >= *reread_at_) {
    reread_at_.reset();
    read_back();
  }
  if (!over_ && now >= due_) give_up("nothing has come back");
  go_on();
  endpoint_ = nullptr;
}

// Sends messages first, then exercises the subprotocols; starts the next step when nothing is pending.
void Line::go_on() {
  while (!over_ && !waits()) {
    due_ = now_ + kStepTime;
    if (left_ == 0) {
      if (next_subprotocol()) continue;
      over_ = true;
      return;
    }
    const unsigned at_once = request_.parallel ? left_ : 1;
    left_ -= at_once;
    for (unsigned i = 0; i < at_once; ++i) send({.data = distinct_octets(number_++, request_.octets)});
  }
}

bool Line::next_subprotocol() {
  if (!exercises_all_) return false;
  if (step_ == 0) step_ = 1;  // index into kSubprotocols, from 1
  while (step_ <= std::size(kSubprotocols)) {
    const Step& step = kSubprotocols[step_ - 1];
    if ((this->*step.act)(step, phase_++)) return true;
    ++counts_.steps;
    ++step_;
    phase_ = 0;
  }
  return false;
}

// Skips what the peer does not support.
void Line::leave_out() {
  awaited_.clear();
  echoes_.clear();
  ++counts_.left_out;
  ++step_;
  phase_ = 0;
}

void Line::give_up(std::string why) {
  counts_.failed += step_ > 0 ? 1 : left_ + std::max<std::size_t>(echoes_.size(), 1);
  counts_.error = step_ == 0 ? std::move(why) : fmt::format("{}: {}", kSubprotocols[step_ - 1].name, why);
  left_ = 0;
  awaited_.clear();
  echoes_.clear();
  reread_at_.reset();
  over_ = true;
}

std::optional<Instant> Line::deadline() const {
  if (over_) return std::nullopt;
  return reread_at_ ? std::min(due_, *reread_at_) : due_;
}

// ------------------------------------------------------------------------------------------------------------ the peer

class RequesterPeer final : public EndpointPeer {
 public:
  RequesterPeer(std::uint64_t seed, const PeerSetup& setup) : EndpointPeer(seed, setup) {}

  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    if (driven()) return true;  // the driver of the peer begins
    Line& line = lines_.try_emplace(to, to, setup().target, setup().exercises_all, counts_).first->second;
    line.begin(endpoint(), request, now);
    proceed(now);
    return true;
  }
  std::optional<Instant> deadline() const override {
    std::optional<Instant> next = EndpointPeer::deadline();
    for (const auto& [to, line] : lines_) {
      const auto due = line.deadline();
      if (due && (!next || *due < *next)) next = due;
    }
    return next;
  }
  bool idle() const override {
    return std::ranges::all_of(lines_, [](const auto& entry) { return entry.second.over(); });
  }
  std::uint64_t failed() const override { return counts_.failed; }
  std::string state() const override {
    if (lines_.empty()) return "EFA RDM requester: not triggered\n";
    return fmt::format(
        "EFA RDM requester: {} messages answered, {} subprotocols exercised, {} left out, {} failed{}{}; {}\n",
        counts_.messages, counts_.steps, counts_.left_out, counts_.failed, counts_.failed == 0 ? "" : ": ",
        counts_.error, counts());
  }

 private:
  void on(Completion& completion, Instant) override {
    if (const auto found = lines_.find(completion.peer); found != lines_.end()) found->second.on(completion);
  }
  void moved(Instant now) override {
    for (auto& [to, line] : lines_) line.proceed(endpoint(), now);
  }

  RequesterCounts counts_;
  std::map<PeerId, Line> lines_;
};

}  // namespace

std::unique_ptr<wirelaw::Peer> make_requester(std::uint64_t seed, const PeerSetup& setup) {
  return std::make_unique<RequesterPeer>(seed, setup);
}

}  // namespace wirelaw::efa
