// SPDX-License-Identifier: Apache-2.0
#include "conformance/roce/requests.h"

#include <algorithm>

namespace wirelaw::roce {
namespace {

using Event = Delivery::Event;
constexpr std::uint32_t kLeastMtu = 256, kMostMtu = 4096;

// The number of packets, and so of PSNs, in the response to a Read of this length. Limited to the number that may be
// outstanding at once, so that a hostile length cannot wrap.
std::uint32_t packets_of(std::uint32_t length, std::uint32_t mtu) {
  constexpr auto kMost = static_cast<std::uint32_t>(Requests::kFar) / 2;
  return length == 0 ? 1 : std::min((length - 1) / mtu + 1, kMost);
}

// The last PSN that an answer acknowledges. Empty if it acknowledges none.
std::optional<std::uint32_t> received_through(const Packet& answer) {
  const std::uint32_t psn = answer.bth.psn, before = psn_after(psn, kQpnMask);
  if (answer.is(Kind::read_response)) return answer.row->ends() ? psn : before;
  if (answer.is(Kind::atomic_acknowledge)) return psn;
  const unsigned kind = syndrome_kind(answer.aeth->syndrome);
  if (kind == kAck) return psn;
  if (kind == kRnrNak || kind == kNak) return before;
  return std::nullopt;
}

}  // namespace

Delivery Outlet::at(Event event, Side sender, const Message& where) const {
  return {.event = event,
          .sender = sender,
          .message = {.sender = sender,
                      .index = messages,
                      .frame = where.frame,
                      .time_ns = where.time_ns,
                      .order_unknown = where.order_unknown,
                      .layer = 1}};
}

void Requests::begin(std::uint32_t psn) {
  if (begun_) return;
  agreed_ = true;
  due_ = psn;
}

void Requests::set_mtu(std::uint32_t octets) {
  if (octets < kLeastMtu || octets > kMostMtu || (octets & (octets - 1)) != 0) return;
  mtu_ = octets;
  if (read_length_ == 0) return;
  due_ = psn_after(due_, packets_of(read_length_, mtu_) - 1);
  if (!reads_.empty()) reads_.back().most = psn_after(due_, kQpnMask);
  read_length_ = 0;
}

// True if this PSN is near the first one of the new connection.
bool Requests::can_begin_with(std::uint32_t psn) const {
  constexpr std::int32_t kNear = 4096;
  const std::int32_t ahead = psn_distance(psn, due_);
  return agreed_ && ahead >= 0 && ahead < kNear;
}

bool Requests::begins_with(std::uint32_t psn) {
  begun_ = can_begin_with(psn);
  return begun_;
}

void Requests::find_beginning(const Packet& packet, const Message& message, Judge& judge) {
  if (begins_with(packet.bth.psn)) return;
  begun_ = true;
  due_ = packet.bth.psn;
  if (agreed_ || !packet.row->begins()) lose(message, judge);
}

// True if a packet this far ahead can be the next one: after a Read with unknown path MTU, any packet that some MTU
// explains.
bool Requests::is_due(std::int32_t ahead) const {
  if (ahead == 0) return true;
  if (read_length_ == 0) return false;
  for (std::uint32_t mtu = kLeastMtu; mtu <= kMostMtu; mtu *= 2)
    if (packets_of(read_length_, mtu) - 1 == static_cast<std::uint32_t>(ahead)) return true;
  return false;
}

void Requests::take(const Packet& packet, const Message& message, Judge& judge) {
  if (!begun_) find_beginning(packet, message, judge);
  std::int32_t ahead = psn_distance(packet.bth.psn, due_);
  if (ahead >= kFar || ahead <= -kFar) {
    lose(message, judge);
    held_.clear();
    held_octets_ = 0;
    due_ = packet.bth.psn;
    ahead = 0;
  }
  if (ahead < 0) {
    ++repeated_;
    return;
  }
  if (!is_due(ahead)) return hold(packet, message, judge);
  accept(packet, message, judge);
  drain(judge);
}

void Requests::hold(const Packet& packet, const Message& message, Judge& judge) {
  const std::uint32_t psn = packet.bth.psn;
  const auto after = std::ranges::find_if(held_, [&](const Held& one) { return psn_distance(one.psn, psn) >= 0; });
  if (after != held_.end() && after->psn == psn) {
    ++repeated_;
    return;
  }
  Held one{.psn = psn, .octets = {message.octets.begin(), message.octets.end()}, .message = message};
  one.message.octets = one.message.headers = {};
  one.message.places = {};
  held_octets_ += one.octets.size();
  held_.insert(after, std::move(one));
  while (held_.size() > kMostHeld || held_octets_ > kMostHeldOctets) {
    const Message where = held_.front().message;
    lose(where, judge);
    due_ = held_.front().psn;
    drain(judge);
  }
}

void Requests::drain(Judge& judge) {
  while (!held_.empty()) {
    const std::int32_t ahead = psn_distance(held_.front().psn, due_);
    if (ahead >= 0 && !is_due(ahead)) return;
    Held one = std::move(held_.front());
    held_.pop_front();
    held_octets_ -= one.octets.size();
    one.message.octets = one.octets;
    const auto packet = decode(one.octets, one.message.wire_length);
    if (ahead >= 0 && packet) accept(*packet, one.message, judge);
  }
}

void Requests::accept(const Packet& packet, const Message& message, Judge& judge) {
  read_length_ = 0;
  due_ = psn_after(packet.bth.psn);
  if (packet.is(Kind::send)) return send(packet, message, judge);
  if (packet.is(Kind::write)) return write(packet, message, judge);
  if (packet.is(Kind::read_request)) return read(packet, message, judge);
}

// ------------------------------------------------------------------------------------------------------- messages

// The octets of a Send, as far as nothing is missing before them.
void Requests::keep(const Packet& packet, const Message& message) {
  const std::size_t room = whole_ ? kMostOctets - octets_.size() : 0;
  const Octets kept = packet.payload.first(std::min(room, packet.payload.size()));
  if (!kept.empty() && where_.size() < kMostPlaces) {
    const auto offset = static_cast<std::uint32_t>(packet.payload_offset);
    where_.push_back({.offset = octets_.size(),
                      .length = kept.size(),
                      .frame = message.frame,
                      .frame_offset = message.frame_offset == 0 ? 0 : message.frame_offset + offset});
  }
  whole_ &= kept.size() == packet.payload_length;
  octets_.insert(octets_.end(), kept.begin(), kept.end());
  length_ += packet.payload_length;
}

void Requests::send(const Packet& packet, const Message& message, Judge& judge) {
  if (packet.row->begins()) {
    if (open_ != Open::nothing) lose(message, judge, false);  // the last packet of the one before was never sent
    open_ = Open::send;
    whole_ = true;
    length_ = 0;
    octets_.clear();
    where_.clear();
  }
  if (open_ != Open::send) return;  // its beginning is lost
  keep(packet, message);
  if (!packet.row->ends()) return;
  open_ = Open::nothing;
  Delivery whole = out_->at(Event::message, side_, message);
  whole.message.octets = octets_;
  whole.message.wire_length = static_cast<std::size_t>(length_);
  whole.message.places = where_;
  whole.whole = whole_;
  whole.solicited = packet.bth.solicited;
  whole.invalidated_stag = packet.invalidated_key;
  ++out_->messages;
  out_->give(whole, judge);
}

void Requests::write(const Packet& packet, const Message& message, Judge& judge) {
  if (packet.row->begins()) {
    if (open_ != Open::nothing) lose(message, judge, false);
    open_ = Open::write;
    range_ = {.stag = packet.reth->key, .offset = packet.reth->address};
  }
  if (open_ != Open::write) return;
  range_.length += packet.payload_length;
  if (!packet.row->ends()) return;
  open_ = Open::nothing;
  Delivery written = out_->at(Event::written, side_, message);
  written.remote = range_;
  out_->give(written, judge);
}

// A Read uses one PSN for each response packet (9.7.3).
void Requests::read(const Packet& packet, const Message& message, Judge& judge) {
  const std::uint32_t psn = packet.bth.psn, length = packet.reth->length;
  const std::uint32_t least = packets_of(length, mtu_ == 0 ? kMostMtu : mtu_);
  const std::uint32_t most = packets_of(length, mtu_ == 0 ? kLeastMtu : mtu_);
  due_ = psn_after(psn, least);
  if (least != most) {
    due_ = psn_after(psn);
    read_length_ = length;
  }
  if (reads_.size() == kMostReads) reads_.pop_front();
  reads_.push_back({.psn = psn,
                    .most = psn_after(psn, most - 1),
                    .range = {.stag = packet.reth->key, .offset = packet.reth->address, .length = length}});
  Delivery asked = out_->at(Event::read_requested, side_, message);
  asked.remote = reads_.back().range;
  out_->give(asked, judge);
}

// -------------------------------------------------------------------------------------------------------- answers

std::optional<Requests::Missing> Requests::missing_before(const Packet& answer) const {
  const auto through = received_through(answer);
  if (!through || !(begun_ || can_begin_with(*through))) return std::nullopt;
  const std::uint32_t slack = read_length_ == 0 ? 0 : packets_of(read_length_, kLeastMtu) - 1;
  const std::int32_t beyond = psn_distance(*through, psn_after(due_, slack));
  if (beyond < 0 || beyond >= kFar) return std::nullopt;
  return Missing{due_, *through};
}

void Requests::answered(const Packet& answer, const Message& message, Judge& judge) {
  const auto through = received_through(answer);
  if (!through || (!begun_ && !begins_with(*through))) return;
  complete_reads(answer, *through, message, judge);
  if (!missing_before(answer)) return;
  lose_through(*through, message, judge);
  complete_reads(answer, *through, message, judge);  // packets that were held after the hole
}

// Answers come in the order of the requests: one to a later request completes those before it.
void Requests::complete_reads(const Packet& answer, std::uint32_t through, const Message& message, Judge& judge) {
  const bool is_last = answer.is(Kind::read_response) && answer.row->ends();
  while (!reads_.empty() && psn_distance(through, reads_.front().psn) >= 0) {
    const bool is_latest = reads_.size() == 1 || psn_distance(through, reads_[1].psn) < 0;
    if (is_latest && !is_last && psn_distance(through, reads_.front().most) < 0) return;
    Delivery completed = out_->at(Event::read_completed, other(side_), message);
    completed.remote = reads_.front().range;
    reads_.pop_front();
    out_->give(completed, judge);
  }
}

// Everything that was received up to this PSN was sent, even if it was not captured.
void Requests::lose_through(std::uint32_t psn, const Message& where, Judge& judge) {
  while (psn_distance(psn, due_) >= 0) {
    lose(where, judge);
    const std::uint32_t behind = psn_after(psn);
    due_ = held_.empty() || psn_distance(held_.front().psn, behind) > 0 ? behind : held_.front().psn;
    drain(judge);
  }
}

void Requests::lose(const Message& where, Judge& judge, bool uncaptured) {
  open_ = Open::nothing;
  read_length_ = 0;
  lost_ += uncaptured ? 1 : 0;
  Delivery lost = out_->at(Event::lost, side_, where);
  lost.uncaptured = uncaptured;
  out_->give(lost, judge);
}

void Requests::finish(Judge& judge) {
  while (!held_.empty()) {
    const Message where = held_.front().message;
    lose(where, judge);
    due_ = held_.front().psn;
    drain(judge);
  }
}

std::size_t Requests::memory() const {
  return octets_.capacity() + where_.capacity() * sizeof(Place) + reads_.size() * sizeof(Read) +
         held_.size() * sizeof(Held) + held_octets_;
}

}  // namespace wirelaw::roce
