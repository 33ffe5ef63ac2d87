// SPDX-License-Identifier: Apache-2.0
// Chooses the subprotocol for the data, according to the peer's capabilities (2.1) and to its length (5 leaves the rest
// open).
#include <algorithm>
#include <limits>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kReadrsp = 24;

}  // namespace

// Begins held transmissions in call order, up to the first that needs capabilities of the peer that are not known.
void Endpoint::start_held(Peer& peer) {
  while (!peer.held.empty()) {
    Transmission* const op = transmissions_.find(peer.held.front());
    const Choice choice = op == nullptr ? Choice{} : choose(peer, *op);
    if (choice.wait) {
      ask_for_handshake(peer);
      return;
    }
    peer.held.pop_front();
    if (op == nullptr) continue;
    if (choice.status != Status::ok)
      end(*op, choice.status);
    else
      begin(peer, *op, choice);
  }
}

// Sends an empty write, which makes the peer answer with its HANDSHAKE (EFA/A-28).
void Endpoint::ask_for_handshake(Peer& peer) {
  if (peer.asked) return;
  Transmission nothing;
  emit(peer, draft(peer, nothing, describe(PacketType::eager_rtw)));
}

Endpoint::Choice Endpoint::choose(const Peer& peer, const Transmission& op) {
  if (op.direct) {
    // A device has 32 bits for immediate data.
    if (op.cq_data && *op.cq_data > std::numeric_limits<std::uint32_t>::max()) return {.status = Status::unsupported};
    const Extra extra = op.purpose == Purpose::read ? Extra::rdma_read : Extra::rdma_write;
    Choice choice = may_use(peer, extra_bits({extra}));
    choice.direct = true;
    // The device does not move data if it does not reach the memory (later documents, 2.1.1), or if the peer may not
    // get immediate data from it. Packets do instead.
    const bool by_device = peer.reachable && (!op.cq_data || takes_immediate(peer));
    if (choice.status != Status::ok || choice.wait || by_device) return choice;
  }
  if (op.purpose == Purpose::message && !takes_messages(peer)) return {.status = Status::unsupported};
  if (op.purpose == Purpose::read) return choose_read(op);
  if (op.purpose == Purpose::atomic) return choose_atomic(peer, op);
  return op.transfer ? choose_asked(peer, op) : choose_fitting(peer, op);
}

// Returns whether extra features may be used: both sides must have announced them (2.1), or they are baseline in the
// document.
Endpoint::Choice Endpoint::may_use(const Peer& peer, std::uint64_t extras) const {
  if ((extras & ~own_extras()) != 0) return {.status = Status::unsupported};
  const std::uint64_t looked_up = extras & ~baseline_of(options_.revision);
  if (looked_up == 0) return {};
  if (!peer.handshake_received) return {.wait = true};
  if ((looked_up & ~peer.extra_info) != 0) return {.status = Status::unsupported};
  return {};
}

// For writes with immediate data, either both devices need posted receives, or neither does (later documents, 4.9).
bool Endpoint::takes_immediate(const Peer& peer) const {
  return ((own_extras() ^ peer.extra_info) & extra_bits({Extra::unsolicited_write_recv})) == 0;
}

// A receiver with a user receive QP accepts messages only there (later documents, 4.8), without a header. Packets of
// this endpoint go to the peer's own queue pair. An endpoint of the first document does not know this.
bool Endpoint::takes_messages(const Peer& peer) const {
  constexpr std::uint64_t kLater = extra_bits({Extra::user_recv_qp, Extra::unsolicited_write_recv, Extra::peer_error});
  const bool knows = options_.revision >= Revision::v2_6 || (own_extras() & kLater) != 0;
  return !peer.wants_user_recv_qp || !knows;
}

Endpoint::Choice Endpoint::needs(const Peer& peer, const Layout& layout) const {
  Choice choice = may_use(peer, layout.extras);
  choice.request = &layout;
  return choice;
}

bool Endpoint::fits_one_packet(const Peer& peer, const Transmission& op, const Layout& layout) {
  return header_octets(draft(peer, op, layout)) + op.data.size() <= options_.mtu;
}

// Checks the subprotocol that the caller named.
Endpoint::Choice Endpoint::choose_asked(const Peer& peer, const Transmission& op) {
  const bool by_read = *op.transfer == Transfer::long_read;  // its EOR confirms the delivery like a RECEIPT
  const Layout* const layout =
      find_request(op.purpose, *op.transfer, op.tag.has_value(), op.delivery_complete && !by_read);
  if (layout == nullptr) return {.status = Status::invalid};
  if (*op.transfer == Transfer::eager && !fits_one_packet(peer, op, *layout)) return {.status = Status::too_long};
  const bool runting = *op.transfer == Transfer::runting_read;
  const bool for_long = *op.transfer == Transfer::long_cts || *op.transfer == Transfer::long_read || runting;
  if ((for_long && op.total == 0) || (runting && options_.runt_octets == 0)) return {.status = Status::invalid};
  return needs(peer, *layout);
}

Endpoint::Choice Endpoint::choose_fitting(const Peer& peer, const Transmission& op) {
  const bool message = op.purpose == Purpose::message;
  const auto request = [&](Transfer transfer, bool delivery_complete) -> const Layout& {
    return *find_request(op.purpose, transfer, op.tag.has_value(), delivery_complete);
  };
  const bool dc = op.delivery_complete;
  const Choice dc_allowed = may_use(peer, dc ? extra_bits({Extra::delivery_complete}) : 0);
  if (dc_allowed.wait) return dc_allowed;

  const Layout& eager = request(Transfer::eager, dc);
  const bool dc_impossible = dc_allowed.status != Status::ok;
  if (!dc_impossible) {
    if (fits_one_packet(peer, op, eager)) return {.request = &eager};
    if (message && op.total <= options_.max_medium) return {.request = &request(Transfer::medium, dc)};
  }
  // Unknown capabilities count as missing here: without them, the transfer is only slower (2.1, a).
  const bool readable = uses(peer, Extra::rdma_read) && registrations_ < options_.registrations;
  const std::uint64_t least = message ? options_.min_read_message : options_.min_read_write;
  if (readable && (op.total >= least || dc_impossible) && op.total > 0) {
    if (message && !dc && uses(peer, Extra::runting_read) && options_.runt_octets > 0)
      return {.request = &request(Transfer::runting_read, false)};
    return {.request = &request(Transfer::long_read, false)};
  }
  if (dc_impossible) return dc_allowed;
  return {.request = &request(Transfer::long_cts, dc)};
}

// 3.3: a short read must fit one READRSP; deployed requesters leave at least one octet of it free.
bool Endpoint::fits_readrsp(std::uint64_t octets) const {
  return octets < options_.mtu - kReadrsp;
}

Endpoint::Choice Endpoint::choose_read(const Transmission& op) const {
  const bool fits = fits_readrsp(op.total);
  const Transfer transfer = op.transfer.value_or(fits ? Transfer::eager : Transfer::long_cts);
  if (transfer == Transfer::eager && !fits) return {.status = Status::too_long};
  const Layout* const layout = find_request(Purpose::read, transfer);
  if (layout == nullptr || (transfer == Transfer::long_cts && op.total == 0)) return {.status = Status::invalid};
  return {.request = layout};
}

Endpoint::Choice Endpoint::choose_atomic(const Peer& peer, const Transmission& op) {
  PacketType type = op.delivery_complete ? PacketType::dc_write_rta : PacketType::write_rta;
  if (op.atomic_call == AtomicCall::fetch) type = PacketType::fetch_rta;
  if (op.atomic_call == AtomicCall::compare) type = PacketType::compare_rta;
  const Layout& layout = describe(type);
  if (!fits_one_packet(peer, op, layout) || op.total > options_.mtu - kReadrsp) return {.status = Status::too_long};
  return needs(peer, layout);
}

void Endpoint::begin(Peer& peer, Transmission& op, const Choice& choice) {
  if (choice.direct) return start_direct(peer, op);
  op.request = choice.request;
  op.stage = Stage::request;
  if (op.request->transfer == Transfer::runting_read) op.runt = std::min(options_.runt_octets, op.total);
  if (op.request->behind == Array::read_iov && !register_buffer(op)) {
    // 4.1: if the registration fails, chooses another subprotocol that the peer has announced.
    const Choice other =
        needs(peer, *find_request(op.purpose, Transfer::long_cts, op.tag.has_value(), op.delivery_complete));
    if (other.status != Status::ok) return end(op, other.status);
    op.request = other.request;
    op.runt = 0;
  }
  // Headers must leave room in a packet, however many buffers the caller names.
  if (header_octets(draft(peer, op, *op.request)) > options_.mtu / 2) return end(op, Status::too_long);
  if (op.request->find(Field::recv_id) != nullptr && !expect_answer(peer, op)) return end(op, Status::no_room);
  make_ready(op);
}

// 3.2: messages and atomics share a sequence of IDs (EFA/A-19), in which 0 follows 4294967295. A transmission gets its
// ID with its first packet, so that one given up before leaves no gap.
void Endpoint::number(Peer& peer, Transmission& op) {
  if (op.numbered || !op.request->ordered()) return;
  op.msg_id = next_msg_id(peer, op);
  op.numbered = true;
}

std::uint32_t Endpoint::next_msg_id(Peer& peer, const Transmission&) {
  return peer.next_msg_id++;
}

// For a read or a fetching atomic, begins the reception of the data, for which the call now waits.
bool Endpoint::expect_answer(Peer& peer, Transmission& op) {
  if (receptions_.full() || op.total > options_.max_read_octets) return false;
  const bool is_read = op.purpose == Purpose::read;
  Reception& in = *receptions_.insert();
  ++peer.operations;
  in.peer = peer.id;
  in.kind = is_read ? Reception::Kind::read : Reception::Kind::atomic;
  in.request = op.request;
  in.call = op.call;
  in.total = in.capacity = op.total;
  in.matched = true;
  in.buffer.resize(static_cast<std::size_t>(op.total));
  if (op.request->transfer == Transfer::long_cts)
    in.granted = std::min<std::uint64_t>(window_for(op.total), 0xffffffff);
  op.call.reset();
  op.recv_id = in.id;
  op.window_end = in.granted;
  watch(in);
  return true;
}

}  // namespace wirelaw::efa
