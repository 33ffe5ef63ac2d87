// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/trace_state.h"

#include <utility>

namespace wirelaw::efa {

void TraceState::note_partial(std::string_view reason) {
  if (partial_.empty()) partial_ = reason;
}

void TraceState::begin_anew(Side side, std::uint32_t former_connid) {
  Party& peer = party(other(side));
  const auto connid = peer.connid;
  const auto raw_address = peer.raw_address;
  const Mark latest = peer.latest;
  // An endpoint to which the former one has sent nothing has not greeted that one.
  const Party& former = party(side);
  const bool met_former =
      former.packets > 0 || !peer.first || !is_past_transit(former.latest.time_ns, peer.first->time_ns);
  const bool was_greeted = peer.handshakes > 0 ||
                           (meeting_again_ && meeting_again_->first_handshakes[static_cast<std::size_t>(other(side))]);
  parties_ = {};
  exchanges_ = {};
  exchanges_.set_transit(grace());
  ++beginnings_;
  peer.connid = connid;
  peer.raw_address = raw_address;
  peer.latest = latest;
  party(side).former_connid = former_connid;
  peer.counts_anew = true;  // packets of the old one may reach it after those of the new one
  peer.handshakes_owed = was_greeted || !met_former ? 1 : 2;
  from_start_ = false;
  first_.reset();  // packets sent before may still arrive
  // Whoever counts anew since then does so for the new endpoint.
  meeting_again_.reset();
  address_again_.reset();
  handshakes_again_.clear();
}

void Party::meet_again(bool greeted) {
  const Party before = std::exchange(*this, {});
  static_cast<LastingParty&>(*this) = before;
  if (!greeted) return;
  handshake = before.greeted_again;
  handshakes = 1;
  handshake_digest = before.handshake_digest;
  extras_known = before.extras_known;
  extra_info = before.extra_info;
  has_user_recv_qp = before.has_user_recv_qp;
  packets_at_handshake = before.packets_at_handshake;
}

void TraceState::meet_again(MeetingAgain again) {
  again.other_counted = party(other(again.side)).message_ids.any();
  again.is_known = from_start_ || has_met_again_;
  again.handshakes = std::exchange(handshakes_again_, {});
  for (std::size_t side = 0; side < parties_.size(); ++side) {
    again.first_handshakes[side] = parties_[side].handshake;
    parties_[side].meet_again(again.greeted[side]);
  }
  meeting_again_ = std::move(again);
  has_met_again_ = true;
  exchanges_.end_all();
  ++beginnings_;
  from_start_ = false;  // packets sent before may still arrive
}

bool TraceState::serves_memory_of(const Exchange& exchange) const {
  if (!exchange.target || !exchange.target->len) return false;
  const RmaIov& wanted = *exchange.target;
  const auto serves = [&](const Exchange& one) {
    return one.begun.index > exchange.begun.index && one.requester == exchange.requester && one.is_answered() &&
           !one.is_unsettled() && one.request->purpose == exchange.request->purpose && one.target &&
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
  if (may_mean_former(Side::a) || may_mean_former(Side::b)) exchange.contradict();
  exchange.request_hash = Exchange::hash_of_request(seen);
  return exchanges_.begin(exchange);
}

}  // namespace wirelaw::efa
