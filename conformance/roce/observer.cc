// SPDX-License-Identifier: Apache-2.0
#include "conformance/roce/observer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/roce/requests.h"
#include "conformance/roce/waiting.h"
#include "reference/roce/cm.h"
#include "reference/roce/icrc.h"

namespace wirelaw::roce {
namespace {

using Event = Delivery::Event;

// The packets that one side sends.
struct Way {
  Requests requests;
  std::uint64_t right = 0;    // packets whose invariant CRC holds
  std::uint64_t foreign = 0;  // it does not hold and none has held so far, so it was not computed for this packet
  std::uint64_t damaged = 0;  // does not hold, though others do
  std::uint64_t cut = 0;      // is not in the capture
  bool ended = false;
};

// The data of a connection request that its answer needs.
struct Asked {
  Side sender = Side::a;
  std::uint32_t psn = 0;
  std::uint32_t id = 0;
  std::uint32_t mtu = 0;
  std::optional<std::uint16_t> port;
  OctetBuffer private_data;
};

class RoceObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override;
  void finish(Judge& judge) override {
    while (!waiting_.empty()) {
      give_up(judge);
      release(judge);
    }
    for (Way& way : ways_) way.requests.finish(judge);
  }
  void deliver_to(DeliverySink* above) override { out_.above = above; }
  std::uint64_t messages() const override { return packets_; }
  std::string partial() const override;
  std::string remark() const override;
  std::size_t memory() const override;

 private:
  Way& way(Side side) { return ways_[side == Side::a ? 0 : 1]; }
  void take(const Packet& packet, const Message& message, Judge& judge);
  void take(const WaitingPackets::One& one, Judge& judge);
  std::optional<Requests::Missing> missing_before(const Packet& packet, const Message& message);
  void wait(const Packet& packet, const Message& message, Judge& judge);
  bool is_doubled(const Message& message);
  void release(Judge& judge);
  void give_up(Judge& judge);
  bool is_damaged(const Packet& packet, const Message& message);
  void learn_mtu(const Packet& packet);
  void on_answer(const Packet& packet, const Message& message, Judge& judge);
  void on_management(const Packet& packet, const Message& message, Judge& judge);
  void on_request(const CmMessage& cm, const Message& message);
  void on_reply(const CmMessage& cm, const Message& message, Judge& judge);
  void end(Side side, bool abortive, const Message& message, Judge& judge);

  Outlet out_;
  std::array<Way, 2> ways_{Way{.requests = Requests(Side::a, out_)}, Way{.requests = Requests(Side::b, out_)}};
  std::optional<Asked> asked_;
  bool established_ = false;
  WaitingPackets waiting_;
  OctetBuffer late_;  // the packet before, if it had to wait
  Side late_sender_ = Side::a;
  std::uint64_t packets_ = 0;
  std::uint64_t unreadable_ = 0;
};

void RoceObserver::observe(const Message& message, Judge& judge) {
  ++packets_;
  const auto packet = decode(message.octets, message.wire_length);
  if (!packet) {
    ++unreadable_;
    return;
  }
  if (packet->row == nullptr || is_doubled(message)) return;
  if (!waiting_.empty() || missing_before(*packet, message)) [[unlikely]]
    return wait(*packet, message, judge);
  take(*packet, message, judge);
}

void RoceObserver::take(const Packet& packet, const Message& message, Judge& judge) {
  if (is_damaged(packet, message)) return;
  if (packet.is(Kind::datagram)) return on_management(packet, message, judge);
  learn_mtu(packet);
  if (packet.requests()) way(message.sender).requests.take(packet, message, judge);
  if (packet.answers()) on_answer(packet, message, judge);
}

void RoceObserver::take(const WaitingPackets::One& one, Judge& judge) {
  if (const auto packet = decode(one.message.octets, one.message.wire_length)) take(*packet, one.message, judge);
}

std::optional<Requests::Missing> RoceObserver::missing_before(const Packet& packet, const Message& message) {
  if (!packet.answers()) return std::nullopt;
  return way(other(message.sender)).requests.missing_before(packet);
}

// True for a copy of the packet before it, if that one had to wait: it may have been taken before its turn.
bool RoceObserver::is_doubled(const Message& message) {
  if (late_.empty()) return false;
  if (message.sender == late_sender_ && std::ranges::equal(message.octets, late_)) return true;
  late_.clear();
  return false;
}

// All packets wait after the first, except for the requests that it answers. If the first has waited long enough, the
// others are taken with the next packet: until then, the caller has learned that something is missing.
void RoceObserver::wait(const Packet& packet, const Message& message, Judge& judge) {
  release(judge);
  waiting_.add(message, packet);
  release(judge);
  if (!waiting_.empty() && waiting_.is_over(message)) give_up(judge);
  late_.assign(message.octets.begin(), message.octets.end());
  late_sender_ = message.sender;
}

// Takes packets until one waits for a request that has not been captured.
void RoceObserver::release(Judge& judge) {
  while (!waiting_.empty()) {
    const Message& first = waiting_.front().message;
    const auto packet = decode(first.octets, first.wire_length);
    if (const auto missing = packet ? missing_before(*packet, first) : std::nullopt) {
      const auto use = [&](const WaitingPackets::One& one) { take(one, judge); };
      if (!waiting_.take_request(other(first.sender), missing->first, missing->last, use)) return;
      continue;
    }
    take(waiting_.take_front(), judge);
  }
}

// The first packet waits no longer: what it answers is not in the capture.
void RoceObserver::give_up(Judge& judge) {
  take(waiting_.take_front(), judge);
}

// A receiver ignores a packet with a wrong invariant CRC, and so does this observer. It does not if no packet in the
// capture has a correct CRC: some devices write none, and tools that anonymise captures change the covered octets.
bool RoceObserver::is_damaged(const Packet& packet, const Message& message) {
  Way& from = way(message.sender);
  if (!packet.icrc) {
    ++from.cut;
    return false;
  }
  const auto due = icrc_of(message.headers, message.octets.first(message.wire_length - kIcrcOctets));
  if (!due) return false;
  if (*due == *packet.icrc) {
    ++from.right;
    return false;
  }
  const bool damaged = from.right > 0;
  ++(damaged ? from.damaged : from.foreign);
  return damaged;
}

// All packets of a message but the last are as long as the path allows (9.7.5.1.1).
void RoceObserver::learn_mtu(const Packet& packet) {
  if (packet.row->ends() || packet.payload_length > 0xffff) return;
  for (Way& one : ways_) one.requests.set_mtu(static_cast<std::uint32_t>(packet.payload_length));
}

void RoceObserver::on_answer(const Packet& packet, const Message& message, Judge& judge) {
  way(other(message.sender)).requests.answered(packet, message, judge);
  if (!packet.is(Kind::acknowledge)) return;
  const std::uint8_t syndrome = packet.aeth->syndrome;
  if (syndrome_kind(syndrome) != kNak || syndrome == kSequenceErrorNak) return;
  // 9.9.2.4: both queue pairs enter the error state.
  for (const Side side : {message.sender, other(message.sender)}) end(side, true, message, judge);
}

// ----------------------------------------------------------------------------------------------------- management

void RoceObserver::on_management(const Packet& packet, const Message& message, Judge& judge) {
  const auto cm = packet.bth.destination_qp == kManagementQpn ? decode_cm(packet.payload) : std::nullopt;
  if (!cm) return;
  switch (cm->type) {
    case CmType::request:
      return on_request(*cm, message);
    case CmType::reply:
      return on_reply(*cm, message, judge);
    case CmType::rejection:
      if (established_) end(message.sender, true, message, judge);
      return;
    case CmType::disconnection:
    case CmType::disconnected:
      return end(message.sender, false, message, judge);
    case CmType::receipt:
    case CmType::ready:
      return;
  }
}

void RoceObserver::on_request(const CmMessage& cm, const Message& message) {
  if (established_) return;
  asked_ = {.sender = message.sender,
            .psn = cm.starting_psn,
            .id = cm.local_id,
            .mtu = octets_of_mtu(cm.path_mtu),
            .port = cm.service_port(),
            .private_data = {cm.private_data.begin(), cm.private_data.end()}};
}

void RoceObserver::on_reply(const CmMessage& cm, const Message& message, Judge& judge) {
  if (established_ || !asked_ || asked_->sender == message.sender || asked_->id != cm.remote_id) return;
  established_ = true;
  way(asked_->sender).requests.begin(cm.starting_psn);
  way(message.sender).requests.begin(asked_->psn);
  for (Way& one : ways_) one.requests.set_mtu(asked_->mtu);
  Delivery begin = out_.at(Event::established, asked_->sender, message);
  begin.initiator = asked_->sender;
  begin.private_data[asked_->sender == Side::a ? 0 : 1] = asked_->private_data;
  begin.private_data[asked_->sender == Side::a ? 1 : 0] = cm.private_data;
  begin.service_port = asked_->port;
  out_.give(begin, judge);
}

void RoceObserver::end(Side side, bool abortive, const Message& message, Judge& judge) {
  if (std::exchange(way(side).ended, true)) return;
  Delivery end = out_.at(Event::ended, side, message);
  end.abortive = abortive;
  out_.give(end, judge);
}

// -------------------------------------------------------------------------------------------------------- account

std::string RoceObserver::partial() const {
  const std::uint64_t lost = ways_[0].requests.lost() + ways_[1].requests.lost();
  return lost == 0 && waiting_.empty() ? std::string() : "packets are missing";
}

std::string RoceObserver::remark() const {
  std::uint64_t right = 0, foreign = 0, damaged = 0, cut = 0;
  for (const Way& one : ways_) {
    right += one.right;
    foreign += one.foreign;
    damaged += one.damaged;
    cut += one.cut;
  }
  std::string text;
  const auto say = [&](std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} packet{} {}", count, count == 1 ? "" : "s", what);
  };
  say(damaged, "with a wrong invariant CRC passed over");
  say(foreign, right == 0 ? "without an invariant CRC that holds: none was checked"
                          : "with a wrong invariant CRC, before the first that holds");
  say(cut, "whose invariant CRC was cut off, and not checked");
  say(unreadable_, "too short to be read");
  return text;
}

std::size_t RoceObserver::memory() const {
  std::size_t octets =
      sizeof *this + waiting_.memory() + late_.capacity() + (asked_ ? asked_->private_data.capacity() : 0);
  for (const Way& one : ways_) octets += one.requests.memory();
  return octets;
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits&) {
  return std::make_unique<RoceObserver>();
}

}  // namespace wirelaw::roce
