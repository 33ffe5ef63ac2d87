// SPDX-License-Identifier: Apache-2.0
// Faults in outgoing packets: the choice of subprotocol, the packets, and the handling of answers.
#include <algorithm>
#include <utility>

#include "reference/efa/faults/faulty_endpoint.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;

}  // namespace

// ------------------------------------------------------------------------------------------- choice of subprotocol

std::uint32_t FaultyEndpoint::first_msg_id() const {
  return Endpoint::first_msg_id() + (has(msg_id_starts_at_one) ? 1 : 0);
}

std::uint32_t FaultyEndpoint::next_msg_id(Peer& peer, const Transmission& op) {
  OfPeer& of_peer = of_peer_[peer.id];
  if (has(msg_id_per_kind) && op.purpose == Purpose::atomic) return of_peer.next_atomic_id++;
  const std::uint32_t id = Endpoint::next_msg_id(peer, op);
  if (has(msg_id_skips)) ++peer.next_msg_id;
  if (has(msg_id_repeats) && (++of_peer.numbered & 1) != 0) --peer.next_msg_id;
  if (has(msg_id_skips_zero) && peer.next_msg_id == 0) ++peer.next_msg_id;
  return id;
}

Endpoint::Choice FaultyEndpoint::may_use(const Peer& peer, std::uint64_t extras) const {
  if (has(extras_before_handshake) && !peer.handshake_received) return {};
  const Choice choice = Endpoint::may_use(peer, extras);
  const bool own = (extras & ~own_extras()) == 0;
  if (has(extras_not_announced) && own && choice.status == Status::unsupported) return {};
  return choice;
}

bool FaultyEndpoint::takes_immediate(const Peer& peer) const {
  return has(immediate_to_unlike_peer) || Endpoint::takes_immediate(peer);
}

bool FaultyEndpoint::takes_messages(const Peer& peer) const {
  return has(user_recv_qp_ignored) || Endpoint::takes_messages(peer);
}

bool FaultyEndpoint::fits_readrsp(std::uint64_t octets) const {
  return has(short_rtr_too_long) || Endpoint::fits_readrsp(octets);
}

// ------------------------------------------------------------------------------------------------------ packets out

void FaultyEndpoint::send_packet(const Peer& peer, const Packet& packet) {
  for (OctetBuffer& octets : packet_faults_.encode(packet, {.handshake_received = peer.handshake_received}))
    put_out(peer, std::move(octets));
}

bool FaultyEndpoint::sends_raw_address(const Peer& peer) const {
  if (has(raw_address_kept)) return true;
  return has(constant_header_ignored) ? !peer.handshake_received : Endpoint::sends_raw_address(peer);
}

bool FaultyEndpoint::sends_connid(const Peer& peer) const {
  return !has(connid_not_sent) && Endpoint::sends_connid(peer);
}

bool FaultyEndpoint::await_first_cts(Transmission& op) {
  if (!has(data_before_cts)) return Endpoint::await_first_cts(op);
  op.window_end = op.total;
  op.stage = Stage::data;
  return true;
}

// ---------------------------------------------------------------------------------------------------------- answers

std::uint64_t FaultyEndpoint::window_of(const Transmission& op, const Packet& cts) {
  const std::uint64_t rest = op.total - op.sent;
  if (cts.recv_length == 0) die_of(dies_of_zero_window);
  if (cts.recv_length > rest) die_of(dies_of_wide_window);
  const std::uint64_t window = Endpoint::window_of(op, cts);
  return has(data_beyond_window) && window > 0 ? rest : window;
}

bool FaultyEndpoint::confirms(const Transmission& op, const Packet& receipt) const {
  if (has(receipt_compared) && op.purpose != Purpose::message && receipt.msg_id != 0) return false;
  return Endpoint::confirms(op, receipt);
}

void FaultyEndpoint::follow_nack(Peer& peer, Transmission& op) {
  if (!has(nack_not_followed)) Endpoint::follow_nack(peer, op);
}

void FaultyEndpoint::begin_again(Peer& peer, Transmission& op, const Layout& long_cts) {
  if (has(nacked_new_msg_id)) op.msg_id = peer.next_msg_id++;
  Endpoint::begin_again(peer, op, long_cts);
}

}  // namespace wirelaw::efa
