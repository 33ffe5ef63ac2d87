// SPDX-License-Identifier: Apache-2.0
// Packets in, peers, and time.
#include "reference/efa/endpoint.h"

#include <algorithm>
#include <random>
#include <utility>

namespace wirelaw::efa {
namespace {

using enum Deviation;

constexpr std::size_t kLeastMtu = 512;

Options bounded(Options options, std::uint64_t seed) {
  options.mtu = std::max(options.mtu, kLeastMtu);
  options.raw_address_octets = std::max(options.raw_address_octets, layout::kRawAddress);
  options.max_operations = std::clamp<std::size_t>(options.max_operations, 8, 65536);
  options.max_peers = std::max<std::size_t>(options.max_peers, 1);
  options.credits = std::max<std::uint32_t>(options.credits, 1);
  options.max_rdma_octets = std::max<std::uint64_t>(options.max_rdma_octets, 1);
  // 1.4: the connid is random.
  if (options.address.connid == 0) options.address.connid = static_cast<std::uint32_t>(std::mt19937_64(seed)()) | 1;
  return options;
}

OctetBuffer encoded(const Options& options) {
  OctetBuffer octets;
  encode(options.address, octets);
  octets.resize(options.raw_address_octets);
  return octets;
}

constexpr std::array<std::string_view, kDrops> kDropNames{
    "malformed", "wrong version", "unknown type",  "not announced", "wrong connid",
    "duplicate", "unknown id",    "out of window", "contradicts",   "no room"};

}  // namespace

std::string_view to_string(Drop reason) {
  return kDropNames[static_cast<std::size_t>(reason)];
}

Endpoint::Endpoint(const Options& options, std::uint64_t seed, const Deviations& deviations)
    : options_(bounded(options, seed)),
      deviations_(deviations),
      faults_(deviations),
      budget_(options_.held_octets),
      transmissions_(options_.max_operations),
      receptions_(options_.max_operations),
      raw_address_(encoded(options_)) {}

// ------------------------------------------------------------------------------------------------------ packets in

const std::array<Endpoint::Handler, 256>& Endpoint::handlers() {
  static const std::array<Handler, 256> kHandlers = [] {
    std::array<Handler, 256> all{};
    const auto put = [&](PacketType type, void (Endpoint::*on_packet)(Peer&, const Packet&)) {
      all[static_cast<std::uint8_t>(type)] = {on_packet};
    };
    put(PacketType::cts, &Endpoint::on_cts);
    put(PacketType::ctsdata, &Endpoint::on_ctsdata);
    put(PacketType::readrsp, &Endpoint::on_readrsp);
    put(PacketType::eor, &Endpoint::on_eor);
    put(PacketType::atomrsp, &Endpoint::on_atomrsp);
    put(PacketType::handshake, &Endpoint::on_handshake);
    put(PacketType::receipt, &Endpoint::on_receipt);
    put(PacketType::read_nack, &Endpoint::on_read_nack);
    for (const Layout& row : all_layouts()) {
      if (row.ordered()) put(row.type, &Endpoint::on_ordered);
      if (row.purpose == Purpose::read) put(row.type, &Endpoint::on_read_request);
      if (row.purpose == Purpose::write)
        put(row.type, row.transfer == Transfer::eager ? &Endpoint::on_eager_write : &Endpoint::on_long_write);
    }
    return all;
  }();
  return kHandlers;
}

void Endpoint::receive(PeerId from, Octets octets, Instant now) {
  if (dead_) return;
  now_ = now;
  auto packet = decode(octets);
  if (!packet) {
    dead_ = deviates(dies_of_short_packet);
    return drop(Drop::malformed);
  }
  dead_ = dies_of(*packet);
  if (dead_) return;
  if (packet->version != kVersion) return drop(Drop::wrong_version);
  const Layout* const layout = packet->layout();
  if (layout == nullptr || !layout->has_format()) return drop(Drop::unknown_type);
  Peer* const peer = admit(from, *packet);
  if (peer == nullptr) return;
  peer->heard = now;
  answer_first_packet(*peer, *layout);
  if (!deviations_.empty() && passes_over(*peer, *packet, *layout)) return;
  if ((layout->extras & ~own_extras()) != 0) return drop(Drop::not_announced);
  if (packet->is(PacketType::readrsp) && options_.readrsp == ReadrspReading::document)
    std::swap(packet->send_id, packet->recv_id);
  (this->*handlers()[packet->type].on_packet)(*peer, *packet);
}

bool Endpoint::dies_of(const Packet& packet) const {
  if (deviations_.empty()) return false;
  const Layout* const layout = packet.layout();
  const bool known = layout != nullptr && layout->has_format();
  const bool empty_write = packet.is(PacketType::eager_rtw) && packet.rma_iov.empty() && packet.payload.empty();
  std::uint64_t extras = 0;
  for (std::size_t at = 0; at < packet.extra_info.size(); at += layout::kExtraInfo)
    extras |=
        load_little_endian<std::uint64_t>(packet.extra_info.data() + at) & (at == 0 ? ~std::uint64_t{127} : ~0ull);
  return (!known && deviates(dies_of_unknown_type)) ||
         (packet.version != kVersion && deviates(dies_of_other_version)) ||
         (known && (packet.flags & ~layout->allowed) != 0 && deviates(dies_of_undefined_flag)) ||
         (extras != 0 && deviates(dies_of_undefined_extra_info)) ||
         (packet.is(PacketType::handshake) && !packet.payload.empty() && deviates(dies_of_trailing_handshake)) ||
         (known && layout->data == Data::none && !packet.is(PacketType::handshake) && !packet.payload.empty() &&
          deviates(dies_of_trailing_octets)) ||
         (!packet.raw_address.empty() && packet.raw_address.size() != layout::kRawAddress &&
          deviates(dies_of_long_raw_address)) ||
         (empty_write && deviates(dies_of_empty_write)) ||
         (known && layout->purpose == Purpose::read && packet.msg_length == 0 && deviates(dies_of_empty_read)) ||
         (packet.is(PacketType::eor) && packet.short_header && deviates(dies_of_short_eor));
}

// Of a packet that a good endpoint would serve.
bool Endpoint::passes_over(const Peer& peer, const Packet& packet, const Layout& layout) const {
  const bool rma = layout.purpose == Purpose::write || layout.purpose == Purpose::read;
  return (deviates(handshake_needed) && layout.is_request() && peer.packets > 1 && !peer.handshake_received) ||
         (deviates(raw_address_refused) && !packet.raw_address.empty() && peer.handshake_received) ||
         (deviates(connid_needed) && packet.raw_address.empty() && !connid_of(packet)) ||
         (deviates(rma_flag_needed) && rma && !packet.has(flag::kRma)) ||
         (deviates(padding_compared) &&
          (packet.padding != 0 || packet.connid_padding != 0 || (!packet.has(flag::kConnid) && packet.connid != 0)));
}

void Endpoint::drop(Drop reason) {
  struct Death {
    Drop of;
    Deviation deviation;
  };
  static constexpr Death kDeaths[] = {
      {Drop::duplicate, dies_of_duplicate},
      {Drop::unknown_id, dies_of_unknown_id},
      {Drop::contradicts, dies_of_contradiction},
      {Drop::out_of_window, dies_of_far_msg_id},
      {Drop::not_announced, dies_of_unannounced_request},
      {Drop::wrong_connid, dies_of_other_connid},
  };
  ++drops_[static_cast<std::size_t>(reason)];
  if (deviations_.empty()) return;
  for (const Death& one : kDeaths) dead_ = dead_ || (one.of == reason && deviates(one.deviation));
}

// ----------------------------------------------------------------------------------------------------------- peers

// The peer that the packet comes from; nullptr where it is not to be heard.
Peer* Endpoint::admit(PeerId from, const Packet& packet) {
  std::optional<std::uint32_t> connid = connid_of(packet);
  std::optional<RawAddress> address;
  if (!packet.raw_address.empty()) {
    address = decode_raw_address(packet.raw_address);
    if (!address || (connid && *connid != address->connid)) {
      drop(Drop::contradicts);
      return nullptr;
    }
    connid = address->connid;
  }
  Peer* peer = find_peer(from);
  const bool other = peer != nullptr && connid && peer->connid && *connid != *peer->connid;
  if (other && !deviates(wrong_connid_accepted)) {
    // 4.4: what a destroyed endpoint left behind. Only one that says its whole address takes the place.
    if (!address || deviates(other_endpoint_refused)) {
      drop(Drop::wrong_connid);
      return nullptr;
    }
    forget(*peer, Status::vanished);
    peer = nullptr;
  }
  if (peer == nullptr) peer = make_peer(from);
  if (peer == nullptr) {
    drop(Drop::no_room);
    return nullptr;
  }
  if (connid && !peer->connid) peer->connid = connid;
  return peer;
}

Peer* Endpoint::find_peer(PeerId id) {
  const auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : &found->second;
}

// nullptr where there are too many, and none of them is idle.
Peer* Endpoint::make_peer(PeerId id) {
  if (Peer* const known = find_peer(id)) return known;
  if (peers_.size() >= options_.max_peers) {
    Peer* idle = nullptr;
    for (auto& [other, peer] : peers_)
      if (peer.operations == 0 && (idle == nullptr || peer.heard < idle->heard)) idle = &peer;
    if (idle == nullptr) return nullptr;
    forget(*idle, Status::vanished);
  }
  Peer& peer = peers_.try_emplace(id, id, options_.first_msg_id, options_.reorder_window, budget_).first->second;
  peer.heard = now_;
  if (deviates(msg_id_starts_at_one)) ++peer.next_msg_id;
  return &peer;
}

// The peer is gone afterwards.
void Endpoint::forget(Peer& peer, Status status) {
  if (peer.operations > 0) {
    transmissions_.for_each([&](Transmission& op) {
      if (op.peer == peer.id) end(op, status);
    });
    receptions_.for_each([&](Reception& op) {
      if (op.peer == peer.id) end(op, status);
    });
  }
  timers_.cancel(peer.gap_timer);
  peers_.erase(peer.id);
}

void Endpoint::remove_peer(PeerId id) {
  if (Peer* const peer = find_peer(id)) forget(*peer, Status::cancelled);
}

bool Endpoint::knows_capabilities_of(PeerId id) const {
  const auto found = peers_.find(id);
  return found != peers_.end() && found->second.handshake_received;
}

bool Endpoint::announces(PeerId id, Extra extra) const {
  const auto found = peers_.find(id);
  return found != peers_.end() && found->second.announces(extra);
}

// ------------------------------------------------------------------------------------------------- handshake (2.1)

std::uint64_t Endpoint::own_extras() const {
  return options_.extra_info.empty() ? 0 : options_.extra_info.front();
}

bool Endpoint::uses(const Peer& peer, Extra extra) const {
  return (own_extras() >> static_cast<unsigned>(extra) & 1) != 0 && peer.announces(extra);
}

// Any first packet is answered, a HANDSHAKE too, and before it is looked at.
void Endpoint::answer_first_packet(Peer& peer, const Layout& layout) {
  ++peer.packets;
  const bool again = deviates(handshake_to_every_request) && layout.is_request();
  if (peer.handshake_sent && !again) return;
  if (deviates(no_handshake) || (deviates(handshake_late) && peer.packets < 2) ||
      (deviates(handshake_only_to_requests) && !layout.is_request()))
    return;
  send_handshake(peer);
}

void Endpoint::send_handshake(Peer& peer) {
  OctetBuffer extra_info;
  for (const std::uint64_t member : options_.extra_info) Writer(extra_info).little_endian(member);
  Packet packet = packet_of(PacketType::handshake);
  packet.nextra_p3 = static_cast<std::uint32_t>(options_.extra_info.size()) + 3;
  packet.extra_info = extra_info;
  const auto announce = [&](bool there, std::uint16_t flag) {
    if (there) packet.flags |= flag;
  };
  announce(options_.handshake_connid, flag::kConnid);
  announce(options_.host_id.has_value(), flag::kHostId);
  announce(options_.device_version.has_value(), flag::kDeviceVersion);
  packet.connid = options_.address.connid;
  packet.host_id = options_.host_id.value_or(0);
  packet.device_version = options_.device_version.value_or(0);
  peer.handshake_sent = true;
  emit(peer, packet);
}

void Endpoint::on_handshake(Peer& peer, const Packet& packet) {
  if (peer.handshake_received) {
    dead_ = deviates(dies_of_second_handshake);
    return drop(Drop::duplicate);
  }
  peer.handshake_received = true;
  if (packet.extra_info.size() >= layout::kExtraInfo)
    peer.extra_info = load_little_endian<std::uint64_t>(packet.extra_info.data());
  start_held(peer);
}

// ------------------------------------------------------------------------------------------------------------ time

void Endpoint::watch(Transmission& op) {
  op.heard = now_;
  if (!op.timer) op.timer = timers_.add(now_ + options_.patience, {TimerTarget::Kind::transmission, op.id, op.peer});
}

void Endpoint::watch(Reception& op) {
  op.heard = now_;
  if (!op.timer) op.timer = timers_.add(now_ + options_.patience, {TimerTarget::Kind::reception, op.id, op.peer});
}

void Endpoint::watch_gap(Peer& peer) {
  if (peer.gap_timer || peer.order.packets() == 0) return;
  peer.gap_at = peer.order.expected();
  peer.gap_timer = timers_.add(now_ + options_.patience, {TimerTarget::Kind::gap, 0, peer.id});
}

void Endpoint::advance(Instant now) {
  now_ = now;
  while (const std::optional<TimerTarget> target = timers_.take(now)) expire(*target);
}

std::optional<Instant> Endpoint::deadline() const {
  return timers_.first();
}

void Endpoint::expire(const TimerTarget& target) {
  const auto look = [&](auto* op) {
    op->timer.reset();
    if (op->heard + options_.patience <= now_) return end(*op, Status::vanished);
    op->timer = timers_.add(op->heard + options_.patience, target);
  };
  if (target.kind == TimerTarget::Kind::transmission) {
    Transmission* const op = transmissions_.find(target.id);
    const bool held = op->stage == Stage::held;
    look(op);
    if (held && transmissions_.find(target.id) == nullptr) {
      // Its peer's HANDSHAKE has not come. What is behind it may need none, or ask again.
      Peer& peer = *find_peer(target.peer);
      peer.asked = false;
      start_held(peer);
    }
    return;
  }
  if (target.kind == TimerTarget::Kind::reception) return look(receptions_.find(target.id));
  Peer& peer = *find_peer(target.peer);
  peer.gap_timer.reset();
  // What is missing does not come any more, and what waits for it never has its turn.
  if (peer.gap_at == peer.order.expected()) peer.order.clear();
  watch_gap(peer);
}

bool Endpoint::next_completion(Completion& out) {
  if (completions_.empty()) return false;
  out = std::move(completions_.front());
  completions_.pop_front();
  return true;
}

}  // namespace wirelaw::efa
