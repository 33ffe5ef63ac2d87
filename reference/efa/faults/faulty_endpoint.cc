// SPDX-License-Identifier: Apache-2.0
// Faults in handling incoming packets, peers and the handshake; packets that make an endpoint crash.
#include "reference/efa/faults/faulty_endpoint.h"

#include <algorithm>

#include "reference/efa/make_endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

// Packets that crash an endpoint when it reads them. `layout`: nullptr if the type has no format.
struct DeadlyPacket {
  Deviation deviation;
  bool (*is)(const Packet& packet, const Layout* layout);
};

// True if it announces extras that this document does not define: those after ID 6.
bool has_undefined_extras(const Packet& packet) {
  std::uint64_t extras = 0;
  for (std::size_t at = 0; at < packet.extra_info.size(); at += layout::kExtraInfo)
    extras |=
        load_little_endian<std::uint64_t>(packet.extra_info.data() + at) & (at == 0 ? ~std::uint64_t{127} : ~0ull);
  return extras != 0;
}

constexpr DeadlyPacket kDeadlyPackets[] = {
    {dies_of_unknown_type, [](const Packet&, const Layout* layout) { return layout == nullptr; }},
    {dies_of_other_version, [](const Packet& packet, const Layout*) { return packet.version != kVersion; }},
    {dies_of_undefined_flag,
     [](const Packet& packet, const Layout* layout) {
       return layout != nullptr && (packet.flags & ~layout->allowed) != 0;
     }},
    {dies_of_undefined_extra_info, [](const Packet& packet, const Layout*) { return has_undefined_extras(packet); }},
    {dies_of_missing_extra_info,
     [](const Packet& packet, const Layout*) { return packet.is(PacketType::handshake) && packet.extra_info.empty(); }},
    {dies_of_trailing_handshake,
     [](const Packet& packet, const Layout*) { return packet.is(PacketType::handshake) && !packet.payload.empty(); }},
    {dies_of_trailing_octets,
     [](const Packet& packet, const Layout* layout) {
       return layout != nullptr && layout->data == Data::none && !packet.is(PacketType::handshake) &&
              !packet.payload.empty();
     }},
    {dies_of_long_raw_address,
     [](const Packet& packet, const Layout*) {
       return !packet.raw_address.empty() && packet.raw_address.size() != layout::kRawAddress;
     }},
    {dies_of_empty_write,
     [](const Packet& packet, const Layout*) {
       return packet.is(PacketType::eager_rtw) && packet.rma_iov.empty() && packet.payload.empty();
     }},
    {dies_of_empty_read,
     [](const Packet& packet, const Layout* layout) {
       return layout != nullptr && layout->purpose == Purpose::read && packet.msg_length == 0;
     }},
    {dies_of_short_eor,
     [](const Packet& packet, const Layout*) { return packet.is(PacketType::eor) && packet.short_header; }},
};

// Packets that an honest endpoint would serve.
struct NotServed {
  Deviation deviation;
  bool (*is)(const Peer& peer, const Packet& packet, const Layout& layout);
};

constexpr NotServed kNotServed[] = {
    {handshake_needed,
     [](const Peer& peer, const Packet&, const Layout& layout) {
       return layout.is_request() && peer.packets > 1 && !peer.handshake_received;
     }},
    {raw_address_refused, [](const Peer& peer, const Packet& packet,
                             const Layout&) { return !packet.raw_address.empty() && peer.handshake_received; }},
    {connid_needed,
     [](const Peer&, const Packet& packet, const Layout&) { return packet.raw_address.empty() && !connid_of(packet); }},
    {rma_flag_needed,
     [](const Peer&, const Packet& packet, const Layout& layout) {
       const bool rma = layout.purpose == Purpose::write || layout.purpose == Purpose::read;
       return rma && !packet.has(flag::kRma);
     }},
    {padding_compared,
     [](const Peer&, const Packet& packet, const Layout&) {
       return packet.padding != 0 || packet.connid_padding != 0 || (!packet.has(flag::kConnid) && packet.connid != 0);
     }},
};

struct DeadlyDrop {
  Drop reason;
  Deviation deviation;
};

constexpr DeadlyDrop kDeadlyDrops[] = {
    {Drop::malformed, dies_of_short_packet},    {Drop::duplicate, dies_of_duplicate},
    {Drop::unknown_id, dies_of_unknown_id},     {Drop::contradicts, dies_of_contradiction},
    {Drop::out_of_window, dies_of_far_msg_id},  {Drop::not_announced, dies_of_unannounced_request},
    {Drop::wrong_connid, dies_of_other_connid},
};

}  // namespace

std::unique_ptr<Endpoint> make_endpoint(const Options& options, std::uint64_t seed, const Deviations& deviations) {
  if (deviations.empty()) return std::make_unique<Endpoint>(options, seed);
  return std::make_unique<FaultyEndpoint>(options, seed, deviations);
}

// ------------------------------------------------------------------------------------------------------ packets in

bool FaultyEndpoint::understands(const Packet& packet) {
  const Layout* layout = packet.layout();
  if (layout != nullptr && !layout->has_format()) layout = nullptr;
  for (const DeadlyPacket& one : kDeadlyPackets)
    if (has(one.deviation) && one.is(packet, layout)) die();
  return !dead_ && Endpoint::understands(packet);
}

bool FaultyEndpoint::serves(const Peer& peer, const Packet& packet) {
  const bool passed_over = std::ranges::any_of(
      kNotServed, [&](const NotServed& one) { return has(one.deviation) && one.is(peer, packet, *packet.layout()); });
  return !passed_over && Endpoint::serves(peer, packet);
}

void FaultyEndpoint::drop(Drop reason) {
  Endpoint::drop(reason);
  for (const DeadlyDrop& one : kDeadlyDrops)
    if (one.reason == reason) die_of(one.deviation);
}

// ----------------------------------------------------------------------------------------------------------- peers

bool FaultyEndpoint::is_another_endpoint(const Peer& peer, std::uint32_t connid) const {
  return !has(wrong_connid_accepted) && Endpoint::is_another_endpoint(peer, connid);
}

bool FaultyEndpoint::may_succeed(const Peer&) const {
  return !has(other_endpoint_refused);
}

void FaultyEndpoint::forget(Peer& peer, Status status) {
  const PeerId id = peer.id;
  Endpoint::forget(peer, status);
  of_peer_.erase(id);
}

// ------------------------------------------------------------------------------------------------------- handshake

bool FaultyEndpoint::owes_handshake(const Peer& peer, const Layout& received) const {
  if (has(no_handshake) || (has(handshake_late) && peer.packets < 2)) return false;
  if (has(handshake_only_to_requests) && !received.is_request()) return false;
  const bool again = has(handshake_to_every_request) && received.is_request();
  return again || Endpoint::owes_handshake(peer, received);
}

void FaultyEndpoint::on_handshake(Peer& peer, const Packet& packet) {
  if (peer.handshake_received) die_of(dies_of_second_handshake);
  Endpoint::on_handshake(peer, packet);
}

}  // namespace wirelaw::efa
