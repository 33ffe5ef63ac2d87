// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/state/trace_state.h"

namespace wirelaw::efa {

void TraceState::note_partial(std::string_view reason) {
  if (partial_.empty()) partial_ = reason;
}

void TraceState::begin_anew(Side side, std::uint32_t former_connid) {
  Party& peer = party(other(side));
  const auto connid = peer.connid;
  const auto raw_address = peer.raw_address;
  const bool was_greeted = peer.handshakes > 0;
  parties_ = {};
  exchanges_ = {};
  contradictions_.clear();
  peer.connid = connid;
  peer.raw_address = raw_address;
  party(side).former_connid = former_connid;
  peer.counts_anew = true;  // packets of the former one may reach it behind those of the new one
  peer.handshakes_owed = was_greeted ? 1 : 2;
  from_start_ = false;
}

bool TraceState::serves_memory_of(const Exchange& exchange) const {
  if (!exchange.target || !exchange.target->len) return false;
  const RmaIov& wanted = *exchange.target;
  const auto serves = [&](const Exchange& one) {
    return one.begun.index > exchange.begun.index && one.requester == exchange.requester && one.is_answered() &&
           !one.unsettled && one.request->purpose == exchange.request->purpose && one.target &&
           one.target->key == wanted.key && one.target->addr <= wanted.addr &&
           wanted.addr - one.target->addr <= one.target->len &&
           wanted.len <= one.target->len - (wanted.addr - one.target->addr);
  };
  std::size_t left = Exchanges::kLookedAt;
  for (auto one = exchanges_.all().rbegin(); one != exchanges_.all().rend() && left > 0; ++one, --left)
    if (serves(*one)) return true;
  return false;
}

Exchange& TraceState::begin(const SeenPacket& seen) {
  const Layout& layout = seen.layout;
  const Packet& packet = seen.packet;
  Exchange exchange{.request = &layout, .requester = seen.sender(), .begun = seen.mark()};
  exchange.peer_packets = party(other(seen.sender())).packets;
  if (layout.purpose == Purpose::message) exchange.msg_id = packet.msg_id;
  if (layout.find(Field::send_id) != nullptr) exchange.send_id = packet.send_id;
  if (layout.find(Field::recv_id) != nullptr) exchange.recv_id = packet.recv_id;
  if (layout.find(Field::msg_length) != nullptr) exchange.length = packet.msg_length;
  exchange.tag = packet.tag;
  if (rma_iov_count(packet.rma_iov) == 1) exchange.target = rma_iov_at(packet.rma_iov, 0);
  exchange.doubtful = seen.doubled;
  exchange.unsettled = may_mean_former(Side::a) || may_mean_former(Side::b);
  exchange.request_hash = Exchange::hash_of_request(seen);
  return exchanges_.begin(exchange);
}

}  // namespace wirelaw::efa
