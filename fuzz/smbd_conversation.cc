// SPDX-License-Identifier: Apache-2.0
#include "fuzz/smbd_conversation.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "conformance/delivery.h"
#include "conformance/judge.h"
#include "conformance/observer.h"
#include "conformance/roce/roce.h"
#include "conformance/smbd/smbd.h"
#include "corpora/formats/records.h"
#include "corpora/formats/smbd_steps.h"
#include "corpora/traces/smbd_below.h"
#include "fuzz/report_finding.h"
#include "fuzz/target.h"
#include "reference/smbd/endpoint.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;
namespace step = corpora::smbd_step;

constexpr std::size_t kMostSteps = 256;
constexpr std::size_t kBuffer = 2048;  // octets of memory that each side registers
constexpr std::size_t kMostMemory = std::size_t{1} << 20;

// The RDMA transport as a capture shows it.
class CapturedBelow {
 public:
  void show_to(DamagedCapture* capture, bool over_roce) {
    capture_ = capture;
    if (over_roce) capture_->carry_by(roce::kProtocol);
    below_ = over_roce ? corpora::smbd_over_roce() : corpora::smbd_over_iwarp();
    below_->start();
    show(Instant{});
  }
  void send(wirelaw::Side sender, Octets octets, std::optional<smbd::Token> invalidated, Instant now) {
    if (capture_ == nullptr) return;
    below_->send(sender, octets, invalidated);
    show(now);
  }
  void end(Instant now) {
    if (capture_ == nullptr) return;
    for (const wirelaw::Side side : {wirelaw::Side::a, wirelaw::Side::b}) below_->close(side);
    show(now);
  }

 private:
  void show(Instant now) {
    for (const corpora::TraceMessage& one : below_->take()) {
      const std::int64_t time_ns = now.count() + ++shown_;
      if (below_->is_stream())
        capture_->see(StreamPiece{.event = one.event, .sender = one.sender, .octets = one.octets, .time_ns = time_ns});
      else
        capture_->see(message_of(one.octets, one.sender, 0, time_ns));
    }
  }

  DamagedCapture* capture_ = nullptr;
  std::unique_ptr<corpora::SmbdBelow> below_;
  std::int64_t shown_ = 0;
};

// The observer and its judge. Ends the process at the first finding about an honest side.
class SmbdTap {
 public:
  explicit SmbdTap(Judged honest) : observer_(smbd::kProtocol.observer({})), judge_(smbd::kProtocol.catalogue()) {
    judge_.enter_flow("fuzz", "the initiator", "the listener", honest);
    if (tracing()) judge_.listen([](const Message& message) { print(smbd::kProtocol, message); });
    see({.event = Delivery::Event::established}, Instant{});
  }

  void see_message(wirelaw::Side sender, Octets octets, std::optional<smbd::Token> invalidated, Instant now) {
    below_.send(sender, octets, invalidated, now);
    see({.sender = sender,
         .message = message_of(octets, sender, messages_++, now.count()),
         .invalidated_stag = invalidated},
        now);
  }
  void see(Delivery delivery, Instant now) {
    delivery.message.sender = delivery.sender;
    delivery.message.time_ns = now.count();
    observer_->observe(delivery, judge_);
    require(observer_->memory() <= kMostMemory, "the observer keeps to its memory");
    check();
  }
  void finish(Instant now) {
    judge_.set_now(now.count());
    observer_->finish(judge_);
    check();
  }
  void lose(Instant now) {
    for (const wirelaw::Side side : {wirelaw::Side::a, wirelaw::Side::b})
      see({.event = Delivery::Event::ended, .sender = side, .abortive = true}, now);
    below_.end(now);
  }
  // Also passes everything that it sees to `capture`, over iWARP or RoCEv2.
  void show_to(DamagedCapture* capture, bool over_roce) { below_.show_to(capture, over_roce); }

 private:
  void check() const {
    for (const Finding& finding : judge_.findings())
      if (finding.severity == Severity::violation) report(finding);
  }

  std::unique_ptr<Observer> observer_;
  Judge judge_;
  std::uint64_t messages_ = 0;
  CapturedBelow below_;
};

// The RDMA provider for one side.
class Memory final : public smbd::Registrar {
 public:
  explicit Memory(smbd::Token first) : next_(first) {}

  std::optional<smbd::RemoteBuffer> register_memory(std::span<Octet> memory, smbd::Access access) override {
    const smbd::Token token = next_++;
    regions_.emplace(token, Region{memory, access});
    return smbd::RemoteBuffer{token, kBase};
  }
  bool deregister_memory(smbd::Token token) override { return regions_.erase(token) > 0; }

  std::optional<std::span<Octet>> look(smbd::RemoteBuffer at, std::size_t octets, bool write) const {
    const auto found = regions_.find(at.token);
    if (found == regions_.end()) return std::nullopt;
    const Region& region = found->second;
    if (!(write ? region.access.write : region.access.read) || at.offset < kBase) return std::nullopt;
    const std::uint64_t begin = at.offset - kBase;
    if (begin > region.memory.size() || octets > region.memory.size() - begin) return std::nullopt;
    return region.memory.subspan(begin, octets);
  }

 private:
  struct Region {
    std::span<Octet> memory;
    smbd::Access access;
  };
  static constexpr std::uint64_t kBase = 0x1'0000'0000;

  smbd::Token next_;
  std::map<smbd::Token, Region> regions_;
};

struct Side {
  Side(Role role_, const smbd::Options& options, smbd::Token first)
      : role(role_), registrar(first), endpoint(role_, options, registrar) {}

  wirelaw::Side side() const { return role == Role::initiator ? wirelaw::Side::a : wirelaw::Side::b; }

  Role role;
  Memory registrar;
  smbd::Endpoint endpoint;
  OctetBuffer memory = OctetBuffer(kBuffer);
  std::vector<smbd::BufferDescriptorV1> described;
  std::deque<std::size_t> receives;
  std::deque<smbd::Work> outgoing;  // in flight to the other side
  std::deque<OctetBuffer> sent;     // upper-layer messages that the other side has not received yet
  std::map<smbd::TransferId, OctetBuffer> moving;
  bool over = false;
};

class Conversation {
 public:
  Conversation(Role honest, Octets settings, DamagedCapture* capture)
      : honest_(honest),
        initiator_(Role::initiator, corpora::smbd_options_of(settings, false), 0x100),
        listener_(Role::responder, corpora::smbd_options_of(settings, true), 0x900),
        seen_at_initiator_(honest == Role::initiator ||
                           (honest == Role::any && (settings[0] & corpora::kSmbdSeenAtListener) == 0)),
        tap_({.a = honest != Role::responder, .b = honest != Role::initiator}) {
    if (capture != nullptr) tap_.show_to(capture, (settings[0] & corpora::kSmbdOverRoce) != 0);
    for_each_honest([&](Side& one) {
      one.endpoint.begin(now_);
      settle(one);
      one.endpoint.connected(now_);
      settle(one);
      describe_memory(one);
    });
  }

  void take(const corpora::Record& record) {
    OctetBuffer octets(record.octets.begin(), record.octets.end());
    const auto kind = static_cast<Octet>(record.control & step::kKind);
    if (octets.size() < 8) octets.resize(8);
    Side& actor = honest_ == Role::any ? ((record.control & step::kSideB) != 0 ? listener_ : initiator_) : own();
    switch (kind) {
      case step::kTransfer:
        return send_transfer(corpora::read_smbd_transfer(record.octets), (record.control & step::kInvalidate) != 0);
      case step::kRaw:
        return send_scripted(record.octets, {});
      case step::kNegotiate:
        return negotiate(octets[0], load_little_endian<std::uint32_t>(octets.data() + 1));
      case step::kSend:
        send(actor, (load_little_endian<std::uint32_t>(octets.data()) & 0xffffff) % 140'000);
        break;
      case step::kTime:
        pass(std::chrono::milliseconds(load_little_endian<std::uint32_t>(octets.data()) & 0xffffff));
        break;
      case step::kDeliver:
        deliver(actor, octets[0]);
        break;
      case step::kMove:
        move(actor, load_little_endian<std::uint16_t>(octets.data()),
             load_little_endian<std::uint16_t>(octets.data() + 2), (octets[4] & 1) != 0);
        break;
      case step::kEnd:
        end(actor, octets[0] % 3);
        break;
    }
    for_each_honest([&](Side& one) { settle(one); });
  }

  void finish() {
    for_each_honest([&](Side& one) { one.endpoint.close(now_); });
    for_each_honest([&](Side& one) { settle(one); });
    come_through();
    for (unsigned i = 0; i < 16 && !over(); ++i) pass(130s);
    require(over(), "an endpoint comes to an end");
    tap_.finish(now_);
  }

 private:
  Side& own() { return honest_ == Role::responder ? listener_ : initiator_; }
  Side& other(const Side& one) { return &one == &initiator_ ? listener_ : initiator_; }
  bool is_honest(const Side& one) const { return includes(honest_, one.role); }
  bool over() { return (!is_honest(initiator_) || initiator_.over) && (!is_honest(listener_) || listener_.over); }
  template <class Act>
  void for_each_honest(Act act) {
    for (Side* const one : {&initiator_, &listener_})
      if (is_honest(*one)) act(*one);
  }
  // Returns whether the capture sees messages from this side when they leave, or else when they arrive.
  bool leaves_here(const Side& from) const { return (from.role == Role::initiator) == seen_at_initiator_; }

  // --- actions of the endpoints
  void settle(Side& side) {
    for (bool more = true; more;) {
      more = false;
      for (smbd::Work work; side.endpoint.next_work(work); more = true) post(side, std::move(work));
      for (smbd::Event event; side.endpoint.next_event(event); more = true) note(side, event);
    }
    require(side.endpoint.octets_held() <= kMostMemory, "an endpoint keeps to its memory");
  }
  void post(Side& side, smbd::Work&& work) {
    if (const auto* const receive = std::get_if<smbd::PostReceive>(&work)) {
      side.receives.push_back(receive->octets);
      return;
    }
    if (const auto* const sent = std::get_if<smbd::PostSend>(&work); sent && leaves_here(side))
      tap_.see_message(side.side(), sent->octets, sent->invalidate, now_);
    side.outgoing.push_back(std::move(work));
  }
  void note(Side& side, smbd::Event& event) {
    if (const auto* const received = std::get_if<smbd::Received>(&event); received && honest_ == Role::any) {
      Side& from = other(side);
      require(!from.sent.empty() && from.sent.front() == received->data, "a message arrives as it was, in its turn");
      from.sent.pop_front();
    }
    if (const auto* const moved = std::get_if<smbd::Transferred>(&event)) side.moving.erase(moved->id);
    if (const auto* const terminated = std::get_if<smbd::Terminated>(&event))
      require(honest_ != Role::any || may_happen(terminated->reason), "honest endpoints find no fault with each other");
    if (std::holds_alternative<smbd::Disconnected>(event)) side.over = true;
  }
  // True if the end is possible because time has passed without delivery.
  static bool may_happen(smbd::Reason reason) {
    return reason == smbd::Reason::closed_by_upper_layer || reason == smbd::Reason::close_timeout ||
           reason == smbd::Reason::negotiation_timeout || reason == smbd::Reason::keepalive_unanswered ||
           reason == smbd::Reason::transfer_failed || reason == smbd::Reason::send_failed;
  }

  void deliver(Side& from, unsigned count) {
    for (; count > 0 && !from.outgoing.empty(); --count) {
      const smbd::Work work = std::move(from.outgoing.front());
      from.outgoing.pop_front();
      Side& to = other(from);
      if (const auto* const sent = std::get_if<smbd::PostSend>(&work)) {
        if (is_honest(to)) arrive(from, to, sent->octets, sent->invalidate);
        from.endpoint.completed(sent->id, true, now_);
      } else if (const auto* const write = std::get_if<smbd::PostWrite>(&work)) {
        const auto memory = to.registrar.look(write->to, write->octets.size(), true);
        if (memory) std::ranges::copy(write->octets, memory->begin());
        complete(from, write->id, memory.has_value());
      } else if (const auto* const read = std::get_if<smbd::PostRead>(&work)) {
        const auto memory = to.registrar.look(read->from, read->into.size(), false);
        if (memory) std::ranges::copy(*memory, read->into.begin());
        complete(from, read->id, memory.has_value());
      } else {
        lose();
      }
      for_each_honest([&](Side& one) { settle(one); });
    }
  }
  // An operation that the provider refuses ends the connection.
  void complete(Side& side, smbd::WorkId id, bool ok) {
    side.endpoint.completed(id, ok, now_);
    if (!ok) lose();
  }
  void arrive(Side& from, Side& to, Octets octets, std::optional<smbd::Token> invalidate) {
    if (lost_) return;
    const bool fits = !to.receives.empty() && octets.size() <= to.receives.front();
    require(fits || honest_ != Role::any, "what an honest endpoint sends has a receive");
    if (!fits) return lose();
    if (!leaves_here(from)) tap_.see_message(from.side(), octets, invalidate, now_);
    to.receives.pop_front();
    if (invalidate) to.registrar.deregister_memory(*invalidate);
    to.endpoint.receive(octets, invalidate, now_);
    settle(to);
  }
  void lose() {
    if (lost_) return;
    lost_ = true;
    tap_.lose(now_);
    for_each_honest([&](Side& one) {
      one.outgoing.clear();
      one.endpoint.disconnected(now_);
      settle(one);
    });
  }

  // --- actions of their upper layers
  static void send(Side& side, std::size_t octets) {
    OctetBuffer message(octets);
    for (std::size_t i = 0; i < octets; ++i) message[i] = static_cast<Octet>(i * 7 + octets);
    if (octets > 0 && side.endpoint.send(message)) side.sent.push_back(std::move(message));
  }
  static void describe_memory(Side& side) {
    const std::span<Octet> whole = side.memory;
    const std::span<Octet> parts[] = {whole.first(100), whole.subspan(100)};
    if (auto described = side.endpoint.register_buffer(parts, {.read = true, .write = true}))
      side.described = std::move(*described);
  }
  void move(Side& side, std::uint16_t offset, std::uint16_t octets, bool reads) {
    Side& peer = other(side);
    if (!is_honest(peer)) return;
    OctetBuffer data(octets % kBuffer);
    if (!reads) {
      static_cast<void>(side.endpoint.write(std::move(data), peer.described, offset % kBuffer));
    } else if (const auto id = side.endpoint.read(data, peer.described, offset % kBuffer)) {
      side.moving.emplace(*id, std::move(data));
    }
  }
  void end(Side& side, unsigned how) {
    if (how == 0) side.endpoint.close(now_);
    if (how == 1) side.endpoint.abort(now_);
    if (how == 2) lose();
  }
  // Delivers everything before any timer expires.
  void come_through() {
    for (bool more = true; more;) {
      more = false;
      for_each_honest([&](Side& one) {
        more = more || !one.outgoing.empty();
        deliver(one, 255);
      });
    }
  }
  void pass(Instant time) {
    come_through();
    const Instant until = now_ + time;
    for (unsigned i = 0; i < 64; ++i) {
      std::optional<Instant> due;
      for_each_honest([&](Side& one) {
        if (const auto next = one.endpoint.deadline(); next && (!due || *next < *due)) due = next;
      });
      if (!due || *due > until) break;
      now_ = std::max(now_, *due);
      for_each_honest([&](Side& one) {
        one.endpoint.advance(now_);
        settle(one);
      });
      come_through();
    }
    now_ = std::max(now_, until);
    for_each_honest([&](Side& one) {
      one.endpoint.advance(now_);
      settle(one);
    });
  }

  // --- actions of the scripted peer
  void send_scripted(Octets octets, std::optional<smbd::Token> invalidate) {
    if (honest_ == Role::any || octets.empty()) return;
    Side& to = own();
    arrive(other(to), to, octets, invalidate);
    deliver(to, 255);
  }
  void send_transfer(const corpora::SmbdTransfer& transfer, bool invalidate) {
    const OctetBuffer data(transfer.data % 2048, Octet{0x5a}), trailing(transfer.trailing);
    const OctetBuffer padding(data.empty() ? 0 : 4);
    const smbd::DataTransfer message{.credits_requested = static_cast<std::uint16_t>(8 + transfer.credits_requested),
                                     .credits_granted = static_cast<std::uint16_t>(1 + transfer.credits_granted),
                                     .flags = transfer.flags,
                                     .remaining_data_length = transfer.remaining,
                                     .data_offset = (data.empty() ? 0 : smbd::kUsualDataOffset) + transfer.data_offset,
                                     .data_length = static_cast<std::uint32_t>(data.size()) + transfer.data_length,
                                     .padding = padding,
                                     .buffer = data,
                                     .trailing = trailing};
    const bool has_token = invalidate && !own().described.empty();
    send_scripted(smbd::encode(message), has_token ? std::optional(own().described.front().token) : std::nullopt);
  }
  void negotiate(Octet field, std::uint32_t value) {
    const bool requests = honest_ == Role::responder;
    OctetBuffer octets = requests ? smbd::encode(smbd::NegotiateRequest{.credits_requested = 8,
                                                                        .preferred_send_size = 512,
                                                                        .max_receive_size = 512,
                                                                        .max_fragmented_size = 131'072})
                                  : smbd::encode(smbd::NegotiateResponse{.negotiated_version = smbd::kVersion1,
                                                                         .credits_requested = 8,
                                                                         .credits_granted = 4,
                                                                         .max_read_write_size = 4096,
                                                                         .preferred_send_size = 128,
                                                                         .max_receive_size = 512,
                                                                         .max_fragmented_size = 131'072});
    const smbd::Layout& layout =
        smbd::describe(requests ? smbd::MessageType::negotiate_request : smbd::MessageType::negotiate_response);
    if (field > 0) {  // 0: no field is wrong
      const smbd::FieldRow& row = layout.fields[field % layout.fields.size()];
      for (std::size_t i = 0; i < row.width; ++i) octets[row.offset + i] = static_cast<Octet>(value >> (8 * i));
    }
    send_scripted(octets, {});
  }

  Role honest_;
  Side initiator_, listener_;
  bool seen_at_initiator_;
  SmbdTap tap_;
  Instant now_{};
  bool lost_ = false;
};

void run(Role honest, Octets input, DamagedCapture* capture) {
  if (input.size() < corpora::kSmbdSettings) return;
  Conversation conversation(honest, input.first(corpora::kSmbdSettings), capture);
  std::size_t steps = 0;
  for (const corpora::Record& record : corpora::read_records(input.subspan(corpora::kSmbdSettings))) {
    if (steps++ == kMostSteps) break;
    conversation.take(record);
  }
  conversation.finish();
}

}  // namespace

void run_smbd_conversation(Role honest, Octets input) {
  run(honest, input, nullptr);
}
void run_smbd_pair(Octets input, DamagedCapture* capture) {
  run(Role::any, input, capture);
}

}  // namespace wirelaw::fuzz
