// SPDX-License-Identifier: Apache-2.0
// The endpoint's incoming packets, peers, and timers.
#include "reference/efa/endpoint.h"

#include <algorithm>
#include <random>
#include <utility>

namespace wirelaw::efa {
namespace {

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

Endpoint::Endpoint(const Options& options, std::uint64_t seed)
    : options_(bounded(options, seed)),
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
    put(PacketType::peer_error, &Endpoint::on_peer_error);
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
  if (!responds()) return;
  now_ = now;
  auto packet = decode(octets);
  if (!packet) return drop(Drop::malformed);
  if (!understands(*packet)) return;
  Peer* const peer = admit(from, *packet);
  if (peer == nullptr) return;
  peer->last_packet = now;
  // Counted before the packet is examined (EFA/A-14).
  ++peer->packets;
  if (owes_handshake(*peer, *packet->layout())) send_handshake(*peer);
  if (!serves(*peer, *packet)) return;
  if (packet->is(PacketType::readrsp) && options_.readrsp == ReadrspReading::document)
    std::swap(packet->send_id, packet->recv_id);
  (this->*handlers()[packet->type].on_packet)(*peer, *packet);
}

// 1.3: true if the packet has the version of this document, and a type with a defined format.
bool Endpoint::understands(const Packet& packet) {
  if (packet.version != kVersion) {
    drop(Drop::wrong_version);
    return false;
  }
  const Layout* const layout = packet.layout();
  if (layout != nullptr && layout->has_format()) return true;
  drop(Drop::unknown_type);
  return false;
}

// 2.1: a peer must not use a feature that this endpoint has not announced.
bool Endpoint::serves(const Peer&, const Packet& packet) {
  if ((packet.layout()->extras & ~own_extras()) == 0) return true;
  drop(Drop::not_announced);
  return false;
}

void Endpoint::drop(Drop reason) {
  ++drops_[static_cast<std::size_t>(reason)];
}

// ----------------------------------------------------------------------------------------------------------- peers

// Returns the peer that sent the packet; nullptr if the packet is dropped.
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
  if (peer != nullptr && connid && is_another_endpoint(*peer, *connid)) {
    // The packet may be from a destroyed endpoint. Only an endpoint whose packet has its whole address can replace
    // another.
    if (!address || !may_succeed(*peer)) {
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

// 4.4: another endpoint with another connid may reuse an address.
bool Endpoint::is_another_endpoint(const Peer& peer, std::uint32_t connid) const {
  return peer.connid && *peer.connid != connid;
}

Peer* Endpoint::find_peer(PeerId id) {
  const auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : &found->second;
}

// Returns nullptr if there are too many peers and none is idle.
Peer* Endpoint::make_peer(PeerId id) {
  if (Peer* const known = find_peer(id)) return known;
  if (peers_.size() >= options_.max_peers) {
    Peer* idle = nullptr;
    for (auto& [other, peer] : peers_)
      if (peer.operations == 0 && (idle == nullptr || peer.last_packet < idle->last_packet)) idle = &peer;
    if (idle == nullptr) return nullptr;
    forget(*idle, Status::vanished);
  }
  Peer& peer = peers_.try_emplace(id, id, options_.first_msg_id, options_.reorder_window, budget_).first->second;
  peer.last_packet = now_;
  peer.next_msg_id = first_msg_id();
  return &peer;
}

// Deletes the peer.
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

// Table 2.1 of later documents: every peer has the baseline features, whatever it announces.
bool Endpoint::may_expect(const Peer& peer, Extra extra) const {
  return (baseline_of(options_.revision) & extra_bits({extra})) != 0 || peer.announces(extra);
}

bool Endpoint::uses(const Peer& peer, Extra extra) const {
  return (own_extras() & extra_bits({extra})) != 0 && may_expect(peer, extra);
}

// Any first packet is answered, even a HANDSHAKE (EFA/A-13).
bool Endpoint::owes_handshake(const Peer& peer, const Layout&) const {
  return !peer.handshake_sent;
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
  announce(options_.p2p_supported.has_value(), flag::kHmem);
  packet.connid = options_.address.connid;
  packet.host_id = options_.host_id.value_or(0);
  packet.device_version = options_.device_version.value_or(0);
  packet.p2p_supported = options_.p2p_supported.value_or(false) ? 1 : 0;
  peer.handshake_sent = true;
  emit(peer, packet);
}

void Endpoint::on_handshake(Peer& peer, const Packet& packet) {
  if (peer.handshake_received) return drop(Drop::duplicate);
  peer.handshake_received = true;
  if (packet.extra_info.size() >= layout::kExtraInfo)
    peer.extra_info = load_little_endian<std::uint64_t>(packet.extra_info.data());
  peer.reachable = !packet.has(flag::kHmem) || packet.p2p_supported != 0;
  peer.wants_user_recv_qp = packet.has(flag::kUserRecvQp) && peer.announces(Extra::user_recv_qp);
  start_held(peer);
}

// ------------------------------------------------------------------------------------------------------------ time

void Endpoint::watch(Transmission& op) {
  op.last_progress = now_;
  if (!op.timer) op.timer = timers_.add(now_ + options_.patience, {TimerTarget::Kind::transmission, op.id, op.peer});
}

void Endpoint::watch(Reception& op) {
  op.last_progress = now_;
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
    if (op->last_progress + options_.patience <= now_) return end(*op, Status::vanished);
    op->timer = timers_.add(op->last_progress + options_.patience, target);
  };
  if (target.kind == TimerTarget::Kind::transmission) {
    Transmission* const op = transmissions_.find(target.id);
    const bool held = op->stage == Stage::held;
    look(op);
    if (held && transmissions_.find(target.id) == nullptr) {
      // The peer's HANDSHAKE has not arrived. Later transmissions may not need it, or ask for it again.
      Peer& peer = *find_peer(target.peer);
      peer.asked = false;
      start_held(peer);
    }
    return;
  }
  if (target.kind == TimerTarget::Kind::reception) return look(receptions_.find(target.id));
  Peer& peer = *find_peer(target.peer);
  peer.gap_timer.reset();
  // The missing message is not expected any more, and the messages after it are dropped.
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
