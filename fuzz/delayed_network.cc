// SPDX-License-Identifier: Apache-2.0
#include "fuzz/delayed_network.h"

#include <algorithm>
#include <utility>

namespace wirelaw::fuzz {

using pcap::TcpFlags;

bool EventQueue::run_next() {
  if (events_.empty()) return false;
  auto first = events_.extract(events_.begin());
  now_ = std::max(now_, first.key());
  first.mapped()();
  return true;
}

Passage Ways::plan(Side from, std::int64_t now_ns, bool may_be_lost) {
  const auto part = [&] {  // the delay on each side of the tap
    if (path_.tap == TapPlace::between) return 1;
    return (path_.tap == TapPlace::at_a) == (from == Side::a) ? 0 : 2;
  };
  const std::int64_t spread = path_.most_ns - path_.least_ns;
  const std::int64_t way = path_.least_ns + (spread == 0 ? 0 : static_cast<std::int64_t>(random_()) * 1000 % spread);
  const bool is_lost = may_be_lost && random_() % 256 < path_.loss;
  const bool before_tap = is_lost && (part() == 2 || (part() == 1 && random_() % 2 == 0));
  Passage passage;
  if (!before_tap) passage.tap_ns = now_ns + way * part() / 2;
  if (!is_lost) passage.arrival_ns = now_ns + way;
  return passage;
}

// ------------------------------------------------------------------------------------------------------------- TCP

void DelayedStream::open() {
  emit(Side::a, TcpFlags::kSyn, 0, {});
}

void DelayedStream::write(Side from, Octets octets) {
  End& mine = end(from);
  mine.out.insert(mine.out.end(), octets.begin(), octets.end());
  send_due(from);
}

void DelayedStream::send_due(Side from) {
  End& mine = end(from);
  if (!mine.established) return;
  while (mine.sent < mine.out.size()) {
    const std::size_t length = std::min(kMss, mine.out.size() - mine.sent), offset = mine.sent;
    mine.sent += length;
    emit(from, TcpFlags::kAck | TcpFlags::kPsh, offset, Octets(mine.out).subspan(offset, length));
  }
  if (mine.timeout_ns == 0) set_timer(from);
}

// RFC 6298: the timeout doubles each time, and is reset by an acknowledgement.
void DelayedStream::set_timer(Side from) {
  End& mine = end(from);
  const unsigned timer = ++mine.timer;
  if (mine.acknowledged == mine.sent) {
    mine.timeout_ns = 0;
    return;
  }
  if (mine.timeout_ns == 0) mine.timeout_ns = 2 * ways_.path().most_ns + 300'000'000;
  queue_.after(mine.timeout_ns, [this, from, timer] {
    End& now = end(from);
    if (timer != now.timer) return;
    const std::size_t length = std::min(kMss, now.sent - now.acknowledged);
    emit(from, TcpFlags::kAck | TcpFlags::kPsh, now.acknowledged, Octets(now.out).subspan(now.acknowledged, length));
    now.timeout_ns *= 2;
    set_timer(from);
  });
}

void DelayedStream::emit(Side from, std::uint8_t flags, std::uint64_t offset, Octets octets) {
  End& mine = end(from);
  mine.owes_ack = false;
  const bool is_handshake = (flags & TcpFlags::kSyn) != 0 || !mine.established;
  const Sent sent{
      .flags = flags, .offset = offset, .octets = {octets.begin(), octets.end()}, .acknowledges = mine.received};
  const Passage passage = ways_.plan(from, queue_.now(), !is_handshake);
  if (passage.tap_ns) queue_.at(*passage.tap_ns, [this, from, sent] { capture(from, sent); });
  if (passage.arrival_ns) queue_.at(*passage.arrival_ns, [this, from, sent] { arrive(other(from), sent); });
}

void DelayedStream::capture(Side from, const Sent& sent) {
  pcap::Segment segment{.frame = ++frames_, .time_ns = queue_.now()};
  const bool is_syn = (sent.flags & TcpFlags::kSyn) != 0;
  segment.flags.bits = sent.flags;
  segment.seq = first_of(from) + (is_syn ? 0 : 1 + static_cast<std::uint32_t>(sent.offset));
  if (segment.flags.ack()) segment.ack = first_of(other(from)) + 1 + static_cast<std::uint32_t>(sent.acknowledges);
  segment.window = 0xffff;
  segment.mss = is_syn ? kMss : 0;
  segment.payload = sent.octets;
  segment.wire_length = static_cast<std::uint32_t>(sent.octets.size());
  captured_(segment, from == Side::a);
}

void DelayedStream::arrive(Side to, const Sent& sent) {
  End& mine = end(to);
  if ((sent.flags & TcpFlags::kSyn) != 0) {
    emit(to, to == Side::b ? TcpFlags::kSyn | TcpFlags::kAck : TcpFlags::kAck, 0, {});
    if (to == Side::b) return;
    mine.established = true;
    return send_due(to);
  }
  if (!std::exchange(mine.established, true)) send_due(to);
  if (sent.acknowledges > mine.acknowledged) {
    mine.acknowledged = static_cast<std::size_t>(sent.acknowledges);
    mine.timeout_ns = 0;
    set_timer(to);
  }
  if (!sent.octets.empty()) take(to, sent);
}

void DelayedStream::take(Side to, const Sent& sent) {
  End& mine = end(to);
  const std::uint64_t stop = sent.offset + sent.octets.size();
  if (stop <= mine.received || sent.offset > mine.received) {
    if (stop > mine.received) mine.early.emplace(sent.offset, sent.octets);
    return emit(to, TcpFlags::kAck, mine.sent, {});
  }
  OctetBuffer fresh(sent.octets.begin() + static_cast<std::ptrdiff_t>(mine.received - sent.offset), sent.octets.end());
  mine.received = stop;
  for (auto next = mine.early.begin(); next != mine.early.end() && next->first <= mine.received;
       next = mine.early.erase(next)) {
    const std::uint64_t end_of_next = next->first + next->second.size();
    if (end_of_next <= mine.received) continue;
    const auto known = static_cast<std::ptrdiff_t>(mine.received - next->first);
    fresh.insert(fresh.end(), next->second.begin() + known, next->second.end());
    mine.received = end_of_next;
  }
  mine.owes_ack = true;
  arrived_(to, fresh);
  queue_.after(kDelayedAck, [this, to] {
    if (end(to).owes_ack) emit(to, TcpFlags::kAck, end(to).sent, {});
  });
}

// --------------------------------------------------------------------------------------------------------- packets

void DelayedPackets::send(Side from, OctetBuffer packet, OctetBuffer answer) {
  End& mine = end(from);
  const std::uint64_t number = mine.packets.empty() ? mine.due : mine.packets.rbegin()->first + 1;
  mine.packets.emplace(number, Packet{.octets = std::move(packet),
                                      .answer = std::move(answer),
                                      .timeout_ns = 2 * ways_.path().most_ns + 300'000'000});
  transmit(from, number);
}

void DelayedPackets::pass(Side from, Octets packet, bool may_be_lost, std::function<void()> arrived) {
  const Passage passage = ways_.plan(from, queue_.now(), may_be_lost);
  const OctetBuffer octets(packet.begin(), packet.end());
  if (passage.tap_ns) queue_.at(*passage.tap_ns, [this, from, octets] { captured_(from, octets); });
  if (passage.arrival_ns) queue_.at(*passage.arrival_ns, std::move(arrived));
}

void DelayedPackets::transmit(Side from, std::uint64_t number) {
  Packet& packet = end(from).packets.at(number);
  if (packet.answered) return;
  pass(from, packet.octets, !packet.answer.empty(), [this, from, number] { arrive(other(from), number); });
  if (packet.answer.empty()) return;
  // The transport timer stays constant (InfiniBand Architecture 9.7.6.1.3).
  queue_.after(packet.timeout_ns, [this, from, number] { transmit(from, number); });
}

void DelayedPackets::arrive(Side to, std::uint64_t number) {
  const Side from = other(to);
  End& theirs = end(from);
  Packet& packet = theirs.packets.at(number);
  packet.arrived = true;
  // Like a queue pair, drops a packet after a missing one (9.7.5.1.3): it is retransmitted.
  if (number > theirs.due) {
    packet.arrived = false;
    return;
  }
  const bool is_new = number == theirs.due;
  if (!packet.answer.empty())
    pass(to, packet.answer, true, [this, from, number] {
      // An answer also answers all packets before it.
      for (auto& [nth, one] : end(from).packets) one.answered |= nth <= number;
    });
  if (!is_new) return;
  ++theirs.due;
  arrived_(to, number);
}

// ------------------------------------------------------------------------------------------------------- datagrams

void DelayedDatagrams::send(Side from, OctetBuffer packet) {
  const Passage passage = ways_.plan(from, queue_.now());
  if (passage.tap_ns) queue_.at(*passage.tap_ns, [this, from, packet] { captured_(from, packet); });
  if (passage.arrival_ns)
    queue_.at(*passage.arrival_ns, [this, from, packet = std::move(packet)] { arrived_(other(from), packet); });
}

}  // namespace wirelaw::fuzz
